"""Masses: not negative, and inertias that a body can have."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.errors import Fault
from pliant.model.bodies import RigidBody
from pliant.model.validation.context import About, Context

# Published inertias are rounded; a lamina given to three digits must pass.
ROUNDING = 1e-3


def mass_faults(context: Context) -> Iterator[Fault]:
    """Every impossible mass or inertia; bodies whose numbers are unknown are passed over."""
    for name, body in context.model.bodies.items():
        if isinstance(body, RigidBody):
            for key, what, cure in _of_body(context, body):
                yield About("bodies", name).fault(what, cure, key)


def _of_body(context: Context, body: RigidBody) -> Iterator[tuple[str, str, str]]:
    mass = context.number(body.mass)
    if mass is not None and mass < 0:
        yield "mass", f"mass is {mass:g} kg, below zero", "give a mass of at least 0"
        return
    moments = _principal(context, body)
    if moments is None:
        return
    if mass == 0 and any(context.numbers(body.inertia) or ()):
        yield "inertia", "the mass is 0 but the inertia is not", "give a mass, or no inertia"
        return
    small, middle, large = moments
    if small < -ROUNDING * max(abs(small), abs(large)):
        cure = "check the signs and the point the inertia is about"
        yield "inertia", f"the inertia is not positive: {_moments(small, middle, large)}", cure
    elif not body.insist and _breaks_triangle_rule(small, middle, large):
        what = f"the inertia breaks the triangle rule: {_moments(small, middle, large)}"
        cure = (
            "the largest is at most the sum of the others; for plane motion give [J/2, J/2, J]; "
            "to keep it all the same: insist: true"
        )
        yield "inertia", what, cure


def insisted_inertias(context: Context) -> Iterator[Fault]:
    """Inertias that no body has, kept because the model insists."""
    for name, body in context.model.bodies.items():
        insists = isinstance(body, RigidBody) and body.insist
        moments = _principal(context, body) if isinstance(body, RigidBody) and insists else None
        if moments is not None and _breaks_triangle_rule(*moments):
            what = f"the inertia breaks the triangle rule: {_moments(*moments)}"
            cure = "no distribution of mass has it; it is kept since the body insists"
            yield About("bodies", name).fault(what, cure, "inertia")


def _principal(context: Context, body: RigidBody) -> tuple[float, float, float] | None:
    """Principal moments about the centre of mass, smallest first; None if a number is unknown."""
    mass, entries = context.number(body.mass), context.numbers(body.inertia)
    com = context.numbers(body.com)
    if mass is None or entries is None or com is None or not np.isfinite(mass):
        return None
    xx, yy, zz, xy, xz, yz = entries
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "origin":
        c = np.array(com)
        matrix = matrix - mass * (c @ c * np.eye(3) - np.outer(c, c))
    small, middle, large = np.linalg.eigvalsh(matrix)
    return small, middle, large


def _breaks_triangle_rule(small: float, middle: float, large: float) -> bool:
    """Moments are integrals of y² + z², z² + x², x² + y²: none exceeds the sum of the others."""
    return bool(small + middle < large - ROUNDING * max(abs(small), abs(large)))


def _moments(small: float, middle: float, large: float) -> str:
    return f"principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg*m^2"
