"""What the user gave of the initial state, as residuals of the motion.

Position level: e_q(t, q) = 0; velocity level: e_u(t, q, u) = 0. Assembly meets them together with
the constraints, or comes as close as it can and says by name what could not be met.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pliant.mechanics.motion import ElasticState, SystemMotion
from pliant.mechanics.placement import rotation_of
from pliant.mechanics.rows import relative_motion
from pliant.model.joints import Joint
from pliant.model.joints.rotational import RotationalJoint
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.rotation import vee


@dataclass(slots=True)
class GivenState:
    """Names and residuals of given positions and velocities."""

    ops: SymbolicOps
    position_names: list[str] = field(default_factory=list)
    positions: list[Any] = field(default_factory=list)
    velocity_names: list[str] = field(default_factory=list)
    velocities: list[Any] = field(default_factory=list)

    def position(self, name: str, residual: Any) -> None:
        """A given position: every component of the residual carries the name."""
        column = self.ops.full(residual)
        self.position_names += [name] * column.numel()
        self.positions.append(column)

    def velocity(self, name: str, residual: Any) -> None:
        """A given velocity."""
        column = self.ops.full(residual)
        self.velocity_names += [name] * column.numel()
        self.velocities.append(column)


def given_state(motion: SystemMotion) -> GivenState:
    """Residuals of everything under ``initial`` in joints and bodies."""
    given = GivenState(motion.ops)
    for joint in motion.model.joints.values():
        if joint.initial:
            _joint(motion, given, joint)
        if joint.springs:
            _springs(motion, given, joint)
    for name, body in motion.model.bodies.items():
        if body.initial is not None:
            _body(motion, given, name, body.initial)
    for name, elastic in motion.elastic.items():
        _elastic(motion, given, name, elastic)
    return given


def _springs(motion: SystemMotion, given: GivenState, joint: Joint) -> None:
    """Springs of a joint start without load, as far as what else is given leaves them."""
    own, rel = joint.evaluated(motion.values.constant), relative_motion(motion, joint)
    given.position(f"{joint.name}.springs", own.residual(motion.ops, rel.X_FM))
    rate = own.constraint(motion.ops, rel.X_FM).T @ rel.V_FM
    given.velocity(f"{joint.name}.springs", rate)


def _elastic(motion: SystemMotion, given: GivenState, name: str, elastic: ElasticState) -> None:
    """Elastic coordinates and rates are zero unless something else is given."""
    initial = getattr(motion.model.bodies[name], "initial", None)
    for k, coordinate in enumerate(elastic.names):
        for table, value, note, label in (
            ("elastic", elastic.q, given.position, coordinate),
            ("elastic_rates", elastic.u, given.velocity, f"{coordinate}_rate"),
        ):
            asked = getattr(initial, table, {}) if initial is not None else {}
            wanted = motion.values.constant(asked[coordinate]) if coordinate in asked else 0.0
            note(f"{name}.{label}", value[k] - wanted)


def _joint(motion: SystemMotion, given: GivenState, joint: Joint) -> None:
    values = {k: motion.values.constant(f) for k, f in joint.initial.items()}
    own = motion.joints.get(joint.name)
    rel = relative_motion(motion, joint)
    evaluated = joint.evaluated(motion.values.constant)
    if isinstance(joint, RotationalJoint):
        _rotational(motion, given, joint, values, rel)
        return
    ops = motion.ops
    q = own.q if own else evaluated.coordinates_of(ops, rel.X_FM)
    u = own.u if own else evaluated.effort(ops, q).T @ rel.V_FM
    for k, scalar in enumerate(joint.scalars):
        if scalar.name in values:
            gap = q[k] - values[scalar.name]
            if own is None and scalar.wraps:
                gap = ops.atan2(ops.sin(gap), ops.cos(gap))
            given.position(f"{joint.name}.{scalar.name}", gap)
        if scalar.rate in values:
            given.velocity(f"{joint.name}.{scalar.rate}", u[k] - values[scalar.rate])


def _rotational(
    motion: SystemMotion,
    given: GivenState,
    joint: RotationalJoint,
    values: dict[str, Any],
    rel: Any,
) -> None:
    ops, names = motion.ops, joint.rotation_set.names
    if any(n in values for n in names):
        middle = joint.neutral[-joint.rotation_set.size :]
        R_0 = joint.rotation_set.matrix(
            ops, ops.vec(*(values.get(n, m) for n, m in zip(names, middle, strict=True)))
        )
        given.position(f"{joint.name}.orientation", vee(ops, R_0.T @ rel.X_FM.R))
    for k, n in enumerate(("x", "y", "z")):
        if n in values:
            given.position(f"{joint.name}.{n}", rel.X_FM.p[k] - values[n])
        if f"v{n}" in values:
            given.velocity(f"{joint.name}.v{n}", rel.V_FM[3 + k] - values[f"v{n}"])
    w = rel.X_FM.R.T @ rel.V_FM[:3]
    for k, n in enumerate(("wx", "wy", "wz")):
        if n in values:
            given.velocity(f"{joint.name}.{n}", w[k] - values[n])


def _body(motion: SystemMotion, given: GivenState, name: str, initial: Any) -> None:
    frame, constant = motion.frame(name), motion.values.constant
    if initial.position is not None:
        given.position(f"{name}.position", frame.p_WP - motion.values.vector(initial.position))
    if initial.orientation is not None:
        R_0 = rotation_of(motion.ops, initial.orientation, constant)
        given.position(f"{name}.orientation", vee(motion.ops, R_0.T @ frame.R_WP))
    if initial.velocity is not None:
        given.velocity(f"{name}.velocity", frame.v_WP - motion.values.vector(initial.velocity))
    if initial.angular_velocity is not None:
        w_0 = motion.values.vector(initial.angular_velocity)
        given.velocity(f"{name}.angular_velocity", frame.w_WP - w_0)
