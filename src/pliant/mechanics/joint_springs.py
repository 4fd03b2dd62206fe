"""Joints held by stiff springs: cut joints without rows.

    loads   -C (K s + D s'),  s' = Cᵀ V_FM      potential  1/2 sᵀ K s      heat  s'ᵀ D s'

with the stretch s: displacements and angles by which the pose X_FM misses the joint. (The residual
of the joint has sines of these angles, which a spring would not feel beyond a quarter turn.)

A coordinate that something asks for is tied to the pose, whatever the springs let it do besides:
q_k = coordinate of X_FM, with a massless speed u_k = c_kᵀ V_FM.
"""

from __future__ import annotations

from typing import Any

from pliant.mechanics.motion import SystemMotion, relative_motion
from pliant.mechanics.rows import ConstraintRows, Reaction, joint_loads
from pliant.model.forces.action import Action
from pliant.model.joints import Joint
from pliant.model.joints.parts import upright
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import vee, vee_rate
from pliant.spatial.turns import axis_tilt, rotation_vector


def spring_numbers(motion: SystemMotion, joint: Joint) -> tuple[list[Any], list[Any]]:
    """Stiffness and damping of every row of the residual."""
    springs, constant = joint.springs, motion.values.number
    assert springs is not None
    turning = [unit == "rad" for unit in joint.row_units]
    K, D = (
        [0 if f is None else constant(f) for f in pair]
        for pair in ((springs.stiffness, springs.rotational_stiffness),
                     (springs.damping, springs.rotational_damping))
    )  # fmt: skip
    return [K[t] for t in turning], [D[t] for t in turning]


def spring_stretch(motion: SystemMotion, joint: Joint, X: Pose) -> tuple[Any, Any]:
    """``stretch`` of a joint whose angle counts turns, if it keeps one."""
    state = motion.joints.get(joint.name)
    return stretch(motion.ops, joint, X, None if state is None else state.q)


def stretch(ops: Ops, joint: Joint, X: Pose, q: Any = None) -> tuple[Any, Any]:
    """s and C, 6 x m, with s' = Cᵀ V_FM: where the residual has three sines of rotation, the
    rotation vector; two, the tilt of an axis; one, the angle to the right angle of two axes."""
    g = joint.residual(ops, X) if q is None else joint.wound(ops, X, q)
    C = joint.constraint(ops, X)
    turned = [i for i, unit in enumerate(joint.row_units) if unit == "rad"]
    if not turned:
        return g, C
    if len(turned) == 1:
        sine = g[turned[0]]
        cosine = ops.sqrt(1 - sine * sine)
        angles, columns = [ops.atan2(sine, cosine)], [C[:, turned[0]] / cosine]
    else:
        own, A = (rotation_vector if len(turned) == 3 else axis_tilt)(ops, X.R)
        angles = [own[k] for k in range(len(turned))]
        columns = [ops.stack([A.T[:, k], ops.zeros(3)]) for k in range(len(turned))]
    rows, sides = [g[i] for i in range(joint.m)], [C[:, i] for i in range(joint.m)]
    for k, i in enumerate(turned):
        rows[i], sides[i] = angles[k], columns[k]
    return ops.vec(*rows), ops.columns(sides)


def spring_action(motion: SystemMotion, joint: Joint) -> Action:
    """What the springs of a joint do; force and torque act on the child."""
    ops, (K, D) = motion.ops, spring_numbers(motion, joint)
    own = joint.evaluated(motion.values.number)
    rel = relative_motion(motion, own)
    g, C = spring_stretch(motion, own, rel.X_FM)
    rate = C.T @ rel.V_FM
    effort = ops.vec(*(-(K[i] * g[i] + D[i] * rate[i]) for i in range(joint.m)))
    potential = 0.5 * sum(K[i] * g[i] * g[i] for i in range(joint.m))
    heat = sum(D[i] * rate[i] * rate[i] for i in range(joint.m))
    loads = joint_loads(motion, own, rel, C @ effort)
    outputs = {"force": (loads[0].force, "N"), "torque": (loads[0].torque, "N*m")}
    return Action(loads, potential=potential, dissipated=heat, outputs=outputs)


def spring_coordinate_rows(motion: SystemMotion, joint: Joint) -> ConstraintRows:
    """Coordinates of a joint on springs are those of its pose; angles modulo a turn.

    A full rotation beside scalars, Q = R(q)ᵀ R: vee(Q) = 0, d vee(Q)/dt = A (Q w - w_q).
    """
    ops, state = motion.ops, motion.joints[joint.name]
    rel = relative_motion(motion, state.joint)
    q, C = (f(ops, rel.X_FM) for f in (state.joint.scalars_of, state.joint.rates_of))
    rate, n = C.T @ rel.V_FM, len(joint.scalars)
    g, cv, slopes = [], [], []
    for k, scalar in enumerate(joint.scalars):
        gap, slip = q[k] - state.q[k], rate[k] - state.u[k]
        slopes.append(ops.cos(gap) if scalar.wraps else 1)
        g.append(ops.sin(gap) if scalar.wraps else gap)
        cv.append(slopes[k] * slip)
    turning = [s for s, scalar in zip(slopes, joint.scalars, strict=True) if scalar.wraps]
    names, units = [c.name for c in joint.scalars], [c.unit for c in joint.scalars]
    rows = [ops.vec(*g)], [ops.vec(*cv)]
    if joint.rotations:
        Q = state.X_FM.R.T @ rel.X_FM.R
        A = vee_rate(ops, Q)
        rows[0].append(vee(ops, Q))
        rows[1].append(A @ (Q @ rate[n:] - state.u[n:]))
        names, units = [*names, "rx", "ry", "rz"], [*units, "rad", "rad", "rad"]
        turning.append(upright(Q))

    def react(lam: Any) -> Reaction:
        own = along = ops.vec(*(slope * lam[k] for k, slope in enumerate(slopes)))
        if joint.rotations:
            torque = A.T @ lam[n:]
            own, along = ops.stack([own, torque]), ops.stack([along, Q.T @ torque])
        efforts = tuple((state.start + k, -own[k]) for k in range(joint.nu))
        return Reaction(joint_loads(motion, state.joint, rel, C @ along), efforts)

    return ConstraintRows(joint.name, tuple(names), tuple(units), ops.stack(rows[0]),
                ops.stack(rows[1]), react, alignment=tuple(turning))  # fmt: skip
