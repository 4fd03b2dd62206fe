"""What is wished of the initial state, as residuals of the motion, in order of rank.

    0  what was given under ``initial`` in joints and bodies
    1  springs of joints and elastic bodies start without load and at rest
    2  joints start at their guess, otherwise at their neutral value, and at rest; all joints alike,
       whether they are in the tree, cut or held by springs
    3  of bodies that no joint ties to the ground, the first one lies at the origin and rests

Assembly meets the constraints, then each rank as nearly as those before it leave it free. Joints
are counted, not coordinates: so the start does not depend on which joints carry coordinates.
Position level: e(t, q) = 0; velocity level: e(t, q, u) = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any

from pliant.formulations.equations import Start, Wishes
from pliant.graphs.spanning_tree import floating_bases
from pliant.mechanics.joint_springs import spring_stretch
from pliant.mechanics.layout import TURN
from pliant.mechanics.motion import ElasticState, SystemMotion, relative_motion
from pliant.mechanics.placement import rotation_of
from pliant.mechanics.rows import given_angles, joint_coordinates
from pliant.model.joints import Coordinate, Joint
from pliant.model.joints.parts import upright
from pliant.model.joints.rotational import MOVES, SPINS, RotationSet
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose
from pliant.spatial.turns import rotation_vector

GIVEN, UNLOADED, NEUTRAL, BASE = range(4)


@dataclass(slots=True)
class _Level:
    """Wishes of one rank at the level of positions or velocities."""

    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    residuals: list[Any] = field(default_factory=list)
    wanted: list[Any] = field(default_factory=list)

    def add(self, ops: SymbolicOps, name: str, unit: str, residual: Any, wanted: Any) -> None:
        """Every component carries the name; ``wanted``: where the residual is zero, if that is a
        number."""
        column = ops.full(residual)
        n = column.numel()
        self.names += [name] * n
        self.units += [unit] * n
        self.residuals.append(column)
        self.wanted.append(ops.full(ops.vec(*([0] * n)) if wanted is None else wanted))

    def wishes(self, stacked: Callable[[Sequence[Any]], Any]) -> Wishes:
        return Wishes(tuple(self.names), tuple(self.units), stacked(self.residuals),
                      stacked(self.wanted))  # fmt: skip


class _State:
    """Collects wishes about a motion."""

    def __init__(self, motion: SystemMotion) -> None:
        self.motion, self.ops = motion, motion.ops
        self.levels = [(_Level(), _Level()) for _ in range(4)]
        self.upright: list[Any] = []
        self.unloaded: list[Any] = []

    def position(self, rank: int, name: str, unit: str, residual: Any, wanted: Any = None) -> None:
        self.levels[rank][0].add(self.ops, name, unit, residual, wanted)

    def velocity(self, rank: int, name: str, unit: str, residual: Any, wanted: Any = None) -> None:
        self.levels[rank][1].add(self.ops, name, unit, residual, wanted)

    def relative(self, joint: Joint) -> tuple[Pose, Any]:
        """X_FM and V_FM, from the joint's own coordinates where it has some."""
        own = self.motion.joints.get(joint.name)
        if own is not None and not joint.springs:
            return own.X_FM, own.H @ own.u
        rel = relative_motion(self.motion, joint)
        return rel.X_FM, rel.V_FM

    def orientation(self, name: str, R_0: Any, R: Any) -> None:
        """A given orientation; half a turn off it is refused as a false root."""
        turned = R_0.T @ R
        self.position(GIVEN, name, TURN, rotation_vector(self.ops, turned)[0])
        self.upright.append(self.ops.full(upright(turned)))


