"""Flexible bodies: frames on them and their inertia, from the tables of ``pliant.flex``.

Written over entries that are numbers or symbols alike. q, u, a: elastic coordinates, their rates
and accelerations.

    p = p0 + L q - 1/2 qᵀ H q      R = exp([psi q]x) exp([phi q, 0, 0]x)      (flexible-bodies 1-3)
    p_BP = p + R a                 R_BP = R R0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.spatial.exponential import angular_velocity, exponential
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose

Entries = dict[tuple[int, ...], Any]
"""Entries of a table by index (``pliant.flex.packing``)."""
Tables = Mapping[str, Entries]


@dataclass(frozen=True, slots=True)
class ElasticFrame:
    """A place on a flexible body: its pose, and its velocity for rates u, in axes of B."""

    pose: Pose
    w: Any
    v: Any


def elastic_frame(
    ops: Ops, tables: Tables, frame: str, R0: Any, q: Any, u: Any
) -> ElasticFrame:  # fmt: skip
    """Pose and velocity of a frame relative to B."""
    part = {k: tables[f"{frame}:{k}"] for k in ("p0", "L", "H", "psi", "phi", "a")}
    p = ops.vec(*(_quadratic(part, i, q) for i in range(3)))
    v = ops.vec(*(_quadratic_rate(part, i, q, u) for i in range(3)))
    bent = _present(part["psi"])
    psi, rate = (ops.vec(*(_sum(part["psi"], i, x) for i in range(3))) for x in (q, u))
    R = exponential(ops, psi, bent)
    w = angular_velocity(ops, psi, rate, bent)
    if part["phi"]:
        twist, twist_rate = (sum(c * x[a] for (a,), c in part["phi"].items()) for x in (q, u))
        w = w + R @ ops.vec(twist_rate, 0, 0)
        R = R @ exponential(ops, ops.vec(twist, 0, 0), (True, False, False))
    if part["a"]:
        arm = R @ ops.vec(*(part["a"].get((i,), 0) for i in range(3)))
        p, v = p + arm, v + ops.cross(w, arm)
    return ElasticFrame(Pose(R @ R0, p), w, v)


def _present(psi: Entries) -> tuple[bool, bool, bool]:
    rows = {i for i, _ in psi}
    return (0 in rows, 1 in rows, 2 in rows)


def _sum(table: Entries, i: int, x: Any) -> Any:
    return sum(c * x[a] for (row, a), c in table.items() if row == i)


def _quadratic(part: Tables, i: int, q: Any) -> Any:
    bent = sum(c * q[a] * q[b] for (row, a, b), c in part["H"].items() if row == i)
    return part["p0"].get((i,), 0) + _sum(part["L"], i, q) - 0.5 * bent


def _quadratic_rate(part: Tables, i: int, q: Any, u: Any) -> Any:
    bent = sum(c * q[a] * u[b] for (row, a, b), c in part["H"].items() if row == i)
    return _sum(part["L"], i, u) - bent


@dataclass(frozen=True, slots=True)
class Masses:
    """The kinetic energy of a flexible body at q (flexible-bodies 4, 5):

    T = 1/2 m v.v + v.(w x s) + v.(S u) + 1/2 w.(J w) + w.(B u) + 1/2 u.(M u),   S = ds/dq
    """

    mass: Any
    s: Any
    S: Any
    J: Any
    B: Any
    M: Any


def masses(ops: Ops, tables: Tables, pairs: Iterable[tuple[int, ...]], q: Any, n: int) -> Masses:
    """Mass tables at q, nothing truncated with geometric stiffness `second-order`."""
    s = [tables["s0"].get((i,), 0) for i in range(3)]
    S: list[list[Any]] = [[0] * n for _ in range(3)]
    for (i, a), c in tables["s1"].items():
        s[i], S[i][a] = s[i] + c * q[a], S[i][a] + c
    for (i, a, b), c in tables["s2"].items():
        s[i], S[i][a] = s[i] + 0.5 * c * q[a] * q[b], S[i][a] + c * q[b]
    J = [[tables["J0"].get((i, j), 0) for j in range(3)] for i in range(3)]
    for (i, j, a), c in tables["J1"].items():
        J[i][j] = J[i][j] + c * q[a]
    for (i, j, a, b), c in tables["J2"].items():
        J[i][j] = J[i][j] + 0.5 * c * q[a] * q[b]
    B = [[tables["B0"].get((i, a), 0) for a in range(n)] for i in range(3)]
    for (i, a, b), c in tables["B1"].items():
        B[i][a] = B[i][a] + c * q[b]
    M = [[tables["M"].get((a, b), 0) for b in range(n)] for a in range(n)]
    if "F" in tables:
        _add_higher(tables, tuple(pairs), q, n, J, B, M)
    return Masses(
        tables["m"][()], ops.vec(*s), _matrix(ops, S, n), ops.mat(J), _matrix(ops, B, n),
        _matrix(ops, M, n),
    )  # fmt: skip


def _matrix(ops: Ops, rows: list[list[Any]], n: int) -> Any:
    return ops.mat(rows) if rows and n else ops.zeros(len(rows), n)


def _add_higher(
    tables: Tables, pairs: tuple[tuple[int, ...], ...], q: Any, n: int,
    J: list[list[Any]], B: list[list[Any]], M: list[list[Any]],
) -> None:  # fmt: skip
    """Degrees 3 and 4 of T (``pliant.flex.higher``), written with xi = -Σ ζ_k H_k:

    X_r = -Σ F_rk ζ_k:  ∫ξ² = X.X,  ∫ξ_a ξ_b = X_a.X_b      P_ia = ∫ c_i ξ_a, P_i = ∫ c_i ξ

    J gets (w_y² + w_z²) (2 P_x + X.X) - 2 w_x (w_y P_y + w_z P_z), B the moments of c and ξ' about
    x, and M gets ∫ c_x' ξ' twice and ∫ ξ'².
    """
    zeta, slope = _pair_products(pairs, q)
    X, X_q = _second_order_field(tables["F"], zeta, slope, n)
    C = _couplings(tables["C"], n)
    xi = [[-_dot(row, zeta) for row in C[i]] for i in range(3)]
    """∫ c_ia ξ for the shape a."""
    xi_q = [[[-_dot_slope(row, slope, b) for b in range(n)] for row in C[i]] for i in range(3)]
    """∫ c_ia ∂ξ/∂q_b."""
    P = [sum(q[a] * xi[i][a] for a in range(n)) for i in range(3)]
    across = 2 * P[0] + sum(x * x for x in X)
    J[1][1], J[2][2] = J[1][1] + across, J[2][2] + across
    for i in (1, 2):
        J[0][i], J[i][0] = J[0][i] - P[i], J[i][0] - P[i]
    for b in range(n):
        for row, i, sign in ((1, 2, 1), (2, 1, -1)):
            moved = sum(q[a] * xi_q[i][a][b] for a in range(n))
            B[row][b] = B[row][b] + sign * (moved - xi[i][b])
    for a in range(n):
        for b in range(n):
            M[a][b] = M[a][b] + xi_q[0][a][b] + xi_q[0][b][a] + sum(
                x[a] * x[b] for x in X_q)  # fmt: skip


def _pair_products(
    pairs: tuple[tuple[int, ...], ...], q: Any
) -> tuple[list[Any], list[dict[int, Any]]]:
    """ζ_k = q_a q_b (a < b) or q_a²/2, and its derivatives."""
    zeta: list[Any] = []
    slope: list[dict[int, Any]] = []
    for a, b in pairs:
        zeta.append(0.5 * q[a] * q[a] if a == b else q[a] * q[b])
        slope.append({a: q[a]} if a == b else {a: q[b], b: q[a]})
    return zeta, slope


def _second_order_field(
    F: Entries, zeta: list[Any], slope: list[dict[int, Any]], n: int
) -> tuple[list[Any], list[list[Any]]]:
    rank = 1 + max((r for r, _ in F), default=-1)
    X: list[Any] = [0] * rank
    X_q: list[list[Any]] = [[0] * n for _ in range(rank)]
    for (r, k), c in F.items():
        X[r] = X[r] - c * zeta[k]
        for a, d in slope[k].items():
            X_q[r][a] = X_q[r][a] - c * d
    return X, X_q


def _couplings(C: Entries, n: int) -> list[list[dict[int, Any]]]:
    rows: list[list[dict[int, Any]]] = [[{} for _ in range(n)] for _ in range(3)]
    for (i, a, k), c in C.items():
        rows[i][a][k] = c
    return rows


def _dot(row: Mapping[int, Any], zeta: list[Any]) -> Any:
    return sum(c * zeta[k] for k, c in row.items())


def _dot_slope(row: Mapping[int, Any], slope: list[dict[int, Any]], b: int) -> Any:
    return sum(c * slope[k][b] for k, c in row.items() if b in slope[k])


def stiffness_force(tables: Tables, q: Any, u: Any, n: int) -> list[Any]:
    """K q + D u."""
    return [
        sum(c * q[b] for (row, b), c in tables["K"].items() if row == a)
        + sum(c * u[b] for (row, b), c in tables["D"].items() if row == a)
        for a in range(n)
    ]


def rigid_offset(ops: Ops, tables: Tables) -> Pose:
    """The model's body frame (x = 0 of the undeformed beam) in B."""
    return Pose(ops.const(np.eye(3)), ops.vec(*(-tables["origin"].get((i,), 0) for i in range(3))))
