"""Damping matrices D (n, n) of a body from its own M and K.

modal       D = M Φ diag(2 ζ ω) Φ^T M with the modes Φ of (K, M), Φ^T M Φ = 1
rayleigh    D = α M + β K
stiffness   D = β K
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.arrays import symmetric_modes


class Damping(Protocol):
    """A rule that makes D from M and K."""

    def matrix(self, M: Array, K: Array) -> Array: ...


@dataclass(frozen=True, slots=True)
class NoDamping:
    """D = 0."""

    def matrix(self, M: Array, K: Array) -> Array:
        return np.zeros_like(K)


@dataclass(frozen=True, slots=True)
class ModalDamping:
    """One ratio for all modes, or one per mode, lowest first (modes beyond the list: none)."""

    ratios: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.ratios or any(z < 0 for z in self.ratios):
            raise InputError(
                f"modal damping: ratios {self.ratios}",
                "give one ratio or one per mode, none negative",
            )

    def matrix(self, M: Array, K: Array) -> Array:
        n = len(K)
        if len(self.ratios) > max(n, 1):
            raise InputError(
                f"modal damping: {len(self.ratios)} ratios for {n} modes",
                f"give one ratio or at most {n}",
            )
        zeta = np.zeros(n)
        if len(self.ratios) == 1:
            zeta[:] = self.ratios[0]
        else:
            zeta[: len(self.ratios)] = self.ratios
        w2, modes = symmetric_modes(K, M)
        momenta = M @ modes
        return np.asarray((momenta * (2 * zeta * np.sqrt(np.clip(w2, 0.0, None)))) @ momenta.T)


@dataclass(frozen=True, slots=True)
class RayleighDamping:
    """Proportional to mass (alpha, 1/s) and to stiffness (beta, s)."""

    alpha: float
    beta: float

    def matrix(self, M: Array, K: Array) -> Array:
        return self.alpha * M + self.beta * K


@dataclass(frozen=True, slots=True)
class StiffnessDamping:
    """Proportional to stiffness (beta, s)."""

    beta: float

    def matrix(self, M: Array, K: Array) -> Array:
        return self.beta * K
