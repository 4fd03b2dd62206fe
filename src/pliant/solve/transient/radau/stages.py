"""Stages of the Radau integrator: simplified Newton iteration, error, next step.

Residuals of the three stages are transformed with T^-1, so that one real and one complex system
of the size of a single stage are solved. Source: Hairer, Wanner II, IV.8 (8.6)-(8.11);
docs/theory
"""

from __future__ import annotations

import numpy as np

from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Reals, call_service, jit
from pliant.solve.transient import state as s
from pliant.solve.transient.radau import work as r
from pliant.solve.transient.radau.work import (
    A_INVERSE,
    MU_COMPLEX,
    MU_REAL,
    T_INVERSE,
    A,
    C,
    E,
    T,
    Work,
)
from pliant.solve.transient.state import Run, call, copy, state_size
from pliant.solve.transient.step_size import weighted_norm

MAX_ITERATIONS, PATIENT_ITERATIONS = 8, 40
"""At most; the second where the step cannot shrink."""


@jit
def newton(run: Run, w: Work, t0: float, h: float, rt: float) -> int:
    """Stage increments w.z and multipliers w.lam_stage; number of iterations, -1 if it diverges.

    Stops when eta |dZ| <= kappa = max(10 eps/rt, min(0.03, sqrt rt)), eta = theta/(1 - theta).
    """
    kappa = max(2.2e-15 / rt, min(0.03, np.sqrt(rt)))
    eta = max(run.reals[r.STAGE_RATE], 1e-16) ** 0.8
    theta, before, ratio_before = 0.5, 1.0, 1.0
    _start_values(run, w, t0, h)
    limit = MAX_ITERATIONS if run.reals[s.FIXED_STEP] == 0.0 else PATIENT_ITERATIONS
    for iteration in range(limit):
        _stage_residuals(run, w, t0, h)
        size = _update(run, w, t0, h)
        run.ints[s.NEWTON_ITERATIONS] += 1
        if not size < 1e12:
            return -1
        if iteration > 0:
            ratio = size / before
            theta = ratio if iteration == 1 else np.sqrt(ratio * ratio_before)
            ratio_before = ratio
            if theta >= 0.99:
                return -1
            eta = theta / (1.0 - theta)
            remaining = limit - 2 - iteration
            hopeless = eta * size * theta**remaining > kappa and eta * size > kappa
            if hopeless and iteration < limit - 1:
                return -1
        before = max(size, 1e-300)
        run.reals[r.THETA] = theta
        if eta * size <= kappa:
            run.reals[r.STAGE_RATE] = eta
            return iteration + 1
    return -1


@jit
def _start_values(run: Run, w: Work, t0: float, h: float) -> None:
    """Extrapolated stages of the last step, or constant rates if there is no history."""
    nq, nu, nx, m = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX], run.ic[c.NC]
    n = nq + nu + nx
    for k in range(3):
        if run.ints[r.HISTORY] == 0:
            for i in range(n):
                w.z[k * n + i] = C[k] * h * w.rates[i]
            for i in range(m):
                w.lam_stage[k * m + i] = w.lam[i]
        else:
            past = 1.0 + C[k] * h / run.reals[r.H_OLD]
            l0 = (past - C[1]) * (past - 1.0) / ((C[0] - C[1]) * (C[0] - 1.0))
            l1 = (past - C[0]) * (past - 1.0) / ((C[1] - C[0]) * (C[1] - 1.0))
            l2 = (past - C[0]) * (past - C[1]) / ((1.0 - C[0]) * (1.0 - C[1]))
            for i in range(n):
                ahead = l0 * past / C[0] * w.z_old[i] + l1 * past / C[1] * w.z_old[n + i]
                w.z[k * n + i] = ahead + (l2 * past - 1.0) * w.z_old[2 * n + i]
            for i in range(m):
                w.lam_stage[k * m + i] = (
                    l0 * w.lam_old[i] + l1 * w.lam_old[m + i] + l2 * w.lam_old[2 * m + i]
                )
    _stage_positions(run, w, t0, h)


@jit
def _load_stage(run: Run, w: Work, k: int, t0: float, h: float) -> None:
    """[t | q | u | xs] of stage k into run.x."""
    run.x[0] = t0 + C[k] * h
    n = state_size(run)
    for i in range(n):
        run.x[1 + i] = w.start[i] + w.z[k * n + i]


@jit
def load_whole_stage(run: Run, w: Work, k: int, t0: float, h: float) -> None:
    """The same with u' and lam."""
    nq, nu, n, m = run.ic[c.NQ], run.ic[c.NU], state_size(run), run.ic[c.NC]
    _load_stage(run, w, k, t0, h)
    for i in range(nu):
        total = 0.0
        for j in range(3):
            total += A_INVERSE[k, j] * w.z[j * n + nq + i]
        run.x[1 + n + i] = total / h
    for i in range(m):
        run.x[1 + n + nu + i] = w.lam_stage[k * m + i]


