"""What whole sweeps cost: CPU seconds of `System.sweep` on one processor, everything compiled, and
how many times its machine code (integration and sampling) that is. The last run is compared with
one of a system on its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from benchmarks.overhead import Spent
from pliant.model.files.examples import examples
from pliant.solve.machine.abi import MachineFunction
from pliant.system import System

RATIO = 1.5
"""Times machine code that a sweep may take."""


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

    def call(self, system: System, runs: int) -> Any:
        """As a user does it."""
        return system.sweep({self.parameter: self.values}, samples=runs, outputs=self.outputs,
                            workers=1)  # fmt: skip


def swept(case: Sweeping, rounds: int = 3, runs: int | None = None) -> Spent:
    """The median of whole calls."""
    system, count = System.load(examples()[case.example]), runs or case.runs
    case.call(system, 3)
    spent, ratios = [], []
    for _ in range(rounds):
        began, inside = time.process_time(), MachineFunction.seconds
        sweep = case.call(system, count)
        spent.append(time.process_time() - began)
        ratios.append(spent[-1] / (MachineFunction.seconds - inside))
    value = sweep.run(count - 1)[case.parameter]
    alone = System.load(examples()[case.example]).simulate(
        params={case.parameter: value}, outputs=case.outputs
    )
    differences = [
        float(np.abs(sweep.values(name)[-1] - alone.values(name)).max()) for name in case.outputs
    ]
    title = f"{case.title}: {median(ratios):.2f} times machine code (at most {RATIO:g})"
    return Spent(case.name, title, median(spent), case.aim, max(differences))


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
