"""Damping matrices D (n, n) of a body from its own M and K.

modal       D = M Φ diag(2 ζ ω) Φ^T M with the modes Φ of (K, M), Φ^T M Φ = 1
rayleigh    D = α M + β K
stiffness   D = β K
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.flex.arrays import symmetric_modes

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
