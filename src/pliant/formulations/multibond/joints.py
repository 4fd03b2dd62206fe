"""Joints as multibond sub-graphs, from the motion basis H or the constraint basis C.

With A = R_CP (child body axes from parent body axes), R_CF to them from the joint's frame F, and
r from F to M in parent axes, the 0-junctions add up the motion of the child's frame M:

    0w   A w_F + R_CF H_w u = w_M          0v   A (v_F - r x w_F) + R_CF H_v u = v_M

Rate form: u is the flow of 1:u with a massless store I:0, which is Kane's equation along H; a
motor, spring or friction is bonded there. Constraintor form: instead of u, CN holds
Cᵀ (w_M - A w_F ; ...) at zero. Source: S0 figs. 7-2 to 7-14; joints in general.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.formulations.multibond.bodies import (
    ROTATION,
    TRANSLATION,
    add_frame,
    constant,
)
from pliant.graphs.bonds import TRANSPOSE, BondGraph, Inertia, Source, Transformer
from pliant.mechanics.motion import JointState, SystemMotion
from pliant.mechanics.rows import relative_motion
from pliant.model.joints import Joint
from pliant.spatial.rotation import skew

RATE_PRIORITY = 50


@dataclass(frozen=True, slots=True)
class _Axes:
    """A = R_CP, R_CF, and r from F to M in parent axes."""

    A: Any
    R_CF: Any
    r: Any


def add_rate_joint(graph: BondGraph, motion: SystemMotion, state: JointState) -> None:
    """A tree joint: child motion = parent motion + H u. Source: S0 7 (Sf:0 form)."""
    joint = state.joint
    axes = _transport(graph, motion, joint, state.X_FM.R, state.X_FM.p)
    if not joint.nu:
        return
    add_speeds(graph, joint)
    for part, H, to in (("w", state.H[:3, :], "0w"), ("v", state.H[3:, :], "0v")):
        matrix = Transformer(constant(axes.R_CF @ H))
        graph.transformer(f"{joint.name}.H{part}", f"{joint.name}.u", f"{joint.name}.{to}", matrix,
                          (3, joint.nu), owner=joint.name)  # fmt: skip


def add_speeds(graph: BondGraph, joint: Joint) -> None:
    """1:u with the massless store whose flows are the speeds of the joint."""
    graph.one(f"{joint.name}.u", joint.nu, owner=joint.name)
    store = Inertia(np.zeros((joint.nu, joint.nu)))
    graph.add("I", joint.name, store, joint.nu, owner=joint.name, priority=RATE_PRIORITY,
              labels=joint.rate_names, on=f"{joint.name}.u")  # fmt: skip


def add_constraintor(graph: BondGraph, motion: SystemMotion, joint: Joint) -> None:
    """A joint that closes a loop: Cᵀ V_FM = 0."""
    joint = joint.evaluated(motion.values.constant)
    rel = relative_motion(motion, joint)
    axes = _transport(graph, motion, joint, rel.X_FM.R, rel.X_FM.p)
    C, name = joint.constraint(motion.ops, rel.X_FM), joint.name
    graph.zero(f"{name}.0c", joint.m, owner=name)
    for part, columns, at in (("w", C[:3, :], "0w"), ("v", C[3:, :], "0v")):
        matrix = Transformer(constant(-(columns.T @ axes.R_CF.T)))
        graph.transformer(f"{name}.C{part}", f"{name}.{at}", f"{name}.0c", matrix, (joint.m, 3),
                          owner=name)  # fmt: skip
    graph.add("CN", f"{name}.CN", None, joint.m, owner=name, labels=joint.row_names,
              on=f"{name}.0c")  # fmt: skip


def add_driver(
    graph: BondGraph, name: str, junction: str, size: int, place: int, rate: Any
) -> None:
    """A driver of one speed: CN holds u_k - rate(t) at zero; its effort is the driving one."""
    pick = np.zeros((1, size))
    pick[0, place] = 1.0
    graph.zero(f"{name}.0", 1, owner=name)
    graph.transformer(f"{name}.TF", junction, f"{name}.0", Transformer(pick), (1, size), owner=name)
    graph.add("Sf", f"{name}.Sf", Source(constant(-rate)), 1, owner=name, on=f"{name}.0")
    graph.add("CN", f"{name}.CN", None, 1, owner=name, on=f"{name}.0")


def _transport(graph: BondGraph, motion: SystemMotion, joint: Joint, X_R: Any, X_p: Any) -> _Axes:
    """0w and 0v of a joint: motion of its parent's frame enters, that of its child's leaves."""
    ops, name = motion.ops, joint.name
    R_FJ = ops.const(joint.canonical_axes())
    R_PF = motion.placement(joint.parent)[1].R @ R_FJ
    R_CM = motion.placement(joint.child)[1].R @ R_FJ
    axes = _Axes(R_CM @ X_R.T @ R_PF.T, R_CM @ X_R.T, R_PF @ X_p)
    (w_F, v_F), (w_M, v_M) = (add_frame(graph, motion, f) for f in (joint.parent, joint.child))
    graph.zero(f"{name}.0w", 3, owner=name, domain=ROTATION)
    graph.zero(f"{name}.0v", 3, owner=name, domain=TRANSLATION)
    turn = Transformer(constant(axes.A), TRANSPOSE)
    graph.transformer(f"{name}.Aw", w_F, f"{name}.0w", turn, (3, 3), owner=name)
    graph.transformer(f"{name}.Av", v_F, f"{name}.0v", turn, (3, 3), owner=name)
    graph.bond(f"{name}.0w", w_M, 3, name=f"{name}.w")
    graph.bond(f"{name}.0v", v_M, 3, name=f"{name}.v")
    if joint.kind not in _WITHOUT_LEVER:
        lever = Transformer(constant(-(axes.A @ skew(ops, axes.r))))
        graph.transformer(f"{name}.TFr", w_F, f"{name}.0v", lever, (3, 3), owner=name)
    return axes


_WITHOUT_LEVER = frozenset({"revolute", "spherical", "universal", "fixed"})
"""Joints whose frames share an origin; off it, a loop that is not closed yet shows the lever."""
