"""Arrays and coefficients of the Radau integrator: three-stage Radau IIA of order 5.

Source: Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., Springer 1996, IV.5
(method) and IV.8 (transformation, code radau5.f); the transformation as in SciPy
(scipy.integrate._ivp.radau, BSD 3-clause).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pliant.solve.machine.abi import Reals, jit
from pliant.solve.transient import state as s

_S6 = 6.0**0.5
C = np.array([(4.0 - _S6) / 10.0, (4.0 + _S6) / 10.0, 1.0])
A = np.array(
    [
        [(88.0 - 7.0 * _S6) / 360.0, (296.0 - 169.0 * _S6) / 1800.0, (-2.0 + 3.0 * _S6) / 225.0],
        [(296.0 + 169.0 * _S6) / 1800.0, (88.0 + 7.0 * _S6) / 360.0, (-2.0 - 3.0 * _S6) / 225.0],
        [(16.0 - _S6) / 36.0, (16.0 + _S6) / 36.0, 1.0 / 9.0],
    ]
)
A_INVERSE = np.linalg.inv(A)
E = np.array([-13.0 - 7.0 * _S6, -13.0 + 7.0 * _S6, -1.0]) / 3.0
"""Weights of the embedded error estimate."""
MU_REAL = 3.0 + 3.0 ** (2.0 / 3.0) - 3.0 ** (1.0 / 3.0)
MU_COMPLEX = complex(
    3.0 + 0.5 * (3.0 ** (1.0 / 3.0) - 3.0 ** (2.0 / 3.0)),
    -0.5 * (3.0 ** (5.0 / 6.0) + 3.0 ** (7.0 / 6.0)),
)
"""Eigenvalues of A^-1."""
T = np.array(
    [
        [0.09443876248897524, -0.14125529502095421, 0.03002919410514742],
        [0.25021312296533332, 0.20412935229379994, -0.38294211275726192],
        [1.0, 1.0, 0.0],
    ]
)
"""T^-1 A^-1 T is block diagonal: MU_REAL and the real form of MU_COMPLEX."""
T_INVERSE = np.array(
    [
        [4.17871859155190428, 0.32768282076106237, 0.52337644549944951],
        [-4.17871859155190428, -0.32768282076106237, 0.47662355450055044],
        [0.50287263494578682, -2.57192694985560522, 0.59603920482822492],
    ]
)
NEED_JACOBIAN, FRESH_JACOBIAN, HISTORY, RADAU_REJECTED = range(s.METHOD_FLAGS, s.METHOD_FLAGS + 4)
H_FACTOR, H_OLD, ERROR_OLD, THETA, STAGE_RATE = range(s.METHOD_NUMBERS, s.METHOD_NUMBERS + 5)
(
    Z, Z_OLD, LAM_STAGE, LAM_OLD, RESIDUALS, START, RATES, SCALE, BEFORE, ERROR, LAM, KNOT,
    KNOT_END, BUFFER, REAL_PART, COMPLEX_PART, STAGE_RATES, POWER_NOW,
) = range(s.METHOD_ARRAYS, s.METHOD_ARRAYS + 18)  # fmt: skip


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
def work_of(run: s.Run) -> Work:
    return Work(
        s.vector(run, Z), s.vector(run, Z_OLD), s.vector(run, LAM_STAGE), s.vector(run, LAM_OLD),
        s.vector(run, RESIDUALS), s.vector(run, START), s.vector(run, RATES), s.vector(run, SCALE),
        s.vector(run, BEFORE), s.vector(run, ERROR), s.vector(run, LAM), s.vector(run, KNOT),
        s.vector(run, KNOT_END), s.vector(run, BUFFER), s.vector(run, REAL_PART),
        s.vector(run, COMPLEX_PART), s.vector(run, STAGE_RATES), s.vector(run, POWER_NOW),
    )  # fmt: skip
