"""Rows of constraints on velocities: rolling, skates, formulas.

Rows with g are the rates of it; the others are not the derivative of anything (non-holonomic).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import Reaction, Rows
from pliant.mechanics.velocity_readings import read
from pliant.model.constraints import Constraint, VelocityConstraint
from pliant.model.constraints.held import Held

CONSTRAINT_ROWS = ("normal", "slip_x", "slip_y", "across", "velocity")
"""All names that rows of constraints have."""


def constraint_rows(motion: SystemMotion) -> Iterator[Rows]:
    """Rows of all constraints of a model."""
    for element in motion.model.constraints.values():
        yield from _rows(motion, element)


def _rows(motion: SystemMotion, element: Constraint) -> Iterator[Rows]:
    if isinstance(element, VelocityConstraint):
        yield _formula(motion, element)
        return
    for held in element.hold(motion):
        yield _held(element.name, held)


def _held(name: str, held: Held) -> Rows:
    def react(lam: Any) -> Reaction:
        return Reaction(held.push(lam))

    return Rows(name, held.names, held.units, held.positions, held.velocities, react,
                outputs=held.outputs)  # fmt: skip


def _formula(motion: SystemMotion, element: VelocityConstraint) -> Rows:
    reading = read(motion, element.formula)

    def react(lam: Any) -> Reaction:
        return reading.reaction(motion, lam[0])

    return Rows(element.name, ("velocity",), ("",), None, reading.value, react)
