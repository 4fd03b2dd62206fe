"""LU of block-tridiagonal matrices with 6 x 6 blocks, cost linear in the number of blocks.

    D_i <- D_i - L_i D_{i-1}^-1 U_{i-1},    pivoting inside the diagonal blocks.

Blocks are stored one after the other: diagonal, lower (i, i-1) and upper (i, i+1).
Source: Golub, Van Loan, Matrix Computations, 4.5.
"""

from __future__ import annotations

from pliant.solve.abi import Integers, Reals, at, jit
from pliant.solve.linear import lu_factor, lu_solve

B = 6
BB = 36


@jit
def block_factor(D: Reals, L: Reals, U: Reals, n: int, pivots: Integers, column: Reals) -> int:
    """Factor in place; U_i <- D_i^-1 U_i. 0 if regular."""
    for i in range(n):
        block = at(D, i * BB)
        if i > 0:
            lower, upper = at(L, i * BB), at(U, (i - 1) * BB)
            for r in range(B):
                for c in range(B):
                    total = 0.0
                    for k in range(B):
                        total += lower[r * B + k] * upper[k * B + c]
                    block[r * B + c] -= total
        if lu_factor(block, B, B, at(pivots, i * B)) != 0:
            return 1
        if i < n - 1:
            upper = at(U, i * BB)
            for c in range(B):
                for r in range(B):
                    column[r] = upper[r * B + c]
                lu_solve(block, B, B, at(pivots, i * B), column)
                for r in range(B):
                    upper[r * B + c] = column[r]
    return 0


@jit
def block_solve(D: Reals, L: Reals, U: Reals, n: int, pivots: Integers, b: Reals) -> None:
    """b <- A^-1 b with the factors of ``block_factor``."""
    for i in range(n):
        if i > 0:
            _subtract(at(L, i * BB), at(b, (i - 1) * B), at(b, i * B))
        lu_solve(at(D, i * BB), B, B, at(pivots, i * B), at(b, i * B))
    for i in range(n - 2, -1, -1):
        _subtract(at(U, i * BB), at(b, (i + 1) * B), at(b, i * B))


@jit
def _subtract(A: Reals, x: Reals, y: Reals) -> None:
    """y <- y - A x for one block."""
    for r in range(B):
        total = 0.0
        for k in range(B):
            total += A[r * B + k] * x[k]
        y[r] -= total
