"""DOP853: explicit Runge-Kutta of order 8 with error estimators of orders 5 and 3.

    y = [q | u | xs],  y' = [qdot | a | xdot] with a from the service ``accelerate``

States are projected after every step, near singular poses every stage is, and the pose itself is
hopped over (``change_point``). When watched (``auto``), it reports stiffness and steps that are
refused again and again. Source: Hairer, Norsett,
Wanner I, II.5 (method), II.6 (dense output), IV.2 (stiffness); docs/theory.
"""

from __future__ import annotations

import sys

from pliant.solve.dynamics import Dynamics
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit
from pliant.solve.machine.context import CHANGED, LEN_X, S_POWER, S_SETTLE
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.change_point import (
    forget_points,
    hold_constraints,
    hop,
    hop_length,
    last_sigma,
    mark_pose,
    prepare_stages,
    reach,
    stage_rates,
    watch_pose,
)
from pliant.solve.transient.change_points.pose_polynomial import hop_record
from pliant.solve.transient.change_points.pose_watch import begin_survey, shorter_step, take_back
from pliant.solve.transient.dense_output import EXPLICIT, HOP, open_record
from pliant.solve.transient.dop853.coefficients import STAGES, A, B, C, D
from pliant.solve.transient.dop853.control import (
    AFTER_REJECTION,
    LAST_H,
    Work,
    arrays,
    growth,
    slope,
    step_error,
    stiffness,
    work_of,
)
from pliant.solve.transient.integrator import Integrator, Settings, Stepper
from pliant.solve.transient.step_end import Room, begin, restart, settle
from pliant.solve.transient.step_size import state_rates
from pliant.solve.transient.switches.guards import (  # fmt: skip
    KEPT,
    RESTART,
    RETAKE,
    first_of_branch,
    look_at_guards,
    wanted_step,
)
from pliant.solve.transient.switches.switching import chatters, switch_at_start, switch_guards

__all__ = ["DOP853", "advance", "arrays", "start"]
ORDER = 8
CORRECTION_LIMIT = 5.0


@entry
def advance(
    address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals, record: Reals, capacity: int,
    width: int, ints: Integers, reals: Reals,
) -> int:  # fmt: skip
    """Accepted steps until the end, full records or an event (codes in ``state``)."""
    run = s.run_of(address, ic, dc, x, y, record, capacity, width, ints, reals)
    w = work_of(run)
    if ints[s.STARTED] == 0:
        code = _start(run, w)
        if code != s.ACCEPTED:
            return code
    while True:
        code = s.finished(run)
        if code == s.ACCEPTED:
            code = _step(run, w)
        if code != s.ACCEPTED:
            return code


@jit
def _rates(run: s.Run, w: Work, stage: int) -> int:
    """Slope and powers of a stage at run.x."""
    code = stage_rates(run, slope(run, w, stage))
    s.note_power(run, S_POWER, at(w.powers, 2 * stage))
    return code


@jit
def _set_work(run: s.Run, w: Work, h: float) -> None:
    """Energy given and dissipated in the step: the quadrature of the method, h sum b_i P_i."""
    for k in range(2):
        total = 0.0
        for j in range(STAGES):
            total += B[j] * w.powers[2 * j + k]
        run.reals[s.WORK + k] = h * total


@jit
def _room(w: Work) -> Room:
    return Room(w.scale, w.new, w.end)


@jit
def _start(run: s.Run, w: Work) -> int:
    """First rank decision, first slope, first step."""
    if begin(run, slope(run, w, 0), ORDER, _room(w)) != 0:
        return s.SINGULAR
    s.note_power(run, S_POWER, w.powers)
    begin_survey(run, slope(run, w, 0), run.reals[s.H])
    code = watch_pose(run, w.start, slope(run, w, 0), run.reals[s.H], 0)
    run.ints[s.STARTED] = 1
    return s.ACCEPTED if code == 0 else s.SINGULAR


