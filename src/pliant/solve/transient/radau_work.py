"""Arrays and remembered numbers of the Radau integrator."""

from __future__ import annotations

from typing import NamedTuple

from pliant.solve.abi import Reals, jit
from pliant.solve.transient.state import (
    METHOD_ARRAYS,
    METHOD_FLAGS,
    METHOD_NUMBERS,
    Run,
    vector,
)  # fmt: skip

NEED_JACOBIAN, FRESH_JACOBIAN, HISTORY, RADAU_REJECTED = range(METHOD_FLAGS, METHOD_FLAGS + 4)
H_FACTOR, H_OLD, ERROR_OLD, THETA, STAGE_RATE = range(METHOD_NUMBERS, METHOD_NUMBERS + 5)
(
    Z, Z_OLD, LAM_STAGE, LAM_OLD, RESIDUALS, START, RATES, SCALE, BEFORE, ERROR, LAM, KNOT,
    KNOT_END, BUFFER, REAL_PART, COMPLEX_PART, STAGE_RATES, POWER_NOW,
) = range(METHOD_ARRAYS, METHOD_ARRAYS + 18)  # fmt: skip


class Work(NamedTuple):
    """Work arrays; n = nq + nu + nx."""

    z: Reals
    """Stage increments (3, n)."""
    z_old: Reals
    lam_stage: Reals
    lam_old: Reals
    residuals: Reals
    """Residuals of the stages (3, nu + m + nx)."""
    start: Reals
    rates: Reals
    scale: Reals
    before: Reals
    error: Reals
    lam: Reals
    knot: Reals
    knot_end: Reals
    buffer: Reals
    """A packed vector x."""
    real_part: Reals
    complex_part: Reals
    stage_rates: Reals
    """qdot of the stages (3, nq)."""
    power: Reals
    """At one stage (2)."""


def arrays(nq: int, nu: int, nx: int, m: int, x_size: int) -> dict[int, int]:
    """Sizes of the work arrays by slot."""
    n, k, knot = nq + nu + nx, nu + nx + m, 3 * nq + 2 * nx
    return {
        Z: 3 * n, Z_OLD: 3 * n, LAM_STAGE: 3 * m, LAM_OLD: 3 * m, RESIDUALS: 3 * k, START: n,
        RATES: n, SCALE: n, BEFORE: n, ERROR: n + nu, LAM: m, KNOT: knot, KNOT_END: knot,
        BUFFER: x_size + nu + m, REAL_PART: k, COMPLEX_PART: 2 * k, STAGE_RATES: 3 * nq,
        POWER_NOW: 2,
    }  # fmt: skip


@jit
def work_of(run: Run) -> Work:
    return Work(
        vector(run, Z), vector(run, Z_OLD), vector(run, LAM_STAGE), vector(run, LAM_OLD),
        vector(run, RESIDUALS), vector(run, START), vector(run, RATES), vector(run, SCALE),
        vector(run, BEFORE), vector(run, ERROR), vector(run, LAM), vector(run, KNOT),
        vector(run, KNOT_END), vector(run, BUFFER), vector(run, REAL_PART),
        vector(run, COMPLEX_PART), vector(run, STAGE_RATES), vector(run, POWER_NOW),
    )  # fmt: skip
