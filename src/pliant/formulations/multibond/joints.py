"""Joints as multibond sub-graphs, from the motion basis H or the constraint basis C.

With A = R_CP (child body axes from parent body axes), R_CF to them from the joint's frame F, and
r from F to M in parent axes, the 0-junctions add up the motion of the child's frame M:

    0w   A w_F + R_CF H_w u = w_M          0v   A (v_F - r x w_F) + R_CF H_v u = v_M

Rate form: u is the flow of 1:u with a massless store I:0, which is Kane's equation along H; a
motor, spring or friction is bonded there. A spherical joint leaves rotation to the stores of the
bodies and needs no u: Sf:0 at 0v. Constraintor form: instead of u, CN holds
Cᵀ (w_M - A w_F ; ...) at zero. Source: S0 figs. 7-2 to 7-14; joints in general.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from pliant.bonds import TRANSPOSE, BondGraph, Compliance, Inertia, Resistance, Source, Transformer
from pliant.formulations.multibond.bodies import (
    ROTATION,
    TRANSLATION,
    add_frame,
    constant,
)
from pliant.mechanics.joint_springs import spring_numbers, spring_stretch
from pliant.mechanics.motion import JointState, SystemMotion, relative_motion
from pliant.model.joints import Joint
from pliant.records import dataclass
from pliant.spatial.linear import is_zero
from pliant.spatial.pose import Pose
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
    axes = _transport(graph, motion, joint, state.X_FM)
    if not joint.nu:
        return
    add_speeds(graph, joint)
    for part, H, to in (("w", state.H[:3, :], "0w"), ("v", state.H[3:, :], "0v")):
        matrix = Transformer(constant(axes.R_CF @ H))
        graph.transformer(f"{joint.name}.H{part}", f"{joint.name}.u", f"{joint.name}.{to}", matrix,
                          (3, joint.nu), owner=joint.name)  # fmt: skip


def add_ball(graph: BondGraph, motion: SystemMotion, state: JointState) -> None:
    """A spherical tree joint, Sf:0 on the motion of its two points (S0 fig. 7-2); a free joint
    holds nothing."""
    name = state.joint.name
    if state.joint.m:
        _transport(graph, motion, state.joint, state.X_FM, "v")
        graph.add("Sf", f"{name}.Sf", Source(0.0), 3, owner=name, domain=TRANSLATION,
                  on=f"{name}.0v")  # fmt: skip


def add_speeds(graph: BondGraph, joint: Joint) -> None:
    """1:u with the massless store whose flows are the speeds of the joint."""
    graph.one(f"{joint.name}.u", joint.nu, owner=joint.name)
    store = Inertia(np.zeros((joint.nu, joint.nu)))
    graph.add("I", joint.name, store, joint.nu, owner=joint.name, priority=RATE_PRIORITY,
              labels=joint.rate_names, on=f"{joint.name}.u")  # fmt: skip


def add_constraintor(graph: BondGraph, motion: SystemMotion, joint: Joint) -> None:
    """A joint that closes a loop: CN holds Cᵀ V_FM at zero."""
    name, own = joint.name, joint.evaluated(motion.values.number)
    X_FM = relative_motion(motion, own).X_FM
    _constrained(graph, motion, own, X_FM, motion.ops.full(own.constraint(motion.ops, X_FM)))
    graph.add("CN", f"{name}.CN", None, joint.m, owner=name, labels=joint.row_names,
              on=f"{name}.0c")  # fmt: skip


def add_springs(graph: BondGraph, motion: SystemMotion, joint: Joint) -> None:
    """A joint held by stiff springs: C and R share the flow Cᵀ V_FM, whose integral is the
    stretch."""
    name, (K, D) = joint.name, spring_numbers(motion, joint)
    own = joint.evaluated(motion.values.number)
    X_FM = relative_motion(motion, own).X_FM
    g, C = (motion.ops.full(part) for part in spring_stretch(motion, own, X_FM))
    _constrained(graph, motion, own, X_FM, C)
    graph.one(f"{name}.s", joint.m, owner=name)
    graph.bond(f"{name}.0c", f"{name}.s", joint.m)
    spring = Compliance.stiffness(constant(_diagonal(motion, K)), constant(g))
    graph.add("C", f"{name}.K", spring, joint.m, owner=name, priority=99, on=f"{name}.s")
    if not all(map(is_zero, D)):
        damper = Resistance(constant(_diagonal(motion, D)))
        graph.add("R", f"{name}.D", damper, joint.m, owner=name, on=f"{name}.s")


def _diagonal(motion: SystemMotion, entries: list[Any]) -> Any:
    n = len(entries)
    return motion.ops.mat([[entries[i] if i == j else 0 for j in range(n)] for i in range(n)])


def _constrained(graph: BondGraph, motion: SystemMotion, joint: Joint, X_FM: Pose, C: Any) -> None:
    """0c with the flow Cᵀ V_FM, from rotation, translation or both, as C has rows of them."""
    name = joint.name
    rows = {"w": C[:3, :], "v": C[3:, :]}
    parts = [part for part, columns in rows.items() if not _vanishes(columns)]
    axes = _transport(graph, motion, joint, X_FM, parts)
    graph.zero(f"{name}.0c", joint.m, owner=name)
    for part in parts:
        matrix = Transformer(constant(-(rows[part].T @ axes.R_CF.T)))
        graph.transformer(f"{name}.C{part}", f"{name}.0{part}", f"{name}.0c", matrix, (joint.m, 3),
                          owner=name)  # fmt: skip


def _vanishes(matrix: Any) -> bool:
    rows, columns = matrix.shape
    return all(is_zero(matrix[i, j]) for i in range(rows) for j in range(columns))


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


def _transport(
    graph: BondGraph, motion: SystemMotion, joint: Joint, X_FM: Pose, parts: Iterable[str] = "wv"
) -> _Axes:
    """0w and 0v of a joint: motion of its parent's frame enters, that of its child's leaves."""
    ops, name = motion.ops, joint.name
    R_FJ = ops.const(joint.canonical_axes())
    R_PF = motion.placement(joint.parent)[1].R @ R_FJ
    R_CM = motion.placement(joint.child)[1].R @ R_FJ
    axes = _Axes(R_CM @ X_FM.R.T @ R_PF.T, R_CM @ X_FM.R.T, R_PF @ X_FM.p)
    (w_F, v_F), (w_M, v_M) = (add_frame(graph, motion, f) for f in (joint.parent, joint.child))
    turn = Transformer(constant(axes.A), TRANSPOSE)
    ends = {"w": (w_F, w_M, ROTATION), "v": (v_F, v_M, TRANSLATION)}
    for part in parts:
        parent, child, domain = ends[part]
        graph.zero(f"{name}.0{part}", 3, owner=name, domain=domain)
        graph.transformer(f"{name}.A{part}", parent, f"{name}.0{part}", turn, (3, 3), owner=name)
        graph.bond(f"{name}.0{part}", child, 3, name=f"{name}.{part}")
    apart = joint.springs or not (joint.welds or "point" in joint.common)
    if "v" in parts and apart:
        lever = Transformer(constant(-(axes.A @ skew(ops, axes.r))))
        graph.transformer(f"{name}.TFr", w_F, f"{name}.0v", lever, (3, 3), owner=name)
    return axes
