"""A sweep beside another program: 1000 torques of the slider-crank, `System.sweep` against
`ParameterVariation` of Exudyn, one processor each.

A call of Exudyn builds its model anew for every run, as its users do; that is timed apart. Pliant
is at the loosest tolerance whose largest error of all runs, like that of all tighter ones, is no
larger than Exudyn's.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

import numpy as np

from benchmarks.case import TOLERANCES, loosest
from benchmarks.exudyn_peer import Setting, solve
from benchmarks.mechanisms import exudyn_slider_crank, slider_crank
from pliant.arrays import Array
from pliant.system import System

LOW, HIGH, OUTPUT = 0.5, 2.0, "slider.position"
MORE = 50
"""How many times as many runs are shared out: starting two processes takes seconds."""
EXACT = 1e-12
"""Relative tolerance of the runs that errors are taken against."""


@dataclass(frozen=True, slots=True)
class Beside:
    """So many runs of a duration, sampled so often; ``wanted``: ratio of whole calls."""

    name: str
    title: str
    runs: int
    how: Setting
    wanted: float
    duration: float = 1.0
    samples: int = 100
    program: str = "Exudyn"

    def ours(
        self, system: System, rtol: float, workers: int = 1, times: int = 1
    ) -> tuple[float, Array]:
        """Seconds of a whole call, and where the slider was at the samples of every run."""
        began = time.process_time()
        found = system.sweep({"T": f"{LOW}..{HIGH}"}, samples=times * self.runs, outputs=[OUTPUT],
                             t_end=self.duration, every=self.duration / self.samples, rtol=rtol,
                             workers=workers)  # fmt: skip
        values = found.values(f"{OUTPUT}.x")
        return time.process_time() - began, values

    def shared(self, system: System, rtol: float, workers: int) -> tuple[float, float]:
        """Seconds that go by for ``MORE`` times as many runs in so many processes, and those that
        all of them compute."""
        began, before = time.perf_counter(), _computing()
        self.ours(system, rtol, workers, MORE)
        return time.perf_counter() - began, _computing() - before

    def theirs(self) -> tuple[float, float, Array]:
        """Seconds of a whole call, those of building models in it, and the same samples."""
        import exudyn.processing

        spent: list[float] = []

        def one(given: dict[str, Any]) -> Array:
            began = time.process_time()
            assembly = exudyn_slider_crank(given["T"])
            spent.append(time.process_time() - began)
            _, _, columns = solve(assembly, self.how, self.duration, self.samples)
            values: Array = columns[0][:, 0]
            return values

        began = time.process_time()
        _, values = exudyn.processing.ParameterVariation(
            one, {"T": (LOW, HIGH, self.runs)}, showProgress=False
        )
        return time.process_time() - began, sum(spent), np.array(values)


@dataclass(frozen=True, slots=True)
class Both:
    """CPU seconds of whole calls, of building in that of the peer, until ours was ready; of more
    runs of ours in one and in two processes the seconds that went by and those of all processors;
    largest errors of all samples."""

    case: Beside
    rtol: float
    ours: float
    theirs: float
    building: float
    one: tuple[float, float]
    two: tuple[float, float]
    ready: float
    error: float
    peer_error: float

    @property
    def ratio(self) -> float:
        """How many times longer the peer's call took, without building models."""
        return (self.theirs - self.building) / self.ours

    @property
    def whole_ratio(self) -> float:
        """The same with building them."""
        return self.theirs / self.ours

    @property
    def faster(self) -> float:
        """How many times sooner two processes were done."""
        return self.one[0] / self.two[0]

    @property
    def processors(self) -> float:
        """How many processors these two had, of two: fewer, if something else runs."""
        return self.two[1] / self.two[0]

    @property
    def share(self) -> float:
        """How many times less each of two processes computed: what they gain if nothing else
        runs, their starts apart."""
        return 2 * self.one[1] / self.two[1]

    @property
    def agrees(self) -> bool:
        """Whether ours is no less exact."""
        return self.error <= self.peer_error

    def __str__(self) -> str:
        return (f"{self.theirs:.2f} s ({self.building:.2f} s of it building) against "
                f"{self.ours:.2f} s at rtol {self.rtol:g}: ratio {self.ratio:.3g}, with building "
                f"{self.whole_ratio:.3g} (wanted {self.case.wanted:g}); errors "
                f"{self.peer_error:.1e} and {self.error:.1e}; {MORE} times as many runs in two "
                f"processes {self.faster:.2f} times as fast ({self.one[0]:.1f} s, "
                f"{self.two[0]:.1f} s) on {self.processors:.1f} processors, each "
                f"{self.share:.2f} times less work")  # fmt: skip


def beside(case: Beside, rounds: int = 3) -> Both:
    """Medians of calls in turn."""
    began = time.process_time()
    system = slider_crank()
    system.sweep({"T": f"{LOW}..{HIGH}"}, samples=3, outputs=[OUTPUT], t_end=case.duration)
    ready = time.process_time() - began
    _, exact = case.ours(system, EXACT)
    whole, building, values = case.theirs()
    peer_error = _error(values, exact)
    errors = cache(lambda rtol: _error(case.ours(system, rtol)[1], exact))
    rtol = loosest(errors, TOLERANCES, peer_error)
    error = errors(rtol)
    theirs, ours = [(whole, building)], []
    for _ in range(rounds):
        ours.append(case.ours(system, rtol)[0])
        theirs.append(case.theirs()[:2])
    whole, building = sorted(theirs)[len(theirs) // 2]
    one, two = (case.shared(system, rtol, count) for count in (1, 2))
    return Both(case, rtol, median(ours), whole, building, one, two, ready, error, peer_error)


def _computing() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system


def _error(values: Array, exact: Array) -> float:
    """Largest of all samples; the peer leaves the first one out."""
    return float(np.abs(values[:, -exact.shape[1] + 1 :] - exact[:, 1:]).max())


CASES = (
    Beside("sweep_beside_exudyn", "slider-crank of 0.5 kg, 1000 torques, 100 samples, 1 s", 1000,
           Setting("planar bodies", 1e-3), 40),
)  # fmt: skip
