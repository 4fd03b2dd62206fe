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

from pliant.solve.dynamics import Dynamics
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.passage import PassingStepper
from pliant.solve.transient.change_points.pose_watch import begin_survey, near_pose, take_back
from pliant.solve.transient.dense_output import hermite_record, knot
from pliant.solve.transient.integrator import Integrator, Settings, Stepper
from pliant.solve.transient.step_end import settle
from pliant.solve.transient.step_size import state_rates

NEED_JACOBIAN = s.METHOD_FLAGS
H_FACTOR, LAST_POWER = s.METHOD_NUMBERS, s.METHOD_NUMBERS + 1
START, MEAN, MEAN_NEW, RATES, RATES_NEW, LAM, KNOT, KNOT_END = range(
    s.METHOD_ARRAYS, s.METHOD_ARRAYS + 8
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
def _work(run: s.Run) -> Work:
    return Work(
        s.vector(run, START), s.vector(run, MEAN), s.vector(run, MEAN_NEW), s.vector(run, RATES),
        s.vector(run, RATES_NEW), s.vector(run, LAM), s.vector(run, KNOT), s.vector(run, KNOT_END),
    )  # fmt: skip


@entry
def advance(
    address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals, record: Reals, capacity: int,
    width: int, ints: Integers, reals: Reals,
) -> int:  # fmt: skip
    """Steps until the end, full records or an event (codes in ``state``)."""
    run = s.run_of(address, ic, dc, x, y, record, capacity, width, ints, reals)
    w = _work(run)
    if ints[s.STARTED] == 0:
        s.decide_rank(run)
        if state_rates(run, w.rates) != 0:
            return s.SINGULAR
        s.note_power(run, c.S_POWER, at(reals, LAST_POWER))
        s.copy(w.rates, ic[c.NQ], ic[c.NU] + ic[c.NX], w.mean)
        knot(run, at(w.rates, ic[c.NQ] + ic[c.NU]), w.knot)
        ints[NEED_JACOBIAN], ints[s.STARTED] = 1, 1
        begin_survey(run, w.rates, reals[s.FIXED_STEP])
        if near_pose(run):
            return s.NEAR_SINGULAR
    while True:
        code = s.finished(run)
        if code == s.ACCEPTED:
            code = _step(run, w)
        if code != s.ACCEPTED:
            return code


@jit
def _parameters(run: s.Run) -> Parameters:
    """Numbers of the next step; c1 = du/du', c2 = dq/du'."""
    first = s.METHOD_OPTIONS
    am, af = run.reals[first], run.reals[first + 1]
    beta, gamma = run.reals[first + 2], run.reals[first + 3]
    h = s.limited_step(run, run.reals[s.FIXED_STEP], 1.0 + 1e-6)
    share = (1.0 - af) / (1.0 - am)
    return Parameters(am, af, beta, gamma, h, h * gamma * share, h * h * beta * share)


@jit
def _step(run: s.Run, w: Work) -> int:
    """One step."""
    nq, nu, nx, n = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX], s.state_size(run)
    t0, p = run.x[0], _parameters(run)
    s.copy(run.x, 1, n, w.start)
    s.copy(run.x, 1 + n + nu, run.ic[c.NC], w.lam)
    s.copy(w.rates, nq, nu + nx, w.rates_new)
    if not _newton(run, w, p, t0):
        s.restore(run, w.start, t0)
        return s.NO_CONVERGENCE
    if run.ic[c.LEVEL] == c.LEVEL_ACCELERATION and not s.project_step(run, c.FACTOR_OF_NEWTON):
        return s.NOT_A_NUMBER
    s.copy(w.mean_new, 0, nu + nx, w.mean)
    s.copy(w.rates_new, 0, nu + nx, at(w.rates, nq))
    s.copy(w.rates_new, 0, nu, at(run.x, 1 + n))
    s.copy(w.lam, 0, run.ic[c.NC], at(run.x, 1 + n + nu))
    _set_work(run, p.h)
    knot(run, at(w.rates, nq + nu), w.knot_end)
    hermite_record(run, t0, p.h, w.knot, w.knot_end)
    s.copy(w.knot_end, 0, 3 * nq + 2 * nx, w.knot)
    changed, astray = settle(run, at(w.knot_end, nq), p.h)
    if astray:
        take_back(run, w.start, t0)
        return s.NEAR_SINGULAR
    if changed == 1:
        run.ints[NEED_JACOBIAN] = 1
        if state_rates(run, w.rates) != 0:
            return s.SINGULAR
        s.note_power(run, c.S_POWER, at(run.reals, LAST_POWER))
        knot(run, at(w.rates, nq + nu), w.knot)
    return s.NEAR_SINGULAR if near_pose(run) else s.ACCEPTED


