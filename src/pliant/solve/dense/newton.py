"""Services of a dense expression model for implicit integrators.

Unknowns z = [ u' | lam | x' ] of one state that moves as du = c1 du', dq = c2 N du', dx = c1 dx'.
Rows [ r | constraints | x' - f ] and their derivative, with r = M u' - h - G^T lam:

    [ M + c1 D + c2 K     -G^T   c1 Rx     ]      D = dr/du, K = dr/dq N
    [ G~                    0      0       ]
    [ -(c1 Fu + c2 Fq)      0    1 - c1 Fx ]

The constraint rows depend on the level: acceleration (index 1) G~ = G + c1 Au + c2 Aq; velocity
(index 2) G + (c2/c1) B, residual cv / c1; position (index 3) G, residual g / c2 (rows without a
position form: as velocity). Without multipliers (nd < nu) the column -G^T is absent.
Source: docs/theory; S0 (8.27-8.35).
"""

from __future__ import annotations

from typing import Any

from pliant.solve.dense import layout as dl
from pliant.solve.dense.services import (  # fmt: skip
    add_block,
    add_kept_columns,
    add_kept_rows,
    add_product,
    evaluate,
    real,
    whole,
)
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, complex_at, jit, service
from pliant.solve.machine.linear import lu_factor, lu_solve


