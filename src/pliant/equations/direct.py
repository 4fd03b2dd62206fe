"""Accelerations and projection by elimination in a fixed order, written out as code.

    [ M   G^T ] [  a   ]   [   h    ]          rows of G: those kept at a reference state
    [ G    0  ] [ -lam ] = [ -gamma ]

The order of the pivots is chosen once, from the numbers at a few states: least fill (Markowitz)
among pivots large enough in all of them. It may be bad elsewhere, therefore every solution comes
with its backward error, and the caller falls back to pivoting when that is large.
Source: Rigal, Gaches, J. ACM 14 (1967) (backward error); Markowitz (1957).

    D: qdot xdot a lam P guard           a, lam and powers for given t, q, u, x
    Q: dq du g cv guard                  Newton correction of q and u towards the constraints
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.equations.contract import Equations

LARGEST_SYSTEM = 40
"""Rows above which the code is not written out."""
THRESHOLD = 0.05
"""A pivot is at least this large compared with its column."""


@dataclass(frozen=True, slots=True)
class Pivots:
    """Rows and columns in the order of their elimination; symmetric: one order for both."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    symmetric: bool


def direct_functions(
    e: Equations, F: Mapping[str, Any], kept: Sequence[int], states: Array, p: Array
) -> dict[str, dict[str, Any]]:
    """Named parts of D and Q; none if the system is too large or has no good fixed order.

    ``F``: expressions of M, G, h, gamma; ``states``: rows (t, q, u, xs) to choose the order at.
    """
    nu, r, m = e.u.numel(), len(kept), e.cv.numel()
    if e.residual.numel() != nu or not 0 < nu + r <= LARGEST_SYSTEM:
        return {}
    G_kept = F["G"][list(kept), :]
    K = ca.sparsify(ca.blockcat([[F["M"], G_kept.T], [G_kept, ca.SX(r, r)]]))
    pivots = choose_pivots(_numbers(e, K, states, p))
    if pivots is None:
        return {}
    factor = Elimination(K, pivots, nu)
    solution, guard = factor.solve(ca.vertcat(F["h"], -F["gamma"][list(kept)]))
    a, lam = solution[:nu], _spread(-solution[nu:], kept, m)
    P = F["P"] + F["Pz"] @ ca.vertcat(a, lam)
    functions = {"D": dict(qdot=e.qdot, xdot=e.f, a=a, lam=lam, P=P, guard=guard)}
    if r:
        g = ca.vertcat(e.g, ca.SX.zeros(m - e.g.numel()))
        zero = ca.SX.zeros(nu)
        dv, guard_q = factor.solve(ca.vertcat(zero, -g[list(kept)]))
        du, guard_u = factor.solve(ca.vertcat(zero, -e.cv[list(kept)]))
        N = ca.jacobian(e.qdot, e.u)
        functions["Q"] = dict(dq=N @ dv[:nu], du=du[:nu], g=g, cv=e.cv,
                              guard=ca.fmax(guard_q, guard_u))  # fmt: skip
    return functions


def _spread(values: Any, kept: Sequence[int], m: int) -> Any:
    full = ca.SX.zeros(m)
    for k, row in enumerate(kept):
        full[row] = values[k]
    return full


def _numbers(e: Equations, K: Any, states: Array, p: Array) -> Array:
    """K at each state (rows t, q, u, xs)."""
    signals = [e.signals] if e.signal_slots else []
    free = ca.Function("K", [ca.vertcat(e.t, e.q, e.u, e.x), e.p, *signals], [ca.densify(K)])
    rest = [np.zeros(s.numel()) for s in signals]
    return np.array([np.array(free(x, p, *rest)) for x in states])


def choose_pivots(samples: Array) -> Pivots | None:
    """An order of elimination good for all samples (k, n, n); None if there is none."""
    size = np.abs(samples).max()
    if not np.isfinite(size) or size == 0.0:
        return None
    even = bool(np.abs(samples - samples.transpose(0, 2, 1)).max() <= 1e-12 * size)
    return (_order(samples, symmetric=True) if even else None) or _order(samples, symmetric=False)


def _order(samples: Array, symmetric: bool) -> Pivots | None:
    A = samples.copy()
    n = A.shape[1]
    pattern = np.any(A != 0.0, axis=0)
    rows, columns = list(range(n)), list(range(n))
    order: list[tuple[int, int]] = []
    while rows:
        best = None
        part = np.abs(A[:, rows][:, :, columns])
        top = part.max(axis=1)
        for b, j in enumerate(columns):
            for a, i in enumerate(rows):
                if (symmetric and i != j) or not pattern[i, j] or np.any(top[:, b] == 0.0):
                    continue
                good = float((part[:, a, b] / top[:, b]).min())
                if good < THRESHOLD:
                    continue
                fill = (pattern[i, columns].sum() - 1) * (pattern[rows, j].sum() - 1)
                if best is None or (fill, -good) < best[0]:
                    best = ((fill, -good), i, j)
        if best is None:
            return None
        _, i, j = best
        order.append((i, j))
        rows.remove(i)
        columns.remove(j)
        for k in rows:
            if pattern[k, j]:
                factor = A[:, k, j] / A[:, i, j]
                A[:, k, :] -= factor[:, None] * A[:, i, :]
                pattern[k] |= pattern[i]
    return Pivots(tuple(i for i, _ in order), tuple(j for _, j in order), symmetric)


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
