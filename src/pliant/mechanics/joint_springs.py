"""Joints held by stiff springs: cut joints without rows.

    loads   -C (K g + D g'),  g = residual(X_FM), g' = Cᵀ V_FM          potential  1/2 gᵀ K g

A coordinate that something asks for is tied to the pose, whatever the springs let it do besides:
q_k = coordinate of X_FM, with a massless speed u_k = c_kᵀ V_FM.
"""

from __future__ import annotations

from typing import Any

from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import Reaction, Rows, joint_loads, relative_motion
from pliant.model.forces.action import Action
from pliant.model.joints import Joint


def spring_numbers(motion: SystemMotion, joint: Joint) -> tuple[list[Any], list[Any]]:
    """Stiffness and damping of every row of the residual."""
    springs, constant = joint.springs, motion.values.constant
    assert springs is not None
    turning = [unit == "rad" for unit in joint.row_units]
    K, D = (
        [0 if f is None else constant(f) for f in pair]
        for pair in ((springs.stiffness, springs.rotational_stiffness),
                     (springs.damping, springs.rotational_damping))
    )  # fmt: skip
    return [K[t] for t in turning], [D[t] for t in turning]


def spring_action(motion: SystemMotion, joint: Joint) -> Action:
    """What the springs of a joint do; force and torque act on the child."""
    ops, (K, D) = motion.ops, spring_numbers(motion, joint)
    own = joint.evaluated(motion.values.constant)
    rel = relative_motion(motion, own)
    g, C = own.residual(ops, rel.X_FM), own.constraint(ops, rel.X_FM)
    rate = C.T @ rel.V_FM
    effort = ops.vec(*(-(K[i] * g[i] + D[i] * rate[i]) for i in range(joint.m)))
    potential = 0.5 * sum(K[i] * g[i] * g[i] for i in range(joint.m))
    loads = joint_loads(motion, own, rel, C @ effort)
    outputs = {"force": (loads[0].force, "N"), "torque": (loads[0].torque, "N*m")}
    return Action(loads, potential=potential, outputs=outputs)


def spring_coordinate_rows(motion: SystemMotion, joint: Joint) -> Rows:
    """Coordinates of a joint on springs are those of its pose; angles modulo a turn."""
    ops, state = motion.ops, motion.joints[joint.name]
    rel = relative_motion(motion, state.joint)
    q, C = (f(ops, rel.X_FM) for f in (state.joint.coordinates_of, state.joint.rates_of))
    rate = C.T @ rel.V_FM
    g, cv, slopes = [], [], []
    for k, scalar in enumerate(joint.scalars):
        gap, slip = q[k] - state.q[k], rate[k] - state.u[k]
        slopes.append(ops.cos(gap) if scalar.wraps else 1)
        g.append(ops.sin(gap) if scalar.wraps else gap)
        cv.append(slopes[k] * slip)

    def react(lam: Any) -> Reaction:
        effort = ops.vec(*(slope * lam[k] for k, slope in enumerate(slopes)))
        efforts = tuple((state.start + k, -effort[k]) for k in range(joint.nu))
        return Reaction(joint_loads(motion, state.joint, rel, C @ effort), efforts)

    turning = tuple(s for s, scalar in zip(slopes, joint.scalars, strict=True) if scalar.wraps)
    return Rows(joint.name, joint.coordinate_names, joint.coordinate_units, ops.vec(*g),
                ops.vec(*cv), react, alignment=turning)  # fmt: skip
