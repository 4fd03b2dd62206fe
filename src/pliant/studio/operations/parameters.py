"""Parameters: set, added, removed, and made of a number that stands somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.fields import Number
from pliant.model.files.document import Path
from pliant.model.files.editing.mentions import Mention, mentions
from pliant.model.files.editing.references import meant, replaced
from pliant.model.files.names import name_of
from pliant.model.formulas import formula
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.units import is_quantity, parse_quantity
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.elements.naming import given_name, listed, short, spoken
from pliant.studio.operations.elements.paths import field_at
from pliant.studio.operations.registry import operation

_COMMON = (0, 1, -1, "0", "1")
"""Numbers that mean many things, so that it is not asked where else they stand."""
_NO_NUMBERS = ("junction", "on", "from", "to", "ports", "part", "joint", "frame", "coordinate",
               "stroke", "dim", "domain")  # fmt: skip
"""Keys of elements of networks that say how it is built."""


@operation("parameter.set")
def set_parameter(draft: Draft, name: str, value: Any) -> None:
    """Give a parameter a value; one that is not there yet is added."""
    is_new = not draft.has("parameters", name)
    if is_new:
        given_name(draft, ("parameters", ""), name)
    draft.put(("parameters", name), value)
    draft.label = f"{'define' if is_new else 'set'} {name} = {short(value)}"
    draft.selection = (f"parameters.{name}",) if is_new else None


@operation("parameter.remove")
def remove_parameter(draft: Draft, name: str, put_value: bool = False) -> None:
    """Remove a parameter. Where it is used its value can be put in its place."""
    path = parameter_path(draft, name)
    used = [m for m in mentions(draft.data, draft.model) if meant(m, path) and not _in_view(m)]
    if used and not put_value:
        names = [*dict.fromkeys(name_of(m.path) for m in used)]
        raise Question(f"{name} is used by {listed(names)}",
                       [("Put its value where it is used", {"put_value": True})],
                       tuple(names))  # fmt: skip
    forget(draft, path)
    draft.label = f"remove parameter {name}"
    places = "one place" if len(used) == 1 else f"{len(used)} places"
    draft.label += f", its value is put into {places}" if used else ""


def parameter_path(draft: Draft, name: str) -> Path:
    """Where a parameter stands: `h`, `parameters.h`, `drive.R` (of a network)."""
    own = name.removeprefix("parameters.")
    if draft.has("parameters", own):
        return ("parameters", own)
    try:
        path = draft.path_of(name)
    except UnknownName:
        path = ()
    if len(path) == 4 and path[2] == "parameters":
        return path
    raise UnknownName(f"there is no parameter '{name[:40]}'",
                      did_you_mean(name, draft.entries("parameters")))  # fmt: skip


def forget(draft: Draft, path: Path) -> None:
    """Without a parameter; its value stands wherever it was read."""
    value = draft.at(*path)
    found = [m for m in mentions(draft.data, draft.model) if meant(m, path)]
    if value is None and any(not m.key for m in found):
        raise InputError(f"'{path[-1]}' has no value that could be put in its place",
                         "change what uses it first")  # fmt: skip
    values: dict[Path, Any] = {}
    for mention in (m for m in found if not m.key and not _in_view(m)):
        text = draft.at(*mention.path)
        alone = text.strip() == path[-1]
        new = value if alone else replaced(text, mention, path, _inside(value))
        values[mention.path] = new
    draft.put_all(values)
    for mention in (m for m in found if m.key or _in_view(m)):
        if draft.has(*mention.path):
            draft.remove(
                mention.path, prune=4 if mention.path[0] in ("networks", "subgraphs") else 0
            )
    draft.remove(path, prune=2 if len(path) > 2 else 0)


def _in_view(mention: Mention) -> bool:
    return mention.path[0] == "view"


def _inside(value: Any) -> str:
    """A value within a formula, where quantities are numbers of SI."""
    text = str(value).strip()
    if is_quantity(text):
        text = f"{parse_quantity(text)[0]:.15g}"
    plain = text.replace(".", "").replace("e", "").replace("_", "").isalnum()
    return text if plain else f"({text})"


@operation("parameter.extract")
def extract(draft: Draft, path: list[str], name: str, everywhere: bool | None = None) -> None:
    """Make a parameter of the number or formula at a path, which then reads the parameter."""
    where, value = tuple(path), draft.at(*path)
    _require_constant(draft, where, value)
    if draft.at("parameters", name) != value:
        given_name(draft, ("parameters", ""), name)
    if where[0] in ("networks", "subgraphs") and draft.has(*where[:2], "parameters", name):
        raise InputError(f"'{where[1]}' has a parameter '{name}' of its own", "choose another name")
    others = [] if value in _COMMON else [*_same(draft, where, value)]
    if others and everywhere is None:
        names = [*dict.fromkeys(map(spoken, others))]
        raise Question(f"{short(value)} also stands in {listed(names)}",
                       [("Only here", {"everywhere": False}),
                        (f"In all {len(others) + 1} places", {"everywhere": True})],
                       tuple(name_of(p) for p in others))  # fmt: skip
    if not draft.has("parameters", name):
        draft.insert(("parameters",), name, value)
    for place in [where, *(others if everywhere else [])]:
        draft.put(place, name)
    draft.label = f"make {spoken(where)} the parameter {name} = {short(value)}"
    draft.selection = (f"parameters.{name}",)


def _require_constant(draft: Draft, path: Path, value: Any) -> None:
    """Refuse what is no number, or reads something that parameters may not."""
    if not draft.has(*path) or path[0] in ("pliant", "view"):
        raise InputError(f"there is no number at '{'.'.join(path)[:60]}'", "choose a number")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InputError(f"{short(value)} is no number", "choose one of its numbers")
    if path[0] in ("networks", "subgraphs") and any(key in path[4:] for key in _NO_NUMBERS):
        raise InputError(f"{spoken(path)} is no number", "choose a number")
    kind = field_at(draft.data, path)
    if kind is not None and not isinstance(kind, Number):
        raise InputError(f"{spoken(path)} is no number", "choose a number")
    strange = formula(value).names - {*draft.entries("parameters")}
    if strange:
        raise InputError(f"{short(value)} reads {listed(sorted(strange))}, which a parameter "
                         "cannot", "choose a part that is constant")  # fmt: skip


def _same(draft: Draft, path: Path, value: Any) -> Iterator[Path]:
    """Other places where the same is written for a quantity of the same unit."""
    own = field_at(draft.data, path)
    for place, other in _leaves((), draft.data):
        if place == path or other != value or type(other) is not type(value):
            continue
        kind = field_at(draft.data, place)
        if isinstance(own, Number) and isinstance(kind, Number) and kind.unit == own.unit:
            yield place


def _leaves(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves((*path, str(key)), inner)
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from _leaves((*path, str(k)), inner)
    else:
        yield path, value
