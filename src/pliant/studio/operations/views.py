"""How the model is drawn: places of symbols and boxes, what is folded, sliders and plots."""

from __future__ import annotations

from typing import Any

from pliant.errors import InputError
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.placing import frozen_places, known_places
from pliant.studio.operations.registry import operation
from pliant.studio.operations.viewing import View, changed_view, edited_view

_FAR = 1e6
"""Units of the grid at which nothing is drawn any more."""


@operation("view.place")
def place(draft: Draft, places: dict[str, Any], boxes: dict[str, Any] = {}) -> None:  # noqa: B006
    """Keep the places of elements of networks, and of boxes of the mechanism, in the file."""
    wanted: dict[str, dict[str, list[float]]] = {}
    for network, own in places.items():
        drawn = Drawn(draft, network)
        if not isinstance(own, dict):
            raise InputError(f"{network}: places are missing", "give [x, y] for each element")
        named = {drawn.local(name): _at(at) for name, at in own.items()}
        for name in named:
            drawn.entry(name)
        first = {} if known_places(drawn) else frozen_places(drawn)
        wanted[drawn.key] = {k: [*at] for k, at in first.items()} | named
    changed_view(draft, places=wanted, boxes={n: _at(at) for n, at in boxes.items()})
    moved = [f"{network}.{n}" for network, own in places.items() for n in own] + [*boxes]
    draft.label = f"move {moved[0]}" if len(moved) == 1 else f"move {len(moved)} symbols"


def _at(value: Any) -> list[float]:
    """Two numbers, whole ones as such."""
    if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)):
        raise InputError(f"{str(value)[:40]} is not a place", "give [x, y], two numbers")
    return [int(v) if float(v).is_integer() else round(float(v), 2) for v in value]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _FAR


@operation("view.tidy")
def tidy(draft: Draft, network: str = "") -> None:
    """Give the places of a network back to the automatic layout; without a name, those of all."""

    def change(view: View) -> None:
        if not network:
            view.pop("places", None)
            view.pop("boxes", None)
        elif isinstance(view.get("places"), dict):
            view["places"].pop(Drawn(draft, network).key, None)

    edited_view(draft, change)
    draft.label = f"tidy {network}" if network else "tidy everything"


@operation("view.fold")
def fold(draft: Draft, names: list[str], folded: bool) -> None:
    """Show boxes of the mechanism or parts of networks closed, or open."""

    def change(view: View) -> None:
        known = view.get("folded")
        kept = [n for n in known if n not in names] if isinstance(known, list) else []
        view["folded"] = kept + (names if folded else [])

    edited_view(draft, change)
    what = names[0] if len(names) == 1 else f"{len(names)} boxes"
    draft.label = f"{'fold' if folded else 'unfold'} {what}"


@operation("view.control")
def control(draft: Draft, name: str, range: list[Any] | None) -> None:
    """Pin a slider of a parameter from its least to its greatest value; without them, take it
    away."""
    changed_view(draft, controls={name: range})
    draft.label = f"pin a slider of {name}" if range else f"take the slider of {name} away"


@operation("view.plot")
def plot(draft: Draft, panels: list[list[str]]) -> None:
    """Keep which observables are plotted in which panel."""
    changed_view(draft, plots=panels or None)
    draft.label = "keep the plots"
