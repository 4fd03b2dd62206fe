"""Radau IIA of order 5 on the constrained equations, adaptive.

Index 1 (acceleration constraint at the stages) with projection after every step; with the
treatment ``direct`` the index-2 form (velocity constraint at the stages). Unknowns of a step are
the stage increments Z of u and xs and the stage multipliers; q_i = q0 + h sum_j A_ij qdot(q_j,
u_j) is iterated along. Multipliers enter no norm. Source: Hairer, Wanner II, IV.8;
docs/theory (what was measured).
"""

from __future__ import annotations

import sys
from typing import Any

from pliant.solve.dynamics import Dynamics
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.change_point import reach
from pliant.solve.transient.change_points.passage import PassingStepper
from pliant.solve.transient.change_points.pose_watch import begin_survey, near_pose, take_back
from pliant.solve.transient.dense_output import hermite_record, knot
from pliant.solve.transient.integrator import Integrator, Settings, Stepper
from pliant.solve.transient.radau import work as r
from pliant.solve.transient.radau.stages import (
    after_divergence,
    load_whole_stage,
    newton,
    next_step,
    set_scale,
    step_error,
)
from pliant.solve.transient.radau.work import (
    A_INVERSE,
    MU_COMPLEX,
    MU_REAL,
    A,
    Work,
    arrays,
    work_of,
)
from pliant.solve.transient.step_end import Room, begin, restart, settle
from pliant.solve.transient.step_size import state_rates
from pliant.solve.transient.switches.guards import (  # fmt: skip
    KEPT,
    RESTART,
    RETAKE,
    look_at_guards,
    wanted_step,
)
from pliant.solve.transient.switches.switching import switch_at_start, switch_guards

__all__ = ["RADAU", "advance", "arrays", "start"]
ORDER = 5
CORRECTION_LIMIT = 2.0


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
def _room(w: Work) -> Room:
    return Room(w.scale, w.before, w.buffer)


@jit
def _start(run: s.Run, w: Work) -> int:
    if begin(run, w.rates, ORDER, _room(w)) != 0:
        return s.SINGULAR
    _read_state(run, w)
    knot(run, _state_rates(run, w), w.knot)
    run.ints[r.NEED_JACOBIAN], run.ints[r.HISTORY] = 1, 0
    run.reals[r.THETA], run.reals[r.STAGE_RATE] = 1e-3, 1.0
    run.reals[r.ERROR_OLD], run.reals[r.H_OLD] = 1e-2, run.reals[s.H]
    run.ints[s.STARTED] = 1
    begin_survey(run, w.rates, run.reals[s.H])
    return s.NEAR_SINGULAR if near_pose(run) else s.ACCEPTED


@jit
def _state_rates(run: s.Run, w: Work) -> Any:
    """xs' of the start of the step."""
    return at(w.rates, run.ic[c.NQ] + run.ic[c.NU])


@jit
def _read_state(run: s.Run, w: Work) -> None:
    """Start of a step: [q | u | xs], their rates (a included) and lam, from run.x."""
    nq, nu, nx = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX]
    n = nq + nu + nx
    for i in range(n):
        w.start[i] = run.x[1 + i]
    for i in range(nu):
        w.rates[nq + i] = run.x[1 + n + i]
    for i in range(run.ic[c.NC]):
        w.lam[i] = run.x[1 + n + nu + i]


@jit
def _restore(run: s.Run, w: Work, t0: float) -> None:
    """run.x back to the start of the step."""
    nq, nu, n = run.ic[c.NQ], run.ic[c.NU], s.state_size(run)
    s.restore(run, w.start, t0)
    for i in range(nu):
        run.x[1 + n + i] = w.rates[nq + i]
    for i in range(run.ic[c.NC]):
        run.x[1 + n + nu + i] = w.lam[i]


