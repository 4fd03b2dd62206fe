"""Error, next step and stiffness of DOP853.

Source: Hairer, Norsett, Wanner I, II.5 (error), IV.2 (stiffness); Gustafsson 1994 (next step).
"""

from __future__ import annotations

import numpy as np

from pliant.solve.abi import jit
from pliant.solve.transient.dop853_coefficients import E3, E5, STAGES
from pliant.solve.transient.dop853_work import (
    AFTER_REJECTION,
    CALM_COUNT,
    LAST_ERROR,
    LAST_H,
    STIFF_COUNT,
    Work,
)  # fmt: skip
from pliant.solve.transient.state import ATOL, RTOL, Run, state_size, vector

STABILITY_BOUND = 6.1
"""|h lambda| on the boundary of the stability region (negative real axis)."""
STIFF_STEPS = 15
REMEMBERED = 0.5
"""Part of an error of order 3 that is remembered in the next step."""


@jit
def step_error(run: Run, w: Work, h: float) -> float:
    """RMS of the errors of the states, in units of the tolerance.

    Of each state by itself the errors of orders 5 and 3 are combined as e5^2 / sqrt(e5^2 +
    e3^2/100), whose order is 7. Sums over all states in the place of e5 and e3, as in the book,
    let the large e3 of slow states hide the e5 of a fast one: the current of a motor beside the
    mechanism it drives, which is long accurate in steps that are too long for the current.

    The e3 of a single state passes through zero now and then, where its e5 alone would refuse
    steps for nothing. So e3 (which grows as h^3) is remembered from step to step, and halved.
    """
    n, rtol, last = state_size(run), run.reals[RTOL], run.reals[LAST_H]
    kept = REMEMBERED**2 * (h / last) ** 6 if last > 0.0 else 0.0
    atol, total = vector(run, ATOL), 0.0
    for i in range(n):
        e5 = e3 = 0.0
        for j in range(STAGES):
            e5 += E5[j] * w.k[j * n + i]
            e3 += E3[j] * w.k[j * n + i]
        w.scale[i] = atol[i] + rtol * max(abs(w.start[i]), abs(w.new[i]))
        fifth, third = (e5 / w.scale[i]) ** 2, (e3 / w.scale[i]) ** 2
        w.third_new[i] = max(third, kept * w.third[i])
        if fifth != 0.0:
            total += fifth * fifth / (fifth + 0.01 * w.third_new[i])
    return float(abs(h) * np.sqrt(total / max(n, 1)))


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
