"""DOP853: explicit Runge-Kutta of order 8 with error estimators of orders 5 and 3.

    y = [q | u | xs],  y' = [qdot | a | xdot] with a from the service ``accelerate``

States are projected after every step. When watched (``auto``), it reports stiffness and the neighbourhood
of singular poses, where explicit stages are not reliable.
Source: Hairer, Norsett, Wanner I, II.5 (method), II.6 (dense output), IV.2 (stiffness);
design/dae-solver.md 3.7, 3.9.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pliant.solve.abi import Integers, Reals, jit
from pliant.solve.context import S_PIVOT, S_SETTLE
from pliant.solve.transient.dense_output import EXPLICIT, open_record
from pliant.solve.transient.dop853_coefficients import E3, E5, STAGES, A, B, C, D
from pliant.solve.transient.state import (
    ACCEPTED,
    DENSE,
    FIXED_STEP,
    JUMPED,
    MAX_REJECTIONS,
    METHOD_FLAGS,
    METHOD_WORK,
    NEAR_SINGULAR,
    NOT_A_NUMBER,
    REJECTED_STEPS,
    REJECTIONS,
    RTOL,
    SINGULAR,
    STARTED,
    STIFF,
    UNDERFLOW,
    WATCH,
    H,
    Run,
    call,
    correction_norm,
    decide_rank,
    finished,
    limited_step,
    project_step,
    state_size,
    underflow,
    weak_pivot,
)  # fmt: skip
from pliant.solve.transient.step_size import first_step, state_rates

ORDER = 8
STIFF_COUNT, CALM_COUNT, AFTER_REJECTION = METHOD_FLAGS, METHOD_FLAGS + 1, METHOD_FLAGS + 2
STABILITY_BOUND = 6.1
"""|h lambda| on the boundary of the stability region (negative real axis)."""
STIFF_STEPS = 15
PIVOT_LOOK, PIVOT_LIMIT = 0.3, 1e-2
"""Relative to the best pivot so far: stage pivots are looked at below the first; a step with one below
the second is given up."""
BEST_PIVOT = 2
CORRECTION_LIMIT = 5.0


class Work(NamedTuple):
    """Views of run.work."""

    k: Reals
    start: Reals
    new: Reals
    last_stage: Reals
    scale: Reals


def work_size(nq: int, nu: int, nx: int) -> int:
    return METHOD_WORK + 20 * (nq + nu + nx)


@jit
def _views(run: Run) -> Work:
    n = state_size(run)
    w = run.work[METHOD_WORK:]
    return Work(
        w[: 16 * n].reshape((16, n)),
        w[16 * n : 17 * n],
        w[17 * n : 18 * n],
        w[18 * n : 19 * n],
        w[19 * n : 20 * n],
    )


@jit
def advance(
    address: Integers, ic: Integers, dc: Reals, flags: Integers, work: Reals, control: Reals,
    atol: Reals, x: Reals, y: Reals, record: Reals, stats: Integers,
) -> int:  # fmt: skip
    """Accepted steps until the end, full records or an event (codes in ``state``)."""
    run = Run(address, ic, dc, flags, work, control, atol, x, y, record, stats)
    w = _views(run)
    if flags[STARTED] == 0:
        code = _start(run, w)
        if code != ACCEPTED:
            return code
    while True:
        code = finished(run)
        if code == ACCEPTED:
            code = _step(run, w)
        if code != ACCEPTED:
            return code


@jit
def _start(run: Run, w: Work) -> int:
    """First rank decision, first slope, first step."""
    decide_rank(run)
    if state_rates(run, w.k[0]) != 0:
        return SINGULAR
    run.work[H] = run.control[FIXED_STEP]
    if run.control[FIXED_STEP] == 0.0:
        run.work[H] = first_step(run, w.k[0], ORDER, w.scale, w.new)
        state_rates(run, w.k[0])
    run.flags[STARTED] = 1
    return ACCEPTED


@jit
def _step(run: Run, w: Work) -> int:
    """One accepted step."""
    n, t0 = state_size(run), run.x[0]
    for i in range(n):
        w.start[i] = run.x[1 + i]
    fixed = run.control[FIXED_STEP] > 0.0
    for attempt in range(MAX_REJECTIONS):
        h = limited_step(run, run.work[H], 1.01)
        if underflow(run, h):
            return UNDERFLOW
        run.work[BEST_PIVOT] = max(run.work[BEST_PIVOT], weak_pivot(run))
        watch = run.control[WATCH] > 0.0 and weak_pivot(run) < PIVOT_LOOK * run.work[BEST_PIVOT]
        code, error = _stages(run, w, t0, h, watch), 1e10
        if code == NEAR_SINGULAR:
            _restore(run, w, t0)
            return NEAR_SINGULAR
        if code == 0:
            error = 0.0 if fixed else _error(run, w, h)
        if not error <= 1e10:
            error = 1e10
        if error <= 1.0:
            run.x[0] = t0 + h
            for i in range(n):
                run.x[1 + i] = w.new[i]
            holds = project_step(run, 0)
            if holds and (fixed or correction_norm(run, w.new, w.scale) <= CORRECTION_LIMIT):
                return _accept(run, w, t0, h, error)
            error = 20.0
        _restore(run, w, t0)
        run.stats[REJECTED_STEPS] += 1
        run.flags[AFTER_REJECTION] = 1
        if fixed:
            return NOT_A_NUMBER if code == 0 else SINGULAR
        if run.control[WATCH] > 0.0 and attempt == 2:
            return NEAR_SINGULAR
        run.work[H] = h * (max(0.2, 0.9 * error**-0.125) if error < 1e9 else 0.2)
    return REJECTIONS


@jit
def _restore(run: Run, w: Work, t0: float) -> None:
    """run.x back to the start of the step."""
    run.x[0] = t0
    for i in range(state_size(run)):
        run.x[1 + i] = w.start[i]


@jit
def _stage(run: Run, w: Work, s: int, t0: float, h: float) -> int:
    """Slope of stage s."""
    run.x[0] = t0 + C[s] * h
    for i in range(state_size(run)):
        total = 0.0
        for j in range(s):
            total += A[s, j] * w.k[j, i]
        run.x[1 + i] = w.start[i] + h * total
    return state_rates(run, w.k[s])


@jit
def _stages(run: Run, w: Work, t0: float, h: float, watch: bool) -> int:
    """Slopes 2 to 12 and the new state; 0 if all were defined."""
    n = state_size(run)
    for s in range(1, STAGES):
        if _stage(run, w, s, t0, h) != 0:
            return SINGULAR
        if watch:
            call(run, S_PIVOT)
            if run.y[0] < PIVOT_LIMIT * run.work[BEST_PIVOT]:
                return NEAR_SINGULAR
    for i in range(n):
        w.last_stage[i] = run.x[1 + i]
        total = 0.0
        for j in range(STAGES):
            total += B[j] * w.k[j, i]
        w.new[i] = w.start[i] + h * total
    return 0


@jit
def _error(run: Run, w: Work, h: float) -> float:
    """Combined error of orders 5 and 3, in units of the tolerance."""
    n, rtol = state_size(run), run.control[RTOL]
    fifth = third = 0.0
    for i in range(n):
        e5 = e3 = 0.0
        for j in range(STAGES):
            e5 += E5[j] * w.k[j, i]
            e3 += E3[j] * w.k[j, i]
        w.scale[i] = run.atol[i] + rtol * max(abs(w.start[i]), abs(w.new[i]))
        fifth += (e5 / w.scale[i]) ** 2
        third += (e3 / w.scale[i]) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return float(abs(h) * fifth / np.sqrt((fifth + 0.01 * third) * n))


@jit
def _accept(run: Run, w: Work, t0: float, h: float, error: float) -> int:
    """Store the projected step, decide the rank, prepare the next step."""
    if state_rates(run, w.k[STAGES]) != 0:
        return SINGULAR
    end = run.x.copy()
    stiff = run.control[WATCH] > 0.0 and _stiffness(run, w, h)
    _record(run, w, t0, h, end)
    run.x[:] = end
    if run.control[FIXED_STEP] == 0.0:
        factor = 0.9 * max(error, 1e-10) ** -0.125
        largest = 1.0 if run.flags[AFTER_REJECTION] == 1 else 6.0
        run.work[H] = h * min(largest, max(0.333, factor))
    run.flags[AFTER_REJECTION] = 0
    jumped = call(run, S_SETTLE)
    if decide_rank(run) == 1 or jumped == 1:
        if state_rates(run, w.k[0]) != 0:
            return SINGULAR
    else:
        w.k[0, :] = w.k[STAGES, :]
    if jumped == 1:
        return JUMPED
    return STIFF if stiff else ACCEPTED


@jit
def _record(run: Run, w: Work, t0: float, h: float, end: Reals) -> None:
    """The interpolant: three more stages, seven coefficients."""
    n = state_size(run)
    dense = run.control[DENSE] > 0.0
    if dense:
        for s in range(STAGES + 1, 16):
            if _stage(run, w, s, t0, h) != 0:
                dense = False
    c = open_record(run, t0, h, EXPLICIT)
    for i in range(n):
        change = end[1 + i] - w.start[i]
        c[i], c[n + i] = w.start[i], change
        c[2 * n + i] = h * w.k[0, i] - change
        c[3 * n + i] = 2.0 * change - h * (w.k[STAGES, i] + w.k[0, i])
        for row in range(4):
            total = 0.0
            if dense:
                for j in range(16):
                    total += D[row, j] * w.k[j, i]
            c[(4 + row) * n + i] = h * total


@jit
def _stiffness(run: Run, w: Work, h: float) -> bool:
    """Is the step limited by stability? h |lambda| from the two slopes at the end of the step."""
    slope = distance = 0.0
    for i in range(state_size(run)):
        slope += ((w.k[STAGES, i] - w.k[STAGES - 1, i]) / w.scale[i]) ** 2
        distance += ((run.x[1 + i] - w.last_stage[i]) / w.scale[i]) ** 2
    limited = distance > 0.0 and h * np.sqrt(slope / distance) > STABILITY_BOUND
    if limited:
        run.flags[STIFF_COUNT] += 1
        run.flags[CALM_COUNT] = 0
    else:
        run.flags[CALM_COUNT] += 1
        if run.flags[CALM_COUNT] >= 6:
            run.flags[STIFF_COUNT] = 0
    if run.flags[STIFF_COUNT] >= STIFF_STEPS:
        run.flags[STIFF_COUNT] = 0
        return True
    return False
