"""Motions of joint coordinates and frames: no contradictions; events.

Constraints on velocities and generalised speeds: linear in velocities, between two bodies.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.errors import Fault
from pliant.model.bodies import Beam, RigidBody
from pliant.model.constraints import Constraint, Holding, VelocityConstraint
from pliant.model.constraints.couplings import Position, positions_read
from pliant.model.cures import Remove, curing
from pliant.model.drivers import Driver, Driving, JointDriver
from pliant.model.formulas import Formula
from pliant.model.frames import ANGLE_SETS, ANGLES, COMPONENTS, DIRECTIONS, VELOCITIES
from pliant.model.model import Model
from pliant.model.validation.context import About, Context


def motion_faults(context: Context) -> Iterator[Fault]:
    """Contradictory drivers, events that never happen."""
    driven: dict[tuple[str, str], str] = {}
    for name, driver in context.model.drivers.items():
        for claim in _claims(context, driver):
            if claim in driven:
                what = f"{claim[0]} {claim[1]} is already driven by '{driven[claim]}'"
                cure = curing("remove one of the two drivers", Remove(name), Remove(driven[claim]))
                yield About("drivers", name).fault(what, cure)
            driven.setdefault(claim, name)
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


_LINEAR = "use velocities in the first power only, not in functions or products with each other"


def velocity_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with constraints and speeds."""
    for name, element in context.model.constraints.items():
        own = About("constraints", name)
        if isinstance(element, VelocityConstraint):
            for what, cure in _formula(context.model, element.formula):
                yield own.fault(what, cure, "velocity")
        elif element.pair:
            yield from _touching(context, element, own)
    for name, f in context.model.speeds.items():
        found = [*_formula(context.model, f), *_speed(context.model, f)]
        if name in context.model.outputs:
            found.insert(0, ("an output has the same name", "rename one of them"))
        for what, cure in found:
            yield Fault(f"speed '{name}'", what, cure, path=("speeds", name))


def velocities_read(model: Model, f: Formula) -> set[str]:
    """Rates of joints and velocities of frames that a formula reads."""
    rates = {f"{j.name}.{rate}" for j in model.joints.values()
             for rate in (*j.rate_names, *(c.rate for c in j.measured))}  # fmt: skip
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
    found |= {f"{f}.{axis}.{c}" for f in frames for axis in DIRECTIONS for c in COMPONENTS}
    found |= {f"{f}.{angles}.{a}" for f in frames for angles in ANGLE_SETS for a in ANGLES}
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
    driven = {n for n in f.names if n.partition(".")[0] in model.drivers}
    for name in sorted(driven | (f.names & {"t", *model.signals})):
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


# --- gears, racks and couplings: of positions, with a ratio, holding something, from a known place

_RATIOS = {"ratio": "the input would not move", "radius": "the rack would not move"}
_READ = "read coordinates of joints, such as A.angle, or positions of frames"


def coupling_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with constraints that hold a relation of positions."""
    for name, element in context.model.constraints.items():
        relation = element.relation(context.model)
        if relation is None:
            continue
        own = About("constraints", name)
        for key, what in _RATIOS.items():
            f = getattr(element, key, None)
            if f is not None and context.number(f) == 0:
                yield own.fault(f"{key} is 0: {what}", f"give another {key}", key)
        for key in ("position", "input", "output", "pinion", "rack"):
            f = getattr(element, key, None)
            if f is not None:
                at = (element.kind,) if key == element.main else (element.kind, key)
                for what, cure in _side(context.model, key, f):
                    yield own.fault(what, cure, *at)
        for what, cure in _whole(context, element, relation):
            yield own.fault(what, cure, element.kind)


def _side(model: Model, key: str, f: Formula) -> Iterator[tuple[str, str]]:
    read = positions_read(model, f)
    strange = sorted(velocities_read(model, f))
    if strange:
        what = f"{key}: '{f.text}' reads the velocity '{strange[0]}'"
        yield what, "read positions here, or write the constraint as velocity: a formula of rates"
    still = {*model.all_parameters(), *model.signals, "t"} | {p.name for p in read}
    others = sorted(f.names - still - {*strange} - _known(model))
    if others:
        yield f"{key}: '{others[0]}' is no position", _READ
        return
    wrapped = [n for n in sorted(f.names) if _is_wrapped(model, n)]
    if wrapped:
        what = f"{key}: '{wrapped[0]}' is known only up to whole turns"
        yield what, "read the angle of a revolute, cylindrical, planar, universal or screw joint"
    elif not read and not strange:
        yield f"{key}: '{f.text}' reads no position", _READ


def _known(model: Model) -> set[str]:
    return {f"{j.name}.{n}" for j in model.joints.values() for n in j.told_names}


def _is_wrapped(model: Model, name: str) -> bool:
    """Whether it is an angle of a full rotation."""
    owner, _, quantity = name.partition(".")
    joint = model.joints.get(owner)
    if joint is None or any(c.name == quantity for c in joint.scalars):
        return False
    return quantity in joint.told_names


def _whole(context: Context, element: Holding, relation: Formula) -> Iterator[tuple[str, str]]:
    """It must hold something, and the place it starts from must be known."""
    read = positions_read(context.model, relation)
    if read and not _moves(context, relation, read):
        yield "it holds nothing: both sides always move alike", "name two different coordinates"
    framed = [p for p in read if ".position." in p.name]
    if framed and getattr(element, "offset", relation) is None:
        what = f"offset is missing: initial values do not tell '{framed[0].name}'"
        yield what, "add offset"


def _moves(context: Context, relation: Formula, read: list[Position]) -> bool:
    """Whether a relation depends on what it reads, by random numbers; unknown ones may be any."""
    rng = np.random.default_rng(0)
    known = {n: context.values.get(n, rng.uniform(0.3, 0.9)) for n in sorted(relation.names)}
    found = []
    for _ in range(3):
        moved = {p.name: float(rng.uniform(0.3, 0.9)) for p in read}
        found.append(relation.number({**known, **moved}))
    return not all(abs(x - found[0]) <= 1e-12 * (1 + abs(x)) for x in found)
