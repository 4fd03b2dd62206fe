"""A tree as integrators see it; its Newton matrix, eliminated link by link: exact, never formed,
O(n).

For du' = d, du = c1 d, dq = c2 N d the state s = (w, alpha, acc) of a link, the wrench F it is
given and the row of its joint change by (``pliant.backends.tree.newton``)

    ds = A ds_P + B d,   B = S_a + c1 S_u + c2 S_q             A = [ R^T 0; E X^T ]
    dF = Phi ds + phi    S^T dF + (c1 W_u + c2 W_q) d = rhs    dF_P = X dF + c2 Y d

Inwards, with D = S^T Phi B + c1 W_u + c2 W_q and Z = X Phi B + c2 Y, what hangs on P is

    K = D^-1 S^T Phi A        Phi_P += X Phi A - Z K        (factor)
    g = D^-1 (rhs - S^T phi)  phi_P += X phi + Z g          (solve)

and outwards d = g - K ds_P. For c1 = c2 = 0 these are the articulated inertias. The same code
serves real and complex coefficients: ``z`` is dc, read as numbers of ``width`` reals.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), 7.3 (the case c1 = c2 = 0).

N is a Newton record (``tree_layout``); A and X are real, so that complex numbers are moved part by
part. Matrices are row-major behind a pointer.
"""

from __future__ import annotations

from typing import Any

from pliant.backends.tree.loops import forward as explicit
from pliant.backends.tree.loops import residual as of_joints
from pliant.backends.tree.loops import tree_layout as tl
from pliant.backends.tree.loops.residual import add_to
from pliant.backends.tree.loops.tree_layout import N_PLACE, N_TURN, STATE, tree_context
from pliant.backends.tree.model import TreeModel, TreeNumbers
from pliant.solve.constraints import TREATMENTS
from pliant.solve.dynamics import Dynamics, ServiceTable
from pliant.solve.machine.abi import Integers, MachineFunction, Reals, at, complex_at, jit, service
from pliant.solve.machine.context import C1, C2, FACTORISATIONS, NQ, NU, PROJECT_ALONE, Z1
from pliant.solve.machine.linear import lu_factor, lu_solve

_EXPLICIT = {
    "rank": explicit.no_rows, "multipliers": explicit.no_rows,
    "project": explicit.settle_tree, "settle": explicit.settle_tree,
    "accelerate": explicit.accelerate, "power_at": explicit.power_at,
}  # fmt: skip


@jit
def _add_inertia(C: Reals, gyro: Reals, P: Any) -> None:
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
def _rows_times_state(N: Reals, P: Reals, T: Reals, m: int) -> None:
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
def _move_wrenches(N: Reals, F: Reals, n: int, out: Reals) -> None:
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
def _move_state(N: Reals, s: Any, out: Any) -> None:
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
def _project(S: Reals, nu: int, T: Reals, n: int, out: Reals) -> None:
    """out <- S^T T for n real columns."""
    for k in range(nu):
        for j in range(n):
            total = 0.0
            for r in range(6):
                total += S[r * nu + k] * T[n * r + j]
            out[n * k + j] = total


@jit
def _multiply(D: Any, P: Any, nu: int, out: Any) -> None:
    """out <- D P for nu rows."""
    for k in range(nu):
        for j in range(STATE):
            value = D[k * nu] * P[j]
            for r in range(1, nu):
                value += D[k * nu + r] * P[STATE * r + j]
            out[STATE * k + j] = value


@jit
def _invert(D: Any, n: int, pivots: Integers, work: Any) -> int:
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
        _add_inertia(at(dc, L[tl.L_RECORD]), at(N, tl.N_GYRO), P)
        _rows_times_state(N, P_real, T, width)
        along(N, K[tl.N_SLOPES], P, nu, c1, c2, B, PB, D)
        if _invert(D, nu, at(ic, ic[tl.PIVOTS]), at(PB, 36)) != 0:
            return 1
        _project(S, nu, T, columns, P_real)
        _multiply(D, P, nu, gain)
        _move_wrenches(N, PB_real, nu * width, at(dc, own + 9 * nu * width))
        for k in range(6 * nu):
            Z[k] += c2 * Y[k]
        if L[tl.L_SLOT_INNER] != 0:
            _move_wrenches(N, T, columns, P_real)
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
            _move_wrenches(N, at(dc, L[tl.L_SLOT]), width, phi_real)
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
        _move_state(N, inner, s)
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
        _move_state(N, at(dc, L[tl.L_CHANGE_INNER]), s)
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
        _add_inertia(at(dc, L[tl.L_RECORD]), at(N, tl.N_GYRO), P)
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
            _move_wrenches(N, F, 1, P)
            for r in range(6):
                for k in range(nu):
                    P[r] -= d * Y[r * nu + k] * fq[k]
            add_to(dc, L[tl.L_SLOT_INNER], P, 6)
    return 0


_IMPLICIT = {
    "kinematics": of_joints.kinematics, "rates": of_joints.rates, "tangent": of_joints.tangent,
    "residual": of_joints.residual, "linearise": of_joints.linearise, "factor": factor,
    "solve": solve, "factor_complex": factor_complex,
    "solve_complex": solve_complex, "error": error,
}  # fmt: skip


def tree_dynamics(tree: TreeModel, numbers: TreeNumbers, *, implicit: bool = True) -> Dynamics:
    """Dynamics of a tree; ``implicit`` False: what explicit methods need, in less memory."""
    ic, dc = tree_context(tree, numbers, implicit)
    ic[PROJECT_ALONE] = 1
    services: dict[str, MachineFunction] = _EXPLICIT | _IMPLICIT if implicit else _EXPLICIT
    return Dynamics(
        nq=tree.nq, nu=tree.nu, nx=0, m=0, services=ServiceTable(services), ic=ic, dc=dc,
        layout=tree.layout, treatment=TREATMENTS["projection"], source=tree,
    )  # fmt: skip
