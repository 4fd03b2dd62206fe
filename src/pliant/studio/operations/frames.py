"""Frames of bodies and of the ground: added and moved."""

from __future__ import annotations

from typing import Any

from pliant.errors import UnknownName
from pliant.model.fields import Numbers
from pliant.model.frozen import did_you_mean
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.naming import free_letter, given_name, short, tidy
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
