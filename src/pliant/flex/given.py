"""Bodies with given modes: nodes, shapes, mass and stiffness from elsewhere (S2.2, S4.3).

    p_BP = p0 + Phi_t q - 1/2 q^T H_P q,   R_BP = exp([Phi_r q]x) R0        (normative 3)

A geometric stiffness matrix per unit force along axis i of node P *is* H_P[i]: the generalised
force of f is (Phi_t - H q)^T f, so a force f_i adds f_i H_P[i] to the stiffness.

Where the tables are known at some nodes only, the inertia of all others is missing in their sum.
Then the geometric stiffness of a moving body frame is given as a whole (motion, (12, n, n)), and
takes the place of that sum. With acceleration a, angular acceleration α and angular velocity w of B

    K_g = Σ a_i motion[i] + Σ α_i motion[3 + i] + Σ w_i² motion[6 + i] + Σ w_i w_j motion[9 + i]

over (i, j) = xy, yz, zx in the last sum; each is caused by the inertia forces, such as -a dm.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pliant.arrays import Array
from pliant.flex.damping import Damping
from pliant.flex.mass import rotary_tables
from pliant.flex.tables import PointFields, Tables, translation_tables
from pliant.model.bodies.mode_file import Arrays, read_modes


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
    damping: Damping | None = None

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


def node_fields(g: GivenModes) -> PointFields:
    """The nodes as mass points, with H if their mass moves along it."""
    H = g.H if g.geometric != "none" and g.motion is None else None
    return PointFields(g.nodes, g.Phi_t, H, g.mass, g.Phi_r)


def given_tables(g: GivenModes) -> Tables:
    """Integrals of nodal or consistent mass, and of nodal inertia."""
    motion = g.motion if g.geometric != "none" else None
    tables = translation_tables(node_fields(g))
    if motion is not None:
        tables = _with_motion(tables, motion)
    if g.inertia is None:
        return tables
    N, n = len(g.nodes), g.count
    psi = np.zeros((N, 3, n)) if g.Phi_r is None else g.Phi_r
    return tables + rotary_tables(g.inertia, psi, np.zeros((N, n)))


def _with_motion(tables: Tables, motion: Array) -> Tables:
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
    return GivenModes(a["nodes"], a["shapes"], a["mass"], _stiffness(a), a.get("rotations"),
                      a.get("inertia"), a.get("damping"), H, a.get("motion_stiffness"))  # fmt: skip


def _stiffness(a: Arrays) -> Array:
    if "stiffness" in a:
        return a["stiffness"]
    w = a["frequencies"] if "frequencies" in a else 2 * np.pi * a["frequencies_hz"]
    return modal_stiffness(w, a["modal_masses"])