@jit
def _step(run: s.Run, w: Work) -> int:
    """One accepted step."""
    n, t0 = s.state_size(run), run.x[0]
    for i in range(n):
        w.start[i] = run.x[1 + i]
    over = hop_length(run)
    if over > 0.0 and hop(run, w.start, over, w.new, w.scale):
        return _land(run, w, t0, over)
    fixed, rejected = run.reals[s.FIXED_STEP] > 0.0, 0
    for _ in range(s.MAX_REJECTIONS):
        h = wanted_step(run, reach(run), 1.01)
        if s.underflow(run, h):
            return s.FORK if run.ints[s.PASSING] == 1 else s.UNDERFLOW
        prepare_stages(run, h)
        code, error = _stages(run, w, t0, h), 1e10
        if code == 0:
            error = 0.0 if fixed else step_error(run, w, h)
        if not error <= 1e10:
            error = 1e10
        if error <= 1.0:
            run.x[0] = t0 + h
            for i in range(n):
                run.x[1 + i] = w.new[i]
            holds = hold_constraints(run)
            if holds and (fixed or s.correction_norm(run, w.new, w.scale) <= CORRECTION_LIMIT):
                code = _accept(run, w, t0, h, error)
                if code != RETAKE:
                    return code
                continue
            error = 20.0
        s.restore(run, w.start, t0)
        run.ints[s.REJECTED_STEPS] += 1
        run.ints[AFTER_REJECTION] = 1
        if fixed:
            return s.NOT_A_NUMBER if code == 0 else s.SINGULAR
        rejected += 1
        collapses = rejected == 3 and run.ints[s.PASSING] == 0 and not first_of_branch(run)
        if run.reals[s.WATCH] > 0.0 and collapses:
            return s.NEAR_SINGULAR
        run.reals[s.H] = h * (max(0.2, 0.9 * error**-0.125) if error < 1e9 else 0.2)
    return s.FORK if run.ints[s.PASSING] == 1 else s.REJECTIONS


@jit
def _land(run: s.Run, w: Work, t0: float, h: float) -> int:
    """After a hop: store it, and go on with steps that keep their stages on one side."""
    rates, before = slope(run, w, 0), last_sigma(run)
    run.reals[s.WORK], run.reals[s.WORK + 1] = 0.5 * h * w.powers[0], 0.5 * h * w.powers[1]
    if _rates(run, w, 0) != 0:
        return s.FORK
    for k in range(2):
        run.reals[s.WORK + k] += 0.5 * h * w.powers[k]
    s.copy(run.x, 0, run.ic[LEN_X], w.end)
    hop_record(run, t0, h, rates, open_record(run, t0, h, HOP))
    looked = look_at_guards(run, t0, h)
    if looked != KEPT:
        return _refuse_hop(run, w, t0, looked)
    s.copy(w.end, 0, run.ic[LEN_X], run.x)
    run.reals[s.H] = 0.5 * h if run.reals[s.FIXED_STEP] == 0.0 else run.reals[s.FIXED_STEP]
    s.call(run, S_SETTLE)
    switched = switch_guards(run)
    if switched == 1 and _rates(run, w, 0) != 0:
        return s.FORK
    code = watch_pose(run, w.start, rates, h, switched)
    mark_pose(run, before)
    return code if code != 0 else s.ACCEPTED


@jit
def _add(y: Reals, factor: float, k: Reals, n: int) -> None:
    """y += factor k."""
    for i in range(n):
        y[i] += factor * k[i]


@jit
def _stage(run: s.Run, w: Work, stage: int, t0: float, h: float) -> int:
    """Slope of a stage."""
    run.x[0] = t0 + C[stage] * h
    n, y = s.state_size(run), at(run.x, 1)
    for i in range(n):
        y[i] = w.start[i]
    for j in range(stage):
        if A[stage, j] != 0.0:
            _add(y, h * A[stage, j], slope(run, w, j), n)
    return _rates(run, w, stage)


