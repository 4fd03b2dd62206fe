"""Arrays and remembered numbers of the Radau integrator."""

from __future__ import annotations

from typing import NamedTuple

from pliant.solve.abi import Reals, jit
from pliant.solve.context import LEN_X, NC, NQ, NU, NX
from pliant.solve.transient.state import METHOD_FLAGS, METHOD_WORK, Run

NEED_JACOBIAN, FRESH_JACOBIAN, HISTORY, RADAU_REJECTED = range(METHOD_FLAGS, METHOD_FLAGS + 4)
H_FACTOR, H_OLD, ERROR_OLD, THETA, STAGE_RATE = range(2, 7)


class Work(NamedTuple):
    """Views of run.work; n = nq + nu + nx."""

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


def work_size(nq: int, nu: int, nx: int, m: int, x_size: int) -> int:
    n, k = nq + nu + nx, nu + nx + m
    return METHOD_WORK + 12 * n + 7 * m + 6 * k + 2 * (3 * nq + 2 * nx) + 2 * nu + x_size + 3 * nq


@jit
def views_of(run: Run) -> Work:
    nq, nu, nx, m = run.ic[NQ], run.ic[NU], run.ic[NX], run.ic[NC]
    n, k, kn = nq + nu + nx, nu + nx + m, 3 * nq + 2 * nx
    w = run.work
    a = METHOD_WORK
    b = a + 6 * n
    c = b + 6 * m
    d = c + 3 * k
    e = d + 4 * n
    f = e + n + 2 * nu
    g = f + m
    i = g + 2 * kn
    j = i + run.ic[LEN_X]
    return Work(
        w[a : a + 3 * n].reshape((3, n)),
        w[a + 3 * n : b].reshape((3, n)),
        w[b : b + 3 * m].reshape((3, m)),
        w[b + 3 * m : c].reshape((3, m)),
        w[c:d].reshape((3, k)),
        w[d : d + n],
        w[d + n : d + 2 * n],
        w[d + 2 * n : d + 3 * n],
        w[d + 3 * n : e],
        w[e:f],
        w[f:g],
        w[g : g + kn],
        w[g + kn : i],
        w[i:j],
        w[j : j + k],
        w[j + k : j + 3 * k],
        w[j + 3 * k : j + 3 * k + 3 * nq].reshape((3, nq)),
    )
