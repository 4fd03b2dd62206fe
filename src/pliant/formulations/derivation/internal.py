"""What internal forces of beams follow from: how each beam moves, and what acts on its frames.

    w, w', a - g of B     q, q', q''     (F_P, T_P) at the body frame and at every frame

all in axes of B, T_P about B's origin; F_P, T_P sum what joints, force elements, drivers,
constraints and networks do there. From these numbers ``section_forces`` tells every section.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pliant.mechanics.inertia import section_forces
from pliant.mechanics.motion import BodyMotion, ElasticState, SystemMotion
from pliant.model.bodies import Deformable
from pliant.model.forces.action import Load
from pliant.observe.internal import divided
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps

_MOTION = 9
_WRENCH = 6


def loaded_places(beam: Deformable) -> tuple[str, ...]:
    """Where loads can act on a beam or on given modes: the body frame, then its frames."""
    return ("", *beam.frames)


@dataclass(frozen=True, slots=True)
class BeamLoads:
    """The numbers above of one beam of n elastic coordinates, taken apart."""

    w: Any
    alpha: Any
    acc: Any
    q: Any
    u: Any
    a: Any
    wrenches: tuple[Any, ...]

    @classmethod
    def of(cls, column: Any, n: int, places: int) -> BeamLoads:
        """From the column they stand in."""
        ends = [0, 3, 6, _MOTION, _MOTION + n, _MOTION + 2 * n, _MOTION + 3 * n]
        w, alpha, acc, q, u, a = (column[start:end] for start, end in pairwise(ends))
        start = (ends[-1] + _WRENCH * k for k in range(places))
        return cls(w, alpha, acc, q, u, a, tuple(column[k : k + _WRENCH] for k in start))

    @staticmethod
    def size(n: int, places: int) -> int:
        """How many numbers they are."""
        return _MOTION + 3 * n + _WRENCH * places

    @property
    def moving(self) -> BodyMotion:
        """Of B, as far as inertia asks; the acceleration is less gravity."""
        pose: Any = None
        return BodyMotion(pose, self.w, None, self.alpha, self.acc)


def internal_forces(
    motion: SystemMotion, section: str, loads: Mapping[str, Any]
) -> tuple[Any, Any, Any]:
    """Force, moment and normal stress (None where it is not known) of a section that formulas
    read; ``loads``: of ``section_loads``."""
    beam, slot = section.partition(".")[0], motion.values.sections[section]
    elastic, places = motion.elastic[beam], len(loaded_places(motion.model.elastic[beam]))
    own = BeamLoads.of(loads[beam], elastic.count, places)
    part = replace(elastic, tables=slot.tables)
    return told_of_part(motion.ops, part, own)


def told_of_part(ops: SymbolicOps, part: ElasticState, own: BeamLoads) -> tuple[Any, Any, Any]:
    """The same of the part of a beam beyond a section, by its tables."""
    part = replace(part, tables={**part.tables, "M": {}})
    f, m = section_forces(ops, part, own.moving, own.wrenches)
    table, passed = part.tables["stress"], (*(f[k] for k in range(3)), *(m[k] for k in range(3)))
    points = 1 + max((k for k, _ in table), default=-1)
    rows = [sum(table[k, i] * x for i, x in enumerate(passed)) for k in range(points)]
    return f, m, ops.vec(*rows) if rows else None


def section_loads(motion: SystemMotion, loads: Iterable[Load]) -> dict[str, Any]:
    """A column of these numbers for each beam, from all ``loads`` on frames."""
    ops = motion.ops
    gravity = motion.values.vector(motion.model.gravity)
    total: dict[str, Any] = {}
    bodies = divided(motion.model)
    for load in loads:
        body, X_BP = motion.placement(load.frame)
        if body in bodies:
            R = motion.bodies[body].X_WB.R
            f = R.T @ load.force
            wrench = ops.stack([f, R.T @ load.torque + ops.cross(X_BP.p, f)])
            total[load.frame] = total[load.frame] + wrench if load.frame in total else wrench
    found = {}
    for name, beam in bodies.items():
        b, e, none = motion.bodies[name], motion.elastic[name], ops.zeros(_WRENCH)
        frames = (f"{name}.{frame}" if frame else name for frame in loaded_places(beam))
        wrenches = [total.get(frame, none) for frame in frames]
        acc = b.acc - b.X_WB.R.T @ gravity
        found[name] = ops.full(ops.stack([b.w, b.alpha, acc, e.q, e.u, e.a, *wrenches]))
    return found
