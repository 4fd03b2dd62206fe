"""Flexible bodies: frames on them and their inertia, from the tables of ``pliant.flex``.

Written over entries that are numbers or symbols alike. q, u, a: elastic coordinates, their rates
and accelerations.

    p = p0 + L q - 1/2 qᵀ H q      R = exp([psi q]x) exp([phi q, 0, 0]x)      (flexible-bodies 1-3)
    p_BP = p + R a                 R_BP = R R0

Degrees 3 and 4 of the kinetic energy, nothing truncated (geometric stiffness `second-order`):

A point moves by c + ξ in B, c = L q and ξ = -1/2 qᵀ H q. Beyond the second degree of T
(flexible-bodies 4, 5; ``pliant.flex.data``)

    J gets ∫ (2 c.ξ + ξ.ξ) 1 - (c ξᵀ + ξ cᵀ + ξ ξᵀ)
    B gets ∫ c x ξ_b + ξ x c_b + ξ x ξ_b            M gets ∫ c_a.ξ_b + ξ_a.c_b + ξ_a.ξ_b

with c_a = ∂c/∂q_a = L_a and ξ_a = ∂ξ/∂q_a. A beam has ξ along x only: most terms are absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import angular_velocity, exponential

Entries = dict[tuple[int, ...], Any]
"""Entries of a table by index (``pliant.flex.packing``)."""
Tables = Mapping[str, Entries]
Pairs = tuple[tuple[int, ...], ...]
"""(direction, a, b) of the entries of H."""
_CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


@dataclass(frozen=True, slots=True)
class SecondOrder:
    """Rows of the parts of J, B and M."""

    J: list[list[Any]]
    B: list[list[Any]]
    M: list[list[Any]]


@dataclass(frozen=True, slots=True)
class _Field:
    """One direction of ξ: with each pair k its ζ_k and ∂ζ_k/∂q, and ξ in few functions.

    X_r = -Σ F_rk ζ_k and its derivatives X_ra: ∫ ξ_d ξ_e = X_d.X_e
    """

    zeta: dict[int, Any]
    slope: dict[int, dict[int, Any]]
    X: list[Any]
    X_q: list[list[Any]]


def second_order(F: Entries, C: Entries, pairs: Pairs, q: Any, n: int) -> SecondOrder:
    """The parts of J, B and M from F (r, k) and C (3, n, k), k over the pairs."""
    fields = _fields(F, pairs, q, n)
    xi, xi_q = _couplings(C, fields, n)
    return SecondOrder(
        _turning(fields, xi, q, n), _gyration(fields, xi, xi_q, q, n), _mass(fields, xi_q, n)
    )


def _fields(F: Entries, pairs: Pairs, q: Any, n: int) -> dict[int, _Field]:
    """ξ by direction."""
    products = {(a, b): 0.5 * q[a] * q[a] if a == b else q[a] * q[b] for _, a, b in pairs}
    rank = 1 + max((r for r, _ in F), default=-1)
    fields: dict[int, _Field] = {}
    for k, (d, a, b) in enumerate(pairs):
        if d not in fields:
            fields[d] = _Field({}, {}, [0] * rank, [[0] * n for _ in range(rank)])
        fields[d].zeta[k] = products[a, b]
        fields[d].slope[k] = {a: q[a]} if a == b else {a: q[b], b: q[a]}
    for (r, k), c in F.items():
        field = fields[pairs[k][0]]
        field.X[r] = field.X[r] - c * field.zeta[k]
        for a, slope in field.slope[k].items():
            field.X_q[r][a] = field.X_q[r][a] - c * slope
    return fields


def _couplings(C: Entries, fields: dict[int, _Field], n: int) -> tuple[Any, Any]:
    """∫ c_ia ξ_d as [i][d][a] and ∫ c_ia ∂ξ_d/∂q_b as [i][d][a][b]."""
    xi: Any = [{d: [0] * n for d in fields} for _ in range(3)]
    xi_q: Any = [{d: [[0] * n for _ in range(n)] for d in fields} for _ in range(3)]
    direction = {k: d for d, field in fields.items() for k in field.zeta}
    for (i, a, k), c in C.items():
        d = direction[k]
        xi[i][d][a] = xi[i][d][a] - c * fields[d].zeta[k]
        for b, slope in fields[d].slope[k].items():
            xi_q[i][d][a][b] = xi_q[i][d][a][b] - c * slope
    return xi, xi_q


def _turning(fields: dict[int, _Field], xi: Any, q: Any, n: int) -> list[list[Any]]:
    """J_ii gets 2 P_dd + Q_dd of both d other than i, and J_ij -P_ij - P_ji - Q_ij.

    P_id = ∫ c_i ξ_d, Q_de = ∫ ξ_d ξ_e.
    """
    P = {(i, d): sum(q[a] * xi[i][d][a] for a in range(n)) for i in range(3) for d in fields}
    along = {d: 2 * P[d, d] + sum(x * x for x in f.X) for d, f in fields.items()}
    J: list[list[Any]] = [[0] * 3 for _ in range(3)]
    for i, j, k in _CYCLIC:
        J[i][i] = along.get(j, 0) + along.get(k, 0)
        J[i][j] = J[j][i] = -P.get((i, j), 0) - P.get((j, i), 0)
        if i in fields and j in fields:
            both = sum(x * y for x, y in zip(fields[i].X, fields[j].X, strict=True))
            J[i][j] = J[j][i] = J[i][j] - both
    return J


def _gyration(
    fields: dict[int, _Field], xi: Any, xi_q: Any, q: Any, n: int
) -> list[list[Any]]:  # fmt: skip
    """B_ib = N_jk - N_kj, (i, j, k) cyclic, N_jk = ∫ (c_j + ξ_j) ∂ξ_k/∂q_b - c_jb ξ_k."""

    def moment(j: int, k: int, b: int) -> Any:
        if k not in fields:
            return 0
        own = sum(q[a] * xi_q[j][k][a][b] for a in range(n)) - xi[j][k][b]
        if j not in fields:
            return own
        return own + sum(x * y[b] for x, y in zip(fields[j].X, fields[k].X_q, strict=True))

    return [[moment(j, k, b) - moment(k, j, b) for b in range(n)] for _, j, k in _CYCLIC]


def _mass(fields: dict[int, _Field], xi_q: Any, n: int) -> list[list[Any]]:
    M: list[list[Any]] = [[0] * n for _ in range(n)]
    for d, field in fields.items():
        across = xi_q[d][d]
        for a in range(n):
            for b in range(a, n):
                squares = sum(x[a] * x[b] for x in field.X_q)
                M[a][b] = M[b][a] = M[a][b] + across[a][b] + across[b][a] + squares
    return M


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
    rows = {i for i, _ in part["psi"]}
    bent = (0 in rows, 1 in rows, 2 in rows)
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
    J_q: list[list[list[Any]]]
    """dJ/dq by row, column (not below the diagonal) and coordinate, without ``higher``."""
    higher: tuple[Any, Any, Any] | None
    """The parts of J, B and M beyond the second degree of T."""


def masses(ops: Ops, tables: Tables, pairs: Iterable[tuple[int, ...]], q: Any, n: int) -> Masses:
    """Mass tables at q, nothing truncated with geometric stiffness `second-order`.

    ``pairs`` are (direction, a, b) of the second-order displacement.

    J = J0 + 1/2 (J1 + dJ/dq) q: a table is read once, in dJ/dq = J1 + J2 q.
    """
    s = [tables["s0"].get((i,), 0) for i in range(3)]
    S: list[list[Any]] = [[0] * n for _ in range(3)]
    for (i, a), c in tables["s1"].items():
        s[i], S[i][a] = s[i] + c * q[a], S[i][a] + c
    for (i, a, b), c in tables["s2"].items():
        s[i], S[i][a] = s[i] + 0.5 * c * q[a] * q[b], S[i][a] + c * q[b]
    J_q = _inertia_slopes(tables, q, n)
    J = _inertia(tables, J_q, q, n)
    B = [[tables["B0"].get((i, a), 0) for a in range(n)] for i in range(3)]
    for (i, a, b), c in tables["B1"].items():
        B[i][a] = B[i][a] + c * q[b]
    M = [[tables["M"].get((a, b), 0) for b in range(n)] for a in range(n)]
    total = ops.mat(J), _matrix(ops, B, n), _matrix(ops, M, n)
    higher = None
    if "F" in tables:
        more = second_order(tables["F"], tables["C"], tuple(pairs), q, n)
        higher = ops.mat(more.J), _matrix(ops, more.B, n), _matrix(ops, more.M, n)
        total = total[0] + higher[0], total[1] + higher[1], total[2] + higher[2]
    return Masses(tables["m"][()], ops.vec(*s), _matrix(ops, S, n), *total, J_q, higher)


def _inertia_slopes(tables: Tables, q: Any, n: int) -> list[list[list[Any]]]:
    """J1 + J2 q."""
    slopes = [[[tables["J1"].get((i, j, a), 0) for a in range(n)] for j in range(3)]
              for i in range(3)]  # fmt: skip
    for (i, j, a, b), c in tables["J2"].items():
        if i <= j:
            slopes[i][j][a] = slopes[i][j][a] + c * q[b]
    return slopes


def _inertia(tables: Tables, J_q: list[list[list[Any]]], q: Any, n: int) -> list[list[Any]]:
    J: list[list[Any]] = [[0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i, 3):
            slope = [tables["J1"].get((i, j, a), 0) + J_q[i][j][a] for a in range(n)]
            change = sum(d * q[a] for a, d in enumerate(slope))
            J[i][j] = J[j][i] = tables["J0"].get((i, j), 0) + 0.5 * change
    return J


def through_deformation(
    tables: Tables, J_q: list[list[list[Any]]], w: Any, u: Any
) -> tuple[list[Any], list[Any]]:
    """d(J w + B u)/dt|q and d(B^T w)/dt|q - d(1/2 w.(J w) + w.(B u))/dq, without ``higher``.

    Tables are contracted with u first: B1 u once over its last index, once over the one before.
    """
    n = len(J_q[0][0])
    turned: list[Any] = [0] * 3
    for i in range(3):
        for j in range(i, 3):
            rate = sum(d * u[a] for a, d in enumerate(J_q[i][j]))
            turned[i] = turned[i] + rate * w[j]
            if i != j:
                turned[j] = turned[j] + rate * w[i]
    forward: list[list[Any]] = [[0] * n for _ in range(3)]
    gyration: list[list[Any]] = [[0] * n for _ in range(3)]
    for (i, a, b), c in tables["B1"].items():
        forward[i][a] = forward[i][a] + c * u[b]
        gyration[i][a] = gyration[i][a] + c * u[b]
        gyration[i][b] = gyration[i][b] - c * u[a]
    turned = [t + sum(f * u[a] for a, f in enumerate(forward[i])) for i, t in enumerate(turned)]
    products = {(i, j): w[i] * w[j] * (0.5 if i == j else 1) for i in range(3) for j in range(i, 3)}
    bent = [
        sum(w[i] * gyration[i][a] for i in range(3))
        - sum(ww * J_q[i][j][a] for (i, j), ww in products.items())
        for a in range(n)
    ]
    return turned, bent


def _matrix(ops: Ops, rows: list[list[Any]], n: int) -> Any:
    return ops.mat(rows) if rows and n else ops.zeros(len(rows), n)


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
