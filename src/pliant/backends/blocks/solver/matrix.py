"""A matrix of blocks with its factors: factor, solve, refine, count negative pivots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array, Integers
from pliant.backends.blocks.loops import factor as code
from pliant.backends.blocks.solver.elimination import EliminationPlan
from pliant.errors import RunError


class SingularBlockError(RunError):
    """A pivot block has no inverse; ``blocks`` names the unknowns in it. ``undefined``: entries
    are not numbers."""

    def __init__(self, blocks: Sequence[str], *, undefined: bool = False) -> None:
        self.blocks = tuple(blocks)
        names = ", ".join(blocks)
        super().__init__(
            f"the tangent is not a number at {names}: a force there, or its derivative, is not "
            "defined in this position" if undefined else
            f"the tangent is singular at {names}; these can move without resistance, "
            "or their constraints say the same thing twice"
        )  # fmt: skip


class BlockMatrix:
    """Numbers of one program: the matrix while it is written, its factors after ``factor``."""

    def __init__(self, program: EliminationPlan, names: Sequence[str], packed: Integers) -> None:
        self.program, self.names, self.ic = program, names, packed
        self.values = np.zeros(program.length + int(program.size.max(initial=0)))
        self.pivots = np.zeros(max(program.n, 1), dtype=np.int64)
        self.original: Array | None = None
        self.version = 0
        self.reversed = np.zeros(program.n, dtype=bool)
        """Rows of multipliers: with the other sign the matrix is symmetric."""

    def open(self) -> Array:
        """Room for new numbers; ``version`` tells others that theirs are gone."""
        self.version += 1
        return self.values

    def factor(self, *, keep: bool = False) -> None:
        """LU in place; ``keep`` a copy of the matrix, which refinement needs."""
        self.original = self.values.copy() if keep else None
        found = code.factor(self.ic, self.values, self.pivots)
        if found:
            raise SingularBlockError(self.members(found - 1), undefined=self.undefined)

    @property
    def undefined(self) -> bool:
        """Whether some entry is not a number."""
        return bool(np.isnan(self.values).any())

    def members(self, pivot: int) -> list[str]:
        """Names of the blocks of a pivot."""
        return [self.names[int(b)] for b in np.flatnonzero(self.program.pivot == pivot)]

    def solve(self, b: Array, *, refine: int = 0) -> Array:
        """x = A^-1 b, with ``refine`` corrections by the residual b - A x."""
        x = b.copy()
        code.solve(self.ic, self.values, self.pivots, x)
        for _ in range(refine):
            correction = self.defect(x, b)
            code.solve(self.ic, self.values, self.pivots, correction)
            x += correction
        return x

    def defect(self, x: Array, b: Array) -> Array:
        """b - A x; needs the kept copy."""
        if self.original is None:
            raise ValueError("the matrix was factored without keeping a copy: factor(keep=True)")
        left = b.copy()
        code.subtract_applied(self.ic, self.original, x, left)
        return left

    def diagonal(self) -> Array:
        """Sizes of the diagonal entries of the kept copy."""
        p, values = self.program, self.values if self.original is None else self.original
        pivot = np.repeat(np.arange(len(p.size)), p.size)
        inner = np.arange(p.n) - p.start[pivot]
        entries: Array = np.abs(values[p.diagonal[pivot] + inner * (p.size[pivot] + 1)])
        return entries

    def dense(self) -> Array:
        """The kept copy, or what is open, as a full matrix (small systems, tests)."""
        values = self.values if self.original is None else self.original
        p, full = self.program, np.zeros((self.program.n, self.program.n))
        for k in range(len(p.size)):
            rows = slice(p.start[k], p.start[k] + p.size[k])
            full[rows, rows] = _block(values, p.diagonal[k], p.size[k], p.size[k])
            for e in range(p.first[k], p.first[k + 1]):
                j = p.column[e]
                cols = slice(p.start[j], p.start[j] + p.size[j])
                full[rows, cols] = _block(values, p.upper[e], p.size[k], p.size[j])
                full[cols, rows] = _block(values, p.lower[e], p.size[j], p.size[k])
        return full

    def negative_pivots(self) -> int:
        """Number of negative eigenvalues of a matrix that is symmetric but for the sign of its
        ``reversed`` rows, from its factors.

        Inertia adds up over the pivot blocks (Haynsworth 1968). m multipliers count m.
        """
        p, count = self.program, 0
        for n in np.unique(p.size):
            chosen = np.flatnonzero(p.size == n)
            count += int(np.sum(np.linalg.eigvalsh(self._pivot_blocks(chosen, int(n))) < 0))
        return count

    def _pivot_blocks(self, chosen: Integers, n: int) -> Array:
        """Pivot blocks P^T L U, symmetrised."""
        p = self.program
        flat = self.values[p.diagonal[chosen][:, None] + np.arange(n * n)]
        LU = flat.reshape(-1, n, n)
        diagonal = np.einsum("kii->ki", LU)
        upper = np.triu(LU, 1)
        upper[:, np.arange(n), np.arange(n)] = 1.0 / diagonal
        blocks = (np.tril(LU, -1) + np.eye(n)) @ upper
        rows = p.start[chosen][:, None] + np.arange(n)
        swaps = self.pivots[rows]
        every = np.arange(len(chosen))
        for k in reversed(range(n)):
            other = swaps[:, k]
            blocks[every, k], blocks[every, other] = (
                blocks[every, other].copy(), blocks[every, k].copy(),
            )  # fmt: skip
        blocks[self.reversed[rows]] *= -1.0
        symmetric: Array = (blocks + blocks.transpose(0, 2, 1)) / 2
        return symmetric


def _block(values: Array, offset: int, rows: int, cols: int) -> Array:
    return values[offset : offset + rows * cols].reshape(rows, cols)
