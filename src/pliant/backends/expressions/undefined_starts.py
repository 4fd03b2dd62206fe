"""Starts at which something is not defined: directions of springs, rates of drivers,
accelerations of what has no mass.

With a free length, damping or a law the direction of a spring whose ends coincide is noise. A
prescribed motion may begin with an infinite rate, as √t does at t = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, StepError
from pliant.mechanics.layout import PoseAndTwist
from pliant.mechanics.placed import Placed
from pliant.model.formulas import Formula
from pliant.solve.start.redundancy import motions_without_inertia

if TYPE_CHECKING:
    from pliant.code.compiled import CompiledEquations
    from pliant.study import Study


_ROUNDING = 1e-10
"""Of the distance from the origin and of assembly, relative; 1e-12 m of assembly besides."""
_AFTER = (1e-5, 1e-7, 1e-9)
"""Parts of the run at which the mean rate from its start is looked at."""
_GROWS = 5.0
"""Factor by which the mean rate grows from one to the next: t^0.65 and below."""
_SEEN = 1e-8
"""Of its largest value: what it goes by the last of these times, √t by 3e-5, rounding by 1e-16."""


def refuse_without_direction(
    system: Study, bodies: Mapping[str, PoseAndTwist], params: Mapping[str, Any] | None, t: float
) -> None:
    """Raise StepError if a spring begins with two ends in one place (rigid bodies and ground).

    The line between ends that a joint holds together is rounding error: it would turn at random
    from step to step.
    """
    placed = Placed(system.values(params), bodies)
    elastic = {name for name, own in bodies.items() if len(own.elastic)}
    for s in system.model.forces.values():
        why, ends = s.undefined_at_zero(placed.values.number), s.line
        if not why or not elastic.isdisjoint(end.partition(".")[0] for end in ends):
            continue
        if _coincide(*(placed.frame(end).p_WP for end in ends)):
            raise StepError(f"t = {t:.6g} s: {s.kind} '{s.name}': {why}")


def refuse_undetermined(compiled: CompiledEquations, x: Array, p: Array) -> None:
    """A motion without mass or constraint has no acceleration: say whose it is."""
    free = motions_without_inertia(compiled, x, p)
    if free:
        bodies = ", ".join(f"'{name.removesuffix('.free')}'" for name in free)
        raise InputError(
            f"the motion of {bodies} is not determined: nothing with mass or inertia moves there",
            "give the body mass and inertia, or hold it by a joint",
        )


def _coincide(a: Array, b: Array) -> bool:
    size = float(max(np.abs(a).max(), np.abs(b).max()))
    return bool(np.linalg.norm(b - a) <= 1e-12 + _ROUNDING * size)


def refuse_infinite_rates(
    system: Study, params: Mapping[str, Any] | None, start: float, end: float
) -> None:
    """Raise InputError if a position is prescribed that leaves its start infinitely fast."""
    drivers = system.model.drivers
    values = system.values(params).parameters if drivers else {}
    for name, driver in drivers.items():
        for formula in driver.positions if driver.level == "position" else ():
            if formula.names <= {"t", *values} and _leaps(formula, values, start, end - start):
                raise InputError(
                    f"t = {start:.6g} s: driver '{name}': the rate of {formula.text} is not finite",
                    "begin with a finite rate (smoothstep, spline)",
                )


def _leaps(formula: Formula, values: Mapping[str, float], start: float, span: float) -> bool:
    """Whether (f(t + h) - f(t)) / h grows without bound as h shrinks."""

    def way(part: float) -> float:
        return formula.number({**values, "t": start + part * span})

    gone = [abs(way(part) - way(0.0)) for part in _AFTER]
    rates = [g / part for g, part in zip(gone, _AFTER, strict=True)]
    seen = gone[-1] > _SEEN * max(abs(way(part)) for part in (0.0, 0.01, 0.1, 0.5, 1.0))
    return bool(seen and rates[1] > _GROWS * rates[0] and rates[2] > _GROWS * rates[1])