@jit
def _stages(run: s.Run, w: Work, t0: float, h: float) -> int:
    """Slopes 2 to 12 and the new state; 0 if all were defined."""
    n = s.state_size(run)
    for stage in range(1, STAGES):
        if _stage(run, w, stage, t0, h) != 0:
            return s.SINGULAR
    for i in range(n):
        w.last_stage[i] = run.x[1 + i]
        w.new[i] = w.start[i]
    for j in range(STAGES):
        if B[j] != 0.0:
            _add(w.new, h * B[j], slope(run, w, j), n)
    return 0


@jit
def _accept(run: s.Run, w: Work, t0: float, h: float, error: float) -> int:
    """Store the projected step, decide the rank, prepare the next step."""
    _set_work(run, w, h)
    s.copy(w.third_new, 0, s.state_size(run), w.third)
    if _rates(run, w, STAGES) != 0:
        return s.SINGULAR
    s.copy(run.x, 0, run.ic[LEN_X], w.end)
    stiff = run.reals[s.WATCH] > 0.0 and stiffness(run, w, h)
    _record(run, w, t0, h)
    looked = look_at_guards(run, t0, h)
    if looked != KEPT:
        return _again(run, w, t0, looked)
    s.copy(w.end, 0, run.ic[LEN_X], run.x)
    if run.reals[s.FIXED_STEP] == 0.0:
        run.reals[s.H] = h * growth(run, h, error)
    run.ints[AFTER_REJECTION] = 0
    changed, astray = settle(run, slope(run, w, STAGES), h)
    if astray and run.reals[s.FIXED_STEP] == 0.0:
        return _take_back(run, w, t0, h)
    switched = switch_guards(run)
    if changed == 1 or switched == 1:
        if _rates(run, w, 0) != 0:
            return s.SINGULAR
        if switched == 1:
            run.reals[LAST_H] = 0.0
            restart(run, slope(run, w, 0), ORDER, _room(w))
    else:
        s.copy(slope(run, w, STAGES), 0, s.state_size(run), slope(run, w, 0))
        s.copy(w.powers, 2 * STAGES, 2, w.powers)
    code = watch_pose(run, w.start, slope(run, w, 0), h, switched)
    if code != 0:
        return s.SINGULAR if code == 1 else code
    stiff = stiff or (run.reals[s.WATCH] > 0.0 and chatters(run))
    return s.STIFF if stiff and run.ints[s.PASSING] == 0 else s.ACCEPTED


@jit
def _refuse_hop(run: s.Run, w: Work, t0: float, looked: int) -> int:
    """A condition of the model changes on the way over the pose: come closer by ordinary steps."""
    if _again(run, w, t0, looked) == s.SINGULAR or _rates(run, w, 0) != 0:
        return s.FORK
    run.reals[s.H] *= 0.5
    forget_points(run)
    return s.ACCEPTED


@jit
def _take_back(run: s.Run, w: Work, t0: float, h: float) -> int:
    """A step that ended in a singular pose: a shorter one instead."""
    take_back(run, w.start, t0)
    run.reals[s.H] = shorter_step(run, h)
    if run.ic[CHANGED] == 1:
        s.decide_rank(run)
    return s.ACCEPTED


@jit
def _again(run: s.Run, w: Work, t0: float, looked: int) -> int:
    """Back to the start of the step, whose modes may have changed."""
    s.restore(run, w.start, t0)
    if looked == RESTART:
        switch_at_start(run)
        if state_rates(run, slope(run, w, 0)) != 0:
            return s.SINGULAR
        s.note_power(run, S_POWER, w.powers)
    return RETAKE


@jit
def _record(run: s.Run, w: Work, t0: float, h: float) -> None:
    """The interpolant: three more stages, seven coefficients."""
    n = s.state_size(run)
    dense = run.reals[s.DENSE] > 0.0
    if dense:
        for stage in range(STAGES + 1, 16):
            if _stage(run, w, stage, t0, h) != 0:
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
                _add(target, h * D[row, j], slope(run, w, j), n)


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
