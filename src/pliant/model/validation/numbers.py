"""Numbers: formulas of parameters must have finite values, and some of them a sign; masses are not
negative, and inertias such as a body can have.

Doubts: what is allowed, but seldom meant, such as angles of more than two turns without unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from pliant.errors import Fault
from pliant.model.bodies import RigidBody
from pliant.model.cures import Beside, Leave, adding, curing, in_range
from pliant.model.fields import CONSTANT, kinds_of
from pliant.model.frames import Orientation
from pliant.model.joints import Joint
from pliant.model.validation.context import About, Context

TINY = 1e-100
"""Numbers below, other than zero, underflow when they are multiplied."""


def number_faults(context: Context) -> Iterator[Fault]:
    """Every number that cannot be."""
    for who, path, label, f, kind in context.formulas():
        value = context.number(f)
        if path[0] == "parameters" or value is None:
            continue
        bad = not math.isfinite(value) or abs(value) > 1e100
        if bad and (kind.scope == CONSTANT or f.is_constant):
            what = f"'{f.text}' has no finite value"
            cure = "look for a division by zero, a negative root or an overflow"
            yield Fault(who, f"{label}: {what}" if label else what, cure, path=path)
        elif 0 < abs(value) < TINY and kind.scope == CONSTANT:
            what = f"{value:g} is below what numbers can be computed with"
            cure = f"give zero, or a number above {TINY:g}"
            yield Fault(who, f"{label}: {what}" if label else what, cure, path=path)


def sign_faults(context: Context) -> Iterator[Fault]:
    """Directions without length, numbers of the wrong sign."""
    for who, path, label, orientation in _orientations(context):
        yield from _orientation(context, who, path, label, orientation)
    settings = context.model.settings
    start = context.number(settings.t_start)
    end = None if settings.t_end is None else context.number(settings.t_end)
    if start is not None and end is not None and end <= start:
        what = f"t_end is {end:g} s, not after t_start, {start:g} s"
        yield Fault("simulate", what, "swap or change them", path=("simulate", "t_end"))
    for who, path, label, f, kind in context.all_formulas():
        value = context.number(f) if kind.is_ranged else None
        fault = None if value is None else kind.fault(label, value)
        if fault is not None:
            what, cure = fault
            yield Fault(who, what, curing(cure, *in_range(f.text, kind)), path=path)
    for joint in context.model.joints.values():
        yield from _springs(joint)


def _orientations(context: Context) -> Iterator[tuple[str, tuple[str, ...], str, Orientation]]:
    model = context.model
    owners: list[tuple[str, tuple[str, ...], Any]] = [("ground", ("ground",), model.ground)]
    owners += [(f"body '{n}'", ("bodies", n), b) for n, b in model.bodies.items()]
    for who, path, owner in owners:
        for name, frame in owner.frames.items():
            yield who, (*path, "frames"), f"frame '{name}'", frame.orientation
        state = getattr(owner, "initial", None)
        if state is not None and state.orientation is not None:
            yield who, (*path, "initial"), "initial orientation", state.orientation


def _orientation(
    context: Context, who: str, path: tuple[str, ...], label: str, orientation: Orientation
) -> Iterator[Fault]:
    values = context.numbers(orientation.values)
    if values is None or orientation.kind not in ("quaternion", "axis_angle", "axes"):
        return
    if orientation.kind == "axes":
        z, x = values[:3], values[3:]
        cross = [z[i - 2] * x[i - 1] - z[i - 1] * x[i - 2] for i in range(3)]
        if math.hypot(*cross) <= 1e-9 * math.hypot(*z) * math.hypot(*x):
            what = f"{label}: z and x are zero or parallel"
            yield Fault(who, what, "give two different directions", path=path)
        return
    length = math.hypot(*(values if orientation.kind == "quaternion" else values[:3]))
    if length < 1e-12:
        noun = "quaternion" if orientation.kind == "quaternion" else "axis"
        yield Fault(who, f"{label}: the {noun} has zero length", "give a direction", path=path)


def _springs(joint: Joint) -> Iterator[Fault]:
    """Springs of a joint: of what it holds, and of a joint that can be held by them."""
    springs = joint.springs
    if springs is None:
        return
    found: list[tuple[str, str]] = []
    if joint.m == 0:
        cure = curing("remove springs", Leave())
        found.append((f"a {joint.kind} joint cannot have them: it holds nothing", cure))
    if joint.cut is False:
        what = "cut is false, but springs are no part of a tree"
        found.append((what, curing("remove cut or springs", Leave(("cut",)), Leave())))
    for unit, key in (("m", "stiffness"), ("rad", "rotational_stiffness")):
        if unit in joint.row_units and getattr(springs, key) is None:
            wanted = adding(("springs", key), kinds_of(springs)[key])
            found.append((f"{key} is missing", wanted))
    own = About("joints", joint.name)
    yield from (own.fault(f"springs: {what}", cure, "springs") for what, cure in found)


_MOST = 4 * math.pi


def angle_doubts(context: Context) -> Iterator[Fault]:
    """Literal numbers beyond two turns where an angle is expected."""
    for who, path, label, f, number in context.all_formulas():
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
        angles = (*element.angle_names, *(c.name for c in element.scalars if c.unit == "rad"))
        return label.partition(".")[2] in angles
    if "rad |" not in unit or not getattr(element, "joint", ""):
        return False
    coordinate = context.coordinate(element.joint, element.coordinate)
    at_rest = getattr(element, "level", "position") == "position"
    return at_rest and coordinate is not None and coordinate.unit == "rad"


def sign_doubts(context: Context) -> Iterator[Fault]:
    """Negative stiffness, damping and friction."""
    for who, path, label, f, kind in context.all_formulas():
        value = None if kind.usual is None else context.number(f)
        if value is not None and kind.usual is not None and value < kind.usual:
            yield Fault(who, f"{label} is negative, {value:g}", "check its sign", path=path)


# Published inertias are rounded; a lamina given to three digits must pass.
ROUNDING = 1e-3


def mass_faults(context: Context) -> Iterator[Fault]:
    """Every impossible mass or inertia; bodies whose numbers are unknown are passed over."""
    for name, body in context.model.bodies.items():
        if isinstance(body, RigidBody):
            for key, what, cure in _of_body(context, body):
                yield About("bodies", name).fault(what, cure, key)


def _of_body(context: Context, body: RigidBody) -> Iterator[tuple[str, str, str]]:
    mass = context.number(body.mass)
    if mass is not None and mass < 0:  # its field says so
        return
    moments = _principal(context, body)
    if moments is None:
        return
    if mass == 0 and any(context.numbers(body.inertia) or ()):
        cure = curing("give a mass, or no inertia", Leave())
        yield "inertia", "the mass is 0 but the inertia is not", cure
        return
    small, middle, large = moments
    if small < -ROUNDING * max(abs(small), abs(large)):
        cure = "check the signs and the point the inertia is about"
        yield "inertia", f"the inertia is not positive: {_moments(small, middle, large)}", cure
    elif not body.insist and _breaks_triangle_rule(small, middle, large):
        what = f"the inertia breaks the triangle rule: {_moments(small, middle, large)}"
        cure = (
            "the largest is at most the sum of the others; for plane motion give [J/2, J/2, J]; "
            "to keep it all the same: insist: true"
        )
        cure = curing(cure, Beside("inertia", "insist", True))
        yield "inertia", what, cure


def insisted_inertias(context: Context) -> Iterator[Fault]:
    """Inertias that no body has, kept because the model insists."""
    for name, body in context.model.bodies.items():
        insists = isinstance(body, RigidBody) and body.insist
        moments = _principal(context, body) if isinstance(body, RigidBody) and insists else None
        if moments is not None and _breaks_triangle_rule(*moments):
            what = f"the inertia breaks the triangle rule: {_moments(*moments)}"
            cure = "no distribution of mass has it; it is kept since the body insists"
            yield About("bodies", name).fault(what, cure, "inertia")


def _principal(context: Context, body: RigidBody) -> tuple[float, float, float] | None:
    """Principal moments about the centre of mass, smallest first; None if a number is unknown."""
    mass, entries = context.number(body.mass), context.numbers(body.inertia)
    com = context.numbers(body.com)
    if mass is None or entries is None or com is None or not np.isfinite(mass):
        return None
    xx, yy, zz, xy, xz, yz = entries
    if body.inertia_about != "origin" and not (xy or xz or yz):
        small, middle, large = sorted((xx, yy, zz))
        return small, middle, large
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "origin":
        c = np.array(com)
        matrix = matrix - mass * (c @ c * np.eye(3) - np.outer(c, c))
    small, middle, large = np.linalg.eigvalsh(matrix)
    return small, middle, large


def _breaks_triangle_rule(small: float, middle: float, large: float) -> bool:
    """Moments are integrals of y² + z², z² + x², x² + y²: none exceeds the sum of the others."""
    return bool(small + middle < large - ROUNDING * max(abs(small), abs(large)))


def _moments(small: float, middle: float, large: float) -> str:
    return f"principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg*m^2"


DOUBTS = (insisted_inertias, angle_doubts, sign_doubts)
"""Physics allows them, users seldom mean them: inertias that no body has, if a model insists on
them, angles of many turns without unit, negative stiffness, damping and friction."""
