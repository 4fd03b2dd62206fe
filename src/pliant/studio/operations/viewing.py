"""The section ``view`` with something else in it: only what differs is written, and names that the
model no longer has go with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pliant.model.validation.view import unknown_controls, unknown_plots
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.writing import written

View = dict[str, Any]
_OWNERS = ("bodies", "joints", "forces", "drivers", "constraints", "sensors", "networks")


def changed_view(draft: Draft, **changes: Any) -> None:
    """Entries of ``view``; those of mappings are added to what is there, None leaves out."""

    def change(view: View) -> None:
        for key, value in changes.items():
            view[key] = _merged(view.get(key), value)

    edited_view(draft, change)


def edited_view(draft: Draft, change: Callable[[View], None]) -> None:
    """The section with a change made to it."""
    found = draft.at("view")
    old = found if isinstance(found, dict) else {}
    new = _without_unknown_numbers(draft, deepcopy(old))
    change(new)
    new = _without_strangers(draft, new)
    new = {key: value for key, value in new.items() if value not in (None, {}, [])}
    if new == old:
        return
    if not new:
        draft.remove(("view",))
        return
    written(draft, ("view",), old, new)
    for name in new.get("places", {}):
        draft.open_long(("view", "places", name))
    for key in new:
        draft.open_long(("view", key))


def _merged(old: Any, new: Any) -> Any:
    if not isinstance(new, Mapping) or not isinstance(old, dict):
        if isinstance(new, Mapping):
            return {k: _merged(None, v) for k, v in new.items() if v is not None}
        return list(new) if isinstance(new, tuple) else new
    found = {k: _merged(old.get(k), new[k]) if k in new else v for k, v in old.items()}
    found |= {k: _merged(None, v) for k, v in new.items() if k not in old}
    return {k: v for k, v in found.items() if v is not None}


def _without_unknown_numbers(draft: Draft, view: View) -> View:
    """Without sliders of numbers, and plots of quantities, that are no longer there; as long as the
    model has faults, nobody knows."""
    if not ("controls" in view or "plots" in view) or draft.reading.faults:
        return view
    if isinstance(view.get("controls"), dict):
        unknown = unknown_controls(draft.model)
        view["controls"] = {n: r for n, r in view["controls"].items() if n not in unknown}
    if isinstance(view.get("plots"), list):
        lost = {name for _, name in unknown_plots(draft.model)}
        panels = [[n for n in panel if n not in lost] if isinstance(panel, list) else panel
                  for panel in view["plots"]]  # fmt: skip
        view["plots"] = [panel for panel in panels if panel]
    return view


def _without_strangers(draft: Draft, view: View) -> View:
    """Without names of what is no longer in the file."""

    def names(*path: str) -> set[str]:
        found = draft.at(*path)
        return {*found} if isinstance(found, dict) else set()

    places = view.get("places")
    if isinstance(places, dict):
        kept = {}
        for graph, own in places.items():
            known = names("networks", graph, "elements") | names("subgraphs", graph, "elements")
            if isinstance(own, dict):
                kept[graph] = {n: at for n, at in own.items() if n in known}
        view["places"] = {graph: own for graph, own in kept.items() if own}
    owners = {"ground"}.union(*(names(s) for s in _OWNERS))
    if isinstance(view.get("boxes"), dict):
        view["boxes"] = {n: at for n, at in view["boxes"].items() if _first(n) in owners}
    if isinstance(view.get("folded"), list):
        view["folded"] = [n for n in view["folded"] if _first(n) in owners]
    return view


def _first(name: Any) -> str:
    return str(name).partition(".")[0]
