"""A case: one problem, the calls of two programs that solve it, and the number both must find."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.exudyn_peer import Assembly, Setting, solve
from pliant.arrays import Array
from pliant.code import background
from pliant.system import System

Samples = Sequence[Array]
TOLERANCES = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)


class Run(NamedTuple):
    """A call: CPU seconds of all of it, seconds inside compiled code, the number found, steps."""

    whole: float
    compiled: float
    found: Array
    steps: int = 0


@dataclass(frozen=True, kw_only=True)
class Row(ABC):
    """What is played: Pliant at one of the ``settings`` against another program.

    ``wanted``: ratio of the peer's call to the compiled loop. ``agreement``: how near both must
    come to ``exact``, the number both should find, which comes from ``reference``.
    """

    name: str
    title: str
    program: str
    how_theirs: object
    exact: Callable[[], Array]
    reference: str
    agreement: float
    wanted: float
    system: Callable[[], System]
    settings: Sequence[float]
    words: str
    """A setting in words."""

    @abstractmethod
    def ours(self, system: System, setting: float) -> Run:
        """A whole call of Pliant."""

    @abstractmethod
    def theirs(self) -> Run:
        """A whole call of the peer; building its model is not timed."""


@dataclass(frozen=True, kw_only=True)
class Motion(Row):
    """A motion: ``System.simulate`` beside ``SolveDynamic`` of Exudyn, equal samples of positions.

    ``number`` makes the number that is compared from times and samples of ``outputs``, or of the
    sensors of ``peer()``. ``how`` gives arguments of ``simulate`` for a setting: a tolerance, or
    a step.
    """

    program: str = "Exudyn"
    how_theirs: Setting
    peer: Callable[[], Assembly]
    outputs: tuple[str, ...]
    number: Callable[[Array, Samples], Array]
    duration: float
    samples: int = 100
    settings: Sequence[float] = TOLERANCES
    how: Callable[[float], Mapping[str, Any]] = lambda rtol: {"rtol": rtol}
    words: str = "rtol {:g}"

    def ours(self, system: System, setting: float) -> Run:
        how, every = self.how(setting), self.duration / self.samples
        began = time.process_time()
        result = system.simulate(self.duration, every=every, outputs=self.outputs, **how)
        columns = [result.require().values(name) for name in self.outputs]
        whole = time.process_time() - began
        statistics = result.info["statistics"]
        found = self.number(result.time, columns)
        return Run(whole, statistics["compiled_seconds"], found, int(statistics["steps"]))

    def theirs(self) -> Run:
        seconds, t, columns = solve(self.peer(), self.how_theirs, self.duration, self.samples)
        steps = round(self.duration / self.how_theirs.step)
        return Run(seconds, seconds, self.number(t, columns), steps)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Medians of times (s), and errors, of both sides of a row."""

    row: Row
    setting: float
    ready: float
    """CPU seconds until Pliant's first call was done, and good code made."""
    ours: Run
    theirs: Run
    error: float
    peer_error: float

    @property
    def ratio(self) -> float:
        """How many times longer the peer's call took than that of Pliant."""
        return self.theirs.whole / self.ours.whole

    @property
    def loop_ratio(self) -> float:
        """How many times longer the peer's call took than the compiled loop of Pliant."""
        return self.theirs.whole / self.ours.compiled

    @property
    def agrees(self) -> bool:
        """Whether both programs found the same number."""
        return max(self.error, self.peer_error) <= self.row.agreement

    @property
    def reached(self) -> bool:
        """Whether the wanted ratio was reached at equal or better accuracy."""
        accurate = self.error <= max(self.peer_error, 1e-12)
        return self.agrees and accurate and self.loop_ratio >= self.row.wanted


def loosest(error: Callable[[float], float], settings: Sequence[float], allowed: float) -> float:
    """The loosest setting that is accurate enough, as all tighter ones are: no lucky ones."""
    chosen = min(settings)
    for setting in sorted(settings):
        if not error(setting) <= allowed:
            break
        chosen = setting
    return chosen


def play(row: Row, rounds: int) -> Outcome:
    """Both sides in turn, warm; medians of ``rounds``."""
    exact = row.exact()

    def error(run: Run) -> float:
        return float(np.abs(run.found - exact).max())

    peer_error = error(row.theirs())
    began = time.process_time()
    system = row.system()
    row.ours(system, min(row.settings))
    background.finish()
    ready = time.process_time() - began
    setting = loosest(lambda s: error(row.ours(system, s)), row.settings, peer_error)
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(row.theirs())
        ours.append(row.ours(system, setting))
    found = error(ours[-1])
    return Outcome(row, setting, ready, middle(ours), middle(theirs), found, peer_error)


def middle(runs: Sequence[Run]) -> Run:
    """Medians of the times of equal runs."""
    whole, compiled = median(r.whole for r in runs), median(r.compiled for r in runs)
    return runs[-1]._replace(whole=whole, compiled=compiled)
