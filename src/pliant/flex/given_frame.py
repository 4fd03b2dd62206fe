"""Floating frames of bodies with given modes (S0.7): shapes less their rigid part.

    as-given      nothing is taken out
    at (node)     the node neither moves nor turns
    chord (node, end)   both nodes stay on the line through them, the first of them at its place,
                  and it does not turn about that line
    mass-centre   origin at the undeformed mass centre, mean displacement taken out, S0 (5.10)
    principal-axis   also the rotation that deformation gives to the principal axes of inertia, S0
                  (5.14); the mean rotation where two moments of inertia are the same
    buckens, tisserand   the mean rotation instead, S0 (5.19, 5.20, 5.31): one and the same for
                  linear shapes, with the mass and inertia that the nodes have

Second-order tables belong to the frame they were made for, so they exclude a change of frame:
without slopes they cannot be rebuilt (normative 9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.arrays import skew
from pliant.flex.given import GivenModes, given_tables
from pliant.flex.tables import Tables

FRAMES = ("as-given", "at", "chord", "mass-centre", "principal-axis", "buckens", "tisserand")
_SAME = 1e-6
"""Moments of inertia that differ by less than this part of the largest are the same."""


@dataclass(frozen=True, slots=True)
class GivenFrame:
    """The kind of body frame; `node` is that of kind "at", and the first of a chord to `end`."""

    kind: str = "as-given"
    node: int = 0
    end: int = 0

    def __post_init__(self) -> None:
        if self.kind not in FRAMES:
            raise InputError(
                f"floating frame: unknown kind '{self.kind}' for given modes",
                f"known: {', '.join(FRAMES)}",
            )


def in_frame(g: GivenModes, frame: GivenFrame) -> tuple[GivenModes, Array]:
    """The same modes seen from the floating frame, and its origin among the given nodes."""
    if frame.kind == "as-given":
        return g, np.zeros(3)
    if g.geometric != "none":
        raise InputError(
            f"given modes: second-order tables in a {frame.kind} frame",
            "give tables made for that frame, or geometric_stiffness none",
        )
    origin, t, r = _rigid_part(g, frame)
    arm = g.nodes - origin
    moved = t + np.einsum("pij,ja->pia", -skew(arm), r)
    rotations = np.zeros_like(g.Phi_t) if g.Phi_r is None else g.Phi_r
    return replace(g, nodes=arm, Phi_t=g.Phi_t - moved, Phi_r=rotations - r), origin


def _rigid_part(g: GivenModes, frame: GivenFrame) -> tuple[Array, Array, Array]:
    """Origin (3), translation (3, n) at the origin and rotation (3, n)."""
    if frame.kind in ("at", "chord"):
        return _at_node(g, frame)
    tables = given_tables(g)
    c, t = tables.s0 / tables.m, tables.s1 / tables.m
    if frame.kind == "mass-centre":
        return c, t, np.zeros_like(t)
    about = replace(g, nodes=g.nodes - c, Phi_t=g.Phi_t - t)
    centred = given_tables(about)
    J: Array = centred.J0
    r: Array = np.asarray(np.linalg.lstsq(J, centred.B0, rcond=None)[0], dtype=np.float64)
    return c, t, _of_principal_axes(centred, r) if frame.kind == "principal-axis" else r


def _at_node(g: GivenModes, frame: GivenFrame) -> tuple[Array, Array, Array]:
    """Held by a node, or by the chord d from it: r = d x (u_end - u) / d.d + d (d.θ) / d.d."""
    places = (frame.node, frame.end)
    if g.Phi_r is None or not all(0 <= node < len(g.nodes) for node in places):
        raise InputError(
            f"given modes: a frame at node {frame.node} needs its rotations",
            "give Phi_r and a node number of the body",
        )
    origin, t, turned = (field[frame.node] for field in (g.nodes, g.Phi_t, g.Phi_r))
    if frame.kind == "at":
        return origin, t, turned
    d = g.nodes[frame.end] - origin
    if not d @ d > 0:
        raise InputError(
            f"given modes: nodes {frame.node} and {frame.end} are at the same place",
            "give two nodes that make a chord",
        )
    return origin, t, (skew(d) @ (g.Phi_t[frame.end] - t) + np.outer(d, d @ turned)) / (d @ d)


def _of_principal_axes(tables: Tables, mean: Array) -> Array:
    """r (3, n) that keeps the principal axes: J1 q = [r]x J0 - J0 [r]x off the diagonal there.

    In these axes r_k = J1_ij / (J_i - J_j), (i, j, k) cyclic.
    """
    moments, P = np.linalg.eigh(tables.J0)
    J1 = np.einsum("ki,klb,lj->ijb", P, tables.J1, P)
    handed = np.sign(np.linalg.det(P))
    r = P.T @ mean * handed
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        if abs(moments[i] - moments[j]) > _SAME * moments[-1]:
            r[k] = J1[i, j] / (moments[i] - moments[j])
    return np.asarray(P @ r * handed)
