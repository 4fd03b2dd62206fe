"""Masses: not negative, and inertias that a body can have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.errors import Fault
from pliant.model.bodies import RigidBody
from pliant.model.validation.context import Context

# Published inertias are rounded; a lamina given to three digits must pass.
ROUNDING = 1e-3


def mass_faults(context: Context) -> Iterator[Fault]:
    """Every impossible mass or inertia; bodies whose numbers are unknown are passed over."""
    for name, body in context.model.bodies.items():
        if isinstance(body, RigidBody):
            for key, what, cure in _of_body(context, body):
                yield Fault(f"body '{name}'", what, cure, path=("bodies", name, key))


def _of_body(context: Context, body: RigidBody) -> Iterator[tuple[str, str, str]]:
    mass = context.number(body.mass)
    if mass is not None and mass < 0:
        yield "mass", f"mass is {mass:g} kg, below zero", "give a mass of at least 0"
        return
    entries = context.numbers(body.inertia)
    com = context.numbers(body.com)
    if mass is None or entries is None or com is None or not np.isfinite(mass):
        return
    if mass == 0 and any(entries):
        yield "inertia", "the mass is 0 but the inertia is not", "give a mass, or no inertia"
        return
    yield from _of_inertia(_central(body, mass, entries, com))


def _central(body: RigidBody, mass: float, entries: list[float], com: list[float]) -> np.ndarray:
    """The inertia matrix about the centre of mass."""
    xx, yy, zz, xy, xz, yz = entries
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "origin":
        c = np.array(com)
        matrix = matrix - mass * (c @ c * np.eye(3) - np.outer(c, c))
    return matrix


def _of_inertia(matrix: np.ndarray) -> Iterator[tuple[str, str, str]]:
    small, middle, large = np.linalg.eigvalsh(matrix)
    allowed = ROUNDING * max(abs(small), abs(large))
    moments = f"principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg*m^2"
    if small < -allowed:
        cure = "check the signs and the point the inertia is about"
        yield "inertia", f"the inertia is not positive: {moments}", cure
    elif small + middle < large - allowed:
        cure = "the largest is at most the sum of the others; for plane motion give [J/2, J/2, J]"
        yield "inertia", f"the inertia breaks the triangle rule: {moments}", cure
