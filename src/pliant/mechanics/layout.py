"""Names, units and owners of every unknown, and which coordinates are those of a rotation; and
the common language of states, the motion of bodies whatever the coordinates."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Protocol

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass

TURN = "rad about an axis"
"""Unit of a wish whose wanted value is a rotation, which is no number."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One unknown: ``O.angle`` in rad, owned by joint ``O``."""

    name: str
    unit: str
    owner: str


@dataclass(frozen=True, slots=True)
class Rotation:
    """Coordinates of one rotation, which begin at ``q[start]``: a unit quaternion, or in equations
    that are read or exported an angle set."""

    kind: str
    start: int


@dataclass(frozen=True, slots=True)
class Layout:
    """q, u, x and the rows of G (whose multipliers are lam), in order."""

    q: tuple[Scalar, ...]
    u: tuple[Scalar, ...]
    rotations: tuple[Rotation, ...] = ()
    rows: tuple[Scalar, ...] = ()
    x: tuple[Scalar, ...] = ()
    n_holonomic: int = 0
    loops: int = 0
    """How many of the last entries of q, u and the rows belong to algebraic loops: unknowns without
    mass, their integrals, and the equations they solve."""
    algebraic: int = 0
    """How many of the last x follow from an equation in place of a rate (statics and modes)."""
    elastic: Mapping[str, tuple[int, int, int]] = field(default_factory=dict)
    """Elastic coordinates of each body: where they start in q and in u, and how many."""

    @property
    def quaternions(self) -> list[int]:
        """Where unit quaternions begin in q."""
        return [r.start for r in self.rotations if r.kind == "quaternion"]

    def less(self, q: Sequence[int], u: Sequence[int], rows: Sequence[int]) -> Layout:
        """With what stands at these places alone."""
        rotations = (replace(r, start=q.index(r.start)) for r in self.rotations if r.start in q)
        return replace(
            self, q=tuple(self.q[k] for k in q), u=tuple(self.u[k] for k in u),
            rows=tuple(self.rows[k] for k in rows), rotations=tuple(rotations),
            n_holonomic=bisect_left(rows, self.n_holonomic),
            elastic={name: (bisect_left(q, a), bisect_left(u, b), count)
                     for name, (a, b, count) in self.elastic.items()},
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PoseAndTwist:
    """Motion of a body frame in world axes, and deformation of the body, in numbers."""

    R_WB: Array
    p_WB: Array
    v_WB: Array
    w_WB: Array
    elastic: Array = field(default_factory=lambda: np.zeros(0))
    elastic_rates: Array = field(default_factory=lambda: np.zeros(0))


class StateFrom(Protocol):
    """(q, u) of a formulation from the motion of the bodies; angles nearest to ``near``.

    ``guess(p)`` is q where assembly begins; ``size(p)`` how large the model is.
    """

    def size(self, p: Array) -> float: ...

    def guess(self, p: Array) -> Array: ...

    def __call__(
        self,
        bodies: Mapping[str, PoseAndTwist],
        p: Array,
        near: Array | None = None,
    ) -> tuple[Array, Array]: ...