def given_state(motion: SystemMotion, stacked: Callable[[Sequence[Any]], Any]) -> Start:
    """Wishes of all ranks; ``stacked`` makes one column of several."""
    state, model = _State(motion), motion.model
    for joint in model.joints.values():
        if joint.initial:
            _joint(state, joint)
        if joint.springs:
            _springs(state, joint)
        if joint.in_tree and joint.nu:
            _neutral(state, joint)
    for name, body in model.bodies.items():
        if body.initial is not None:
            _body(state, name, body.initial)
    for name, elastic in motion.elastic.items():
        _elastic(state, name, elastic)
    for name in floating_bases(model):
        frame = motion.frame(name)
        state.position(BASE, name, "m", frame.p_WP)
        state.position(BASE, name, "rad", rotation_vector(state.ops, frame.R_WP)[0])
        state.velocity(BASE, name, "m/s", frame.v_WP)
        state.velocity(BASE, name, "rad/s", frame.w_WP)
    ranks = tuple((q.wishes(stacked), u.wishes(stacked)) for q, u in state.levels)
    return Start(ranks, stacked(state.upright), stacked(state.unloaded))


def _springs(state: _State, joint: Joint) -> None:
    motion, ops = state.motion, state.ops
    own, rel = joint.evaluated(motion.values.number), relative_motion(motion, joint)
    s, C = spring_stretch(motion, own, rel.X_FM)
    rate = C.T @ rel.V_FM
    for k, unit in enumerate(joint.row_units):
        name = f"{joint.name}.springs"
        state.position(UNLOADED, name, unit, s[k])
        state.velocity(UNLOADED, name, f"{unit}/s", rate[k])
    state.unloaded += [ops.full(a) for a in own.alignment(ops, rel.X_FM)]


def _elastic(state: _State, name: str, elastic: ElasticState) -> None:
    """Elastic coordinates and rates: given, or zero."""
    initial, constant = state.motion.model.bodies[name].initial, state.motion.values.number
    for k, coordinate in enumerate(elastic.names):
        for table, value, note, label in (
            ("elastic", elastic.q, state.position, coordinate),
            ("elastic_rates", elastic.u, state.velocity, f"{coordinate}_rate"),
        ):
            asked = getattr(initial, table, {}) if initial is not None else {}
            if coordinate in asked:
                wanted = constant(asked[coordinate])
                note(GIVEN, f"{name}.{label}", "", value[k] - wanted, wanted)
            else:
                note(UNLOADED, f"{name}.{label}", "", value[k], 0.0)


def _scalars(state: _State, joint: Joint) -> Iterator[tuple[Coordinate, Any, Any]]:
    """(scalar, coordinate, rate) of a joint; an angle that only the pose tells is itself in a turn,
    so that ``_gap`` is to be taken."""
    q, u = joint_coordinates(state.motion, joint)
    for k, scalar in enumerate(joint.scalars):
        yield scalar, q[k], u[k]


def _gap(state: _State, joint: Joint, scalar: Coordinate, value: Any, wanted: Any) -> Any:
    """value - wanted; modulo a turn if only the pose tells the angle."""
    ops, off = state.ops, value - wanted
    if joint.name in state.motion.joints or not scalar.wraps:
        return off
    return ops.atan2(ops.sin(off), ops.cos(off))


def _joint(state: _State, joint: Joint) -> None:
    values = {k: state.motion.values.number(f) for k, f in joint.initial.items()}
    if joint.told_set is not None:
        _rotational(state, joint, joint.told_set, values)
        return
    for scalar, q, u in _scalars(state, joint):
        if scalar.name in values:
            wanted, name = values[scalar.name], f"{joint.name}.{scalar.name}"
            state.position(GIVEN, name, scalar.unit, _gap(state, joint, scalar, q, wanted), wanted)
        if scalar.rate in values:
            wanted, name = values[scalar.rate], f"{joint.name}.{scalar.rate}"
            state.velocity(GIVEN, name, f"{scalar.unit}/s", u - wanted, wanted)


def _rotational(state: _State, joint: Joint, kind: RotationSet, values: dict[str, Any]) -> None:
    X, V = state.relative(joint)
    if any(n in values for n in kind.names):
        R_0 = _rotation(state, kind, _driven(state, joint) | values)
        state.orientation(f"{joint.name}.orientation", R_0, X.R)
    moved = dict(zip(joint.rate_names, joint.told_names, strict=False))
    w = X.R.T @ V[:3]
    for name, wanted in values.items():
        if name in MOVES:
            own = X.p[MOVES.index(name)]
            state.position(GIVEN, f"{joint.name}.{name}", "m", own - wanted, wanted)
        elif name in SPINS:
            own = w[SPINS.index(name)]
            state.velocity(GIVEN, f"{joint.name}.{name}", "rad/s", own - wanted, wanted)
        elif name in moved:
            own = V[3 + MOVES.index(moved[name])]
            state.velocity(GIVEN, f"{joint.name}.{name}", "m/s", own - wanted, wanted)
    _angle_rates(state, joint, kind, values)


