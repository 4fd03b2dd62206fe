"""Numbers of a block factorisation: LU with pivoting inside the diagonal blocks.

``ic`` is a block program (``program_layout``), ``A`` its blocks and room for one row of the largest
pivot, ``pivots`` one integer per unknown.
"""

from __future__ import annotations

from pliant.backends.blocks.loops import program_layout as pl
from pliant.backends.blocks.loops.kernels import (
    factor_block,
    solve_block,
    solve_vector,
    subtract_product,
    subtract_times,
)
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit


@jit
def factor_blocks(ic: Integers, A: Reals, pivots: Integers) -> int:
    """Factor in place; 0 if regular, else 1 + the number of the singular pivot."""
    size, start, first = at(ic, ic[pl.SIZE]), at(ic, ic[pl.START]), at(ic, ic[pl.FIRST])
    column, lower, upper = at(ic, ic[pl.COLUMN]), at(ic, ic[pl.LOWER]), at(ic, ic[pl.UPPER])
    diagonal, update, targets = (
        at(ic, ic[pl.DIAGONAL]),
        at(ic, ic[pl.UPDATE]),
        at(ic, ic[pl.TARGETS]),
    )
    scales = at(A, ic[pl.LENGTH])
    for k in range(ic[pl.PIVOTS]):
        n, D, chosen = size[k], at(A, diagonal[k]), at(pivots, start[k])
        if factor_block(D, n, chosen, scales) != 0:
            return k + 1
        here, end, target = first[k], first[k + 1], update[k]
        for j in range(here, end):
            solve_block(D, n, chosen, at(A, upper[j]), size[column[j]])
        for i in range(here, end):
            for j in range(here, end):
                subtract_product(
                    at(A, targets[target]), at(A, lower[i]), at(A, upper[j]),
                    size[column[i]], size[column[j]], n,
                )  # fmt: skip
                target += 1
    return 0


@jit
def solve_blocks(ic: Integers, A: Reals, pivots: Integers, b: Reals) -> None:
    """b <- A^-1 b with the factors of ``factor_blocks``."""
    size, start, first = at(ic, ic[pl.SIZE]), at(ic, ic[pl.START]), at(ic, ic[pl.FIRST])
    column, lower, upper = at(ic, ic[pl.COLUMN]), at(ic, ic[pl.LOWER]), at(ic, ic[pl.UPPER])
    diagonal = at(ic, ic[pl.DIAGONAL])
    for k in range(ic[pl.PIVOTS]):
        n, own = size[k], at(b, start[k])
        solve_vector(at(A, diagonal[k]), n, at(pivots, start[k]), own)
        for j in range(first[k], first[k + 1]):
            other = column[j]
            subtract_times(at(b, start[other]), at(A, lower[j]), own, size[other], n)
    for k in range(ic[pl.PIVOTS] - 1, -1, -1):
        n, own = size[k], at(b, start[k])
        for j in range(first[k], first[k + 1]):
            other = column[j]
            subtract_times(own, at(A, upper[j]), at(b, start[other]), n, size[other])


@jit
def residual_blocks(ic: Integers, A: Reals, x: Reals, y: Reals) -> None:
    """y <- y - A x for blocks that are not factored."""
    size, start, first = at(ic, ic[pl.SIZE]), at(ic, ic[pl.START]), at(ic, ic[pl.FIRST])
    column, lower, upper = at(ic, ic[pl.COLUMN]), at(ic, ic[pl.LOWER]), at(ic, ic[pl.UPPER])
    for k in range(ic[pl.PIVOTS]):
        n, own, result = size[k], at(x, start[k]), at(y, start[k])
        subtract_times(result, at(A, ic[ic[pl.DIAGONAL] + k]), own, n, n)
        for j in range(first[k], first[k + 1]):
            other, m = start[column[j]], size[column[j]]
            subtract_times(result, at(A, upper[j]), at(x, other), n, m)
            subtract_times(at(y, other), at(A, lower[j]), own, m, n)


@entry
def factor(ic: Integers, A: Reals, pivots: Integers) -> int:
    """``factor_blocks`` for Python."""
    return factor_blocks(ic, A, pivots)


@entry
def solve(ic: Integers, A: Reals, pivots: Integers, b: Reals) -> int:
    """``solve_blocks`` for Python."""
    solve_blocks(ic, A, pivots, b)
    return 0


@entry
def subtract_applied(ic: Integers, A: Reals, x: Reals, y: Reals) -> int:
    """``residual_blocks`` for Python."""
    residual_blocks(ic, A, x, y)
    return 0
