"""The short run that advice is taken from: observables, and packed states for axial loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.choice import Choice
from pliant.analysis.prepare import initial_state, prepare
from pliant.analysis.simulate import setting_numbers, simulate
from pliant.analysis.validity import buckling_rules
from pliant.analysis.verify_runs import Span
from pliant.arrays import Array
from pliant.errors import StepError
from pliant.model.bodies import Beam
from pliant.results.build import result_of
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.run import run
from pliant.solve.state_sizes import absolute_tolerances

if TYPE_CHECKING:
    from pliant.model.model import Model
    from pliant.results import Result
    from pliant.system import System

_SAMPLES = 200


@dataclass(frozen=True, slots=True)
class ShortRun:
    """Observables over a short time; smallest margin of buckling of beams by name (1 unloaded)."""

    result: Result
    margins: Mapping[str, float]


def changed_beams(system: System, changes: Mapping[str, Mapping[str, Any]]) -> System:
    """The system with other properties of some of its bodies."""
    from pliant.system import System as Whole

    bodies: list[Any] = [
        replace(b, **changes.get(n, {})) for n, b in system.described.bodies.items()
    ]
    return Whole(system.described.with_(bodies=bodies))


def softening(model: Model) -> dict[str, dict[str, Any]]:
    """Changes that make foreshortening count in all beams with modes."""
    return {
        n: {"geometric_stiffness": "second-order"}
        for n, b in model.bodies.items()
        if isinstance(b, Beam) and b.flexible and b.geometric_stiffness == "none"
    }


def grid(system: System, span: Span) -> Array:
    """Times of the samples."""
    begin = setting_numbers(system, span.params)["t_start"] or 0.0
    return np.linspace(begin, span.t_end, _SAMPLES + 1)


def plain_run(system: System, span: Span, choice: Choice | None = None) -> Result:
    """The observables of a run that must reach its end."""
    everything = ["*"] if system.model.settings.observe else None
    result = simulate(
        system, t_end=span.t_end, choice=choice or Choice(), method=span.method, rtol=span.rtol,
        times=[float(t) for t in grid(system, span)], params=span.params, outputs=everything,
    )  # fmt: skip
    return result.require()


def short_run(system: System, span: Span) -> ShortRun:
    """Run with modes as they are; with margins if a beam can buckle."""
    if not any(isinstance(b, Beam) and b.flexible for b in system.model.bodies.values()):
        return ShortRun(plain_run(system, span), {})
    prepared = prepare(system)
    compiled = prepared.compiled
    state = initial_state(system, prepared, span.params, float(grid(system, span)[0]))
    dynamics = dense_dynamics(compiled, system.model.settings.constraints, state.p, implicit=False)
    x0 = dynamics.consistent(state.x, state.p)
    sizes = absolute_tolerances(compiled, x0, state.p, span.t_end, span.rtol)
    data = run(compiled, dynamics, x0, state.p, grid(system, span), method=span.method,
               rtol=span.rtol, atol=sizes)  # fmt: skip
    if data.failure:
        raise StepError(data.failure)
    result = result_of(compiled, data, info={}, unique={}, model=system.text)
    X = np.concatenate(data.flexible)
    rules = buckling_rules(system, compiled, span.params)
    margins = {r.name.rpartition(".")[0]: float(r.margin(X, data.p_end).min()) for r in rules}
    return ShortRun(result, margins)
