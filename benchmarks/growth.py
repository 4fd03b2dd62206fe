"""Time per implicit step as a system grows: exact beams and finite segments of the spin-up.

From rest, steps of 2.5 ms by ``sparse-alpha``. The error is that of the whole motion over 8 s at a
step of 50 ms against the certified solution: it shows discretisation, step and rounding together.
There is no peer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from benchmarks.beams import SPIN_UP, exact_blade, how, segmented_blade, transverse
from pliant.code import background
from pliant.system import System

STEP, LONG_STEP, SAMPLE = 2.5e-3, 0.05, 0.5
STEPS = 80
"""Of a timed call: the start of its integration is in them."""
TIP = "blade.tip.position"


@dataclass(frozen=True, slots=True)
class Growth:
    """A family of systems by number of elements.

    ``exponent``: time per Newton iteration may grow with this power; cache misses are in it.
    ``duration``: of the motion whose error is computed.
    """

    name: str
    title: str
    sizes: tuple[int, ...]
    system: Callable[[int], System]
    exponent: float = 1.15
    duration: float = 8.0


@dataclass(frozen=True, slots=True)
class Size:
    """One of them: CPU seconds of a whole call, of the compiled loop, iterations, error."""

    elements: int
    whole: float
    compiled: float
    iterations: int
    error: float


@dataclass(frozen=True, slots=True)
class Grown:
    """All sizes of a family."""

    case: Growth
    sizes: tuple[Size, ...]

    @property
    def exponent(self) -> float:
        """Power of the size that the time per Newton iteration goes with."""
        n = np.log([s.elements for s in self.sizes])
        t = np.log([s.compiled / s.iterations for s in self.sizes])
        return float(np.polyfit(n, t, 1)[0])

    @property
    def reached(self) -> bool:
        """Whether time is linear."""
        return self.exponent <= self.case.exponent


def grow(case: Growth, rounds: int) -> Grown:
    """All sizes, each the median of ``rounds`` calls."""
    return Grown(case, tuple(size(case, n, rounds) for n in case.sizes))


def size(case: Growth, n: int, rounds: int) -> Size:
    """A system of n elements."""
    system, end = case.system(n), STEPS * STEP
    error = _error(case, system)
    background.finish()
    wholes, insides = [], []
    for _ in range(rounds):
        began = time.process_time()
        result = system.simulate(end, every=end, outputs=[TIP], **how(STEP)).require()
        wholes.append(time.process_time() - began)
        statistics = result.info["statistics"]
        insides.append(statistics["compiled_seconds"])
    iterations = int(statistics["iterations"])
    return Size(n, median(wholes), median(insides), iterations, error)


def _error(case: Growth, system: System) -> float:
    result = system.simulate(case.duration, every=SAMPLE, outputs=[TIP], **how(LONG_STEP))
    found = transverse(result.require().time, [result.values(TIP)])
    return float(np.abs(found - SPIN_UP[: len(found)]).max())


CASES = (
    Growth("growth_beam", "exact beam elements of two nodes", (10, 100, 1000), exact_blade),
    Growth("growth_segments", "rigid segments", (10, 100, 1000), segmented_blade),
)