@jit
def _stage_positions(run: Run, w: Work, t0: float, h: float) -> float:
    """Zq_i <- h sum_j A_ij qdot(q_j, u_j); squared scaled change. Exact when qdot = u."""
    nq, n, change = run.ic[c.NQ], state_size(run), 0.0
    for _ in range(1 if nq == run.ic[c.NU] else 2):
        for k in range(3):
            _load_stage(run, w, k, t0, h)
            call(run, c.S_KINEMATICS)
            for i in range(nq):
                w.stage_rates[k * nq + i] = run.y[i]
        for k in range(3):
            for i in range(nq):
                total = 0.0
                for j in range(3):
                    total += A[k, j] * w.stage_rates[j * nq + i]
                change += ((h * total - w.z[k * n + i]) / w.scale[i]) ** 2
                w.z[k * n + i] = h * total
    return change


@jit
def _stage_residuals(run: Run, w: Work, t0: float, h: float) -> None:
    """w.residuals[k] <- [ r | constraints | xs' - f ] of stage k."""
    nq, nu, nx = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX]
    n, rows = nq + nu + nx, run.ic[c.ND] + run.ic[c.RANK]
    size = rows + nx
    for k in range(3):
        load_whole_stage(run, w, k, t0, h)
        call(run, c.S_RESIDUAL)
        for i in range(rows):
            w.residuals[k * size + i] = run.y[nq + nx + i]
        for i in range(nx):
            total = 0.0
            for j in range(3):
                total += A_INVERSE[k, j] * w.z[j * n + nq + nu + i]
            w.residuals[k * size + rows + i] = total / h - run.y[nq + i]


@jit
def _solve_transformed(run: Run, w: Work) -> None:
    """w.real_part, w.complex_part (interleaved) <- increments of the transformed unknowns."""
    size = run.ic[c.ND] + run.ic[c.RANK] + run.ic[c.NX]
    R = w.residuals
    for i in range(size):
        run.y[i] = 0.0
        for k in range(3):
            run.y[i] -= T_INVERSE[0, k] * R[k * size + i]
    call(run, c.S_SOLVE)
    copy(run.y, 0, size, w.real_part)
    for i in range(size):
        re = im = 0.0
        for k in range(3):
            re -= T_INVERSE[1, k] * R[k * size + i]
            im -= T_INVERSE[2, k] * R[k * size + i]
        run.y[2 * i], run.y[2 * i + 1] = re, im
    call(run, c.S_SOLVE_COMPLEX)
    copy(run.y, 0, 2 * size, w.complex_part)


@jit
def _update(run: Run, w: Work, t0: float, h: float) -> float:
    """One Newton increment of all stages; its norm over q, u, xs."""
    nq, nu, nx = run.ic[c.NQ], run.ic[c.NU], run.ic[c.NX]
    n, rows = nq + nu + nx, run.ic[c.ND] + run.ic[c.RANK]
    _solve_transformed(run, w)
    d, z = h / MU_REAL, h / MU_COMPLEX
    total = 0.0
    for i in range(nu + nx):
        source = i if i < nu else rows + i - nu
        first = d * w.real_part[source]
        second = z * complex(w.complex_part[2 * source], w.complex_part[2 * source + 1])
        for k in range(3):
            change = T[k, 0] * first + T[k, 1] * second.real + T[k, 2] * second.imag
            w.z[k * n + nq + i] += change
            total += (change / w.scale[nq + i]) ** 2
    _update_multipliers(run, w)
    total += _stage_positions(run, w, t0, h)
    return float(np.sqrt(total / (3 * max(n, 1))))


@jit
def _update_multipliers(run: Run, w: Work) -> None:
    """Increments of the multipliers of the kept rows."""
    nu, m = run.ic[c.NU], run.ic[c.NC]
    if run.ic[c.HAS_LAM] == 0:
        return
    for i in range(m):
        position = run.ic[run.ic[c.PLACE] + i]
        if position >= 0:
            row = nu + position
            for k in range(3):
                w.lam_stage[k * m + i] += (
                    T[k, 0] * w.real_part[row]
                    + T[k, 1] * w.complex_part[2 * row]
                    + T[k, 2] * w.complex_part[2 * row + 1]
                )


@jit
def set_scale(run: Run, w: Work) -> float:
    """Error scale with the tolerances of RADAU5: rt = 0.1 rtol^(2/3), atol in proportion.

    With a fixed step Newton's iteration goes on to rounding.
    """
    rtol = run.reals[s.RTOL]
    rt = 0.1 * rtol ** (2.0 / 3.0) if run.reals[s.FIXED_STEP] == 0.0 else 1e-9
    atol = s.vector(run, s.ATOL)
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
