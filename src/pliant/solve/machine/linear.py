"""Dense linear algebra for small systems, in place, real or complex (numba specialises).

Matrices are row-major behind a pointer.
"""

from __future__ import annotations

from typing import Any

from pliant.solve.machine.abi import Integers, Reals, at, jit


@jit
def lu_factor(A: Any, ld: int, n: int, pivots: Integers) -> int:
    """P A = L U of the leading n x n part (rows ``ld`` apart); 1 if a column has no pivot."""
    for k in range(n):
        best, largest = k, abs(A[k * ld + k])
        for i in range(k + 1, n):
            size = abs(A[i * ld + k])
            if size > largest:
                best, largest = i, size
        pivots[k] = best
        if not (0.0 < largest < 1e300):
            return 1
        if best != k:
            for j in range(n):
                swap = A[k * ld + j]
                A[k * ld + j] = A[best * ld + j]
                A[best * ld + j] = swap
        inverse = 1.0 / A[k * ld + k]
        for i in range(k + 1, n):
            factor = A[i * ld + k]
            if factor != 0.0:
                factor = factor * inverse
                A[i * ld + k] = factor
                for j in range(k + 1, n):
                    A[i * ld + j] -= factor * A[k * ld + j]
    return 0


@jit
def lu_solve(A: Any, ld: int, n: int, pivots: Integers, b: Any) -> None:
    """b <- A^-1 b with the factors of ``lu_factor``."""
    for k in range(n):
        other = pivots[k]
        if other != k:
            swap = b[k]
            b[k] = b[other]
            b[other] = swap
    for i in range(1, n):
        total = b[i]
        for j in range(i):
            total -= A[i * ld + j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= A[i * ld + j] * b[j]
        b[i] = total / A[i * ld + i]


@jit
def dot(a: Reals, b: Reals, n: int) -> float:
    """Sum of a_i b_i (numba's ``np.dot`` would need scipy)."""
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@jit
def orthonormal_rows(A: Reals, r: int, n: int, L: Reals) -> None:
    """A = L Q for the r x n matrix A of full row rank; Q replaces A (Gram-Schmidt, done twice)."""
    for i in range(r):
        for j in range(r):
            L[i * r + j] = 0.0
        for _ in range(2):
            for j in range(i):
                part = dot(at(A, i * n), at(A, j * n), n)
                L[i * r + j] += part
                for k in range(n):
                    A[i * n + k] -= part * A[j * n + k]
        norm = dot(at(A, i * n), at(A, i * n), n) ** 0.5
        L[i * r + i] = norm
        if norm > 0.0:
            for k in range(n):
                A[i * n + k] /= norm


@jit
def lower_solve(L: Reals, r: int, b: Reals) -> None:
    """b <- L^-1 b for lower triangular L."""
    for i in range(r):
        total = b[i]
        for j in range(i):
            total -= L[i * r + j] * b[j]
        b[i] = total / L[i * r + i]
