"""Rows of constraints: cut joints and drivers, with the loads their multipliers exert.

g(t, q) = 0  (position level, or None)        cv = dg/dt = G u + b = 0
power of the reaction = lam . cv with the prescribed motion held: W = G^T
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any

from pliant.mechanics.motion import RelativeMotion, SystemMotion, relative_motion
from pliant.mechanics.placement import rotation_of
from pliant.model.drivers import Driven, Driver, Driving, FrameDriver, JointDriver
from pliant.model.forces.action import Action, Load
from pliant.model.joints import Joint
from pliant.model.joints.parts import upright
from pliant.records import dataclass
from pliant.spatial.rotation import vee, vee_rate

_RATE = {"m": "m/s", "rad": "rad/s"}


@dataclass(frozen=True, slots=True)
class Reaction:
    """Loads on frames and efforts on entries of u, linear in the multipliers."""

    loads: tuple[Load, ...] = ()
    efforts: tuple[tuple[int, Any], ...] = ()
    effort: Any = None
    """What is observed of it, where that is not the first load."""
    along: tuple[Any, Any] | None = None
    """Of an angle that its joint tells: its axis in the world, and the rate that is given."""


@dataclass(frozen=True, slots=True)
class AuxiliaryState:
    """A state x' = rate(t) of an acceleration driver; ``start`` is its value at the beginning."""

    name: str
    unit: str
    symbol: Any
    rate: Any
    start: Any


@dataclass(frozen=True, slots=True)
class ConstraintRows:
    """Constraint rows of one element."""

    owner: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    g: Any
    cv: Any
    react: Callable[[Any], Reaction]
    states: tuple[AuxiliaryState, ...] = ()
    alignment: tuple[Any, ...] = ()
    """Positive unless g = 0 was met at a false root (see ``Joint.alignment``)."""
    lam: Any = None
    """The multipliers, where the forces of the model contain them already."""
    outputs: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    """What else can be observed: (value, unit) by name."""

    @property
    def size(self) -> int:
        return len(self.names)


def joint_coordinates(motion: SystemMotion, joint: Joint) -> tuple[Any, Any]:
    """Scalar coordinates and rates of a joint: its own, or as its pose tells them."""
    own = motion.joints.get(joint.name)
    if own is not None:
        return own.q, own.u
    if not joint.scalars:
        return (), ()
    ops, rel = motion.ops, relative_motion(motion, joint)
    joint = joint.evaluated(motion.values.number)
    q = joint.scalars_of(ops, rel.X_FM)
    by_pose = joint.springs or joint.rotations
    basis = joint.rates_of(ops, rel.X_FM) if by_pose else joint.effort(ops, q)
    return q, basis.T @ rel.V_FM


def joint_loads(
    motion: SystemMotion, joint: Joint, rel: RelativeMotion, wrench: Any
) -> tuple[Load, Load]:
    """Loads of a wrench (torque; force) on the child at M, axes of F, and of its reaction."""
    ops = motion.ops
    torque, force = rel.R_WF @ wrench[:3], rel.R_WF @ wrench[3:]
    r = rel.M.p_WP - rel.F.p_WP
    back = -torque - ops.cross(r, force)
    return Load(joint.child, force, torque), Load(joint.parent, -force, back)


def cut_rows(motion: SystemMotion, joint: Joint) -> ConstraintRows:
    """A cut joint without coordinates of its own: its residual and C."""
    ops = motion.ops
    joint = joint.evaluated(motion.values.number)
    rel = relative_motion(motion, joint)
    C = joint.constraint(ops, rel.X_FM)

    def react(lam: Any) -> Reaction:
        return Reaction(joint_loads(motion, joint, rel, C @ lam))

    return ConstraintRows(
        joint.name, joint.row_names, joint.row_units,
        joint.residual(ops, rel.X_FM), C.T @ rel.V_FM, react,
        alignment=tuple(joint.alignment(ops, rel.X_FM)),
    )  # fmt: skip


def coordinate_rows(motion: SystemMotion, joint: Joint) -> ConstraintRows:
    """A cut joint that keeps coordinates: its pose equals X_FM(q), all six components.

    With Q = R(q)^T R, d vee(Q)/dt = A R(q)^T (w - H_w u), A = (tr Q 1 - Q) / 2.
    """
    ops = motion.ops
    state = motion.joints[joint.name]
    joint = state.joint
    rel = relative_motion(motion, joint)
    Q = state.X_FM.R.T @ rel.X_FM.R
    C_w = state.X_FM.R @ vee_rate(ops, Q).T
    slip = rel.V_FM - state.H @ state.u
    g = ops.stack([rel.X_FM.p - state.X_FM.p, vee(ops, Q)])
    cv = ops.stack([slip[3:], C_w.T @ slip[:3]])

    def react(lam: Any) -> Reaction:
        wrench = ops.stack([C_w @ lam[3:], lam[:3]])
        effort = -(state.H.T @ wrench)
        efforts = tuple((state.start + k, effort[k]) for k in range(joint.nu))
        return Reaction(joint_loads(motion, joint, rel, wrench), efforts)

    names, units = ("x", "y", "z", "rx", "ry", "rz"), ("m", "m", "m", "rad", "rad", "rad")
    return ConstraintRows(joint.name, names, units, g, cv, react, alignment=(upright(Q),))


