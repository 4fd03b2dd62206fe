"""Error and next step of the Radau integrator. Source: Hairer, Wanner II, IV.8."""

from __future__ import annotations

from pliant.solve.abi import Reals, call_service, jit
from pliant.solve.context import ND, NQ, NU, NX, RANK, S_ERROR, S_KINEMATICS, S_RATES, S_SOLVE
from pliant.solve.transient.radau_coefficients import MU_REAL, E
from pliant.solve.transient.radau_work import (
    ERROR_OLD,
    FRESH_JACOBIAN,
    H_OLD,
    HISTORY,
    NEED_JACOBIAN,
    RADAU_REJECTED,
    THETA,
    Work,
)  # fmt: skip
from pliant.solve.transient.state import (
    ATOL,
    FIXED_STEP,
    REJECTED_STEPS,
    RTOL,
    STEPS,
    H,
    Run,
    call,
    copy,
    state_size,
    vector,
)  # fmt: skip
from pliant.solve.transient.step_size import weighted_norm


@jit
def set_scale(run: Run, w: Work) -> float:
    """Error scale with the tolerances of RADAU5: rt = 0.1 rtol^(2/3), atol in proportion.

    With a fixed step Newton's iteration goes on to rounding.
    """
    rtol = run.reals[RTOL]
    rt = 0.1 * rtol ** (2.0 / 3.0) if run.reals[FIXED_STEP] == 0.0 else 1e-9
    atol = vector(run, ATOL)
    for i in range(state_size(run)):
        w.scale[i] = atol[i] * rt / rtol + rt * abs(w.start[i])
    return float(rt)


@jit
def step_error(run: Run, w: Work, h: float) -> float:
    """Error of [q | u | xs] in units of the tolerance (multipliers excluded)."""
    nq, nu, nx = run.ic[NQ], run.ic[NU], run.ic[NX]
    n, d = nq + nu + nx, h / MU_REAL
    slope, out = w.before, w.error
    for i in range(n):
        total = 0.0
        for k in range(3):
            total += E[k] * w.z[k * n + i]
        slope[i] = w.rates[i] + total / h
    _tangent_rates(run, w, slope, out)
    for i in range(nu):
        run.y[i] = slope[nq + i]
        run.y[nu + i] = out[i]
    for i in range(nx):
        run.y[2 * nu + i] = slope[nq + nu + i]
    call(run, S_ERROR)
    call(run, S_SOLVE)
    last = run.ic[ND] + run.ic[RANK]
    for i in range(nx):
        out[nq + nu + i] = d * run.y[last + i]
    for i in range(nu):
        out[nq + i] = d * run.y[i]
        run.x[1 + nq + i] += out[nq + i]
    call(run, S_KINEMATICS)
    for i in range(nu):
        run.x[1 + nq + i] = w.start[nq + i]
    for i in range(nq):
        out[i] = d * (run.y[i] - w.rates[i] + slope[i])
    error = weighted_norm(out, w.scale, n)
    return error if error == error else 1e10


@jit
def _tangent_rates(run: Run, w: Work, slope: Reals, out: Reals) -> None:
    """out <- N^+ slope (the service ``rates`` is affine in q')."""
    nq, nu = run.ic[NQ], run.ic[NU]
    x = w.buffer
    copy(run.x, 0, 1 + nq, x)
    for sign in (-1.0, 1.0):
        for i in range(nq):
            x[1 + nq + i] = slope[i] if sign > 0.0 else 0.0
        call_service(run.address[S_RATES], run.ic, run.dc, x, run.y)
        for i in range(nu):
            out[i] = run.y[i] - out[i] if sign > 0.0 else run.y[i]


@jit
def after_divergence(run: Run, h: float) -> None:
    """Newton failed: a fresh Jacobian, or half the step if it was fresh."""
    run.ints[REJECTED_STEPS] += 1
    if run.ints[RADAU_REJECTED] == 1:
        run.ints[HISTORY] = 0
    run.ints[RADAU_REJECTED] = 1
    if run.ints[FRESH_JACOBIAN] == 1:
        run.reals[H] = 0.5 * h
    else:
        run.ints[NEED_JACOBIAN] = 1


@jit
def next_step(run: Run, h: float, error: float, factor: float) -> None:
    """Predictive step control (Gustafsson); h and factors are kept if little would change."""
    error = max(error, 1e-10)
    if run.ints[STEPS] > 1:
        predicted = 0.9 * h / run.reals[H_OLD] * (run.reals[ERROR_OLD] / error**2) ** 0.25
        factor = min(factor, max(0.2, predicted))
    run.reals[ERROR_OLD] = max(1e-2, error)
    run.ints[NEED_JACOBIAN] = 1 if run.reals[THETA] > 1e-3 else 0
    new = h * factor
    if run.ints[RADAU_REJECTED] == 1:
        new = min(new, h)
    if 1.0 <= factor <= 1.2 and run.ints[NEED_JACOBIAN] == 0:
        new = h
    run.reals[H] = new
