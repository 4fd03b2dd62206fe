"""Numbers: formulas of parameters must have finite values, and some of them a sign."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from pliant.errors import Fault
from pliant.model.fields import CONSTANT
from pliant.model.formulas.tree import Name
from pliant.model.frames import Orientation
from pliant.model.joints import Joint
from pliant.model.units import dimension_of
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
    yield from _settings(context)
    yield from _signs(context)
    for joint in context.model.joints.values():
        yield from _initial(context, joint)
        yield from _springs(context, joint)


def unit_faults(context: Context) -> Iterator[Fault]:
    """A number that is just a parameter must have the unit of the field, if it has one."""
    parameters = context.model.parameters
    for who, path, label, f, kind in context.formulas():
        declared = parameters.get(f.tree.name) if isinstance(f.tree, Name) else None
        if declared is None or declared.dimension is None:
            continue
        if not kind.accepts(declared.dimension):
            what = f"{label}: the parameter '{f.text}' is '{declared.text}', the wrong unit"
            yield Fault(who, what, f"expected {kind.wanted}", path=path)


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


def _signs(context: Context) -> Iterator[Fault]:
    for who, path, label, f, kind in context.model.formulas():
        value = context.number(f) if kind.positive else None
        if value is not None and value <= 0:
            said = label.replace(".", ": ")
            yield Fault(who, f"{said} is {value:g}, not above zero", "give a positive number",
                        path=path)  # fmt: skip


def _springs(context: Context, joint: Joint) -> Iterator[Fault]:
    """Springs of a joint: of what it holds, and of a joint that can be held by them."""
    springs = joint.springs
    if springs is None:
        return
    found: list[tuple[str, str]] = []
    if joint.m == 0 or joint.multi_turn:
        what = "it holds nothing" if not joint.m else "its constraint needs its angle"
        found.append((f"a {joint.kind} joint cannot have them: {what}", "remove springs"))
    if joint.cut is False:
        what = "cut is false, but springs are no part of a tree"
        found.append((what, "remove cut or springs"))
    for unit, key in (("m", "stiffness"), ("rad", "rotational_stiffness")):
        if unit in joint.row_units and getattr(springs, key) is None:
            found.append((f"{key} is missing", f"add {key}"))
    for key in ("damping", "rotational_damping"):
        value = context.number(getattr(springs, key))
        if value is not None and value < 0:
            found.append((f"{key} is {value:g}, below zero", "give zero or a positive number"))
    own = About("joints", joint.name)
    yield from (own.fault(f"springs: {what}", cure, "springs") for what, cure in found)


def _settings(context: Context) -> Iterator[Fault]:
    settings = context.model.settings
    start = context.number(settings.t_start)
    end = None if settings.t_end is None else context.number(settings.t_end)
    if start is not None and end is not None and end <= start:
        what = f"t_end is {end:g} s, not after t_start, {start:g} s"
        yield Fault("simulate", what, "swap or change them", path=("simulate", "t_end"))


def _initial(context: Context, joint: Joint) -> Iterator[Fault]:
    """Initial values with the unit of another kind of coordinate."""
    units = {c.name: c.unit for c in joint.scalars}
    units |= {c.rate: f"{c.unit}/s" for c in joint.scalars}
    both = {"initial": joint.initial, "guess": joint.guess}
    for label, name, f in ((k, *item) for k, given in both.items() for item in given.items()):
        unit = units.get(name)
        if unit and f.dimension is not None and not dimension_of(unit).accepts(f.dimension):
            what = f"{label}: {name}: '{f.text}' has the wrong unit"
            yield About("joints", joint.name).fault(what, f"expected {unit}", name)