def driver_rows(motion: SystemMotion, driver: Driver) -> Iterator[ConstraintRows]:
    """Rows of a driver; those without a place here say themselves what they prescribe."""
    made = _DRIVER_ROWS.get(driver.kind, _own_driver)
    return made(motion, driver)


def _own_driver(motion: SystemMotion, driver: Driving) -> Iterator[ConstraintRows]:
    for d in driver.drive(motion):
        yield _prescribed(motion, driver, d.names, d.units, d.positions, d.velocities,
                          [*d.targets], partial(_pushed, d))  # fmt: skip


def _pushed(driven: Driven, lam: Any) -> Reaction:
    return Reaction(driven.push(lam))


def _frame_driver(motion: SystemMotion, driver: FrameDriver) -> Iterator[ConstraintRows]:
    if driver.translation is not None and any(c is not None for c in driver.translation):
        yield _translation(motion, driver)
    if driver.orientation is not None:
        yield _orientation(motion, driver)
    if driver.angular is not None:
        names, units, zero = ("rx", "ry", "rz"), ("rad",) * 3, motion.ops.zeros(3)
        targets, w = [motion.value(c) for c in driver.angular], motion.frame(driver.frame).w_WP
        yield _prescribed(motion, driver, names, units, None, w, targets,
                          lambda lam: Reaction((Load(driver.frame, zero, lam),)))  # fmt: skip


def _joint_driver(motion: SystemMotion, driver: JointDriver) -> Iterator[ConstraintRows]:
    if motion.is_measured(driver.joint, driver.coordinate):
        yield from _measured_driver(motion, driver)
        return
    k = motion.coordinate_index(driver.joint, driver.coordinate)
    state = motion.joints[driver.joint]
    scalar = state.joint.scalars[k]

    def react(lam: Any) -> Reaction:
        return Reaction(efforts=((state.start + k, lam[0]),))

    target = motion.value(driver.motion)
    yield _prescribed(
        motion, driver, (scalar.name,), (scalar.unit,), state.q[k], state.u[k], [target], react
    )


def _measured_driver(motion: SystemMotion, driver: JointDriver) -> Iterator[ConstraintRows]:
    """A driver of what the pose of a joint tells. An angle that is no coordinate is held by a row
    a · R b = 0, which is regular where the angle itself is not (``AngleSequence``):

        d(a · R b)/dt = w · (R b x a) + ∂(a · R b)/∂t
    """
    ops, model, name = motion.ops, motion.model, str(driver.coordinate)
    joint, own = model.joints[driver.joint], model.joints[driver.joint].acting(name)
    rel, target = relative_motion(motion, joint), motion.value(driver.motion)
    X, V = motion.across(joint)
    value, column = motion.measured(joint, name)[0], motion.rate_column(joint, name)
    assert own is not None
    sequence = joint.told_set.sequence if joint.told_set and own.unit == "rad" else None
    row, along = None, None
    if sequence is not None:
        given = given_angles(motion, joint)
        k = joint.angle_names.index(name)
        axis = sequence.axes(ops, X.R, given)[k]
        rate = motion.values.time_derivative(ops.vec(target))[0]
        along = rel.R_WF @ axis, rate if driver.level == "position" else ops.dot(column, V)
        told = not motion.is_own(joint, name)
        row = sequence.row(ops, k, given) if told and k in given else None

    def react(lam: Any) -> Reaction:
        wrench = held * lam[0]
        return Reaction(joint_loads(motion, joint, rel, wrench), along=along,
                        effort=None if along else lam[0])  # fmt: skip

    if row is None:
        held = column
        yield _prescribed(motion, driver, (name,), (own.unit,), ops.vec(value),
                          ops.vec(ops.dot(column, V)), [target], react)  # fmt: skip
        return
    a, b = row
    turned = X.R @ b
    held = ops.stack([ops.cross(turned, a), ops.zeros(3)])
    moved = ops.dot(motion.values.time_derivative(a), turned)
    moved = moved + ops.dot(a, X.R @ motion.values.time_derivative(b))
    g, cv = ops.dot(a, turned), ops.dot(held, V) + moved
    yield ConstraintRows(driver.name, (name,), (own.unit,), ops.vec(g), ops.vec(cv), react)


