"""Velocities changed by an impulse: what sudden constraints leave of a motion.

    M (u⁺ - u⁻) = Gᵀ Λ        G u⁺ + b = 0        ⟺        (u⁺ - u⁻)ᵀ M (u⁺ - u⁻) smallest

Source: Routh, Dynamics of a System of Rigid Bodies, 1905, part I, 8 (Carnot, Gauss): the impulse
makes the change smallest in the metric of kinetic energy.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array
from pliant.solve.in_order import in_order

Pair = tuple[Array, Array]
_MASSLESS = 1e-14
"""Of the largest mass, rotations and translations apart or not: that is none."""


class Impulse:
    """Sudden constraints G u + b = 0 on a system with the mass matrix M."""

    def __init__(self, M: Array, constraints: Pair) -> None:
        mass = np.maximum(np.diag(M), 0.0)
        self.heavy = mass > _MASSLESS * float(mass.max(initial=0.0))
        usual = float(np.median(np.sqrt(mass[self.heavy]))) if self.heavy.any() else 1.0
        self.scale = 1 / np.where(self.heavy, np.sqrt(mass), usual)
        values, V = np.linalg.eigh(0.5 * (M + M.T) * np.outer(self.scale, self.scale))
        self.root = (np.sqrt(np.maximum(values, 0.0)) * V).T
        G, b = constraints
        G = G * self.scale
        size = np.maximum(np.linalg.norm(G, axis=1), 1e-300)
        self.G, self.b = G / size[:, None], b / size

    def after(self, u: Array) -> Array:
        """u⁺ from u⁻; redundant rows of G do no harm."""
        v = u / self.scale
        held, little = (self.G, self.G @ v + self.b), (self.root, np.zeros(len(u)))
        after: Array = (v + in_order([held, little], len(u))) * self.scale
        return after

    def towards(self, given: Pair, others: Sequence[Pair]) -> Array:
        """u⁺ with the smallest impulse from any u⁻ that has what was given, E u⁻ + e = 0; what
        the impulse leaves open follows ``others``, which |A u⁺ + b| is to be small of."""
        n = len(self.scale)
        none = np.zeros((0, n))

        def on(pair: Pair, *, before: bool) -> Pair:
            A = pair[0] * self.scale
            empty = np.zeros_like(A)
            return np.hstack([A, empty] if before else [empty, A]), pair[1]

        tied, held = self._tied(none), (self.G, self.b)
        first = np.vstack([np.hstack([tied[0], np.zeros_like(tied[0])]),
                           np.hstack([np.zeros_like(held[0]), held[0]])])  # fmt: skip
        wishes = [
            (first, np.concatenate([tied[1], held[1]])),
            on(given, before=True),
            (np.hstack([-self.root, self.root]), np.zeros(n)),
            *(on(pair, before=False) for pair in others),
        ]
        after: Array = in_order(wishes, 2 * n)[n:] * self.scale
        return after

    def _tied(self, none: Array) -> Pair:
        """Speeds without mass, such as those of cut joints that keep a coordinate, follow those
        with mass: the rows of G that hold them, solved for them."""
        light = ~self.heavy
        if not light.any():
            return none, np.zeros(0)
        solved = np.linalg.pinv(self.G[:, light], rcond=1e-10)
        return solved @ self.G, solved @ self.b
