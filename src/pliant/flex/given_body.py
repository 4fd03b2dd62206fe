"""A body with given modes: from its arrays to `FlexibleData`.

Floating frames of bodies with given modes (S0.7): shapes less their rigid part.

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
from pliant.flex.damping import damping_matrix
from pliant.flex.data import FlexibleData, FrameData
from pliant.flex.given import GivenModes, given_tables, node_fields
from pliant.flex.masks import given_masks
from pliant.flex.tables import HigherTables, Tables, higher_tables, pairs_of

_ROUNDING = 1e-13
_SAME = 1e-6
"""Moments of inertia that differ by less than this part of the largest are the same."""


@dataclass(frozen=True, slots=True)
class GivenGeometry:
    """Places of a body with given modes are its nodes."""

    modes: GivenModes

    def frame(self, at: float, offset: Array) -> FrameData:
        g, n = self.modes, self.modes.count
        node = int(at)
        if node != at or not 0 <= node < len(g.nodes):
            raise InputError(
                f"given modes: there is no node {at}",
                f"give a node number from 0 to {len(g.nodes) - 1}",
            )
        H = g.H[node] if g.H is not None and g.geometric != "none" else np.zeros((3, n, n))
        psi = np.zeros((3, n)) if g.Phi_r is None else g.Phi_r[node]
        return FrameData(g.nodes[node], g.Phi_t[node], H, psi, np.zeros(n), offset)

    def section_forces(self, at: float) -> Array:
        raise InputError("given modes have no sections", "ask a beam for internal forces")

    def stress(self, at: float) -> Array:
        raise InputError("given modes have no sections", "ask a beam for stress")

    def end_load(self) -> Array:
        raise InputError("given modes have no ends", "ask a beam for critical loads")


def _orthogonal(tables: Tables) -> Tables:
    """Products of modes that are orthogonal to rounding become zero."""
    size = np.sqrt(np.diag(tables.M))
    return replace(
        tables, M=np.where(np.abs(tables.M) > _ROUNDING * np.outer(size, size), tables.M, 0.0)
    )


def _higher(g: GivenModes, M: Array) -> HigherTables | None:
    """Degrees 3 and 4 of T; what is orthogonal to rounding becomes zero here too."""
    if g.geometric != "second-order" or g.H is None:
        return None
    found = higher_tables(node_fields(g), pairs_of((g.H != 0).any(axis=0)))
    size = np.sqrt(np.outer(np.diag(M), np.diag(found.HH)))
    return replace(found, C=np.where(np.abs(found.C) > _ROUNDING * size, found.C, 0.0))


def given_data(modes: GivenModes, frame: GivenFrame | None = None) -> FlexibleData:
    """Everything the formulations need to know about a body with given modes."""
    g, origin = in_frame(modes, GivenFrame() if frame is None else frame)
    tables = _orthogonal(given_tables(g))
    higher = _higher(g, tables.M)
    rotary = g.inertia is not None or len(g.mass) == 6 * len(g.nodes)
    D = damping_matrix(g.damping, tables.M, g.K) if g.D is None else g.D
    return FlexibleData.of(
        tables,
        higher,
        names=tuple(f"q{k + 1}" for k in range(g.count)),
        kinds=("mode",) * g.count,
        geometric_stiffness=g.geometric,
        origin=origin,
        K=g.K,
        D=D,
        masks=given_masks(g.count, rotary, g.geometric != "none"),
        geometry=GivenGeometry(g),
    )


@dataclass(frozen=True, slots=True)
class GivenFrame:
    """The kind of body frame; `node` is that of kind "at", and the first of a chord to `end`."""

    kind: str = "as-given"
    node: int = 0
    end: int = 0


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
