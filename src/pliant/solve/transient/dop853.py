"""DOP853: explicit Runge-Kutta of order 8 with error estimators of orders 5 and 3.

    y = [q | u | xs],  y' = [qdot | a | xdot] with a from the service ``accelerate``

States are projected after every step, near singular poses every stage is, and the pose itself is
hopped over (``change_point``). When watched (``auto``), it reports stiffness and steps that are
refused again and again. Source: Hairer, Norsett,
Wanner I, II.5 (method), II.6 (dense output), IV.2 (stiffness); docs/theory.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from pliant.solve.abi import Integers, Reals, at, entry, jit
from pliant.solve.context import CHANGED, LEN_X, NX, S_SETTLE
from pliant.solve.dynamics import Dynamics
from pliant.solve.transient.change_point import (
    choose_rows,
    forget_points,
    hold_constraints,
    hop,
    hop_length,
    last_sigma,
    mark_pose,
    prepare_stages,
    reach,
    stage_rates,
    survey,
    take_back,
    watch_pose,
)
from pliant.solve.transient.dense_output import EXPLICIT, HOP, open_record
from pliant.solve.transient.dop853_coefficients import E3, E5, STAGES, A, B, C, D
from pliant.solve.transient.guards import (
    KEPT,
    RESTART,
    RETAKE,
    begin_guards,
    fresh_branch,
    look_at_guards,
    step_after_switch,
    switch_at_start,
    switch_guards,
    wanted_step,
)  # fmt: skip
from pliant.solve.transient.integrator import Integrator, Settings, Stepper
from pliant.solve.transient.pose_polynomial import hop_record, pose_size
from pliant.solve.transient.state import (
    ACCEPTED,
    ATOL,
    DENSE,
    FIXED_STEP,
    FORK,
    JUMPED,
    MAX_REJECTIONS,
    METHOD_ARRAYS,
    METHOD_FLAGS,
    METHOD_NUMBERS,
    NEAR_SINGULAR,
    NOT_A_NUMBER,
    PASSING,
    POSE,
    REJECTED_STEPS,
    REJECTIONS,
    RTOL,
    SINGULAR,
    STARTED,
    STIFF,
    UNDERFLOW,
    WATCH,
    WORK,
    H,
    Run,
    call,
    copy,
    correction_norm,
    decide_rank,
    finished,
    note_power,
    run_of,
    state_size,
    underflow,
    vector,
)  # fmt: skip
from pliant.solve.transient.step_size import first_step, state_rates

ORDER = 8
STIFF_COUNT, CALM_COUNT, AFTER_REJECTION = range(METHOD_FLAGS, METHOD_FLAGS + 3)
SLOPES, START, NEW, LAST_STAGE, SCALE, END, POWERS, THIRD, THIRD_NEW = range(
    METHOD_ARRAYS, METHOD_ARRAYS + 9
)
LAST_H, LAST_ERROR = range(METHOD_NUMBERS, METHOD_NUMBERS + 2)
STABILITY_BOUND = 6.1
"""|h lambda| on the boundary of the stability region (negative real axis)."""
STIFF_STEPS = 15
CORRECTION_LIMIT = 5.0


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
        SLOPES: 16 * n, START: n, NEW: n, LAST_STAGE: n, SCALE: n, END: x_size, POSE: pose_size(n),
        POWERS: 32, THIRD: n, THIRD_NEW: n,
    }  # fmt: skip


@jit
def _work(run: Run) -> Work:
    return Work(
        vector(run, SLOPES),
        vector(run, START),
        vector(run, NEW),
        vector(run, LAST_STAGE),
        vector(run, SCALE),
        vector(run, END),
        vector(run, POWERS),
        vector(run, THIRD),
        vector(run, THIRD_NEW),
    )


@entry
def advance(
    address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals, record: Reals, capacity: int,
    width: int, ints: Integers, reals: Reals,
) -> int:  # fmt: skip
    """Accepted steps until the end, full records or an event (codes in ``state``)."""
    run = run_of(address, ic, dc, x, y, record, capacity, width, ints, reals)
    w = _work(run)
    if ints[STARTED] == 0:
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
def _row(run: Run, w: Work, k: int) -> Any:
    """Slope of stage k."""
    return at(w.k, k * state_size(run))


@jit
def _rates(run: Run, w: Work, s: int) -> int:
    """Slope and powers of stage s at run.x."""
    code = stage_rates(run, _row(run, w, s))
    note_power(run, at(w.powers, 2 * s))
    return code


@jit
def _set_work(run: Run, w: Work, h: float) -> None:
    """Energy given and dissipated in the step: the quadrature of the method, h sum b_i P_i."""
    for k in range(2):
        total = 0.0
        for j in range(STAGES):
            total += B[j] * w.powers[2 * j + k]
        run.reals[WORK + k] = h * total


@jit
def _start(run: Run, w: Work) -> int:
    """First rank decision, first slope, first step."""
    decide_rank(run)
    begin_guards(run)
    if _rates(run, w, 0) != 0:
        return SINGULAR
    run.reals[H] = run.reals[FIXED_STEP]
    if run.reals[FIXED_STEP] == 0.0:
        run.reals[H] = first_step(run, _row(run, w, 0), ORDER, w.scale, w.new, w.end)
        state_rates(run, _row(run, w, 0))
    survey(run, _row(run, w, 0), run.reals[H])
    code = watch_pose(run, w.start, _row(run, w, 0), run.reals[H], 0)
    run.ints[STARTED] = 1
    return ACCEPTED if code == 0 else SINGULAR


@jit
def _step(run: Run, w: Work) -> int:
    """One accepted step."""
    n, t0 = state_size(run), run.x[0]
    for i in range(n):
        w.start[i] = run.x[1 + i]
    over = hop_length(run)
    if over > 0.0 and hop(run, w.start, over, w.new, w.scale):
        return _land(run, w, t0, over)
    fixed, rejected = run.reals[FIXED_STEP] > 0.0, 0
    for _ in range(MAX_REJECTIONS):
        h = wanted_step(run, reach(run), 1.01)
        if underflow(run, h):
            return FORK if run.ints[PASSING] == 1 else UNDERFLOW
        prepare_stages(run, h)
        code, error = _stages(run, w, t0, h), 1e10
        if code == 0:
            error = 0.0 if fixed else _error(run, w, h)
        if not error <= 1e10:
            error = 1e10
        if error <= 1.0:
            run.x[0] = t0 + h
            for i in range(n):
                run.x[1 + i] = w.new[i]
            holds = hold_constraints(run)
            if holds and (fixed or correction_norm(run, w.new, w.scale) <= CORRECTION_LIMIT):
                code = _accept(run, w, t0, h, error)
                if code != RETAKE:
                    return code
                continue
            error = 20.0
        _restore(run, w, t0)
        run.ints[REJECTED_STEPS] += 1
        run.ints[AFTER_REJECTION] = 1
        if fixed:
            return NOT_A_NUMBER if code == 0 else SINGULAR
        rejected += 1
        collapses = rejected == 3 and run.ints[PASSING] == 0 and not fresh_branch(run)
        if run.reals[WATCH] > 0.0 and collapses:
            return NEAR_SINGULAR
        run.reals[H] = h * (max(0.2, 0.9 * error**-0.125) if error < 1e9 else 0.2)
    return FORK if run.ints[PASSING] == 1 else REJECTIONS


@jit
def _land(run: Run, w: Work, t0: float, h: float) -> int:
    """After a hop: store it, and go on with steps that keep their stages on one side."""
    rates, before = _row(run, w, 0), last_sigma(run)
    run.reals[WORK], run.reals[WORK + 1] = 0.5 * h * w.powers[0], 0.5 * h * w.powers[1]
    if _rates(run, w, 0) != 0:
        return FORK
    for k in range(2):
        run.reals[WORK + k] += 0.5 * h * w.powers[k]
    copy(run.x, 0, run.ic[LEN_X], w.end)
    hop_record(run, t0, h, rates, open_record(run, t0, h, HOP))
    looked = look_at_guards(run, t0, h)
    if looked != KEPT:
        return _refuse_hop(run, w, t0, looked)
    copy(w.end, 0, run.ic[LEN_X], run.x)
    run.reals[H] = 0.5 * h if run.reals[FIXED_STEP] == 0.0 else run.reals[FIXED_STEP]
    jumped, switched = call(run, S_SETTLE), switch_guards(run)
    if (jumped == 1 or switched == 1) and _rates(run, w, 0) != 0:
        return FORK
    code = watch_pose(run, w.start, rates, h, max(jumped, switched))
    mark_pose(run, before)
    if code != 0:
        return code
    return JUMPED if jumped == 1 else ACCEPTED


@jit
def _restore(run: Run, w: Work, t0: float) -> None:
    """run.x back to the start of the step."""
    run.x[0] = t0
    for i in range(state_size(run)):
        run.x[1 + i] = w.start[i]


@jit
def _add(y: Reals, factor: float, k: Reals, n: int) -> None:
    """y += factor k."""
    for i in range(n):
        y[i] += factor * k[i]


@jit
def _stage(run: Run, w: Work, s: int, t0: float, h: float) -> int:
    """Slope of stage s."""
    run.x[0] = t0 + C[s] * h
    n, y = state_size(run), at(run.x, 1)
    for i in range(n):
        y[i] = w.start[i]
    for j in range(s):
        if A[s, j] != 0.0:
            _add(y, h * A[s, j], _row(run, w, j), n)
    return _rates(run, w, s)


@jit
def _stages(run: Run, w: Work, t0: float, h: float) -> int:
    """Slopes 2 to 12 and the new state; 0 if all were defined."""
    n = state_size(run)
    for s in range(1, STAGES):
        if _stage(run, w, s, t0, h) != 0:
            return SINGULAR
    for i in range(n):
        w.last_stage[i] = run.x[1 + i]
        w.new[i] = w.start[i]
    for j in range(STAGES):
        if B[j] != 0.0:
            _add(w.new, h * B[j], _row(run, w, j), n)
    return 0


@jit
def _error(run: Run, w: Work, h: float) -> float:
    """RMS of the errors of the states, in units of the tolerance.

    Errors of orders 5 and 3 are combined as e5^2 / sqrt(e5^2 + e3^2/100), over all of the
    mechanics at once and for each state of a network by itself: else the large e3 of the mechanics
    would hide the e5 of a fast current.
    """
    n, rtol = state_size(run), run.reals[RTOL]
    mechanical = n - run.ic[NX]
    atol, total, fifth, third = vector(run, ATOL), 0.0, 0.0, 0.0
    for i in range(n):
        e5 = e3 = 0.0
        for j in range(STAGES):
            e5 += E5[j] * w.k[j * n + i]
            e3 += E3[j] * w.k[j * n + i]
        w.scale[i] = atol[i] + rtol * max(abs(w.start[i]), abs(w.new[i]))
        fifth += (e5 / w.scale[i]) ** 2
        third += (e3 / w.scale[i]) ** 2
        if i >= mechanical - 1:
            w.third_new[i] = third
            if fifth != 0.0:
                total += _combined(run, w, h, i, fifth, third)
            fifth = third = 0.0
    return float(abs(h) * np.sqrt(total / max(n, 1)))


@jit
def _combined(run: Run, w: Work, h: float, i: int, fifth: float, third: float) -> float:
    """Square of the combined error of the mechanics or of a state i of a network.

    Where the e3 of a single state passes through zero, that of the last step (e3 ~ h^3) stands for
    it, or steps would be refused for nothing.
    """
    if i >= state_size(run) - run.ic[NX] and run.reals[LAST_H] > 0.0:
        third = max(third, (h / run.reals[LAST_H]) ** 6 * w.third[i])
    return fifth * fifth / (fifth + 0.01 * third)


@jit
def _accept(run: Run, w: Work, t0: float, h: float, error: float) -> int:
    """Store the projected step, decide the rank, prepare the next step."""
    _set_work(run, w, h)
    copy(w.third_new, 0, state_size(run), w.third)
    if _rates(run, w, STAGES) != 0:
        return SINGULAR
    copy(run.x, 0, run.ic[LEN_X], w.end)
    stiff = run.reals[WATCH] > 0.0 and _stiffness(run, w, h)
    _record(run, w, t0, h)
    looked = look_at_guards(run, t0, h)
    if looked != KEPT:
        return _again(run, w, t0, looked)
    copy(w.end, 0, run.ic[LEN_X], run.x)
    if run.reals[FIXED_STEP] == 0.0:
        run.reals[H] = h * _growth(run, h, error)
    run.ints[AFTER_REJECTION] = 0
    jumped = call(run, S_SETTLE)
    changed = choose_rows(run)
    over = run.ints[PASSING] == 0 and survey(run, _row(run, w, STAGES), h)
    if over and jumped == 0 and run.reals[FIXED_STEP] == 0.0:
        return _take_back(run, w, t0, h)
    switched = switch_guards(run)
    if changed == 1 or jumped == 1 or switched == 1:
        if _rates(run, w, 0) != 0:
            return SINGULAR
        if switched == 1:
            _restart(run, w)
    else:
        copy(_row(run, w, STAGES), 0, state_size(run), _row(run, w, 0))
        copy(w.powers, 2 * STAGES, 2, w.powers)
    code = watch_pose(run, w.start, _row(run, w, 0), h, max(jumped, switched))
    if code != 0:
        return SINGULAR if code == 1 else code
    if jumped == 1:
        return JUMPED
    return STIFF if stiff and run.ints[PASSING] == 0 else ACCEPTED


@jit
def _refuse_hop(run: Run, w: Work, t0: float, looked: int) -> int:
    """A condition of the model changes on the way over the pose: come closer by ordinary steps."""
    if _again(run, w, t0, looked) == SINGULAR or _rates(run, w, 0) != 0:
        return FORK
    run.reals[H] *= 0.5
    forget_points(run)
    return ACCEPTED


@jit
def _take_back(run: Run, w: Work, t0: float, h: float) -> int:
    """A step that ended in a singular pose: a shorter one instead."""
    take_back(run, w.start, t0)
    run.reals[H] = 0.4 * h
    if run.ic[CHANGED] == 1:
        decide_rank(run)
    return ACCEPTED


@jit
def _again(run: Run, w: Work, t0: float, looked: int) -> int:
    """Back to the start of the step, whose modes may have changed."""
    _restore(run, w, t0)
    if looked == RESTART:
        switch_at_start(run)
        if state_rates(run, _row(run, w, 0)) != 0:
            return SINGULAR
        note_power(run, w.powers)
    return RETAKE


@jit
def _restart(run: Run, w: Work) -> None:
    """The first step of a new branch."""
    run.reals[LAST_H], run.reals[H] = 0.0, step_after_switch(run)
    if run.reals[H] == 0.0:
        run.reals[H] = first_step(run, _row(run, w, 0), ORDER, w.scale, w.new, w.end)
        state_rates(run, _row(run, w, 0))


@jit
def _growth(run: Run, h: float, error: float) -> float:
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
def _record(run: Run, w: Work, t0: float, h: float) -> None:
    """The interpolant: three more stages, seven coefficients."""
    n = state_size(run)
    dense = run.reals[DENSE] > 0.0
    if dense:
        for s in range(STAGES + 1, 16):
            if _stage(run, w, s, t0, h) != 0:
                dense = False
    c = open_record(run, t0, h, EXPLICIT)
    for i in range(n):
        change = w.end[1 + i] - w.start[i]
        c[i], c[n + i] = w.start[i], change
        c[2 * n + i] = h * w.k[i] - change
        c[3 * n + i] = 2.0 * change - h * (w.k[STAGES * n + i] + w.k[i])
    for row in range(4):
        target = at(c, (4 + row) * n)
        for i in range(n):
            target[i] = 0.0
        for j in range(16):
            if dense and D[row, j] != 0.0:
                _add(target, h * D[row, j], _row(run, w, j), n)


@jit
def _stiffness(run: Run, w: Work, h: float) -> bool:
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


def start(integrator: Integrator, dynamics: Dynamics, x0: Reals, settings: Settings) -> Stepper:
    return Stepper(integrator, sys.modules[__name__], dynamics, x0, settings)


DOP853 = Integrator(
    name="dop853",
    order=ORDER,
    needs=frozenset(("rank", "accelerate", "project", "settle")),
    adaptive=True,
    implicit=False,
    description="explicit Runge-Kutta of order 8 (Dormand-Prince); for non-stiff motion",
    start=start,
)