def _angle_rates(state: _State, joint: Joint, kind: RotationSet, values: dict[str, Any]) -> None:
    """Rates of angles: one by one, or all three as an angular velocity, which they give at every
    pose."""
    (X, V), ops = state.relative(joint), state.ops
    rates = [values.get(f"{n}_rate") for n in joint.angle_names]
    if rates and None not in rates:
        told = [values.get(n, a) for n, a in zip(kind.names, kind.of_matrix(ops, X.R), strict=True)]
        w = X.R.T @ V[:3] - kind.speed(ops, ops.vec(*told), ops.vec(*rates))
        state.velocity(GIVEN, f"{joint.name}.angle rates", "rad/s", w)
        return
    for name, wanted in zip(joint.angle_names, rates, strict=True):
        if wanted is not None:
            rate = ops.dot(joint.measure(ops, X, name)[1], V)
            label = f"{joint.name}.{name}_rate"
            state.velocity(GIVEN, label, "rad/s", rate - wanted, wanted)


def _driven(state: _State, joint: Joint) -> dict[str, Any]:
    """Angles that drivers give."""
    given = given_angles(state.motion, joint) if joint.angle_names else {}
    return {joint.angle_names[k]: target for k, target in given.items()}


def _rotation(state: _State, kind: RotationSet, values: dict[str, Any]) -> Any:
    """R of the values of a rotation, neutral where nothing is said."""
    ops = state.ops
    chosen = (values.get(n, m) for n, m in zip(kind.names, kind.neutral, strict=True))
    return kind.matrix(ops, ops.vec(*chosen))


def _neutral(state: _State, joint: Joint) -> None:
    """Coordinates of a joint at the values it is likely to have, and its rates."""
    constant, name = state.motion.values.number, joint.name
    values = {k: constant(f) for k, f in (*joint.guess.items(), *joint.initial.items())}
    if joint.told_set is None:
        for (scalar, q, u), usual in zip(_scalars(state, joint), joint.neutral, strict=True):
            wanted = values.get(scalar.name, float(usual))
            state.position(NEUTRAL, name, scalar.unit, _gap(state, joint, scalar, q, wanted))
            state.velocity(NEUTRAL, name, f"{scalar.unit}/s", u)
        return
    X, V = state.relative(joint)
    turned = _rotation(state, joint.told_set, _driven(state, joint) | values).T @ X.R
    state.position(NEUTRAL, name, "rad", rotation_vector(state.ops, turned)[0])
    state.velocity(NEUTRAL, name, "rad/s", V[:3])
    for k in (k for k, n in enumerate(MOVES) if n in joint.told_names):
        state.position(NEUTRAL, name, "m", X.p[k] - values.get(MOVES[k], 0.0))
        state.velocity(NEUTRAL, name, "m/s", V[3 + k])


def _body(state: _State, name: str, initial: Any) -> None:
    motion = state.motion
    frame = motion.frame(name)
    if initial.orientation is not None:
        R_0 = rotation_of(motion.ops, initial.orientation, motion.values.number)
        state.orientation(f"{name}.orientation", R_0, frame.R_WP)
    for given, kind, unit, value in (
        (initial.position, "position", "m", frame.p_WP),
        (initial.velocity, "velocity", "m/s", frame.v_WP),
        (initial.angular_velocity, "angular_velocity", "rad/s", frame.w_WP),
    ):
        if given is not None:
            wanted = motion.values.vector(given)
            note = state.position if kind == "position" else state.velocity
            note(GIVEN, f"{name}.{kind}", unit, value - wanted, wanted)
