"""The Newton matrix of a tree, eliminated link by link: exact, never formed, O(n).

For du' = d, du = c1 d, dq = c2 N d the state s = (w, alpha, acc) of a link, the wrench F it is
given and the row of its joint change by (``pliant.equations.tree_newton``)

    ds = A ds_P + B d,   B = S_a + c1 S_u + c2 S_q             A = [ R^T 0; E X^T ]
    dF = Phi ds + phi    S^T dF + (c1 W_u + c2 W_q) d = rhs    dF_P = X dF + c2 Y d

Inwards, with D = S^T Phi B + c1 W_u + c2 W_q and Z = X Phi B + c2 Y, what hangs on P is

    K = D^-1 S^T Phi A        Phi_P += X Phi A - Z K        (factor)
    g = D^-1 (rhs - S^T phi)  phi_P += X phi + Z g          (solve)

and outwards d = g - K ds_P. For c1 = c2 = 0 these are the articulated inertias. The same code
serves real and complex coefficients: ``z`` is dc, read as numbers of ``width`` reals.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), 7.3 (the case c1 = c2 = 0).
"""

from __future__ import annotations

from typing import Any

from pliant.solve import tree_layout as tl
from pliant.solve.abi import Integers, Reals, at, complex_at, jit, service
from pliant.solve.context import C1, C2, FACTORISATIONS, NQ, NU, Z1
from pliant.solve.tree_blocks import (
    add_inertia,
    invert,
    move_state,
    move_wrenches,
    multiply,
    project,
    rows_times_state,
)
from pliant.solve.tree_residual import add_to


