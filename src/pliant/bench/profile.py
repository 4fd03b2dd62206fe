"""Where the time of a step goes: ``python -m pliant.bench.profile [-o docs/performance.md]``.

The arithmetic of the model is timed alone (its functions called a thousand times in a compiled
loop) and set against the time of whole steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from pliant.analysis.prepare import initial_state, prepare
from pliant.engine import tiers
from pliant.model.files.examples import examples
from pliant.solve.abi import Compiled
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.points import evaluate_function
from pliant.solve.transient import INTEGRATORS
from pliant.solve.transient.driver import integrate
from pliant.system import System

MODELS = ("planar_slider_crank", "four_bars_2", "bricard", "haug_slider_crank")
_ROWS = 1000


@dataclass(frozen=True, slots=True)
class StepProfile:
    """Microseconds of one step of one method, and of the model's arithmetic in it."""

    model: str
    method: str
    steps: int
    step: float
    arithmetic: float

    @property
    def share(self) -> float:
        """Part of the step spent in the model's own arithmetic."""
        return self.arithmetic / self.step


def best(work: Callable[[], object], rounds: int = 7) -> float:
    """Smallest time in compiled code of several, in microseconds."""
    times = []
    for _ in range(rounds):
        began = Compiled.seconds
        work()
        times.append(Compiled.seconds - began)
    return 1e6 * min(times)


def profile(name: str, method: str) -> StepProfile:
    """Time whole runs without output, and the model functions they call."""
    system = System.load(examples()[name])
    prepared = prepare(system, observe=["energy"])
    compiled, state = prepared.compiled, initial_state(system, prepared, None, 0.0)
    dynamics = dense_dynamics(compiled, "projection", state.p)
    x0 = dynamics.consistent(state.x, state.p)
    step = None if INTEGRATORS[method].adaptive else 1e-3
    end = x0[0] + 1.0

    def run() -> dict[str, float]:
        *_, last = integrate(dynamics, x0, end, method=method, rtol=1e-7, step=step, dense=False)
        return dict(last.stats)

    run()
    tiers.finish()
    stats = run()
    rows = np.tile(x0, (_ROWS, 1))
    cost = {
        f: best(partial(evaluate_function, compiled, f, rows, state.p)) / _ROWS
        for f in compiled.functions & set("FRJCDQ")
    }
    steps = int(stats["steps"])
    arithmetic = _arithmetic(stats, cost, INTEGRATORS[method].implicit)
    return StepProfile(name, method, steps, best(run) / steps, arithmetic / steps)


def _arithmetic(stats: Mapping[str, float], cost: Mapping[str, float], implicit: bool) -> float:
    """Microseconds in the functions of the model, as often as a run has called them."""
    projections = stats["projections"]
    if implicit:
        newton = stats["evaluations"] * cost["R"] + stats["jacobians"] * cost["J"]
        return newton + projections * cost["C"]
    pivoted = stats["factorisations"]
    fixed = stats["evaluations"] - pivoted
    direct = fixed * cost.get("D", 0.0) + (stats["steps"] + projections) * cost.get("Q", 0.0)
    return direct + pivoted * cost["F"]


def page(profiles: list[StepProfile]) -> str:
    """The page in Markdown."""
    lines = [
        "# Performance",
        "",
        "Where the time of a step goes, measured by `python -m pliant.bench.profile`.",
        "*Arithmetic* is the straight-line machine code of the model alone: its functions, as",
        "often as a step calls them, timed in a compiled loop. For DOP853 that includes the",
        "elimination in fixed order; for the others the rest is mostly dense linear algebra. The",
        "rank decision, the method and its bookkeeping are in the rest, too. Only compiled code is",
        "timed. Tolerance 1e-7, or a step of 1 ms; no output. HHT and Newmark are the code of",
        "generalized-alpha with other numbers; auto is DOP853 and Radau.",
        "",
        "| model | method | steps | µs per step | of it arithmetic | share |",
        "|---|---|---|---|---|---|",
    ]
    for p in profiles:
        lines.append(
            f"| {p.model} | {p.method} | {p.steps} | {p.step:.2f} | {p.arithmetic:.2f} | "
            f"{100 * p.share:.0f} % |"
        )
    return "\n".join([*lines, ""])


def main() -> None:
    """Profile all models with one method of each family."""
    parser = argparse.ArgumentParser(prog="python -m pliant.bench.profile", description=__doc__)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the page (Markdown)")
    options = parser.parse_args()
    methods = ("dop853", "radau", "generalized-alpha")
    profiles = [profile(name, method) for name in MODELS for method in methods]
    text = page(profiles)
    print(text)
    if options.output:
        Path(options.output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
