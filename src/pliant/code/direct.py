"""Accelerations and projection by elimination in a fixed order, written out as code.

    [ M   G^T ] [  a   ]   [   h    ]          rows of G: those kept at a reference state
    [ G    0  ] [ -lam ] = [ -gamma ]

The order of the pivots is chosen once (``pivots``). It may be bad elsewhere, therefore every
solution comes with its backward error, and the caller falls back to pivoting when that is large.
Source: Rigal, Gaches, J. ACM 14 (1967).

    D: qdot xdot a lam P guard           a, lam and powers for given t, q, u, x
    Q: dq du g cv guard                  Newton correction of q and u towards the constraints
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca

from pliant.code.pivots import Pivots
from pliant.formulations.equations import Equations


def direct_functions(
    e: Equations, F: Mapping[str, Any], kept: Sequence[int], pivots: Pivots
) -> dict[str, dict[str, Any]]:
    """Named parts of ``direct`` and ``correction``. ``F``: expressions of M, G, h, gamma."""
    nu, r, m = e.u.numel(), len(kept), e.cv.numel()
    G_kept = F["G"][list(kept), :]
    K = ca.sparsify(ca.blockcat([[F["M"], G_kept.T], [G_kept, ca.SX(r, r)]]))
    factor = Elimination(K, pivots, nu)
    solution, guard = factor.solve(ca.vertcat(F["h"], -F["gamma"][list(kept)]))
    a, lam = solution[:nu], ca.SX.zeros(m)
    for k, row in enumerate(kept):
        lam[row] = -solution[nu + k]
    P = F["P"] + F["Pz"] @ ca.vertcat(a, lam)
    functions = {"direct": dict(qdot=e.qdot, xdot=e.f, a=a, lam=lam, P=P, guard=guard)}
    if r:
        g = ca.vertcat(e.g, ca.SX.zeros(m - e.g.numel()))
        zero = ca.SX.zeros(nu)
        dv, guard_q = factor.solve(ca.vertcat(zero, -g[list(kept)]))
        du, guard_u = factor.solve(ca.vertcat(zero, -e.cv[list(kept)]))
        N = ca.jacobian(e.qdot, e.u)
        functions["correction"] = dict(dq=N @ dv[:nu], du=du[:nu], g=g, cv=e.cv,
                              guard=ca.fmax(guard_q, guard_u))  # fmt: skip
    return functions


class Elimination:
    """K = L U in a fixed order, entry by entry."""

    def __init__(self, K: Any, pivots: Pivots, n_dynamic: int) -> None:
        self.n_dynamic = n_dynamic
        self.order = pivots
        self.n = K.shape[0]
        position = {c: k for k, c in enumerate(pivots.columns)}
        self.matrix: list[dict[int, Any]] = [{} for _ in range(self.n)]
        self._place = {row: k for k, row in enumerate(pivots.rows)}
        for i, j in zip(*K.sparsity().get_triplet(), strict=True):
            if pivots.symmetric and position[j] < self._place[i]:
                continue
            self.matrix[self._place[i]][position[j]] = K[i, j]
        if pivots.symmetric:
            for i in range(self.n):
                for j, value in list(self.matrix[i].items()):
                    self.matrix[j].setdefault(i, value)
        self.factors = [dict(row) for row in self.matrix]
        self.inverse: list[Any] = []
        self._eliminate()

    def _eliminate(self) -> None:
        """Row by row; of a symmetric matrix only the upper part is computed."""
        F = self.factors
        for k in range(self.n):
            self.inverse.append(1 / F[k][k])
            right = {j: v for j, v in F[k].items() if j > k}
            for i in range(k + 1, self.n):
                below = right.get(i) if self.order.symmetric else F[i].get(k)
                if below is None:
                    continue
                factor = below * self.inverse[k]
                F[i][k] = factor
                for j, value in right.items():
                    if self.order.symmetric and j < i:
                        continue
                    F[i][j] = F[i].get(j, 0) - factor * value

    def solve(self, b: Any) -> tuple[Any, Any]:
        """x with K x = b, and its backward error."""
        side = [b[row] for row in self.order.rows]
        y = list(side)
        for i in range(self.n):
            for j in sorted(j for j in self.factors[i] if j < i):
                y[i] = y[i] - self.factors[i][j] * y[j]
        for i in reversed(range(self.n)):
            for j in sorted(j for j in self.factors[i] if j > i):
                y[i] = y[i] - self.factors[i][j] * y[j]
            y[i] = y[i] * self.inverse[i]
        x = ca.SX.zeros(self.n)
        for k, column in enumerate(self.order.columns):
            x[column] = y[k]
        return x, self._backward_error(side, y)

    def _backward_error(self, side: list[Any], y: list[Any]) -> Any:
        """max |b - K x| / max (|K| |x| + |b|), the larger of that over the equations of motion
        (forces) and that over the constraints (accelerations, of which forces over the largest
        mass count as one, or a mechanism at rest would never pass). Infinite where a pivot is
        zero: fmax drops what is not a number, the sum keeps it."""
        left, size, mass = [ca.SX(0), ca.SX(0)], [ca.SX(1e-290), ca.SX(1e-290)], ca.SX(1e-290)
        together = ca.SX(0)
        for i, row in enumerate(self.matrix):
            kind = 0 if self.order.rows[i] < self.n_dynamic else 1
            rest, total = side[i], ca.fabs(side[i])
            for j, value in row.items():
                term = value * y[j]
                rest, total = rest - term, total + ca.fabs(term)
            left[kind] = ca.fmax(left[kind], ca.fabs(rest))
            together = together + ca.fabs(rest)
            size[kind] = ca.fmax(size[kind], total)
            if kind == 0 and self.order.columns[i] == self.order.rows[i] and i in row:
                mass = ca.fmax(mass, ca.fabs(row[i]))
        error = ca.fmax(left[0] / size[0], left[1] / ca.fmax(size[1], size[0] / mass))
        return ca.if_else(together < ca.inf, error, ca.inf)