@jit
def _set_work(run: s.Run, h: float) -> None:
    """Energy given and dissipated in the step by the trapezoidal rule, of the order of the
    method."""
    work, last = at(run.reals, s.WORK), at(run.reals, LAST_POWER)
    work[0], work[1] = last[0], last[1]
    s.note_power(run, c.S_POWER_AT, last)
    for k in range(2):
        work[k] = 0.5 * h * (work[k] + last[k])


@jit
def _newton(run: s.Run, w: Work, p: Parameters, t0: float) -> bool:
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
        run.ints[s.NEWTON_ITERATIONS] += 1
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
def _renew_matrix(run: s.Run, p: Parameters) -> bool:
    """Derivatives at the present iterate, factored."""
    s.call(run, c.S_LINEARISE)
    run.y[0], run.y[1] = p.c1, p.c2
    run.reals[H_FACTOR], run.ints[NEED_JACOBIAN] = p.h, 0
    return s.call(run, c.S_FACTOR) == 0


@jit
def _load(run: s.Run, w: Work, p: Parameters, t0: float) -> None:
    """run.x <- end of the step for the present u', xs'."""
    nq, nu, nx, n = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX], s.state_size(run)
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
    s.copy(w.start, 0, nq, at(run.x, 1))
    s.call(run, c.S_TANGENT)
    s.copy(w.lam, 0, run.ic[c.NC], at(run.x, 1 + n + nu))


@jit
def _increment(run: s.Run, w: Work, p: Parameters) -> float:
    """One Newton increment of u', xs', lam; its size as a relative change of u and xs."""
    nq, nu, nx, nd = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX], run.ic[c.ND]
    s.call(run, c.S_RESIDUAL)
    y, rows = run.y, nd + run.ic[c.RANK]
    states = at(w.knot_end, 0)
    s.copy(y, nq, nx, states)
    for i in range(rows):
        y[i] = -y[nq + nx + i]
    for i in range(nx):
        y[rows + i] = states[i] - w.rates_new[nu + i]
    s.call(run, c.S_SOLVE)
    largest, speed = 0.0, 1.0
    for i in range(nu + nx):
        change = y[i] if i < nu else y[rows + i - nu]
        w.rates_new[i] += change
        largest = max(largest, abs(change))
        speed = max(speed, abs(run.x[1 + nq + i]))
        if change != change:
            return np.inf
    if run.ic[c.HAS_LAM] == 1:
        for i in range(run.ic[c.NC]):
            position = run.ic[run.ic[c.PLACE] + i]
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


LEVELS = {"projection": c.LEVEL_ACCELERATION, "direct": c.LEVEL_POSITION}
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
        treatments=LEVELS if damped else {"projection": c.LEVEL_ACCELERATION},
    )  # fmt: skip


GENERALIZED_ALPHA = _member(
    "generalized-alpha", "fixed step, damps frequencies beyond the step (rho)", {"rho": 0.8}
)
HHT = _member("hht", "Hilber-Hughes-Taylor, fixed step", {"alpha": -0.1})
NEWMARK = _member(
    "newmark", "Newmark, fixed step, by default without damping", {"beta": 0.25, "gamma": 0.5},
    damped=False,
)  # fmt: skip
