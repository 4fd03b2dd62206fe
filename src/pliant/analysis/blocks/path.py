"""Load-displacement paths through limit points, and loads at which an equilibrium gives way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.blocks.equilibrium import LoadPath, result_of_path
from pliant.analysis.blocks.held import require_held
from pliant.analysis.blocks.model import BlockModel, block_model
from pliant.arrays import Array
from pliant.errors import StepError
from pliant.results import Result, Series
from pliant.solve.sparse.arc_length import PathPoint, equilibrium_path
from pliant.solve.sparse.matrix import SingularBlockError
from pliant.solve.sparse.statics import Statics

if TYPE_CHECKING:
    from pliant.system import System

POINTS = 200
"""Points of a path if nothing else is said."""
TOLERANCE = 1e-7
"""Last correction at a point of a path; what is left is its square."""
_FIRST, _LONGEST = 0.02, 0.05
"""Length of the first step as a part of that of the full load, of the longest one per block."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A path with the number of unstable directions at each point."""

    path: LoadPath
    points: list[PathPoint]

    @property
    def limits(self) -> list[float]:
        """Load factors of all limit points, each from the parabola through three points."""
        loads = np.array([p.load for p in self.points])
        length = self._lengths()
        found = []
        for k in range(1, len(loads) - 1):
            before, after = loads[k] - loads[k - 1], loads[k + 1] - loads[k]
            if before * after < 0:
                found.append(extremum(length[k - 1 : k + 2], loads[k - 1 : k + 2]))
        return found

    def _lengths(self) -> Array:
        steps = [float(np.linalg.norm(b.q - a.q)) for a, b in pairwise(self.points)]
        return np.concatenate([[0.0], np.cumsum(steps)])


def extremum(x: Array, y: Array) -> float:
    """Largest or smallest value of the parabola through three points."""
    c = np.polyfit(x - x[1], y, 2)
    return float(c[2] - c[1] ** 2 / (4 * c[0]))


def traced(model: BlockModel, points: int, *, until: float = 1.0) -> Traced:
    """Follow the path from rest without load until a load factor is reached."""
    statics = Statics(model.system, model.q, tolerance=TOLERANCE)
    require_held(statics, model.q)
    start = statics.equilibrium(model.q, 0.0)
    length, longest = first_length(statics, start.q, 0.0)
    found = [PathPoint(start.q, 0.0, start.changes)]
    failure = ""
    try:
        for point in equilibrium_path(statics, start.q, length=length, longest=longest,
                                      until=until):  # fmt: skip
            found.append(point)
            if len(found) >= points and abs(point.load) < until:
                failure = (f"the path has {points} points and its load factor is {point.load:.4g}, "
                           f"not {until:g}; load_steps allows more points")  # fmt: skip
                break
    except (StepError, SingularBlockError) as error:
        failure = str(error)
    iterations = sum(len(p.changes) for p in found)
    path = LoadPath(model, statics, [p.load for p in found], [p.q for p in found], iterations,
                    failure)  # fmt: skip
    return Traced(path, found)


def first_length(statics: Statics, q: Array, load: float) -> tuple[float, float]:
    """First and longest step along the path from an equilibrium."""
    statics.linearise(q, load)
    along = statics.solve(-statics.scaled(statics.system.load_direction(q)))
    whole = float(np.linalg.norm(statics.weights * along))
    if whole == 0.0:
        raise StepError("no load moves the system: there is no path to follow")
    blocks = sum(s.pose for s in statics.system.shapes)
    longest = _LONGEST * np.sqrt(blocks)
    return min(_FIRST * whole, longest), longest


def along_path(
    system: System, *, t: float, points: int, params: Mapping[str, Any] | None,
    outputs: Sequence[str] | None, info: Mapping[str, Any],
) -> Result:  # fmt: skip
    """Observables along the path; the number of the point stands in the place of time."""
    model = block_model(system, params, t=t, moving=False)
    found = traced(model, points)
    made = result_of_path(system, found.path, outputs, along=True,
                          info={**info, "limit_loads": found.limits})  # fmt: skip
    unstable = np.array([float(p.unstable) for p in found.points])
    series = {**made.series, "unstable_directions": Series(unstable, "1", (), "other")}
    number = np.arange(len(found.points), dtype=float)
    return Result(number, series, made.info, (), made.warnings, made.failure, made.model)
