"""Frames of bodies and of the ground: added and moved."""

from __future__ import annotations

import re
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.fields import Numbers
from pliant.model.files.document import Path
from pliant.model.formulas import formula
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.parameters import Parameters
from pliant.model.numbers.units import parse_unit, unit_in
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.elements.naming import (
    frames_of,
    free_letter,
    given_name,
    listed,
    short,
    tidy,
)
from pliant.studio.operations.registry import operation

_PLACE = Numbers(3, ("m",))


@operation("body.frame")
def add_frame(draft: Draft, body: str, at: list[Any], name: str = "") -> None:
    """Add a frame to a body or to the ground, to which joints and forces can be attached."""
    known = ["ground", *draft.entries("bodies")]
    if body not in known:
        raise UnknownName(f"there is no body '{body[:40]}'", did_you_mean(body, known))
    own = ("ground",) if body == "ground" else ("bodies", body)
    target = (*own, "frames", "")
    new = given_name(draft, target, name) if name else free_letter(draft, target)
    place = place_of(at)
    draft.insert((*own, "frames"), new, place)
    draft.label = f"add frame {body}.{new} at {short(place)}"
    draft.selection = (f"{body}.{new}",)


def place_of(at: list[Any]) -> list[Any]:
    """Three coordinates, numbers to a millionth; raises InputError."""
    _PLACE.convert(at)
    return [tidy(x) if isinstance(x, int | float) and not isinstance(x, bool) else x for x in at]


@operation("frame.move")
def move_frame(draft: Draft, name: str, at: list[Any], formulas: str = "") -> None:
    """Move a frame to another place in the frame it is placed in. Numbers are replaced, in their
    units; for a formula it is asked whether it is replaced or gets an offset (``formulas``:
    "replace" or "offset")."""
    path = _frame_path(draft, name)
    place = place_of(at)
    entry = draft.at(*path)
    where = (*path, "at") if isinstance(entry, dict) else path
    old = draft.at(*where)
    if not isinstance(old, list) or len(old) != 3:
        draft.put(where, place)
    else:
        new = [_moved(draft, *pair, formulas) for pair in zip(old, place, strict=True)]
        asked = [text for text, changed in zip(old, new, strict=True) if changed is None]
        if asked:
            raise _question(draft, name, asked)
        for k, (before, value) in enumerate(zip(old, new, strict=True)):
            if before != value:
                draft.put((*where, str(k)), value)
    draft.label = f"move {name} to {short(draft.at(*where))}"


def _frame_path(draft: Draft, name: str) -> Path:
    body, _, frame = name.partition(".")
    own = ("ground",) if body == "ground" else ("bodies", body)
    path = (*own, "frames", frame)
    if draft.has(*path) and frame:
        return path
    known = [f"{body}.{own}" for own in draft.entries(*own, "frames")]
    if frame and frame in frames_of(draft, body):
        raise InputError(f"where {name} is follows from the body itself", "change the body's size")
    raise UnknownName(f"there is no frame '{name[:40]}'", did_you_mean(name, known))


def _moved(draft: Draft, old: Any, new: Any, formulas: str) -> Any:
    """Another coordinate: in the unit of the old one, as it was if it is there already; None if it
    must be asked."""
    value = _number(draft, old)
    if isinstance(new, str) or (value is not None and abs(value - new) <= 5e-7):
        return new if isinstance(new, str) else old
    if unit := unit_in(str(old)):
        return f"{tidy(new / parse_unit(unit)[0])} {unit}"
    if not isinstance(old, str) or formulas == "replace":
        return new
    if formulas == "offset" and value is not None:
        return _offset(old, new - value)
    return None


def _offset(text: str, away: float) -> str:
    """A formula with an offset, in place of the one it has already."""
    found = _OFFSET.fullmatch(text)
    if found:
        text, away = found[1], away + float(found[3]) * (-1 if found[2] == "-" else 1)
    away = tidy(away)
    return f"{text} {'-' if away < 0 else '+'} {abs(away)}" if away else text


_OFFSET = re.compile(r"(.+?) ([+-]) (\d+(?:\.\d*)?(?:e-?\d+)?)")


def _number(draft: Draft, old: Any) -> float | None:
    """What a coordinate is now; None if that cannot be told."""
    try:
        f = formula(old)
        return f.number(Parameters(draft.model.parameters).values if f.names else {})
    except (InputError, KeyError, ArithmeticError):
        return None


def _question(draft: Draft, name: str, asked: list[Any]) -> Question:
    told = listed([f"'{text}'" for text in asked])
    choices: list[tuple[str, dict[str, Any]]] = []
    if all(_number(draft, text) is not None for text in asked):
        choices.append(("Add an offset", {"formulas": "offset"}))
    choices.append(("Replace it by the number", {"formulas": "replace"}))
    many = "formulas" if len(asked) > 1 else "a formula"
    return Question(f"the place of {name} is given by {many}, {told}", choices, (name,))
