"""Doubts: what is allowed, but seldom meant, such as angles of more than two turns without unit."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from pliant.errors import Fault
from pliant.model.fields import kinds_of
from pliant.model.validation.context import About, Context
from pliant.model.validation.masses import insisted_inertias

_MOST = 4 * math.pi
_USUALLY_POSITIVE = ("stiffness", "damping", "coulomb", "viscous", "free_length")


def angle_doubts(context: Context) -> Iterator[Fault]:
    """Literal numbers beyond two turns where an angle is expected."""
    for who, path, label, f, number in context.model.formulas():
        angle = number.unit == "rad" or _is_angle(context, path, label, number.unit)
        value = context.literal(f) if angle else None
        if value is not None and abs(value) > _MOST:
            named = label.replace("axis_angle[4]", "angle")
            what = f"{named} is {value:g} rad, more than two turns"
            cure = f"write {value:g} deg if degrees are meant, {value:g} rad otherwise"
            yield Fault(who, what, cure, path=path)


def _is_angle(context: Context, path: tuple[str, ...], label: str, unit: str) -> bool:
    """Whether a field whose unit depends on a joint is an angle."""
    if len(path) < 3:
        return False
    section, name, key = path[:3]
    element: Any = getattr(context.model, section)[name]
    if section == "joints" and key in ("initial", "guess"):
        units = dict(zip(element.coordinate_names, element.coordinate_units, strict=True))
        return units.get(label.partition(".")[2]) == "rad"
    if "rad |" not in unit or not hasattr(element, "joint"):
        return False
    coordinate = context.coordinate(element.joint, element.coordinate)
    at_rest = getattr(element, "level", "position") == "position"
    return at_rest and coordinate is not None and coordinate.unit == "rad"


def sign_doubts(context: Context) -> Iterator[Fault]:
    """Negative stiffness, damping and friction."""
    for name, element in context.model.forces.items():
        for key, kind in kinds_of(element).items():
            if key not in _USUALLY_POSITIVE:
                continue
            for label, f, _ in kind.formulas(getattr(element, key)):
                value = context.number(f)
                if value is not None and value < 0:
                    what = f"{key}{label} is negative, {value:g}"
                    yield About("forces", name).fault(what, "check its sign", key)


DOUBTS = (insisted_inertias, angle_doubts, sign_doubts)
"""Physics allows them, users seldom mean them: inertias that no body has, if a model insists on
them, angles of many turns without unit, negative stiffness, damping and friction."""
