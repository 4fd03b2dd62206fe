"""Damping of a beam that is taken apart: which directions have which, and modes that are damped.

Its relative coordinates y, hinges or strains, have constant matrices about the shape without stress
with the root held: K and M of the inertia that moves with them. Modes Φ with Φᵀ K Φ = 1 and
μ = 1/ω² = Φᵀ M Φ give

    modal      D = K Φ diag(2 ζ √μ) Φᵀ K
    rayleigh   D = K Φ diag(α μ) Φᵀ K = α M      (β K is beside the stiffness)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.numerics import symmetric_modes
from pliant.model.bodies import Damping
from pliant.model.formulas import Formula

Given = dict[tuple[str, ...], tuple[str, list[float]]]
"""Kind and numbers by the directions they are for."""


def modes_of(M: Array, K: Array) -> tuple[Array, Array]:
    """μ, falling, and momenta K Φ in columns."""
    mu, modes = symmetric_modes(M, K)
    return np.clip(mu[::-1], 0.0, None), K @ modes[:, ::-1]


def factors_of(kind: str, numbers: Sequence[float], mu: Array) -> Array:
    """What multiplies the square of the speed of each mode, lowest first."""
    if kind == "rayleigh":
        return np.asarray(numbers[0] * mu)
    zeta = np.zeros(len(mu))
    zeta[: len(numbers) if len(numbers) > 1 else None] = numbers[: len(mu)]
    return np.asarray(2 * zeta * np.sqrt(mu))


def given_dampings(
    damping: Damping | None, directions: Sequence[str], value: Callable[[Formula], float]
) -> Given:
    """All that is not in proportion to stiffness."""
    groups = [] if damping is None else shared_dampings(damping, directions)
    return {
        group: (own.kind, [value(f) for f in own.values]) for group, own in groups
        if own.kind == "modal" or (own.kind == "rayleigh" and not own.values[0].is_zero)
    }  # fmt: skip


def shared_dampings(
    damping: Damping, directions: Sequence[str]
) -> list[tuple[tuple[str, ...], Damping]]:
    """Directions of a beam with the damping each group of them has: bending with its shear, unless
    that has a damping itself."""
    by = damping.by_direction
    if not by:
        return [(tuple(directions), damping)]
    found = []
    for direction, own in by.items():
        sheared = direction.replace("bending", "shear")
        group = (direction,) if sheared in by else (direction, sheared)
        found.append((tuple(d for d in directions if d in group), own))
    return [(group, own) for group, own in found if group]


def stiffness_time(damping: Damping | None, direction: str, directions: Sequence[str]) -> Any:
    """β of a direction, a formula, or None: dampers beside its springs."""
    for group, own in [] if damping is None else shared_dampings(damping, directions):
        if direction in group and own.kind != "modal":
            return own.values[-1]
    return None
