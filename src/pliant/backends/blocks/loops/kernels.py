"""Products and triangular solutions of small dense blocks, row-major; six columns go as vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pliant.solve.machine.abi import CODE, Integers, Reals, at, jit

if TYPE_CHECKING or CODE is not None:

    def row_minus_product(c: Reals, a: Reals, B: Reals) -> None:
        """c[0:6] <- c - sum over k of a[k] B[k, 0:6]."""

    def row_minus(y: Reals, factor: float, x: Reals) -> None:
        """y[0:6] <- y - factor x[0:6]."""
else:
    from pliant.backends.blocks.loops.vector import row_minus, row_minus_product


CANCELLED = 1e-14


@jit
def subtract_product(C: Reals, A: Reals, B: Reals, n: int, m: int, k: int) -> None:
    """C <- C - A B with A n x k and B k x m."""
    if m == 6 and k == 6:
        for r in range(n):
            row_minus_product(at(C, 6 * r), at(A, 6 * r), B)
        return
    for r in range(n):
        for i in range(k):
            factor = A[r * k + i]
            if factor != 0.0:
                subtract_row(at(C, r * m), factor, at(B, i * m), m)


@jit
def subtract_row(y: Reals, factor: float, x: Reals, n: int) -> None:
    """y <- y - factor x."""
    done = 0
    while done + 6 <= n:
        row_minus(at(y, done), factor, at(x, done))
        done += 6
    for i in range(done, n):
        y[i] -= factor * x[i]


@jit
def subtract_times(y: Reals, A: Reals, x: Reals, n: int, m: int) -> None:
    """y <- y - A x with A n x m."""
    if m == 6:
        x0, x1, x2, x3, x4, x5 = x[0], x[1], x[2], x[3], x[4], x[5]
        for r in range(n):
            a = at(A, 6 * r)
            first, last = a[0] * x0 + a[1] * x1 + a[2] * x2, a[3] * x3 + a[4] * x4 + a[5] * x5
            y[r] -= first + last
        return
    for r in range(n):
        total = y[r]
        for c in range(m):
            total -= A[r * m + c] * x[c]
        y[r] = total


@jit
def factor_block(A: Reals, n: int, pivots: Integers, scales: Reals) -> int:
    """P A = L U in place; reciprocal pivots on the diagonal. 1 if singular.

    A pivot counts as zero if elimination has left no more than 1e-14 of its column.
    """
    for j in range(n):
        scales[j] = 0.0
        for i in range(n):
            scales[j] = max(scales[j], abs(A[i * n + j]))
    for k in range(n):
        best, largest = k, abs(A[k * n + k])
        for i in range(k + 1, n):
            size = abs(A[i * n + k])
            if size > largest:
                best, largest = i, size
        pivots[k] = best
        if not (CANCELLED * scales[k] < largest < 1e300):
            return 1
        if best != k:
            for j in range(n):
                swap = A[k * n + j]
                A[k * n + j] = A[best * n + j]
                A[best * n + j] = swap
        inverse = 1.0 / A[k * n + k]
        A[k * n + k] = inverse
        for i in range(k + 1, n):
            factor = A[i * n + k]
            if factor != 0.0:
                factor = factor * inverse
                A[i * n + k] = factor
                for j in range(k + 1, n):
                    A[i * n + j] -= factor * A[k * n + j]
    return 0


@jit
def solve_block(A: Reals, n: int, pivots: Integers, B: Reals, m: int) -> None:
    """B <- A^-1 B for n x m B, with the factors of ``factor_block``."""
    for k in range(n):
        other = pivots[k]
        if other != k:
            for j in range(m):
                swap = B[k * m + j]
                B[k * m + j] = B[other * m + j]
                B[other * m + j] = swap
    for i in range(1, n):
        for j in range(i):
            subtract_row(at(B, i * m), A[i * n + j], at(B, j * m), m)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            subtract_row(at(B, i * m), A[i * n + j], at(B, j * m), m)
        for j in range(m):
            B[i * m + j] *= A[i * n + i]


@jit
def solve_six(A: Reals, b: Reals) -> None:
    """b <- (L U)^-1 b for six rows, already exchanged."""
    b0 = b[0]
    b1 = b[1] - A[6] * b0
    b2 = b[2] - A[12] * b0 - A[13] * b1
    b3 = b[3] - A[18] * b0 - A[19] * b1 - A[20] * b2
    b4 = b[4] - A[24] * b0 - A[25] * b1 - A[26] * b2 - A[27] * b3
    b5 = b[5] - A[30] * b0 - A[31] * b1 - A[32] * b2 - A[33] * b3 - A[34] * b4
    b5 *= A[35]
    b4 = (b4 - A[29] * b5) * A[28]
    b3 = (b3 - A[23] * b5 - A[22] * b4) * A[21]
    b2 = (b2 - A[17] * b5 - A[16] * b4 - A[15] * b3) * A[14]
    b1 = (b1 - A[11] * b5 - A[10] * b4 - A[9] * b3 - A[8] * b2) * A[7]
    b0 = (b0 - A[5] * b5 - A[4] * b4 - A[3] * b3 - A[2] * b2 - A[1] * b1) * A[0]
    b[0], b[1], b[2], b[3], b[4], b[5] = b0, b1, b2, b3, b4, b5


@jit
def solve_vector(A: Reals, n: int, pivots: Integers, b: Reals) -> None:
    """b <- A^-1 b."""
    for k in range(n):
        other = pivots[k]
        if other != k:
            swap = b[k]
            b[k] = b[other]
            b[other] = swap
    if n == 6:
        solve_six(A, b)
        return
    for i in range(1, n):
        total = b[i]
        for j in range(i):
            total -= A[i * n + j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= A[i * n + j] * b[j]
        b[i] = total * A[i * n + i]
