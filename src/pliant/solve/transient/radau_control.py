"""Error and next step of the Radau integrator. Source: Hairer, Wanner II, IV.8."""

from __future__ import annotations

from pliant.solve import context as c
from pliant.solve.abi import Reals, call_service, jit
from pliant.solve.transient import radau_work as r
from pliant.solve.transient import state as s
from pliant.solve.transient.radau_work import MU_REAL, E, Work
from pliant.solve.transient.state import Run, call, copy, state_size, vector
from pliant.solve.transient.step_size import weighted_norm


@jit
def set_scale(run: Run, w: Work) -> float:
    """Error scale with the tolerances of RADAU5: rt = 0.1 rtol^(2/3), atol in proportion.

    With a fixed step Newton's iteration goes on to rounding.
    """
    rtol = run.reals[s.RTOL]
    rt = 0.1 * rtol ** (2.0 / 3.0) if run.reals[s.FIXED_STEP] == 0.0 else 1e-9
    atol = vector(run, s.ATOL)
    for i in range(state_size(run)):
        w.scale[i] = atol[i] * rt / rtol + rt * abs(w.start[i])
    return float(rt)


@jit
def step_error(run: Run, w: Work, h: float) -> float:
    """Error of [q | u | xs] in units of the tolerance (multipliers excluded)."""
    nq, nu, nx = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX]
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
    call(run, c.S_ERROR)
    call(run, c.S_SOLVE)
    last = run.ic[c.ND] + run.ic[c.RANK]
    for i in range(nx):
        out[nq + nu + i] = d * run.y[last + i]
    for i in range(nu):
        out[nq + i] = d * run.y[i]
        run.x[1 + nq + i] += out[nq + i]
    call(run, c.S_KINEMATICS)
    for i in range(nu):
        run.x[1 + nq + i] = w.start[nq + i]
    for i in range(nq):
        out[i] = d * (run.y[i] - w.rates[i] + slope[i])
    error = weighted_norm(out, w.scale, n)
    return error if error == error else 1e10


@jit
def _tangent_rates(run: Run, w: Work, slope: Reals, out: Reals) -> None:
    """out <- N^+ slope (the service ``rates`` is affine in q')."""
    nq, nu = run.ic[c.NQ], run.ic[c.NU]
    x = w.buffer
    copy(run.x, 0, 1 + nq, x)
    for sign in (-1.0, 1.0):
        for i in range(nq):
            x[1 + nq + i] = slope[i] if sign > 0.0 else 0.0
        call_service(run.address[c.S_RATES], run.ic, run.dc, x, run.y)
        for i in range(nu):
            out[i] = run.y[i] - out[i] if sign > 0.0 else run.y[i]


@jit
def after_divergence(run: Run, h: float) -> None:
    """Newton failed: a fresh Jacobian, or half the step if it was fresh."""
    run.ints[s.REJECTED_STEPS] += 1
    if run.ints[r.RADAU_REJECTED] == 1:
        run.ints[r.HISTORY] = 0
    run.ints[r.RADAU_REJECTED] = 1
    if run.ints[r.FRESH_JACOBIAN] == 1:
        run.reals[s.H] = 0.5 * h
    else:
        run.ints[r.NEED_JACOBIAN] = 1


@jit
def next_step(run: Run, h: float, error: float, factor: float) -> None:
    """Predictive step control (Gustafsson); h and factors are kept if little would change."""
    error = max(error, 1e-10)
    if run.ints[s.STEPS] > 1:
        predicted = 0.9 * h / run.reals[r.H_OLD] * (run.reals[r.ERROR_OLD] / error**2) ** 0.25
        factor = min(factor, max(0.2, predicted))
    run.reals[r.ERROR_OLD] = max(1e-2, error)
    run.ints[r.NEED_JACOBIAN] = 1 if run.reals[r.THETA] > 1e-3 else 0
    new = h * factor
    if run.ints[r.RADAU_REJECTED] == 1:
        new = min(new, h)
    if 1.0 <= factor <= 1.2 and run.ints[r.NEED_JACOBIAN] == 0:
        new = h
    run.reals[s.H] = new
