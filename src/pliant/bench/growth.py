"""Time per implicit step as a system grows: beams and finite segments of the spin-up. No peer.

The step is 2.5 ms, from rest; Newton's method goes to 1e-10. The linear residual is |b - A d|/|b|
of Newton's first system in the last step: rounding leaves about eps |A| |d| of it whatever the
solver. The error is that of the whole motion over 8 s at a step of 50 ms, for some sizes: against
the certified solution, so that it shows discretisation, step and rounding together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pliant.bench.block_beams import Mesh
from pliant.bench.spin_up import Model, beam, segments, spin
from pliant.engine import tiers
from pliant.solve.abi import Compiled
from pliant.solve.sparse.transient import Integration

STEP, LONG_STEP = 2.5e-3, 0.05
_WORK = 40_000
"""Elements times steps of a timed run, at least four steps."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A family of systems. ``checked``: sizes whose error is computed."""

    name: str
    title: str
    sizes: tuple[int, ...]
    checked: tuple[int, ...]
    build: Callable[[int], Model]
    exponent: float = 1.15
    """Time per step may grow with this power of the size; cache misses are in it."""
    residual: float = 1e-8


@dataclass(frozen=True, slots=True)
class Size:
    """One of them: seconds and Newton iterations per step, linear residual, error if known."""

    elements: int
    seconds: float
    iterations: float
    residual: float
    error: float | None


@dataclass(frozen=True, slots=True)
class Grown:
    """All sizes of a family."""

    case: Growth
    sizes: tuple[Size, ...]

    @property
    def exponent(self) -> float:
        """Power of the size that the time per Newton iteration goes with."""
        n = np.log([s.elements for s in self.sizes])
        t = np.log([s.seconds / s.iterations for s in self.sizes])
        return float(np.polyfit(n, t, 1)[0])

    @property
    def reached(self) -> bool:
        """Whether time is linear and systems are solved as accurately as wanted."""
        exact = all(s.residual <= self.case.residual for s in self.sizes)
        return exact and self.exponent <= self.case.exponent


def grow(case: Growth, rounds: int) -> Grown:
    """All sizes, each the best of ``rounds`` runs of some steps."""
    return Grown(case, tuple(_size(case, n, rounds) for n in case.sizes))


def _size(case: Growth, n: int, rounds: int) -> Size:
    model = case.build(n)
    system, q, *_ = model
    integration = Integration(system, q, step=STEP)
    integration.run(2)
    tiers.finish()
    found = []
    for _ in range(rounds):
        steps = max(4, _WORK // n)
        began = Compiled.seconds
        motion = integration.run(steps)
        found.append(((Compiled.seconds - began) / steps, motion.iterations / steps))
    seconds, iterations = min(found)
    error = spin(model, LONG_STEP).error if n in case.checked else None
    return Size(n, seconds, iterations, integration.linear_residual(), error)


CASES = (
    Growth(
        "growth_beam", "exact beam elements of two nodes", (10, 100, 1000, 10_000),
        (10, 100, 1000, 10_000), lambda n: beam(Mesh(n, 1)),
    ),
    Growth(
        "growth_segments", "rigid segments", (10, 100, 1000, 10_000, 100_000),
        (10, 100, 1000, 10_000), segments,
    ),
)  # fmt: skip