@jit
def eliminate(ic: Integers, dc: Reals, z: Any, width: int, slot: int, c1: Any, c2: Any) -> int:
    """B, Z, K and D^-1 of every link; 0 if all D are regular."""
    start, columns = ic[tl.SCRATCH] + tl.WORK, tl.STATE * width
    P, PB = at(z, start // width), at(z, start // width + 108)
    P_real, T, PB_real = at(dc, start), at(dc, start + 54 * width), at(dc, start + 108 * width)
    for i in range(ic[tl.N_LINKS] - 1, -1, -1):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, N, outer = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_NEWTON]), at(dc, L[tl.L_SLOT])
        nu, own = K[tl.K_NU], L[tl.L_NEWTON] + K[slot]
        B, S, Y = at(z, own // width), at(N, tl.N_BASIS), at(N, tl.N_BASIS + 24 * nu)
        Z, gain, D = at(B, 9 * nu), at(B, 15 * nu), at(B, 24 * nu)
        for k in range(54 * width):
            P_real[k] = outer[k]
        add_inertia(at(dc, L[tl.L_RECORD]), at(N, tl.N_GYRO), P)
        rows_times_state(N, P_real, T, width)
        along(N, K[tl.N_SLOPES], P, nu, c1, c2, B, PB, D)
        if invert(D, nu, at(ic, ic[tl.PIVOTS]), at(PB, 36)) != 0:
            return 1
        project(S, nu, T, columns, P_real)
        multiply(D, P, nu, gain)
        move_wrenches(N, PB_real, nu * width, at(dc, own + 9 * nu * width))
        for k in range(6 * nu):
            Z[k] += c2 * Y[k]
        if L[tl.L_SLOT_INNER] != 0:
            move_wrenches(N, T, columns, P_real)
            for r in range(6):
                for k in range(nu):
                    for j in range(tl.STATE):
                        P[9 * r + j] -= Z[r * nu + k] * gain[9 * k + j]
            add_to(dc, L[tl.L_SLOT_INNER], P_real, 54 * width)
    return 0


@jit
def along(
    N: Reals, slopes: int, P: Any, nu: int, c1: Any, c2: Any, B: Any, PB: Any, D: Any
) -> None:
    """B = S_a + c1 S_u + c2 S_q, P B, and D = S^T P B + c1 W_u + c2 W_q."""
    S, S_u, S_q = at(N, tl.N_BASIS), at(N, tl.N_BASIS + 6 * nu), at(N, tl.N_BASIS + 15 * nu)
    W_q, W_u = at(N, slopes), at(N, slopes + nu * nu)
    for k in range(9 * nu):
        B[k] = c1 * S_u[k] + c2 * S_q[k]
    for k in range(6 * nu):
        B[3 * nu + k] += S[k]
    for r in range(6):
        for k in range(nu):
            total = P[9 * r] * B[k]
            for j in range(1, tl.STATE):
                total += P[9 * r + j] * B[j * nu + k]
            PB[r * nu + k] = total
    for i in range(nu):
        for k in range(nu):
            total = c1 * W_u[i * nu + k] + c2 * W_q[i * nu + k]
            for r in range(6):
                total += S[r * nu + i] * PB[r * nu + k]
            D[i * nu + k] = total


@jit
def substitute(ic: Integers, dc: Reals, z: Any, width: int, slot: int, b: Any) -> None:
    """b <- Newton matrix^-1 b with the factors of ``eliminate``."""
    start, first = ic[tl.SCRATCH] + tl.WORK, 1 + ic[NQ]
    phi, side, phi_real = at(z, start // width), at(z, start // width + 6), at(dc, start)
    for i in range(ic[tl.N_LINKS] - 1, -1, -1):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, N, outer = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_NEWTON]), at(z, L[tl.L_SLOT] // width)
        nu, S, own = K[tl.K_NU], at(N, tl.N_BASIS), at(b, L[tl.L_U] - first)
        B = at(z, (L[tl.L_NEWTON] + K[slot]) // width)
        Z, D = at(B, 9 * nu), at(B, 24 * nu)
        for k in range(nu):
            for r in range(6):
                own[k] -= S[r * nu + k] * outer[r]
            side[k] = own[k]
        for k in range(nu):
            own[k] = D[k * nu] * side[0]
            for r in range(1, nu):
                own[k] += D[k * nu + r] * side[r]
        if L[tl.L_SLOT_INNER] != 0:
            move_wrenches(N, at(dc, L[tl.L_SLOT]), width, phi_real)
            for r in range(6):
                for k in range(nu):
                    phi[r] += Z[r * nu + k] * own[k]
            add_to(dc, L[tl.L_SLOT_INNER], phi_real, 6 * width)
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, N, inner = (
            at(ic, L[tl.L_KIND]),
            at(dc, L[tl.L_NEWTON]),
            at(z, L[tl.L_CHANGE_INNER] // width),
        )
        nu, own = K[tl.K_NU], at(b, L[tl.L_U] - first)
        B, s = (
            at(z, (L[tl.L_NEWTON] + K[slot]) // width),
            at(z, (L[tl.L_NEWTON] + K[tl.N_CHANGE]) // width),
        )
        gain = at(B, 15 * nu)
        move_state(N, inner, s)
        for k in range(nu):
            for j in range(tl.STATE):
                own[k] -= gain[9 * k + j] * inner[j]
            for j in range(tl.STATE):
                s[j] += B[j * nu + k] * own[k]


@service
def factor(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Eliminate the Newton matrix for c1 = y[0], c2 = y[1]; 0 if regular."""
    dc[C1], dc[C2] = y[0], y[1]
    ic[FACTORISATIONS] += 1
    return int(eliminate(ic, dc, at(dc, 0), 1, tl.N_FACTOR, y[0], y[1]))


@service
def solve(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- Newton matrix^-1 y."""
    substitute(ic, dc, at(dc, 0), 1, tl.N_FACTOR, y)
    return 0


@service
def factor_complex(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """The same for complex c1, c2."""
    for i in range(4):
        dc[Z1 + i] = y[i]
    c1, c2 = complex(y[0], y[1]), complex(y[2], y[3])
    return int(eliminate(ic, dc, complex_at(dc, 0), 2, tl.N_FACTOR_COMPLEX, c1, c2))


@service
def solve_complex(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- Newton matrix^-1 y, y complex (interleaved)."""
    substitute(ic, dc, complex_at(dc, 0), 2, tl.N_FACTOR_COMPLEX, complex_at(y, 0))
    return 0


@service
def error(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Right side of the Radau error estimate: y <- M fu - d K fq for y = [ fu | fq ], d = c1.

    The derivative along (u' = fu, q = -d N fq): states outwards, wrenches inwards.
    """
    work, first, d = at(dc, ic[tl.SCRATCH] + tl.WORK), 1 + ic[NQ], dc[C1]
    P, F = work, at(work, 54)
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, N, s = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_NEWTON]), at(dc, L[tl.L_NEWTON])
        nu, s = K[tl.K_NU], at(s, K[tl.N_CHANGE])
        S, S_q = at(N, tl.N_BASIS), at(N, tl.N_BASIS + 15 * nu)
        fu, fq = at(y, L[tl.L_U] - first), at(y, L[tl.L_U] - first + ic[NU])
        move_state(N, at(dc, L[tl.L_CHANGE_INNER]), s)
        for k in range(nu):
            for j in range(tl.STATE):
                s[j] -= d * S_q[j * nu + k] * fq[k]
            for j in range(6):
                s[3 + j] += S[j * nu + k] * fu[k]
    for i in range(ic[tl.N_LINKS] - 1, -1, -1):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, N, outer = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_NEWTON]), at(dc, L[tl.L_SLOT])
        nu, s = K[tl.K_NU], at(N, K[tl.N_CHANGE])
        S, Y, W_q = at(N, tl.N_BASIS), at(N, tl.N_BASIS + 24 * nu), at(N, K[tl.N_SLOPES])
        row, fq = at(y, L[tl.L_U] - first), at(y, L[tl.L_U] - first + ic[NU])
        for k in range(54):
            P[k] = 0.0
        add_inertia(at(dc, L[tl.L_RECORD]), at(N, tl.N_GYRO), P)
        for r in range(6):
            F[r] = outer[r]
            for j in range(tl.STATE):
                F[r] += P[9 * r + j] * s[j]
        for k in range(nu):
            row[k] = 0.0
            for r in range(6):
                row[k] += S[r * nu + k] * F[r]
            for j in range(nu):
                row[k] -= d * W_q[k * nu + j] * fq[j]
        if L[tl.L_SLOT_INNER] != 0:
            move_wrenches(N, F, 1, P)
            for r in range(6):
                for k in range(nu):
                    P[r] -= d * Y[r * nu + k] * fq[k]
            add_to(dc, L[tl.L_SLOT_INNER], P, 6)
    return 0
