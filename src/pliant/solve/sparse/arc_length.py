"""Equilibrium paths through limit points: the arc-length method.

The load factor is one unknown more, and a step of length s is taken along the path. With

    K d_r = -r,   K d_l = -dr/dload,    d = d_r + delta d_l

the predictor is delta d_l with |delta d_l| = s, onwards along the path, and corrections are normal
to it: t . (d_r + delta d_l) = 0. Lengths are measured in positions, without the load. A step that
passes the last load is ended there: Newton's method at that load from its place on the way.
Source: Riks 1979; Crisfield 1981.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.errors import StepError
from pliant.solve.sparse.matrix import SingularBlockError
from pliant.solve.sparse.statics import Equilibrium, Statics

WANTED = 4
"""Iterations a step should take."""


@dataclass(frozen=True, slots=True)
class PathPoint(Equilibrium):
    """An equilibrium on a path; ``unstable``: number of negative eigenvalues of its tangent."""

    unstable: int = 0


def equilibrium_path(
    statics: Statics, q: Array, *, length: float, load: float = 0.0, shortest: float = 1e-8,
    longest: float = np.inf, until: float = np.inf,
) -> Iterator[PathPoint]:  # fmt: skip
    """Points along the path from an equilibrium, in steps of about ``length``, up to exactly the
    load factor ``until`` of either sign."""
    point = PathPoint(q, load, ())
    direction: Array | None = None
    while abs(point.load) < until:
        try:
            found, moved = _step(statics, point, direction, length)
            point = found if abs(found.load) < until else _end(statics, point, found, moved, until)
        except (StepError, SingularBlockError):
            length /= 2
            if length < shortest:
                raise
            continue
        direction = moved
        length = min(longest, length * min(2.0, max(0.5, WANTED / len(point.changes))))
        yield point


def _end(
    statics: Statics, start: PathPoint, beyond: PathPoint, way: Array, until: float
) -> PathPoint:
    """The equilibrium at the last load between two points of the path.

    StepError if Newton's method leaves the way: then the step was too long.
    """
    goal = float(np.copysign(until, beyond.load))
    share = (goal - start.load) / (beyond.load - start.load)
    found = statics.equilibrium(statics.system.moved(start.q, share * way), goal)
    if sum(found.changes) > statics.size(way):
        raise StepError(f"the path could not be ended at load factor {goal:.6g}")
    statics.linearise(found.q, goal)
    unstable = statics.system.matrix.negative_pivots() - len(statics.multipliers)
    return PathPoint(found.q, goal, (*beyond.changes, *found.changes), unstable)


def _step(
    statics: Statics, start: PathPoint, direction: Array | None, length: float
) -> tuple[PathPoint, Array]:
    """One step: the next point and the way to it."""
    system, weights = statics.system, statics.weights
    statics.linearise(start.q, start.load)
    along = statics.solve(-statics.scaled(system.load_direction(start.q)))
    norm = float(np.linalg.norm(weights * along))
    onwards = 1.0 if direction is None or (weights * along) @ (weights * direction) > 0 else -1.0
    change = onwards * length / norm
    way = change * along
    tangent = weights**2 * along / norm
    q, load = system.moved(start.q, way), start.load + change
    changes: list[float] = []
    for _ in range(statics.iterations):
        free = statics.solve(-statics.linearise(q, load))
        along = statics.solve(-statics.scaled(system.load_direction(q)))
        change = -float(tangent @ free) / float(tangent @ along)
        d = free + change * along
        q, load, way = system.moved(q, d), load + change, way + d
        changes.append(statics.size(d))
        if changes[-1] < statics.tolerance:
            unstable = system.matrix.negative_pivots() - len(statics.multipliers)
            return PathPoint(q, load, tuple(changes), unstable), way
        if not changes[-1] < 1e3 * length + 1.0:
            break
    raise StepError(f"the path could not be followed beyond load factor {start.load:.6g}")