@jit
def _step(run: s.Run, w: Work) -> int:
    """One accepted step."""
    t0, fixed = run.x[0], run.reals[s.FIXED_STEP] > 0.0
    rt = set_scale(run, w)
    for _ in range(s.MAX_REJECTIONS):
        h = wanted_step(run, reach(run), 1.0001)
        if s.underflow(run, h):
            return s.UNDERFLOW
        if not _prepare_matrices(run, w, h):
            _restore(run, w, t0)
            run.ints[r.NEED_JACOBIAN] = 1
            run.ints[s.REJECTED_STEPS] += 1
            run.reals[s.H] = 0.5 * h
            if fixed:
                return s.SINGULAR
            continue
        iterations = newton(run, w, t0, h, rt)
        if iterations < 0:
            _restore(run, w, t0)
            after_divergence(run, h)
            if fixed and run.ints[r.FRESH_JACOBIAN] == 1:
                return s.NO_CONVERGENCE
            continue
        _restore(run, w, t0)
        error = 0.0 if fixed else step_error(run, w, h)
        factor = min(8.0, max(0.2, 0.9 * 15.0 / (14.0 + iterations) * max(error, 1e-10) ** -0.25))
        if error < 1.0:
            _set_work(run, w, t0, h)
            size = _end_state(run, w, t0, h)
            if size >= 0.0 and (fixed or size <= CORRECTION_LIMIT):
                code = _accept(run, w, t0, h, error, factor)
                if code != RETAKE:
                    return code
                continue
            factor = 0.4 if size < 0.0 else max(0.3, 0.8 * (CORRECTION_LIMIT / size) ** 0.25)
            _restore(run, w, t0)
            if fixed:
                return s.NOT_A_NUMBER
        run.ints[s.REJECTED_STEPS] += 1
        run.ints[r.RADAU_REJECTED] = 1
        run.ints[r.NEED_JACOBIAN] = 1 - run.ints[r.FRESH_JACOBIAN]
        run.reals[s.H] = h * (0.1 if run.ints[s.STEPS] == 0 else min(0.9, factor))
    return s.REJECTIONS


@jit
def _prepare_matrices(run: s.Run, w: Work, h: float) -> bool:
    """New Jacobian if asked for; new factors if it or h changed. False if singular."""
    if run.ints[r.NEED_JACOBIAN] == 1:
        s.call(run, c.S_LINEARISE)
        run.ints[r.NEED_JACOBIAN], run.ints[r.FRESH_JACOBIAN] = 0, 1
        run.reals[r.H_FACTOR] = 0.0
    if run.reals[r.H_FACTOR] == h:
        return True
    d, z = h / MU_REAL, h / MU_COMPLEX
    run.y[0], run.y[1] = d, d * d
    code = s.call(run, c.S_FACTOR)
    run.y[0], run.y[1] = z.real, z.imag
    run.y[2], run.y[3] = (z * z).real, (z * z).imag
    code += s.call(run, c.S_FACTOR_COMPLEX)
    run.reals[r.H_FACTOR] = h if code == 0 else 0.0
    return code == 0


@jit
def _end_state(run: s.Run, w: Work, t0: float, h: float) -> float:
    """run.x <- projected end of the step; size of the projection, -1 if it failed."""
    nq, nu, n, m = run.ic[c.NQ], run.ic[c.NU], s.state_size(run), run.ic[c.NC]
    run.x[0] = t0 + h
    for i in range(n):
        w.before[i] = run.x[1 + i] = w.start[i] + w.z[2 * n + i]
    for i in range(nu):
        total = 0.0
        for k in range(3):
            total += A_INVERSE[2, k] * w.z[k * n + nq + i]
        run.x[1 + n + i] = total / h
    for i in range(m):
        run.x[1 + n + nu + i] = w.lam_stage[2 * m + i]
    s.copy(run.x, 1 + n, nu + m, w.buffer)
    holds = s.project_step(run, c.FACTOR_OF_NEWTON)
    s.copy(w.buffer, 0, nu + m, at(run.x, 1 + n))
    return s.correction_norm(run, w.before, w.scale) if holds else -1.0


