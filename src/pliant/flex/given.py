"""Bodies with given modes: nodes, shapes, mass and stiffness from elsewhere (S2.2, S4.3).

    p_BP = p0 + Phi_t q - 1/2 q^T H_P q,   R_BP = exp([Phi_r q]x) R0        (flexible-bodies 3)

A geometric stiffness matrix per unit force along axis i of node P *is* H_P[i]: the generalised
force of f is (Phi_t - H q)^T f, so a force f_i adds f_i H_P[i] to the stiffness.

Where the tables are known at some nodes only, the inertia of all others is missing in their sum.
Then the geometric stiffness of a moving body frame is given as a whole (motion, (12, n, n)), and
takes the place of that sum. With acceleration a, angular acceleration α and angular velocity w of B

    K_g = Σ a_i motion[i] + Σ α_i motion[3 + i] + Σ w_i² motion[6 + i] + Σ w_i w_j motion[9 + i]

over (i, j) = xy, yz, zx in the last sum; each is caused by the inertia forces, such as -a dm.

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
without slopes they cannot be rebuilt (flexible-bodies 9).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex import data
from pliant.flex.integrals import rotary_tables
from pliant.flex.masks import given_masks
from pliant.flex.numerics import Dampings, damping_matrix, skew
from pliant.model.bodies.mode_file import read_modes
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class GivenModes:
    """Modes as data. N nodes, n modes.

    nodes (N, 3); Phi_t (N, 3, n); Phi_r (N, 3, n) or None; mass: nodal masses (N), or a consistent
    matrix (3N, 3N) or (6N, 6N), node by node, translations before rotations; inertia (N, 3, 3) of
    the nodes or None; K (n, n); D (n, n) or None; H (N, 3, n, n) or None; motion (12, n, n) or
    None. geometric_stiffness: second-order | dynamic | none; None means dynamic with tables.
    """

    nodes: Array
    Phi_t: Array
    mass: Array
    K: Array
    Phi_r: Array | None = None
    inertia: Array | None = None
    D: Array | None = None
    H: Array | None = None
    motion: Array | None = None
    geometric_stiffness: str | None = None
    damping: Dampings = ()

    @property
    def count(self) -> int:
        return int(self.Phi_t.shape[2])

    @property
    def geometric(self) -> str:
        """How the second-order tables take part: none without them, or if `none` says so."""
        given = self.H is not None or self.motion is not None
        return (self.geometric_stiffness or "dynamic") if given else "none"


def modal_stiffness(frequencies: Array, modal_masses: Array) -> Array:
    """K = diag(μ ω²) from natural frequencies (rad/s) and modal masses."""
    return np.diag(np.asarray(modal_masses) * np.asarray(frequencies) ** 2)


def tables_from_unit_loads(count: int, n: int, loads: dict[tuple[int, int], Array]) -> Array:
    """H (count, 3, n, n) from geometric stiffness per unit force at (node, axis)."""
    H = np.zeros((count, 3, n, n))
    for (node, axis), matrix in loads.items():
        H[node, axis] = 0.5 * (np.asarray(matrix) + np.asarray(matrix).T)
    return H


def node_fields(g: GivenModes) -> data.PointFields:
    """The nodes as mass points, with H if their mass moves along it."""
    H = g.H if g.geometric != "none" and g.motion is None else None
    return data.PointFields(g.nodes, g.Phi_t, H, g.mass, g.Phi_r)


def given_tables(g: GivenModes) -> data.Tables:
    """Integrals of nodal or consistent mass, and of nodal inertia."""
    motion = g.motion if g.geometric != "none" else None
    tables = data.translation_tables(node_fields(g))
    if motion is not None:
        tables = _with_motion(tables, motion)
    if g.inertia is None:
        return tables
    N, n = len(g.nodes), g.count
    psi = np.zeros((N, 3, n)) if g.Phi_r is None else g.Phi_r
    return tables + rotary_tables(g.inertia, psi, np.zeros((N, n)))


def _with_motion(tables: data.Tables, motion: Array) -> data.Tables:
    """Geometric stiffness of a moving frame as second-order parts of T.

    E = (s1 + s2 q)^T a + (B0 + B1 q)^T α - 1/2 w w : J2 q + ..., so s2 and B1 get the matrices of a
    and α, J2 minus those of the products, twice on its diagonal.
    """
    even = 0.5 * (motion + motion.transpose(0, 2, 1))
    J2 = np.zeros_like(tables.J2)
    for i in range(3):
        j = (i + 1) % 3
        J2[i, i] = -2 * even[6 + i]
        J2[i, j] = J2[j, i] = -even[9 + i]
    return replace(tables, s2=tables.s2 + even[:3], B1=tables.B1 + even[3:6], J2=tables.J2 + J2)


def load_modes(path: str | Path) -> GivenModes:
    """Read given modes; every fault of the file is reported at once."""
    a = read_modes(path)
    H = a.get("second_order")
    if H is not None:  # only the even part of q^T H q counts
        H = 0.5 * (H + np.swapaxes(H, -1, -2))
    if "geometric_stiffness" in a:
        places = zip(a["load_nodes"].astype(int), a["load_axes"].astype(int), strict=True)
        loads = dict(zip(((int(p), int(i)) for p, i in places), a["geometric_stiffness"],
                         strict=True))  # fmt: skip
        H = tables_from_unit_loads(len(a["nodes"]), a["shapes"].shape[-1], loads)
    if "stiffness" in a:
        K = a["stiffness"]
    else:
        w = a["frequencies"] if "frequencies" in a else 2 * np.pi * a["frequencies_hz"]
        K = modal_stiffness(w, a["modal_masses"])
    return GivenModes(a["nodes"], a["shapes"], a["mass"], K, a.get("rotations"), a.get("inertia"),
                      a.get("damping"), H, a.get("motion_stiffness"))  # fmt: skip


_ROUNDING = 1e-13
_SAME = 1e-6
"""Moments of inertia that differ by less than this part of the largest are the same."""


@dataclass(frozen=True, slots=True)
class GivenGeometry:
    """Places of a body with given modes are its nodes."""

    modes: GivenModes

    def frame(self, at: float, offset: Array) -> data.FrameData:
        g, n = self.modes, self.modes.count
        node = int(at)
        if node != at or not 0 <= node < len(g.nodes):
            raise InputError(
                f"given modes: there is no node {at}",
                f"give a node number from 0 to {len(g.nodes) - 1}",
            )
        H = g.H[node] if g.H is not None and g.geometric != "none" else np.zeros((3, n, n))
        psi = np.zeros((3, n)) if g.Phi_r is None else g.Phi_r[node]
        return data.FrameData(g.nodes[node], g.Phi_t[node], H, psi, np.zeros(n), offset)

    def section_forces(self, at: float) -> Array:
        raise InputError("given modes have no sections", "ask a beam for internal forces")

    def stress(self, at: float) -> Array:
        raise InputError("given modes have no sections", "ask a beam for stress")


def _higher(g: GivenModes, M: Array) -> data.SecondOrderTables | None:
    """Degrees 3 and 4 of T; what is orthogonal to rounding becomes zero here too."""
    if g.geometric != "second-order" or g.H is None:
        return None
    found = data.second_order_tables(node_fields(g), data.pairs_of((g.H != 0).any(axis=0)))
    size = np.sqrt(np.outer(np.diag(M), np.diag(found.HH)))
    return replace(found, C=np.where(np.abs(found.C) > _ROUNDING * size, found.C, 0.0))


def given_data(modes: GivenModes, frame: GivenFrame | None = None) -> data.FlexibleData:
    """Everything the formulations need to know about a body with given modes."""
    g, origin = in_frame(modes, GivenFrame() if frame is None else frame)
    tables = given_tables(g)
    size = np.sqrt(np.diag(tables.M))  # products of modes orthogonal to rounding become zero
    loud = np.abs(tables.M) > _ROUNDING * np.outer(size, size)
    tables = replace(tables, M=np.where(loud, tables.M, 0.0))
    higher = _higher(g, tables.M)
    rotary = g.inertia is not None or len(g.mass) == 6 * len(g.nodes)
    D = damping_matrix(g.damping, tables.M, g.K) if g.D is None else g.D
    return data.FlexibleData.of(
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


def _of_principal_axes(tables: data.Tables, mean: Array) -> Array:
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