@service
def residual(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [ qdot | xdot | r | kept constraint rows at the level in use ]."""
    z = evaluate(ic, dc, dl.A_RESIDUAL, dl.Y_RESIDUAL, x)
    ic[c.EVALUATIONS] += 1
    nq, nx, nd = ic[c.NQ], ic[c.NX], ic[c.ND]
    for i in range(nq):
        y[i] = z[ic[dl.RESIDUAL_QDOT] + i]
    for i in range(nx):
        y[nq + i] = z[ic[dl.RESIDUAL_XDOT] + i]
    for i in range(nd):
        y[nq + nx + i] = z[ic[dl.RESIDUAL_R] + i]
    place = ic[c.PLACE]
    for i in range(ic[c.NC]):
        if ic[place + i] >= 0:
            y[nq + nx + nd + ic[place + i]] = _constraint(ic, dc, z, i)
    return 0


@jit
def _constraint(ic: Integers, dc: Reals, z: Reals, i: int) -> Any:
    """Residual of constraint row i at the level in use."""
    level, holonomic = ic[c.LEVEL], i < ic[c.NH]
    if level == c.LEVEL_ACCELERATION:
        return z[ic[dl.RESIDUAL_CA] + i]
    if level == c.LEVEL_STABILISED:
        total = z[ic[dl.RESIDUAL_CA] + i] + 2.0 * dc[c.OPTIONS] * z[ic[dl.RESIDUAL_CV] + i]
        return total + dc[c.OPTIONS + 1] ** 2 * z[ic[dl.RESIDUAL_GPOS] + i] if holonomic else total
    if level == c.LEVEL_POSITION and holonomic:
        return z[ic[dl.RESIDUAL_GPOS] + i]
    return z[ic[dl.RESIDUAL_CV] + i]


@service
def linearise(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Exact derivatives at x, kept for ``factor`` and ``error``."""
    evaluate(ic, dc, dl.A_JACOBIANS, dl.Y_JACOBIANS, x)
    ic[c.JACOBIANS] += 1
    return 0


@jit
def _assemble(ic: Integers, dc: Reals, A: Any, c1: Any, c2: Any) -> int:
    """The matrix of the module's docstring; its size."""
    y = real(ic, dc, dl.Y_JACOBIANS)
    nu, nx, nd, r = ic[c.NU], ic[c.NX], ic[c.ND], ic[c.RANK]
    last, ld = nd + r, ic[dl.NEWTON_SIZE]
    n = last + nx
    for i in range(n):
        for j in range(n):
            A[i * ld + j] = 0.0
    add_block(ic, dl.JACOBIANS_M, y, A, ld, 0, 0, 1.0 + 0.0 * c1)
    add_block(ic, dl.JACOBIANS_D, y, A, ld, 0, 0, c1)
    add_block(ic, dl.JACOBIANS_K, y, A, ld, 0, 0, c2)
    if ic[c.HAS_LAM] == 1:
        add_kept_columns(ic, dl.JACOBIANS_G, y, A, ld, nu, -1.0 + 0.0 * c1)
    if nx > 0:
        add_block(ic, dl.JACOBIANS_RX, y, A, ld, 0, last, c1)
        add_block(ic, dl.JACOBIANS_FU, y, A, ld, last, 0, -c1)
        add_block(ic, dl.JACOBIANS_FQ, y, A, ld, last, 0, -c2)
        add_block(ic, dl.JACOBIANS_FX, y, A, ld, last, last, -c1)
        for i in range(nx):
            A[(last + i) * ld + last + i] += 1.0
    _constraint_rows(ic, dc, y, A, c1, c2)
    return int(n)


@jit
def _constraint_rows(ic: Integers, dc: Reals, y: Reals, A: Any, c1: Any, c2: Any) -> None:
    """G~ in rows nd.. of A."""
    level, nd, m, nh = ic[c.LEVEL], ic[c.ND], ic[c.NC], ic[c.NH]
    ld = ic[dl.NEWTON_SIZE]
    add_kept_rows(ic, dl.JACOBIANS_G, y, A, ld, nd, 1.0 + 0.0 * c1, m)
    if level in (c.LEVEL_ACCELERATION, c.LEVEL_STABILISED):
        add_kept_rows(ic, dl.JACOBIANS_AU, y, A, ld, nd, c1, m)
        add_kept_rows(ic, dl.JACOBIANS_AQ, y, A, ld, nd, c2, m)
        if level == c.LEVEL_STABILISED:
            alpha, beta = dc[c.OPTIONS], dc[c.OPTIONS + 1]
            add_kept_rows(ic, dl.JACOBIANS_G, y, A, ld, nd, 2.0 * alpha * c1, m)
            add_kept_rows(ic, dl.JACOBIANS_B, y, A, ld, nd, 2.0 * alpha * c2, m)
            add_kept_rows(ic, dl.JACOBIANS_G, y, A, ld, nd, beta**2 * c2, nh)
    else:
        add_kept_rows(ic, dl.JACOBIANS_B, y, A, ld, nd, c2 / c1, m)
        if level == c.LEVEL_POSITION:
            add_kept_rows(ic, dl.JACOBIANS_B, y, A, ld, nd, -c2 / c1, nh)


@jit
def _scale_rows(ic: Integers, b: Any, c1: Any, c2: Any) -> None:
    """Constraint residuals b[nd:] at the scale of G~."""
    level, nd, nh, place = ic[c.LEVEL], ic[c.ND], ic[c.NH], ic[c.PLACE]
    if level in (c.LEVEL_ACCELERATION, c.LEVEL_STABILISED):
        return
    for i in range(ic[c.NC]):
        k = ic[place + i]
        if k >= 0:
            b[nd + k] /= c2 if level == c.LEVEL_POSITION and i < nh else c1


@service
def factor(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """LU of the Newton matrix for c1 = y[0], c2 = y[1]; 0 if regular."""
    dc[c.C1], dc[c.C2] = y[0], y[1]
    A = real(ic, dc, dl.NEWTON)
    ic[c.FACTORISATIONS] += 1
    n = _assemble(ic, dc, A, dc[c.C1], dc[c.C2])
    return lu_factor(A, ic[dl.NEWTON_SIZE], n, whole(ic, dl.NEWTON_PIVOTS))


@service
def solve(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- Newton matrix^-1 y, y = [ r | constraints (unscaled) | x ]."""
    _scale_rows(ic, y, dc[c.C1], dc[c.C2])
    n = ic[c.ND] + ic[c.RANK] + ic[c.NX]
    lu_solve(real(ic, dc, dl.NEWTON), ic[dl.NEWTON_SIZE], n, whole(ic, dl.NEWTON_PIVOTS), y)
    return 0


@service
def factor_complex(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """LU of the Newton matrix for complex c1, c2."""
    for i in range(4):
        dc[c.Z1 + i] = y[i]
    A = complex_at(dc, ic[dl.NEWTON_COMPLEX])
    n = _assemble(ic, dc, A, complex(y[0], y[1]), complex(y[2], y[3]))
    return lu_factor(A, ic[dl.NEWTON_SIZE], n, whole(ic, dl.COMPLEX_PIVOTS))


@service
def solve_complex(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- Newton matrix^-1 y, y complex (interleaved)."""
    n = ic[c.ND] + ic[c.RANK] + ic[c.NX]
    b = complex_at(y, 0)
    _scale_rows(ic, b, complex(dc[c.Z1], dc[c.Z1 + 1]), complex(dc[c.Z2], dc[c.Z2 + 1]))
    A = complex_at(dc, ic[dl.NEWTON_COMPLEX])
    lu_solve(A, ic[dl.NEWTON_SIZE], n, whole(ic, dl.COMPLEX_PIVOTS), b)
    return 0


@service
def error(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Right side of the Radau error estimate, for ``solve``; y = [ fu | fq (tangent) | fx ].

    With d = h/gamma0 (c1 in use) and e_q = d (e_u + fq):
    [ M fu - d K fq | G fu  (index 2: -d B fq) | fx + d Fq fq ].  Source: docs/theory
    """
    nu, nx, nd, m = ic[c.NU], ic[c.NX], ic[c.ND], ic[c.NC]
    z, d = real(ic, dc, dl.Y_JACOBIANS), dc[c.C1]
    last = nd + ic[c.RANK]
    f = real(ic, dc, dl.TREATMENT)
    for i in range(2 * nu + nx):
        f[i] = y[i]
    fu, fq, fx = f, at(f, nu), at(f, 2 * nu)
    for i in range(last + nx):
        y[i] = 0.0
    add_product(ic, dl.JACOBIANS_M, z, fu, y, 0, 1.0)
    add_product(ic, dl.JACOBIANS_K, z, fq, y, 0, -d)
    for i in range(nx):
        y[last + i] = fx[i]
    add_product(ic, dl.JACOBIANS_FQ, z, fq, y, last, d)
    rows = real(ic, dc, dl.SIDE)
    for i in range(m):
        rows[i] = 0.0
    if ic[c.LEVEL] == c.LEVEL_VELOCITY:
        add_product(ic, dl.JACOBIANS_B, z, fq, rows, 0, -d)
    else:
        add_product(ic, dl.JACOBIANS_G, z, fu, rows, 0, 1.0)
    for i in range(m):
        if ic[ic[c.PLACE] + i] >= 0:
            y[nd + ic[ic[c.PLACE] + i]] = rows[i]
    return 0
