"""Arrays of DOP853; its error, next step and stiffness.

Source: Hairer, Norsett, Wanner I, II.5 (error), IV.2 (stiffness); Gustafsson 1994 (next step).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pliant.solve.machine.abi import Reals, at, jit
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.pose_polynomial import pose_size
from pliant.solve.transient.dop853.coefficients import E3, E5, STAGES
from pliant.solve.transient.state import ATOL, RTOL, Run, state_size, vector

STIFF_COUNT, CALM_COUNT, AFTER_REJECTION = range(s.METHOD_FLAGS, s.METHOD_FLAGS + 3)
SLOPES, START, NEW, LAST_STAGE, SCALE, END, POWERS, THIRD, THIRD_NEW = range(
    s.METHOD_ARRAYS, s.METHOD_ARRAYS + 9
)
LAST_H, LAST_ERROR = range(s.METHOD_NUMBERS, s.METHOD_NUMBERS + 2)
STABILITY_BOUND = 6.1
"""|h lambda| on the boundary of the stability region (negative real axis)."""
STIFF_STEPS = 15


class Work(NamedTuple):
    """Work arrays; n = nq + nu + nx."""

    k: Reals
    """Slopes of the 16 stages (16, n)."""
    start: Reals
    new: Reals
    last_stage: Reals
    scale: Reals
    end: Reals
    """A packed vector x."""
    powers: Reals
    """Of the stages (16, 2)."""
    third: Reals
    """Squares of the errors of order 3 in the last step, in units of the tolerance."""
    third_new: Reals


def arrays(nq: int, nu: int, nx: int, m: int, x_size: int) -> dict[int, int]:
    """Sizes of the work arrays by slot."""
    n = nq + nu + nx
    return {
        SLOPES: 16 * n, START: n, NEW: n, LAST_STAGE: n, SCALE: n, END: x_size,
        s.POSE: pose_size(n), POWERS: 32, THIRD: n, THIRD_NEW: n,
    }  # fmt: skip


@jit
def work_of(run: s.Run) -> Work:
    return Work(
        s.vector(run, SLOPES), s.vector(run, START), s.vector(run, NEW), s.vector(run, LAST_STAGE),
        s.vector(run, SCALE), s.vector(run, END), s.vector(run, POWERS), s.vector(run, THIRD),
        s.vector(run, THIRD_NEW),
    )  # fmt: skip


@jit
def slope(run: s.Run, w: Work, k: int) -> Any:
    """Slope of stage k."""
    return at(w.k, k * s.state_size(run))


@jit
def step_error(run: Run, w: Work, h: float) -> float:
    """Largest error of a state in units of its tolerance.

    Errors of orders 5 and 3 are combined as e5^2 / sqrt(e5^2 + e3^2/100), for each state by itself:
    else the large e3 of a slow body would hide the e5 of a fast one, or of a current. Where the e3
    of a state passes through zero, that of the last step (e3 ~ h^3) stands for it, or steps would
    be refused for nothing.
    """
    n, rtol, last = state_size(run), run.reals[RTOL], run.reals[LAST_H]
    atol, worst, total = vector(run, ATOL), 0.0, 0.0
    shrunk = (h / last) ** 6 if last > 0.0 else 0.0
    for i in range(n):
        e5 = e3 = 0.0
        for j in range(STAGES):
            e5 += E5[j] * w.k[j * n + i]
            e3 += E3[j] * w.k[j * n + i]
        w.scale[i] = atol[i] + rtol * max(abs(w.start[i]), abs(w.new[i]))
        fifth, third = (e5 / w.scale[i]) ** 2, (e3 / w.scale[i]) ** 2
        w.third_new[i] = third
        third = max(third, shrunk * w.third[i])
        if fifth != 0.0:
            worst = max(worst, fifth * fifth / (fifth + 0.01 * third))
        total += fifth
    return float(abs(h) * np.sqrt(worst)) if total < np.inf else np.inf


@jit
def growth(run: Run, h: float, error: float) -> float:
    """Next step over this one: the smaller of the usual and the predictive controller's.

    Source: Gustafsson (1994), as in Hairer, Wanner II, IV.8 (8.24).
    """
    error = max(error, 1e-10)
    factor = 0.9 * error**-0.125
    if run.reals[LAST_H] > 0.0:
        trend = (run.reals[LAST_ERROR] / error) ** 0.125 * h / run.reals[LAST_H]
        factor = min(factor, factor * trend)
    run.reals[LAST_H], run.reals[LAST_ERROR] = h, max(error, 1e-2)
    largest = 1.0 if run.ints[AFTER_REJECTION] == 1 else 6.0
    return float(min(largest, max(0.333, factor)))


@jit
def stiffness(run: Run, w: Work, h: float) -> bool:
    """Is the step limited by stability? h |lambda| from the two slopes at the end of the step."""
    n, slope, distance = state_size(run), 0.0, 0.0
    for i in range(n):
        slope += ((w.k[STAGES * n + i] - w.k[(STAGES - 1) * n + i]) / w.scale[i]) ** 2
        distance += ((run.x[1 + i] - w.last_stage[i]) / w.scale[i]) ** 2
    limited = distance > 0.0 and h * np.sqrt(slope / distance) > STABILITY_BOUND
    if limited:
        run.ints[STIFF_COUNT] += 1
        run.ints[CALM_COUNT] = 0
    else:
        run.ints[CALM_COUNT] += 1
        if run.ints[CALM_COUNT] >= 6:
            run.ints[STIFF_COUNT] = 0
    if run.ints[STIFF_COUNT] >= STIFF_STEPS:
        run.ints[STIFF_COUNT] = 0
        return True
    return False
