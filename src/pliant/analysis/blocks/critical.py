"""The load factor at which an equilibrium gives way, and the way it takes.

Loads are raised from rest while the tangent keeps its number of negative eigenvalues. If another
equilibrium branches off, the load is found between two equilibria of the same path; if the path
itself turns back, it is the largest load of the path, found with shorter and shorter steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.blocks.held import require_held
from pliant.analysis.blocks.model import BlockModel, block_model
from pliant.analysis.blocks.observe import Observations, States
from pliant.analysis.blocks.path import TOLERANCE, extremum, first_length
from pliant.analysis.blocks.remarks import remarks_on
from pliant.arrays import Array
from pliant.errors import StepError
from pliant.results import Result, Series
from pliant.solve.sparse.arc_length import equilibrium_path
from pliant.solve.sparse.buckling import (
    RegularTangentError,
    critical_load,
    smallest_eigenvalue,
    unstable,
)
from pliant.solve.sparse.matrix import SingularBlockError
from pliant.solve.sparse.statics import Statics

if TYPE_CHECKING:
    from pliant.system import System

MOST = 1e6
"""Load factors up to which is looked."""
_FIRST, _GROWTH, _SHORTEST = 0.1, 1.5, 1e-3
_SAMPLES, _SHOWN = 25, 0.1
"""Samples of a moving mode, and its largest translation as a part of the whole."""
_NAMED = 6


@dataclass(frozen=True, slots=True)
class GivesWay:
    """A critical load factor, what kind it is of, the state there and the way (all blocks)."""

    load: float
    kind: str
    q: Array
    mode: Array


def gives_way(model: BlockModel) -> GivesWay:
    """The first critical load; StepError if there is none."""
    statics = Statics(model.system, model.q, tolerance=TOLERANCE)
    require_held(statics, model.q)
    q, load, step = statics.equilibrium(model.q, 0.0).q, 0.0, _FIRST
    stable = unstable(statics, q, 0.0)
    while load < MOST:
        goal = load + step
        try:
            found = statics.equilibrium(q, goal)
            changed = unstable(statics, found.q, goal) != stable
        except (StepError, SingularBlockError):
            step /= 2
            if step < _SHORTEST * max(load, _FIRST):
                return _limit(statics, q, load)
            continue
        if changed:
            try:
                return _branch(statics, q, load, goal)
            except RegularTangentError:
                stable = unstable(statics, found.q, goal)
        q, load, step = found.q, goal, _GROWTH * step
    raise StepError(f"no critical load was found up to {MOST:g} times the load{_unseen(model)}")


def _unseen(model: BlockModel) -> str:
    """What a search among modal bodies cannot find."""
    names = sorted(model.numbers.flexible)
    if not names:
        return ""
    return (
        f"; {', '.join(names)} by modes: softened by axial forces alone, so that bending sideways "
        "with torsion is not seen (take theory: exact)"
    )


def _branch(statics: Statics, q: Array, low: float, high: float) -> GivesWay:
    """Between two equilibria; a path that cannot be followed there has turned back."""
    try:
        found = critical_load(statics, q, low, high)
    except RegularTangentError:
        raise
    except (StepError, SingularBlockError):
        return _limit(statics, q, low)
    return GivesWay(found.load, "bifurcation", found.q, found.mode)


def _limit(statics: Statics, q: Array, load: float) -> GivesWay:
    """The largest load of the path that begins at an equilibrium."""
    length, _ = first_length(statics, q, load)
    length = min(length, 0.1)
    for _ in range(4):
        points = [(q, load)]
        for point in islice(equilibrium_path(statics, q, length=length, load=load,
                                             longest=length), 400):  # fmt: skip
            points.append((point.q, point.load))
            if point.load < points[-2][1]:
                break
        else:
            raise StepError(f"the path has no largest load beyond load factor {load:.6g}")
        q, load = points[max(len(points) - 4, 0)]
        length /= 4
    states = np.array([p for p, _ in points[-3:]])
    loads = np.array([v for _, v in points[-3:]])
    ways = np.linalg.norm(np.diff(states, axis=0), axis=1)
    top = extremum(np.concatenate([[0.0], np.cumsum(ways)]), loads)
    _, mode = smallest_eigenvalue(statics, points[-2][0], points[-2][1])
    return GivesWay(top, "limit point", points[-2][0], mode)


def critical(
    system: System, *, t: float, params: Mapping[str, Any] | None,
    outputs: Sequence[str] | None, info: Mapping[str, Any],
) -> Result:  # fmt: skip
    """The state at the critical load, swung along its mode: samples are parts of a swing."""
    model = block_model(system, params, t=t, moving=False)
    found = gives_way(model)
    phase = np.linspace(0.0, 1.0, _SAMPLES)
    amplitude = _amplitude(model, found.mode)
    q = np.array([
        model.system.moved(found.q, amplitude * np.sin(2 * np.pi * s) * found.mode) for s in phase
    ])  # fmt: skip
    none = np.zeros((_SAMPLES, model.system.n_all))
    load = np.full(_SAMPLES, found.load)
    look = Observations(model, States(np.full(_SAMPLES, t), load, q, none, none))
    series = look.series(outputs)
    series["load_factor"] = Series(load, "1", (), "other")
    freedom = int(model.system.n - 2 * np.sum(model.system.multiplier_rows()))
    more = {
        **info, "stability": found.kind, "critical_load": found.load, "load_factor": found.load,
        "mode": moved_most(model, found.mode), "degrees_of_freedom": freedom,
        "statistics": {"iterations": 0.0}, "failure_code": "",
    }  # fmt: skip
    at_load = Observations(model, States(*(v[:1] for v in (look.states.t, load, q, none, none))))
    return Result(phase, series, more, (), tuple(remarks_on(at_load)), "", system.text)


def _amplitude(model: BlockModel, mode: Array) -> float:
    """How far a mode is shown."""
    weights = model.system.weights(model.q)
    return _SHOWN / max(float(np.abs(weights * mode).max()), 1e-300)


def moved_most(model: BlockModel, mode: Array) -> dict[str, float]:
    """The bodies that move most, by name, with their translation (largest: 1)."""
    go = model.system.increments
    sizes = {
        name: float(np.linalg.norm(mode[go[block] : go[block] + 3]))
        for name, block in model.bodies.items()
    }
    top = max(sizes.values()) or 1.0
    first = sorted(sizes, key=sizes.__getitem__, reverse=True)[:_NAMED]
    return {name: sizes[name] / top for name in first}