@jit
def _set_work(run: s.Run, w: Work, t0: float, h: float) -> None:
    """Energy given and dissipated in the step: the quadrature of the method, h sum b_i P_i."""
    run.reals[s.WORK] = run.reals[s.WORK + 1] = 0.0
    for j in range(3):
        load_whole_stage(run, w, j, t0, h)
        s.note_power(run, c.S_POWER_AT, w.power)
        for k in range(2):
            run.reals[s.WORK + k] += h * A[2, j] * w.power[k]


@jit
def _accept(run: s.Run, w: Work, t0: float, h: float, error: float, factor: float) -> int:
    """Store the step, decide the rank, choose the next step."""
    nq, nu, nx = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX]
    n = nq + nu + nx
    for i in range(nx):
        total = 0.0
        for k in range(3):
            total += A_INVERSE[2, k] * w.z[k * n + nq + nu + i]
        w.rates[nq + nu + i] = total / h
    knot(run, _state_rates(run, w), w.knot_end)
    hermite_record(run, t0, h, w.knot, w.knot_end)
    looked = look_at_guards(run, t0, h)
    if looked != KEPT:
        return _again(run, w, t0, looked)
    s.copy(w.knot_end, 0, 3 * nq + 2 * nx, w.knot)
    _remember_stages(run, w)
    if run.reals[s.FIXED_STEP] == 0.0:
        next_step(run, h, error, factor)
    else:
        run.ints[r.NEED_JACOBIAN] = 1
    run.reals[r.H_OLD] = h
    run.ints[r.HISTORY], run.ints[r.RADAU_REJECTED], run.ints[r.FRESH_JACOBIAN] = 1, 0, 0
    changed, astray = settle(run, at(w.knot_end, nq), h)
    if astray:
        take_back(run, w.start, t0)
        return s.NEAR_SINGULAR
    switched = switch_guards(run)
    if changed == 1 or switched == 1:
        if not _anew(run, w):
            return s.SINGULAR
        if switched == 1:
            restart(run, w.rates, ORDER, _room(w))
    for i in range(nq):
        w.rates[i] = w.knot[nq + i]
    _read_state(run, w)
    return s.NEAR_SINGULAR if near_pose(run) else s.ACCEPTED


@jit
def _anew(run: s.Run, w: Work) -> bool:
    """Rates and knot of a state whose equations have changed; no use of what came before."""
    run.ints[r.NEED_JACOBIAN], run.ints[r.HISTORY], run.reals[r.STAGE_RATE] = 1, 0, 1.0
    if state_rates(run, w.rates) != 0:
        return False
    knot(run, _state_rates(run, w), w.knot)
    return True


@jit
def _again(run: s.Run, w: Work, t0: float, looked: int) -> int:
    """Back to the start of the step, whose modes may have changed."""
    _restore(run, w, t0)
    if looked == RESTART:
        switch_at_start(run)
    if not _anew(run, w):
        return s.SINGULAR
    _read_state(run, w)
    return RETAKE


@jit
def _remember_stages(run: s.Run, w: Work) -> None:
    """Stages of this step, for the start values of the next."""
    s.copy(w.z, 0, 3 * s.state_size(run), w.z_old)
    s.copy(w.lam_stage, 0, 3 * run.ic[c.NC], w.lam_old)


NEEDS = frozenset((
    "rank", "accelerate", "project", "settle", "kinematics", "rates", "residual", "linearise",
    "factor", "solve", "factor_complex", "solve_complex", "error",
))  # fmt: skip
LEVELS = {
    "projection": c.LEVEL_ACCELERATION,
    "baumgarte": c.LEVEL_STABILISED,
    "direct": c.LEVEL_VELOCITY,
}
"""Level of the constraints at the stages, by treatment."""


def start(integrator: Integrator, dynamics: Dynamics, x0: Reals, settings: Settings) -> Stepper:
    level = LEVELS[dynamics.treatment.name]
    return PassingStepper(integrator, sys.modules[__name__], dynamics, x0, settings, level=level)


RADAU = Integrator(
    name="radau",
    order=ORDER,
    needs=NEEDS,
    adaptive=True,
    implicit=True,
    treatments=LEVELS,
    description="Radau IIA of order 5, stiffly accurate; for stiff motion and singular poses",
    start=start,
)
