"""Small linear algebra of this room: vectors, and symmetric eigenvalue problems.

Damping matrices D (n, n) of a body from its own M and K.

modal       D = M Φ diag(2 ζ ω) Φ^T M with the modes Φ of (K, M), Φ^T M Φ = 1
rayleigh    D = α M + β K
stiffness   D = β K
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError

#: Levi-Civita: (a x b)_i = EPS[i, j, k] a_j b_k.
EPS: Array = np.zeros((3, 3, 3))
EPS[0, 1, 2] = EPS[1, 2, 0] = EPS[2, 0, 1] = 1.0
EPS[0, 2, 1] = EPS[2, 1, 0] = EPS[1, 0, 2] = -1.0


def skew(v: Array) -> Array:
    """[v]x with [v]x a = v x a; leading axes of v are kept."""
    return np.asarray(-np.einsum("ijk,...k->...ij", EPS, v))


def frozen(array: Array) -> Array:
    """A read-only array of floats."""
    out = np.array(array, dtype=np.float64)
    out.setflags(write=False)
    return out


def symmetric_modes(K: Array, M: Array) -> tuple[Array, Array]:
    """K Phi = M Phi diag(w2) with Phi^T M Phi = 1, by Cholesky of the diagonally scaled M.

    The sign of each mode makes its largest entry positive, so that modes change continuously
    with the data.
    """
    if K.shape[0] == 0:
        return np.zeros(0), np.zeros((0, 0))
    scale = 1.0 / np.sqrt(np.diag(M)) if np.all(np.diag(M) > 0) else np.ones(len(M))
    try:
        factor = np.linalg.cholesky(M * np.outer(scale, scale))
    except np.linalg.LinAlgError:
        raise InputError(
            "the mass matrix of the shape functions is not positive definite",
            "use fewer or independent shapes, or rotary_inertia full",
        ) from None
    half = np.linalg.solve(factor, K * np.outer(scale, scale))
    whole = np.linalg.solve(factor, half.T)
    w2, vectors = np.linalg.eigh(0.5 * (whole + whole.T))
    modes = np.linalg.solve(factor.T, vectors) * scale[:, None]
    return w2, modes * largest_sign(modes)


def largest_sign(columns: Array) -> Array:
    """+1 or -1 for each column: the sign of its entry of largest size."""
    if columns.size == 0:
        return np.ones(columns.shape[1])
    rows = np.argmax(np.abs(columns), axis=0)
    return np.where(columns[rows, np.arange(columns.shape[1])] < 0, -1.0, 1.0)


Damping = tuple[str, tuple[float, ...]]
"""The kind, and its numbers: ζ of all modes or one per mode, lowest first (modes beyond the list:
none); α (1/s) and β (s); β."""


def damping_matrix(damping: Damping | None, M: Array, K: Array) -> Array:
    """D; zero without damping."""
    if damping is None:
        return np.zeros_like(K)
    kind, numbers = damping
    if kind == "rayleigh":
        alpha, beta = numbers
        return alpha * M + beta * K
    if kind == "stiffness":
        return numbers[0] * K
    zeta = np.zeros(len(K))
    zeta[: len(numbers) if len(numbers) > 1 else None] = numbers
    w2, modes = symmetric_modes(K, M)
    momenta = M @ modes
    return np.asarray((momenta * (2 * zeta * np.sqrt(np.clip(w2, 0.0, None)))) @ momenta.T)
