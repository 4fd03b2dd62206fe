"""Generalized-alpha with a fixed step; HHT and Newmark are members of the family.

    (1 - am) a*' + am a* = (1 - af) u'' + af u'            (' at the end of the step)
    u  <- u + h ((1 - gamma) a* + gamma a*')               r(q, u, u', lam) = 0  at the end
    q  <- retract(q, dv),  dv = h u + h^2 ((1/2 - beta) a* + beta a*')

Constraints by treatment: ``projection`` solves G u' + gamma = 0 and projects q and u after the
step; ``direct`` solves g(q) = 0 (index 3), the speeds of the recursion staying unprojected
(projecting them would feed back on a* and cost the order), so it needs a damping member.
Rotations move along the group, so quaternions stay second order. First-order states xs follow
the recursion of u. Newton's iteration keeps its matrix while it converges well, and goes on to
rounding, so that it tightens with the step. Source: Chung, Hulbert 1993; Bruels, Cardona, Arnold
2012 (Lie group form); Hilber, Hughes, Taylor 1977; S1.7 (projection). Not for q' with a part
n(t, q) of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from pliant.solve.abi import Integers, Reals, at, entry, jit
from pliant.solve.context import (
    FACTOR_OF_NEWTON,
    HAS_LAM,
    LEVEL,
    LEVEL_ACCELERATION,
    LEVEL_POSITION,
    NC,
    ND,
    NQ,
    NU,
    NX,
    PLACE,
    POWER,
    RANK,
    S_FACTOR,
    S_LINEARISE,
    S_POWER_AT,
    S_RESIDUAL,
    S_SOLVE,
    S_TANGENT,
)  # fmt: skip
from pliant.solve.dynamics import Dynamics
from pliant.solve.transient.dense_output import hermite_record, knot
from pliant.solve.transient.integrator import Integrator, Settings, Stepper
from pliant.solve.transient.passage import PassingStepper
from pliant.solve.transient.pose_watch import begin_survey, near_pose, take_back
from pliant.solve.transient.state import (
    ACCEPTED,
    FIXED_STEP,
    JUMPED,
    METHOD_ARRAYS,
    METHOD_FLAGS,
    METHOD_NUMBERS,
    METHOD_OPTIONS,
    NEAR_SINGULAR,
    NEWTON_ITERATIONS,
    NO_CONVERGENCE,
    NOT_A_NUMBER,
    SINGULAR,
    STARTED,
    WORK,
    Run,
    call,
    copy,
    decide_rank,
    finished,
    limited_step,
    note_power,
    project_step,
    run_of,
    state_size,
    vector,
)  # fmt: skip
from pliant.solve.transient.step_end import restore, settle
from pliant.solve.transient.step_size import state_rates

NEED_JACOBIAN = METHOD_FLAGS
H_FACTOR, LAST_POWER = METHOD_NUMBERS, METHOD_NUMBERS + 1
START, MEAN, MEAN_NEW, RATES, RATES_NEW, LAM, KNOT, KNOT_END = range(
    METHOD_ARRAYS, METHOD_ARRAYS + 8
)
MAX_ITERATIONS = 25
SLOW = 0.2
"""Rate of convergence above which the matrix is renewed."""
CONVERGED, STAGNANT = 1e-11, 1e-8
"""Size of the last change of u: good; good enough if no further progress is made."""


class Work(NamedTuple):
    """Work arrays; n = nq + nu + nx, k = nu + nx."""

    start: Reals
    """[q | u | xs] (n)."""
    mean: Reals
    """a* of u and xs (k)."""
    mean_new: Reals
    rates: Reals
    """u' and xs' (k, preceded by nq unused)."""
    rates_new: Reals
    lam: Reals
    knot: Reals
    knot_end: Reals


class Parameters(NamedTuple):
    """Numbers of the method for one step."""

    am: float
    af: float
    beta: float
    gamma: float
    h: float
    c1: float
    c2: float


def arrays(nq: int, nu: int, nx: int, m: int, x_size: int) -> dict[int, int]:
    """Sizes of the work arrays by slot."""
    n, k, points = nq + nu + nx, nu + nx, 3 * nq + 2 * nx
    return {
        START: n, MEAN: k, MEAN_NEW: k, RATES: n, RATES_NEW: k, LAM: m, KNOT: points,
        KNOT_END: points,
    }  # fmt: skip


@jit
def _work(run: Run) -> Work:
    return Work(
        vector(run, START), vector(run, MEAN), vector(run, MEAN_NEW), vector(run, RATES),
        vector(run, RATES_NEW), vector(run, LAM), vector(run, KNOT), vector(run, KNOT_END),
    )  # fmt: skip


@entry
def advance(
    address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals, record: Reals, capacity: int,
    width: int, ints: Integers, reals: Reals,
) -> int:  # fmt: skip
    """Steps until the end, full records or an event (codes in ``state``)."""
    run = run_of(address, ic, dc, x, y, record, capacity, width, ints, reals)
    w = _work(run)
    if ints[STARTED] == 0:
        decide_rank(run)
        if state_rates(run, w.rates) != 0:
            return SINGULAR
        note_power(run, at(reals, LAST_POWER))
        copy(w.rates, ic[NQ], ic[NU] + ic[NX], w.mean)
        knot(run, at(w.rates, ic[NQ] + ic[NU]), w.knot)
        ints[NEED_JACOBIAN], ints[STARTED] = 1, 1
        begin_survey(run, w.rates, reals[FIXED_STEP])
        if near_pose(run):
            return NEAR_SINGULAR
    while True:
        code = finished(run)
        if code == ACCEPTED:
            code = _step(run, w)
        if code != ACCEPTED:
            return code


@jit
def _parameters(run: Run) -> Parameters:
    """Numbers of the next step; c1 = du/du', c2 = dq/du'."""
    first = METHOD_OPTIONS
    am, af = run.reals[first], run.reals[first + 1]
    beta, gamma = run.reals[first + 2], run.reals[first + 3]
    h = limited_step(run, run.reals[FIXED_STEP], 1.0 + 1e-6)
    share = (1.0 - af) / (1.0 - am)
    return Parameters(am, af, beta, gamma, h, h * gamma * share, h * h * beta * share)


@jit
def _step(run: Run, w: Work) -> int:
    """One step."""
    nq, nu, nx, n = run.ic[NQ], run.ic[NU], run.ic[NX], state_size(run)
    t0, p = run.x[0], _parameters(run)
    copy(run.x, 1, n, w.start)
    copy(run.x, 1 + n + nu, run.ic[NC], w.lam)
    copy(w.rates, nq, nu + nx, w.rates_new)
    if not _newton(run, w, p, t0):
        restore(run, w.start, t0)
        return NO_CONVERGENCE
    if run.ic[LEVEL] == LEVEL_ACCELERATION and not project_step(run, FACTOR_OF_NEWTON):
        return NOT_A_NUMBER
    copy(w.mean_new, 0, nu + nx, w.mean)
    copy(w.rates_new, 0, nu + nx, at(w.rates, nq))
    copy(w.rates_new, 0, nu, at(run.x, 1 + n))
    copy(w.lam, 0, run.ic[NC], at(run.x, 1 + n + nu))
    _set_work(run, p.h)
    knot(run, at(w.rates, nq + nu), w.knot_end)
    hermite_record(run, t0, p.h, w.knot, w.knot_end)
    copy(w.knot_end, 0, 3 * nq + 2 * nx, w.knot)
    jumped, changed, astray = settle(run, at(w.knot_end, nq), p.h)
    if astray:
        take_back(run, w.start, t0)
        return NEAR_SINGULAR
    if changed == 1 or jumped == 1:
        run.ints[NEED_JACOBIAN] = 1
        if state_rates(run, w.rates) != 0:
            return SINGULAR
        note_power(run, at(run.reals, LAST_POWER))
        knot(run, at(w.rates, nq + nu), w.knot)
    near = near_pose(run)
    if jumped == 1:
        return JUMPED
    return NEAR_SINGULAR if near else ACCEPTED


@jit
def _set_work(run: Run, h: float) -> None:
    """Energy given and dissipated in the step by the trapezoidal rule, of the order of the
    method."""
    if run.address[S_POWER_AT] != 0:
        call(run, S_POWER_AT)
    for k in range(2):
        new = run.dc[POWER + k]
        run.reals[WORK + k] = 0.5 * h * (run.reals[LAST_POWER + k] + new)
        run.reals[LAST_POWER + k] = new


@jit
def _newton(run: Run, w: Work, p: Parameters, t0: float) -> bool:
    """Solve for u', xs' and lam at the end of the step; True if converged."""
    before, fresh = 1e300, False
    _load(run, w, p, t0)
    for iteration in range(MAX_ITERATIONS):
        if run.ints[NEED_JACOBIAN] == 1 or run.reals[H_FACTOR] != p.h:
            if not _renew_matrix(run, p):
                return False
            fresh = True
        size = _increment(run, w, p)
        _load(run, w, p, t0)
        run.ints[NEWTON_ITERATIONS] += 1
        if not size < 1e8:
            return False
        rate = size / before
        if size <= CONVERGED or (size <= STAGNANT and size > 0.5 * before):
            return True
        if iteration > 0 and rate < SLOW and size * rate <= CONVERGED * (1.0 - rate):
            return True
        if iteration > 0 and size > SLOW * before:
            if fresh and size > 2.0 * before and iteration > 8:
                return False
            run.ints[NEED_JACOBIAN] = 1
        before = size
    return False


@jit
def _renew_matrix(run: Run, p: Parameters) -> bool:
    """Derivatives at the present iterate, factored."""
    call(run, S_LINEARISE)
    run.y[0], run.y[1] = p.c1, p.c2
    run.reals[H_FACTOR], run.ints[NEED_JACOBIAN] = p.h, 0
    return call(run, S_FACTOR) == 0


@jit
def _load(run: Run, w: Work, p: Parameters, t0: float) -> None:
    """run.x <- end of the step for the present u', xs'."""
    nq, nu, nx, n = run.ic[NQ], run.ic[NU], run.ic[NX], state_size(run)
    run.x[0] = t0 + p.h
    for i in range(nu + nx):
        old, new = w.rates[nq + i], w.rates_new[i]
        w.mean_new[i] = ((1.0 - p.af) * new + p.af * old - p.am * w.mean[i]) / (1.0 - p.am)
        change = (1.0 - p.gamma) * w.mean[i] + p.gamma * w.mean_new[i]
        run.x[1 + nq + i] = w.start[nq + i] + p.h * change
    for i in range(nu):
        run.x[1 + n + i] = w.rates_new[i]
        bend = (0.5 - p.beta) * w.mean[i] + p.beta * w.mean_new[i]
        run.y[i] = p.h * w.start[nq + i] + p.h * p.h * bend
    copy(w.start, 0, nq, at(run.x, 1))
    call(run, S_TANGENT)
    copy(w.lam, 0, run.ic[NC], at(run.x, 1 + n + nu))


@jit
def _increment(run: Run, w: Work, p: Parameters) -> float:
    """One Newton increment of u', xs', lam; its size as a relative change of u and xs."""
    nq, nu, nx, nd = run.ic[NQ], run.ic[NU], run.ic[NX], run.ic[ND]
    call(run, S_RESIDUAL)
    y, rows = run.y, nd + run.ic[RANK]
    states = at(w.knot_end, 0)
    copy(y, nq, nx, states)
    for i in range(rows):
        y[i] = -y[nq + nx + i]
    for i in range(nx):
        y[rows + i] = states[i] - w.rates_new[nu + i]
    call(run, S_SOLVE)
    largest, speed = 0.0, 1.0
    for i in range(nu + nx):
        change = y[i] if i < nu else y[rows + i - nu]
        w.rates_new[i] += change
        largest = max(largest, abs(change))
        speed = max(speed, abs(run.x[1 + nq + i]))
        if change != change:
            return np.inf
    if run.ic[HAS_LAM] == 1:
        for i in range(run.ic[NC]):
            position = run.ic[run.ic[PLACE] + i]
            if position >= 0:
                w.lam[i] += y[nu + position]
    return p.c1 * largest / speed


def generalized_alpha(rho: float) -> dict[str, float]:
    """Chung-Hulbert: least dissipation at low frequency for a spectral radius rho at infinity."""
    am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    return dict(am=am, af=af, beta=0.25 * (1.0 - am + af) ** 2, gamma=0.5 - am + af)


def hht(alpha: float) -> dict[str, float]:
    """Hilber-Hughes-Taylor with alpha in [-1/3, 0]."""
    return dict(am=0.0, af=-alpha, beta=0.25 * (1.0 - alpha) ** 2, gamma=0.5 - alpha)


def newmark(beta: float, gamma: float) -> dict[str, float]:
    return dict(am=0.0, af=0.0, beta=beta, gamma=gamma)


LEVELS = {"projection": LEVEL_ACCELERATION, "direct": LEVEL_POSITION}
"""Level of the constraints in Newton's iteration, by treatment."""
_MEMBERS: dict[str, Callable[..., dict[str, float]]] = {
    "generalized-alpha": generalized_alpha,
    "hht": hht,
    "newmark": newmark,
}
_NEEDS = frozenset((
    "rank", "accelerate", "project", "settle", "kinematics", "rates", "tangent", "residual",
    "linearise", "factor", "solve",
))  # fmt: skip


def start(integrator: Integrator, dynamics: Dynamics, x0: Reals, settings: Settings) -> Stepper:
    numbers = _MEMBERS[integrator.name](**settings.options)
    module, level = sys.modules[__name__], LEVELS[dynamics.treatment.name]
    return PassingStepper(integrator, module, dynamics, x0, settings, level=level, numbers=numbers)


def _member(
    name: str, description: str, options: Mapping[str, float], *, damped: bool = True
) -> Integrator:
    return Integrator(
        name=name, order=2, needs=_NEEDS, adaptive=False, implicit=True, description=description,
        start=start, reversible=not damped, options=options,
        treatments=LEVELS if damped else {"projection": LEVEL_ACCELERATION},
    )  # fmt: skip


GENERALIZED_ALPHA = _member(
    "generalized-alpha", "fixed step, damps frequencies beyond the step (rho)", {"rho": 0.8}
)
HHT = _member("hht", "Hilber-Hughes-Taylor, fixed step", {"alpha": -0.1})
NEWMARK = _member(
    "newmark", "Newmark, fixed step, by default without damping", {"beta": 0.25, "gamma": 0.5},
    damped=False,
)  # fmt: skip
