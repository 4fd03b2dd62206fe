"""What a call costs beyond compiled integration, and what a command costs in all. Reports only.

Overhead is process time (all threads) of ``System.simulate`` with another value of one parameter
minus ``info["statistics"]["compiled_seconds"]``: good code, 1001 samples, one output, the median of
many calls. The last call is compared with a run of a fresh system whose file holds the same value.
Commands are timed by the CPU seconds of their process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pliant.code import background
from pliant.model.files.examples import examples
from pliant.system import System

CALLS = 200
DURATION, SAMPLES = 1.0, 1000


@dataclass(frozen=True, slots=True)
class Overhead:
    """An example whose parameter goes from ``first`` to ``last``; ``aim``: seconds."""

    name: str
    title: str
    example: str
    parameter: str
    first: float
    last: float
    output: str
    aim: float

    def values(self, calls: int) -> list[float]:
        """Of the parameter: another one in every call."""
        found: list[float] = np.linspace(self.first, self.last, calls + 1)[1:].tolist()
        return found

    def call(self, system: System, **params: float) -> Any:
        """As a user does it."""
        every = DURATION / SAMPLES
        return system.simulate(DURATION, every=every, outputs=[self.output], params=params)


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of an overhead or a command, and the aim; ``difference`` to a run on its own."""

    name: str
    title: str
    seconds: float
    aim: float
    difference: float | None = None

    @property
    def agrees(self) -> bool:
        """Whether calls with other parameters gave what a fresh system does."""
        return self.difference is None or self.difference <= 1e-6


def spend(case: Overhead, calls: int = CALLS) -> Spent:
    """The median overhead of so many calls."""
    system = System.load(examples()[case.example])
    case.call(system)
    background.finish()
    spent = []
    for value in case.values(calls):
        began = time.process_time()
        result = case.call(system, **{case.parameter: value})
        inside = result.info["statistics"]["compiled_seconds"]
        spent.append(time.process_time() - began - inside)
    alone = case.call(_with(system, case.parameter, value))
    found, expected = (r.require().values(case.output) for r in (result, alone))
    difference = float(np.abs(found - expected).max() / np.abs(expected).max())
    return Spent(case.name, case.title, median(spent), case.aim, difference)


def _with(system: System, parameter: str, value: float) -> System:
    model = system.described
    return System(model.with_(parameters={**model.parameters, parameter: value}))


@dataclass(frozen=True, slots=True)
class Command:
    """A command of Python; ``cold``: without kept machine code."""

    name: str
    title: str
    words: tuple[str, ...]
    cold: bool
    aim: float


def command_cost(command: Command, rounds: int) -> Spent:
    """Median CPU seconds of its process."""
    with TemporaryDirectory() as folder:
        caches = [Path(folder) / (f"cold{k}" if command.cold else "warm") for k in range(rounds)]
        for _ in range(2):
            _cpu(command, Path(folder) / "warm")  # bytecode and machine code are kept
        seconds = [_cpu(command, cache) for cache in caches]
    return Spent(command.name, command.title, median(seconds), command.aim)


def _cpu(command: Command, cache: Path) -> float:
    bytecode = {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(cache.parent / "bytecode"),
    }
    environment = {**os.environ, **bytecode, "PLIANT_CACHE_DIR": str(cache)}
    process = subprocess.Popen(
        [sys.executable, *command.words], env=environment, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command.words)
    return usage.ru_utime + usage.ru_stime


def _run_of(example: str) -> tuple[str, ...]:
    return "-m", "pliant", "run", str(examples()[example])


CASES = (
    Overhead(
        "overhead_slider_crank", "slider-crank, another torque T", "planar_slider_crank", "T",
        1.0, 1.1, "slider.position", 0.4e-3,
    ),
    Overhead(
        "overhead_crank_rocker", "crank-rocker, another voltage V", "crank_rocker", "V",
        60.0, 66.0, "rocker.C.position", 2e-3,
    ),
    Overhead(
        "overhead_tables", "crank-rocker, another height h: tables are made anew", "crank_rocker",
        "h", 0.01, 0.011, "rocker.C.position", 10e-3,
    ),
)  # fmt: skip

COMMANDS = (
    Command("cpu_import", "`import pliant`", ("-c", "import pliant"), False, 0.2),
    Command("cpu_run_warm", "`pliant run` of the slider-crank, again",
            _run_of("planar_slider_crank"), False, 0.35),
    Command("cpu_run_cold", "`pliant run` of the slider-crank, nothing kept",
            _run_of("planar_slider_crank"), True, 1.2),
)  # fmt: skip