def given_angles(motion: SystemMotion, joint: Joint) -> dict[int, Any]:
    """Angles of a joint that drivers prescribe as functions of time, by number."""
    drivers = motion.model.joint_drivers.values()
    return {joint.angle_names.index(str(d.coordinate)): motion.value(d.motion) for d in drivers
            if d.joint == joint.name and d.level == "position"
            and d.coordinate in joint.angle_names}  # fmt: skip


def with_loads(motion: SystemMotion, action: Action) -> Action:
    """An action whose efforts along what a pose tells are loads on the frames of the joint."""
    loads, efforts = [*action.loads], []
    for effort in action.efforts:
        if not motion.is_measured(effort.joint, effort.coordinate):
            efforts.append(effort)
            continue
        joint = motion.model.joints[effort.joint]
        loads += push_along(motion, joint, str(effort.coordinate), effort.value)
    return replace(action, loads=tuple(loads), efforts=tuple(efforts))


def push_along(motion: SystemMotion, joint: Joint, name: str, effort: Any) -> tuple[Load, Load]:
    """An effort along what the pose of a joint tells: its power is that on the rate."""
    column = motion.rate_column(joint, name)
    return joint_loads(motion, joint, relative_motion(motion, joint), column * effort)


_DRIVER_ROWS: dict[str, Callable[..., Iterator[ConstraintRows]]] = {
    "joint": _joint_driver, "frame": _frame_driver
}  # fmt: skip


def _translation(motion: SystemMotion, driver: FrameDriver) -> ConstraintRows:
    ops, frame = motion.ops, motion.frame(driver.frame)
    wanted = [k for k in range(3) if driver.translation and driver.translation[k] is not None]
    targets = [motion.value(driver.translation[k]) for k in wanted]  # type: ignore[index,arg-type]

    def react(lam: Any) -> Reaction:
        parts: list[Any] = [0, 0, 0]
        for i, k in enumerate(wanted):
            parts[k] = lam[i]
        return Reaction((Load(driver.frame, ops.vec(*parts), ops.zeros(3)),))

    p = ops.vec(*(frame.p_WP[k] for k in wanted))
    v = ops.vec(*(frame.v_WP[k] for k in wanted))
    names = tuple("xyz"[k] for k in wanted)
    return _prescribed(motion, driver, names, ("m",) * len(wanted), p, v, targets, react)


def _orientation(motion: SystemMotion, driver: FrameDriver) -> ConstraintRows:
    """R = R_T(t): with Q = R_T^T R, d vee(Q)/dt = A R_T^T (w - w_T)."""
    ops, frame = motion.ops, motion.frame(driver.frame)
    assert driver.orientation is not None
    R_T = ops.full(rotation_of(ops, driver.orientation, motion.value))
    rate = ops.folded(motion.values.time_derivative(ops.flat(R_T)), 3)
    w_T = vee(ops, rate @ R_T.T)
    Q = R_T.T @ frame.R_WP
    C_w = R_T @ vee_rate(ops, Q).T

    def react(lam: Any) -> Reaction:
        return Reaction((Load(driver.frame, ops.zeros(3), C_w @ lam),))

    cv = C_w.T @ (frame.w_WP - w_T)
    return ConstraintRows(driver.name, ("rx", "ry", "rz"), ("rad",) * 3, vee(ops, Q), cv, react,
                alignment=(upright(Q),))  # fmt: skip


def _prescribed(
    motion: SystemMotion,
    driver: Driver,
    names: tuple[str, ...],
    units: tuple[str, ...],
    position: Any,
    velocity: Any,
    targets: list[Any],
    react: Callable[[Any], Reaction],
) -> ConstraintRows:
    """Scalars that follow functions of time at the level of the driver."""
    ops = motion.ops
    target = ops.vec(*targets)
    rates = tuple(_RATE[u] for u in units)
    if driver.level == "position":
        given_rate = motion.values.time_derivative(target)
        return ConstraintRows(
            driver.name, names, units, position - target, velocity - given_rate, react
        )
    if driver.level == "velocity":
        return ConstraintRows(driver.name, names, rates, None, velocity - target, react)
    speed = ops.symbols([f"{driver.name}.{n}_rate" for n in names])
    states = tuple(
        AuxiliaryState(f"{driver.name}.{n}_rate", rates[k], speed[k], target[k], velocity[k])
        for k, n in enumerate(names)
    )
    return ConstraintRows(driver.name, names, rates, None, velocity - speed, react, states)


def efforts_on_speeds(
    motion: SystemMotion, actions: Iterable[Action], reactions: Iterable[Reaction]
) -> list[Any]:
    """Sum of efforts on every entry of u."""
    total: list[Any] = [0 for s in motion.joints.values() for _ in range(s.joint.nu)]
    for action in actions:
        for e in action.efforts:
            k = motion.joints[e.joint].start + motion.coordinate_index(e.joint, e.coordinate)
            total[k] = total[k] + e.value
    for reaction in reactions:
        for k, value in reaction.efforts:
            total[k] = total[k] + value
    return total
