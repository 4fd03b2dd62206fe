"""Where the time of a step goes: ``python -m benchmarks.steps [-o docs/performance.md]``.

The arithmetic of the model is timed alone (its functions called a thousand times in a compiled
loop) and set against the time of whole steps inside ``System.simulate``.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.mechanisms import example
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.code import background
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.machine.abi import MachineFunction
from pliant.solve.single_states import evaluate_function
from pliant.solve.transient import INTEGRATORS
from pliant.system import System

MODELS = ("planar_slider_crank", "four_bars_2", "bricard", "haug_slider_crank")
METHODS = ("dop853", "radau", "generalized-alpha")
ROUNDS, ROWS, OUTPUT = 7, 1000, "energy"
HEAD = """# Performance

Where the time of a step goes, measured by `python -m benchmarks.steps -o docs/performance.md`.
*Arithmetic* is the straight-line machine code of the model alone: its functions, as often as a step
calls them, timed in a compiled loop. For DOP853 that includes the elimination in fixed order; for
the others the rest is mostly dense linear algebra. The rank decision, the method and its
bookkeeping, dense output and the energy balance of a run are in the rest, too. Only compiled code
inside `System.simulate` is timed.
Tolerance 1e-7, or a step of 1 ms, over one second. HHT and Newmark are the code of
generalized-alpha with other numbers; auto is DOP853 and Radau.

| model | method | steps | µs per step | of it arithmetic | share |
|---|---|---|---|---|---|
"""


def profile(name: str, method: str) -> str:
    """A row of the table."""
    system = example(name)
    step = None if INTEGRATORS[method].adaptive else 1e-3

    def run() -> Mapping[str, float]:
        result = system.simulate(
            1.0, every=1.0, method=method, rtol=1e-7, step=step, outputs=[OUTPUT]
        )
        found: Mapping[str, float] = result.require().info["statistics"]
        return found

    run()
    background.finish()
    runs = [run() for _ in range(ROUNDS)]
    steps, whole = runs[0]["steps"], median(r["compiled_seconds"] for r in runs)
    arithmetic = _arithmetic(runs[0], _costs(system), INTEGRATORS[method].implicit)
    return (
        f"| {name} | {method} | {steps:.0f} | {1e6 * whole / steps:.2f} | "
        f"{1e6 * arithmetic / steps:.2f} | {100 * arithmetic / whole:.0f} % |"
    )


def _costs(system: System) -> dict[str, float]:
    """Seconds of one evaluation of each function of the model."""
    prepared = prepare(system, observe=[OUTPUT])
    compiled, state = prepared.compiled, initial_state(system, prepared, None, 0.0)
    x0 = dense_dynamics(compiled, "projection", state.p).consistent(state.x, state.p)
    rows = np.tile(x0, (ROWS, 1))

    def seconds(function: str) -> float:
        began = MachineFunction.seconds
        evaluate_function(compiled, function, rows, state.p)
        return (MachineFunction.seconds - began) / ROWS

    counted = {"explicit", "residual", "jacobians", "constraints", "direct", "correction"}
    return {f: median(seconds(f) for _ in range(ROUNDS)) for f in compiled.functions & counted}


def _arithmetic(stats: Mapping[str, float], cost: Mapping[str, float], implicit: bool) -> float:
    """Seconds in the functions of the model, as often as a run has called them."""
    projections = stats["projections"]
    if implicit:
        newton = stats["evaluations"] * cost["residual"] + stats["jacobians"] * cost["jacobians"]
        return newton + projections * cost["constraints"]
    pivoted = stats["factorisations"]
    fixed = stats["evaluations"] - pivoted
    corrections = (stats["steps"] + projections) * cost.get("correction", 0.0)
    direct = fixed * cost.get("direct", 0.0) + corrections
    return direct + pivoted * cost["explicit"]


def main() -> None:
    """Profile all models with one method of each family."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.steps", description=__doc__)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the page (Markdown)")
    options = parser.parse_args()
    rows = []
    for name in MODELS:
        for method in METHODS:
            rows.append(profile(name, method))
            print(rows[-1], flush=True)
    if options.output:
        Path(options.output).write_text(HEAD + "\n".join([*rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
