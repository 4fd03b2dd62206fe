"""Motions and efforts on joint coordinates: no contradictions, units of the coordinate; events.

Constraints on velocities and generalised speeds: linear in velocities, between two bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pliant.errors import Fault
from pliant.model.bodies import Beam, RigidBody
from pliant.model.constraints import Constraint, VelocityConstraint
from pliant.model.cures import Remove, curing, expected
from pliant.model.drivers import Driver, Driving, FrameDriver, JointDriver
from pliant.model.formulas import Formula
from pliant.model.frames import COMPONENTS, VELOCITIES
from pliant.model.joints.base import Coordinate
from pliant.model.model import Model
from pliant.model.numbers.units import dimension_of
from pliant.model.validation.context import ON_COORDINATE, About, Context


def motion_faults(context: Context) -> Iterator[Fault]:
    """Contradictory drivers, units that do not fit the coordinate, events that never happen."""
    driven: dict[tuple[str, str], str] = {}
    for name, driver in context.model.drivers.items():
        for claim in _claims(context, driver):
            if claim in driven:
                what = f"{claim[0]} {claim[1]} is already driven by '{driven[claim]}'"
                cure = curing("remove one of the two drivers", Remove(name), Remove(driven[claim]))
                yield About("drivers", name).fault(what, cure)
            driven.setdefault(claim, name)
    for section, name, element in context.model.elements():
        for key, f, unit in _expected(context, element):
            if f.dimension is not None and not dimension_of(unit).accepts(f.dimension):
                what = f"{key}: '{f.text}' has the wrong unit"
                yield About(section, name).fault(what, expected(f.text, unit), key)
    for name, event in context.model.events.items():
        if context.number(event.when) is not None:
            what = f"'{event.when.text}' is constant and never crosses zero"
            cure = curing("let it read something that moves", Remove(f"events.{name}"))
            yield About("events", name).fault(what, cure)


def _claims(context: Context, driver: Driver) -> Iterator[tuple[str, str]]:
    """What a driver prescribes: (owner, quantity)."""
    if isinstance(driver, Driving):
        return
    if isinstance(driver, JointDriver):
        coordinate = context.coordinate(driver.joint, driver.coordinate)
        if coordinate is not None:
            yield f"joint '{driver.joint}'", coordinate.name
        return
    for letter, part in zip("xyz", driver.translation or (None,) * 3, strict=True):
        if part is not None:
            yield f"frame '{driver.frame}'", letter
    if driver.orientation is not None or driver.angular is not None:
        yield f"frame '{driver.frame}'", "orientation"


_MOTION_UNITS = {"position": "", "velocity": "/s", "acceleration": "/s^2"}


def _expected(context: Context, element: Any) -> Iterator[tuple[str, Formula, str]]:
    """Numbers whose unit follows from the coordinate or the level: key, formula, unit."""
    if isinstance(element, FrameDriver):
        suffix = _MOTION_UNITS[element.level]
        for f in element.translation or ():
            if f is not None:
                yield element.level, f, f"m{suffix}"
        for f in element.angular or ():
            yield f"angular_{element.level}", f, f"rad{suffix}"
    elif isinstance(element, ON_COORDINATE):
        coordinate = context.coordinate(element.joint, element.coordinate)
        if coordinate is not None:
            yield from _on_coordinate(element, coordinate)


def _on_coordinate(element: Any, coordinate: Coordinate) -> Iterator[tuple[str, Formula, str]]:
    unit = coordinate.unit
    effort = "N*m" if unit == "rad" else "N"
    units = {
        "effort": effort,
        "stiffness": f"{effort}/{unit}",
        "damping": f"{effort}*s/{unit}",
        "free": unit,
        "coulomb": effort,
        "viscous": f"{effort}*s/{unit}",
        "speed": f"{unit}/s",
    }
    if isinstance(element, JointDriver):
        units = {"motion": unit + _MOTION_UNITS[element.level]}
    for key, wanted in units.items():
        f = getattr(element, key, None)
        if f is not None:
            yield key, f, wanted


_LINEAR = "use velocities in the first power only, not in functions or products with each other"


def velocity_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with constraints and speeds."""
    for name, element in context.model.constraints.items():
        own = About("constraints", name)
        if isinstance(element, VelocityConstraint):
            for what, cure in _formula(context.model, element.formula):
                yield own.fault(what, cure, "velocity")
        else:
            yield from _touching(context, element, own)
    for name, f in context.model.speeds.items():
        found = [*_formula(context.model, f), *_speed(context.model, f)]
        if name in context.model.outputs:
            found.insert(0, ("an output has the same name", "rename one of them"))
        for what, cure in found:
            yield Fault(f"speed '{name}'", what, cure, path=("speeds", name))


