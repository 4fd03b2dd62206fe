"""The first step of an adaptive method.

Source: Hairer, Norsett, Wanner, Solving ODEs I, II.4 (algorithm for the starting step size). From
rest at the origin, where the state says nothing about its scale (it is smaller than the tolerance:
zero but for rounding), the curvature alone decides.
"""

from __future__ import annotations

import numpy as np

from pliant.solve.machine.abi import Reals, at, jit
from pliant.solve.machine.context import LEN_X, NQ, NU, NX, S_ACCELERATE
from pliant.solve.transient import state as s
from pliant.solve.transient.state import Run, call, copy, state_size, vector

SHORTEST = 1e-9
"""Part of the time to go: no first step is shorter (it is rejected if that is too long)."""


@jit
def state_rates(run: Run, out: Reals) -> int:
    """out <- [q' | u' | xs'] at run.x; not 0 if the accelerations are not defined."""
    return rates_by(run, S_ACCELERATE, out)


@jit
def rates_by(run: Run, service: int, out: Reals) -> int:
    """The same by another service than ``accelerate``."""
    code = call(run, service)
    nq, nu, nx = run.ic[NQ], run.ic[NU], run.ic[NX]
    first = 1 + nq + nu + nx
    for i in range(nq):
        out[i] = run.y[i]
    for i in range(nu):
        out[nq + i] = run.x[first + i]
    for i in range(nx):
        out[nq + nu + i] = run.y[nq + i]
    return code


@jit
def weighted_norm(v: Reals, scale: Reals, n: int) -> float:
    """RMS of v / scale."""
    total = 0.0
    for i in range(n):
        total += (v[i] / scale[i]) ** 2
    return float(np.sqrt(total / max(n, 1)))


@jit
def first_step(
    run: Run, rates: Reals, order: int, scale: Reals, trial: Reals, saved: Reals
) -> float:
    """Step with explicit Euler's local error about the tolerance, from two evaluations."""
    n = state_size(run)
    span = run.reals[s.T_END] - run.x[0]
    atol = vector(run, s.ATOL)
    if run.reals[s.FIRST_STEP] > 0.0:
        return float(min(run.reals[s.FIRST_STEP], span))
    for i in range(n):
        scale[i] = atol[i] + run.reals[s.RTOL] * abs(run.x[1 + i])
    d0, d1 = weighted_norm(at(run.x, 1), scale, n), weighted_norm(rates, scale, n)
    scaled = d0 > 1.0
    h0 = 0.01 * d0 / d1 if scaled and d1 > 1e-5 else 1e-6
    h0 = min(h0, run.reals[s.H_MAX], span)
    copy(run.x, 0, run.ic[LEN_X], saved)
    run.x[0] += h0
    for i in range(n):
        run.x[1 + i] += h0 * rates[i]
    code = state_rates(run, trial)
    copy(saved, 0, run.ic[LEN_X], run.x)
    for i in range(n):
        trial[i] -= rates[i]
    d2 = weighted_norm(trial, scale, n) / h0 if code == 0 else 1e300
    largest = max(d1, d2)
    h1 = (0.01 / largest) ** (1.0 / order) if largest > 1e-15 else max(1e-6, h0 * 1e-3)
    if scaled:
        h1 = min(h1, 100.0 * h0)
    return float(min(max(h1, SHORTEST * span), run.reals[s.H_MAX], span))
