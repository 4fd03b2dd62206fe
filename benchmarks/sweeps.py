"""What whole sweeps cost: CPU seconds of `System.sweep` on one processor, everything compiled, and
how many times its compiled integrations that is: consistent starts, steps, energies, and samples on
the constraints. What is left of these with two samples a run are the steps, told apart. The last
run is compared with one of a system on its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from pliant.model.files.examples import examples
from pliant.solve.machine.abi import MachineFunction
from pliant.system import System

RATIO = 1.5
"""Times its compiled integrations that a sweep may take."""


@dataclass(frozen=True, slots=True)
class Sweeping:
    """So many runs of an example to its end; ``aim``: seconds of the whole call."""

    name: str
    title: str
    example: str
    parameter: str
    values: str
    runs: int
    outputs: tuple[str, ...]
    aim: float

    def call(self, system: System, runs: int, **how: Any) -> Any:
        """As a user does it."""
        return system.sweep({self.parameter: self.values}, samples=runs, outputs=self.outputs,
                            workers=1, **how)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Swept:
    """CPU seconds of a whole call, of its compiled integrations, of these without samples;
    ``difference`` of the last run to one of a system on its own."""

    case: Sweeping
    seconds: float
    compiled: float
    steps: float
    difference: float

    @property
    def ratio(self) -> float:
        """Whole call over compiled integrations."""
        return self.seconds / self.compiled

    @property
    def agrees(self) -> bool:
        """Whether runs are those of a system on its own, bit for bit."""
        return self.difference == 0.0

    def __str__(self) -> str:
        return (f"{1e3 * self.seconds:.3g} ms, {self.ratio:.2f} times compiled integrations (at "
                f"most {RATIO:g}), {self.seconds / self.steps:.2f} times their steps alone; "
                f"difference {self.difference:.0e}")  # fmt: skip


def swept(case: Sweeping, rounds: int = 3, runs: int | None = None) -> Swept:
    """Medians of whole calls."""
    system, count = System.load(examples()[case.example]), runs or case.runs
    case.call(system, 3)
    spent, compiled, steps = [], [], []
    for _ in range(rounds):
        began, inside = time.process_time(), MachineFunction.seconds
        sweep = case.call(system, count)
        spent.append(time.process_time() - began)
        compiled.append(MachineFunction.seconds - inside)
        inside = MachineFunction.seconds
        case.call(system, count, every=sweep.time[-1] - sweep.time[0])
        steps.append(MachineFunction.seconds - inside)
    value = sweep.run(count - 1)[case.parameter]
    alone = System.load(examples()[case.example]).simulate(
        params={case.parameter: value}, outputs=case.outputs
    )
    differences = [
        float(np.abs(sweep.values(name)[-1] - alone.values(name)).max()) for name in case.outputs
    ]
    return Swept(case, median(spent), median(compiled), median(steps), max(differences))


CASES = (
    Sweeping(
        "sweep_slider_crank", "slider-crank, 1000 torques, 1001 samples of two outputs",
        "planar_slider_crank", "T", "0.5..2", 1000, ("O.angle", "slider.position"), 1.2,
    ),
    Sweeping(
        "sweep_crank_rocker", "crank-rocker, 200 voltages", "crank_rocker", "V", "50..70", 200,
        ("O.angle", "rocker.C.position"), 1.5,
    ),
)  # fmt: skip
