"""Backward recursion: inertia forces against applied ones, summed towards the ground.

Row of joint J:  H_w^T n + H_v^T f - effort = 0, where (n, f) is the wrench the joint must transmit
to everything outside it. Source: S4 (3.1)-(3.14); Jourdain's principle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pliant.formulations.recursive.forward import Link
from pliant.mechanics.inertia import Wrench
from pliant.mechanics.motion import SystemMotion


@dataclass(frozen=True, slots=True)
class Transmitted:
    """What a tree joint passes on: its generalised forces, and the wrench on its child in world
    axes about the origin of M."""

    row: Any
    torque: Any
    force: Any


def gather(
    motion: SystemMotion, links: Iterable[Link], wrenches: dict[str, Wrench]
) -> dict[str, Transmitted]:
    """Sum towards the ground; returns what each joint must transmit."""
    ops = motion.ops
    passed: dict[str, Transmitted] = {}
    for link in reversed(list(links)):
        outer, name = wrenches[link.edge.outer], link.edge.outer
        outer.n, outer.f = ops.named(f"n_{name}", outer.n), ops.named(f"f_{name}", outer.f)
        R, p = link.X_PB.R, link.X_PB.p
        n, f = R @ outer.n, R @ outer.f
        R_WP = motion.bodies[link.edge.inner].X_WB.R
        sign = -1 if link.edge.flipped else 1
        passed[link.edge.joint.name] = Transmitted(
            link.H_w.T @ n + link.H_v.T @ f,
            sign * (R_WP @ (n + ops.cross(p - link.p_PM, f))),
            sign * (R_WP @ f),
        )
        if link.outer is not None:
            outer.e = outer.e + link.outer[0].T @ n + link.outer[1].T @ f
        if link.edge.inner != "ground":
            inner = wrenches[link.edge.inner]
            if link.inner is not None:
                inner.e = inner.e + link.inner[0].T @ n + link.inner[1].T @ f
            inner.n = inner.n + n + ops.cross(p, f)
            inner.f = inner.f + f
    return passed