def velocities_read(model: Model, f: Formula) -> set[str]:
    """Rates of joints and velocities of frames that a formula reads."""
    rates = {f"{j.name}.{rate}" for j in model.joints.values() for rate in j.rate_names}
    return {n for n in f.names if n in rates or _of_frame(n) or _of_hinge(model, n)}


def _of_hinge(model: Model, name: str) -> bool:
    """Whether it is a rate of a hinge of a segmented beam."""
    owner, _, quantity = name.partition(".")
    hinge = model.joint_named(owner) if ":" in owner else None
    return hinge is not None and quantity in hinge.rate_names


def _positions(model: Model) -> set[str]:
    """Names of positions, of joints and of frames."""
    bodies = {"ground": model.ground.frames} | {n: b.frames for n, b in model.bodies.items()}
    frames = [n if not f else f"{n}.{f}" for n, own in bodies.items() for f in ("", *own)]
    found = {f"{f}.position.{c}" for f in frames for c in COMPONENTS}
    return found | {f"{j.name}.{c}" for j in model.joints.values() for c in j.told_names}


def _of_frame(name: str) -> bool:
    parts = name.split(".")
    return len(parts) > 2 and parts[-1] in COMPONENTS and parts[-2] in VELOCITIES


def _formula(model: Model, f: Formula) -> Iterator[tuple[str, str]]:
    read = velocities_read(model, f)
    if not read and _positions(model) >= {n for n in f.names if "." in n}:
        cure = "name a rate such as joint.angle_rate, or a velocity such as body.velocity.x"
        yield f"'{f.text}' reads no velocity", cure
    elif read and not _is_linear(f, sorted(read)):
        yield f"'{f.text}' is not linear in velocities", _LINEAR


def _is_linear(f: Formula, read: list[str]) -> bool:
    """f(a + b) + f(0) = f(a) + f(b) at random values of everything else."""
    rng = np.random.default_rng(0)
    others = {n: rng.uniform(0.3, 0.9) for n in sorted(f.names)}
    size = 0.0

    def at(v: np.ndarray) -> float:
        nonlocal size
        known = others | dict(zip(read, map(float, v), strict=True))
        value = f.number(known)
        size = max(size, abs(value))
        return value

    a, b = rng.uniform(0.3, 0.9, (2, len(read)))
    gap = abs(at(a + b) + at(0 * a) - at(a) - at(b))
    return gap <= 1e-9 * size < np.inf


def _speed(model: Model, f: Formula) -> Iterator[tuple[str, str]]:
    for name in sorted(f.names & {"t", *model.signals}):
        yield f"reads '{name}'", "a speed is a formula of positions, rates and parameters"
    for name in sorted(f.names):
        owner = name.partition(".")[0]
        body = model.bodies.get(owner) if _of_frame(name) else None
        cut = isinstance(body, Beam) and body.theory.segments is not None
        if body is not None and not cut and not isinstance(body, RigidBody):
            what = f"'{name}' is no combination of rates of joints: '{owner}' is flexible"
            yield what, "use rates of joints, or frames on rigid bodies"


def _touching(context: Context, element: Constraint, own: About) -> Iterator[Fault]:
    ends = [getattr(element, key) for key in element.pair]
    bodies = [context.body_of(end) for end in ends]
    if bodies[0] is not None and bodies[0] == bodies[1]:
        what = f"both frames are on '{bodies[0]}' ({ends[0]}, {ends[1]})"
        yield own.fault(what, "name frames on two bodies")
