"""Damping of a segmented beam by ratios of its modes, and in proportion to its mass.

The relative coordinates y of its hinges have, about the straight beam with its root held,

    K = diag(k)        M = Σ Jᵀ diag(m, I) J over bodies,      J: how a body moves with each

Torques -D y' of their modes (``rewriting.damping``) act between neighbours: what moves as one body
is not damped, however it moves. Where the root is free the hinge of the first half segment is part
of the modes all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.flex.rewriting.damping import Given, factors_of, modes_of
from pliant.flex.segments.hinge import axis_of
from pliant.model.forces.action import Acting, Action, Effort, Motion
from pliant.model.formulas import Formula
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class HingeDamping(Acting):
    """Torques and forces -D y' along coordinates y of many joints, from the first body of a beam
    to the last; ``matrix``: D, row by row."""

    kind: ClassVar[str] = "hinge_damping"
    is_friction: ClassVar[bool] = True
    couples: ClassVar[bool] = True

    name: str
    frame_a: str
    frame_b: str
    matrix: tuple[tuple[Formula, ...], ...]
    along: tuple[tuple[str, str | None], ...] = ()

    def __post_init__(self) -> None:
        """Nothing is to be converted."""

    def act(self, motion: Motion) -> Action:
        """An effort along each coordinate."""
        rates = [motion.coordinate(joint, name)[1] for joint, name in self.along]
        efforts = []
        for (joint, name), row in zip(self.along, self.matrix, strict=True):
            terms = [motion.value(d) * v for d, v in zip(row, rates, strict=True) if not d.is_zero]
            efforts.append(Effort(joint, name, -sum(terms)))
        return Action(efforts=tuple(efforts))


@dataclass(frozen=True, slots=True)
class Hinge:
    """A coordinate of a joint between segments: where it is on the beam, and its stiffness."""

    place: float
    direction: str
    stiffness: float


@dataclass(frozen=True, slots=True)
class Lump:
    """Inertia of a body along the beam: its centre of mass, its mass and moments of inertia; it
    moves with hinges up to ``hinge``."""

    place: float
    mass: float
    moments: tuple[float, float, float]
    hinges: int


def mass_matrix(hinges: Sequence[Hinge], lumps: Sequence[Lump]) -> Array:
    """M; hinges in the order of the beam, from the root."""
    rows = []
    for lump in lumps:
        J = np.zeros((6, len(hinges)))
        for k, hinge in enumerate(hinges[: lump.hinges]):
            axis, turning = axis_of(hinge.direction)
            own = "xyz".index(axis)
            J[own + 3 * turning, k] = 1.0
            if turning and own:  # about y: -z, about z: +y
                J[3 - own, k] = (lump.place - hinge.place) * (1 if own == 2 else -1)
        inertia = [lump.mass] * 3 + list(lump.moments)
        rows.append(J * np.sqrt(inertia)[:, None])
    whole = np.vstack(rows)
    return np.asarray(whole.T @ whole)


def damping_of(given: Given, hinges: Sequence[Hinge], lumps: Sequence[Lump]) -> Array:
    """D of the given dampings, each of the directions it is for; of what springs do not do."""
    M, K = mass_matrix(hinges, lumps), np.diag([h.stiffness for h in hinges])
    D = np.zeros_like(M)
    for directions, (kind, numbers) in given.items():
        own = [k for k, hinge in enumerate(hinges) if hinge.direction in directions]
        block = np.ix_(own, own)
        if kind == "rayleigh":
            D[block] += numbers[0] * M[block]
        elif own:
            mu, momenta = modes_of(M[block], K[block])
            D[block] += (momenta * factors_of(kind, numbers, mu)) @ momenta.T
    return D
