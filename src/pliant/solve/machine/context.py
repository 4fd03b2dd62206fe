"""The context of a model: an integer array ``ic`` and a real array ``dc`` handed to every service.

The first entries mean the same for every model (dense or kernel); what follows is private to the
producer of the services. Nothing in a context is a pointer into itself, so a copy of the two arrays
is an independent solver state of the same model.

    x = [ t | q | u | xs | a | lam ]        y: exchange buffer of the services
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code.llvm import fence

# ic: lengths of the four arrays of a service, sizes of the model
LEN_IC, LEN_DC, LEN_X, LEN_Y, NQ, NU, NX, ND, NC, NH, HAS_LAM = range(11)
# ic: the rank decision: number of rows kept, whether the set changed
RANK, CHANGED = 11, 12
N_LOOPS = 13
"""Unknowns of algebraic loops, the last speeds; their equations are the last rows."""
# ic: level of the constraints in RESIDUAL (below); which factor PROJECT uses; treatment is exact
LEVEL, PROJECTOR, EXACT = range(14, 17)
# ic: counters kept by the services
EVALUATIONS, FACTORISATIONS, JACOBIANS, PROJECTIONS = range(17, 21)
PARAMETERS, N_PARAMETERS = 21, 22
"""Where the parameters p stand in dc, and how many."""
PLACE, UNDECIDED = 23, 24
"""Where the positions of the rows among the kept ones stand in ic (-1: not kept);
whether a choice that follows the rank decision is still to be made."""
FACTOR_CURRENT, PROJECT_ALONE = 25, 26
"""Whether a factor of the last state given to ``accelerate`` is at hand; whether ``project`` makes
the factor it needs by itself."""
N_GUARDS = 27
"""Conditions with a mode; modes and widths are the last entries of the parameters."""
N_LINES, LINES = 28, 29
"""Linear signals with corners, and where they stand in ic: two numbers each, the place of the
table among the parameters and its number of points."""
IC_HEADER = 30

# dc
THRESHOLD, HYSTERESIS, PIVOT, LEFT, CORRECTION, PROJECTION_TOLERANCE = range(6)
C1, C2, Z1, Z2 = 6, 7, 8, 10
"""Coefficients of the real factor; of the complex one (two numbers each)."""
OPTIONS = 12
"""Six numbers of the constraint treatment."""
POWER = 18
"""Two numbers: power of the sources, and what is dissipated."""
DC_HEADER = 20

LEVEL_ACCELERATION, LEVEL_VELOCITY, LEVEL_POSITION, LEVEL_STABILISED = 1, 2, 3, 4
FACTOR_OF_ACCELERATE, FACTOR_OF_NEWTON = 0, 1
PROJECT_Q, PROJECT_U, PROJECT_BOTH = 1, 2, 3
KEEP, SAME = 1, 2
"""Of the service ``sigma``: keep the rows that are independent best; take those of last time."""

SERVICES = (
    "rank",  # decide which rows of G to keep, at a consistent state; returns 1 if the set changed
    "accelerate",  # a, lam in x; y <- [qdot | xdot]; leaves its factor; returns 0 if regular
    "project",  # y[0]: q, u or both onto the constraints with a frozen factor, at most y[1] times
    "settle",  # after an accepted step: unit quaternions
    "kinematics",  # y <- [q' | q'']
    "rates",  # y <- u for x = [t | q | q']
    "tangent",  # q in x <- retract(q, y), y a tangent vector (nu)
    "residual",  # y <- [qdot | xdot | r | constraint rows at the LEVEL]
    "linearise",  # derivatives at x, kept for factor
    "factor",  # (dr/du' + c1 dr/du + c2 dr/dq) with constraint rows, c1 = y[0], c2 = y[1]
    "solve",  # y <- factor^-1 y for y = [r | rows | xdot]
    "factor_complex",  # same, c1 = y[0] + i y[1], c2 = y[2] + i y[3]
    "solve_complex",  # same, y interleaved
    "error",  # right side of the Radau error estimate from y = [fu | fq | fx]
    "multipliers",  # minimum-norm lam at the last state given to accelerate
    "guards",  # y <- [g | rate | margin | its rate | next mode | present mode] of conditions; pace
    "branch",  # q and u onto the constraints, q by at most y[0], then as accelerate; 0: went well
    "sigma",  # y <- [smallest singular value, pivot] of G at x; y[0]: 0, KEEP or SAME
    "power",  # dc[POWER] <- powers (pliant.code.energy) at the last state of accelerate
    "power_at",  # the same at x, with its a and lam
    "close",  # unknowns of algebraic loops in x <- solution for the rest of x; 0: found
)
(
    S_RANK, S_ACCELERATE, S_PROJECT, S_SETTLE, S_KINEMATICS, S_RATES, S_TANGENT, S_RESIDUAL,
    S_LINEARISE, S_FACTOR, S_SOLVE, S_FACTOR_COMPLEX, S_SOLVE_COMPLEX, S_ERROR, S_MULTIPLIERS,
    S_GUARDS, S_BRANCH, S_SIGMA, S_POWER, S_POWER_AT, S_CLOSE,
) = range(21)  # fmt: skip


class ContextBuilder:
    """Lays out ic and dc: arrays are appended, and a slot of the header keeps where they start.

    All work space of services is made here, with fences in between.
    """

    def __init__(self, ic_header: int, dc_header: int) -> None:
        self._ic = [0] * ic_header + fence.words(ic_header)
        self._dc = [0.0] * dc_header + fence.real_words(dc_header)

    def set(self, slot: int, value: int) -> None:
        self._ic[slot] = int(value)

    def set_real(self, slot: int, value: float) -> None:
        self._dc[slot] = float(value)

    def integers(self, slot: int, values: Sequence[int] | Integers) -> int:
        """Append integers; ``ic[slot]`` says where they start."""
        self._ic[slot] = len(self._ic)
        self._ic += [int(v) for v in values]
        self._ic += fence.words(len(self._ic))
        return self._ic[slot]

    def reals(self, slot: int, values: Sequence[float] | Array) -> None:
        """Append reals; ``ic[slot]`` says where they start in dc."""
        self._ic[slot] = len(self._dc)
        self._dc += [float(v) for v in values]
        self._dc += fence.real_words(len(self._dc))

    def room(self, slot: int, count: int) -> None:
        """Append ``count`` zeros to dc."""
        self.reals(slot, [0.0] * max(count, 1))

    def arrays(self) -> tuple[Integers, Array]:
        self._ic[LEN_IC], self._ic[LEN_DC] = len(self._ic), len(self._dc)
        return np.array(self._ic, dtype=np.int64), np.array(self._dc, dtype=np.float64)
