"""Degrees 3 and 4 of the kinetic energy: geometric stiffness `second-order`, nothing truncated.

A point moves by c + ξ in B, c = L q and ξ = -1/2 qᵀ H q. Beyond the second degree of T
(flexible-bodies 4, 5; ``pliant.flex.tables``)

    J gets ∫ (2 c.ξ + ξ.ξ) 1 - (c ξᵀ + ξ cᵀ + ξ ξᵀ)
    B gets ∫ c x ξ_b + ξ x c_b + ξ x ξ_b            M gets ∫ c_a.ξ_b + ξ_a.c_b + ξ_a.ξ_b

with c_a = ∂c/∂q_a = L_a and ξ_a = ∂ξ/∂q_a. A beam has ξ along x only: most terms are absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Entries = Mapping[tuple[int, ...], Any]
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
        _inertia(fields, xi, q, n), _gyration(fields, xi, xi_q, q, n), _mass(fields, xi_q, n)
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


def _inertia(fields: dict[int, _Field], xi: Any, q: Any, n: int) -> list[list[Any]]:
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
