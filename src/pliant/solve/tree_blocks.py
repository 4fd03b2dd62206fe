"""Small matrices of one link: its inertia, the moves A and X between links, inverses.

N is a Newton record (``tree_layout``); A and X are real, so that complex numbers are moved part by
part. Matrices are row-major behind a pointer.
"""

from __future__ import annotations

from typing import Any

from pliant.solve.abi import Integers, Reals, at, jit
from pliant.solve.linear import lu_factor, lu_solve
from pliant.solve.tree_layout import N_PLACE, N_TURN, STATE


@jit
def add_inertia(C: Reals, gyro: Reals, P: Any) -> None:
    """P (6 x 9) += d(n, f)/d(w, alpha, acc) of a link alone; C: its constants."""
    m, x, y, z = C[12], C[13], C[14], C[15]
    for i in range(6):
        for j in range(3):
            P[9 * i + j] += gyro[3 * i + j]
    P[3] += C[16]
    P[4] += C[17]
    P[5] += C[18]
    P[12] += C[17]
    P[13] += C[19]
    P[14] += C[20]
    P[21] += C[18]
    P[22] += C[20]
    P[23] += C[21]
    for shift, sign in ((6, 1.0), (30, -1.0)):
        P[shift + 1] -= sign * z
        P[shift + 2] += sign * y
        P[shift + 9] += sign * z
        P[shift + 11] -= sign * x
        P[shift + 18] -= sign * y
        P[shift + 19] += sign * x
    P[33] += m
    P[43] += m
    P[53] += m


@jit
def rows_times_state(N: Reals, P: Reals, T: Reals, m: int) -> None:
    """T <- P A for six rows of numbers of m reals, part by part (A is real)."""
    E = at(N, N_TURN)
    x, y, z = N[N_PLACE], N[N_PLACE + 1], N[N_PLACE + 2]
    for i in range(6):
        for part in range(m):
            p, t = at(P, 9 * m * i + part), at(T, 9 * m * i + part)
            for j in range(3):
                a, b, c = N[3 * j], N[3 * j + 1], N[3 * j + 2]
                t[(3 + j) * m] = p[3 * m] * a + p[4 * m] * b + p[5 * m] * c
                t[(6 + j) * m] = p[6 * m] * a + p[7 * m] * b + p[8 * m] * c
                total = p[0] * a + p[m] * b + p[2 * m] * c
                for k in range(6):
                    total += p[(3 + k) * m] * E[3 * k + j]
                t[j * m] = total
            f, g, h = t[6 * m], t[7 * m], t[8 * m]
            t[3 * m] += y * h - z * g
            t[4 * m] += z * f - x * h
            t[5 * m] += x * g - y * f


@jit
def move_wrenches(N: Reals, F: Reals, n: int, out: Reals) -> None:
    """out <- X F for n columns; those of complex numbers are twice as many real ones."""
    x, y, z = N[N_PLACE], N[N_PLACE + 1], N[N_PLACE + 2]
    for j in range(3):
        a, b, c = N[3 * j], N[3 * j + 1], N[3 * j + 2]
        for k in range(n):
            out[j * n + k] = a * F[k] + b * F[n + k] + c * F[2 * n + k]
            out[(3 + j) * n + k] = a * F[3 * n + k] + b * F[4 * n + k] + c * F[5 * n + k]
    for k in range(n):
        f, g, h = out[3 * n + k], out[4 * n + k], out[5 * n + k]
        out[k] += y * h - z * g
        out[n + k] += z * f - x * h
        out[2 * n + k] += x * g - y * f


@jit
def move_state(N: Reals, s: Any, out: Any) -> None:
    """out <- A s."""
    E = at(N, N_TURN)
    x, y, z = N[N_PLACE], N[N_PLACE + 1], N[N_PLACE + 2]
    a = s[6] + z * s[4] - y * s[5]
    b = s[7] + x * s[5] - z * s[3]
    c = s[8] + y * s[3] - x * s[4]
    for j in range(3):
        f, g, h = N[j], N[3 + j], N[6 + j]
        out[j] = f * s[0] + g * s[1] + h * s[2]
        out[3 + j] = f * s[3] + g * s[4] + h * s[5]
        out[6 + j] = f * a + g * b + h * c
    for k in range(6):
        out[3 + k] += E[3 * k] * s[0] + E[3 * k + 1] * s[1] + E[3 * k + 2] * s[2]


@jit
def project(S: Reals, nu: int, T: Reals, n: int, out: Reals) -> None:
    """out <- S^T T for n real columns."""
    for k in range(nu):
        for j in range(n):
            total = 0.0
            for r in range(6):
                total += S[r * nu + k] * T[n * r + j]
            out[n * k + j] = total


@jit
def multiply(D: Any, P: Any, nu: int, out: Any) -> None:
    """out <- D P for nu rows."""
    for k in range(nu):
        for j in range(STATE):
            value = D[k * nu] * P[j]
            for r in range(1, nu):
                value += D[k * nu + r] * P[STATE * r + j]
            out[STATE * k + j] = value


@jit
def invert(D: Any, n: int, pivots: Integers, work: Any) -> int:
    """D <- D^-1 for n up to 6; 0 if regular."""
    if n == 1:
        if not (0.0 < abs(D[0]) < 1e300):
            return 1
        D[0] = 1.0 / D[0]
        return 0
    column = at(work, 36)
    for k in range(n * n):
        work[k] = D[k]
    if lu_factor(work, n, n, pivots) != 0:
        return 1
    for k in range(n):
        for j in range(n):
            column[j] = 1.0 if j == k else 0.0
        lu_solve(work, n, n, pivots, column)
        for j in range(n):
            D[j * n + k] = column[j]
    return 0
