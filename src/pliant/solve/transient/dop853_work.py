"""Arrays and remembered numbers of DOP853."""

from __future__ import annotations

from typing import Any, NamedTuple

from pliant.solve.abi import Reals, at, jit
from pliant.solve.transient import state as s
from pliant.solve.transient.pose_polynomial import pose_size

STIFF_COUNT, CALM_COUNT, AFTER_REJECTION = range(s.METHOD_FLAGS, s.METHOD_FLAGS + 3)
SLOPES, START, NEW, LAST_STAGE, SCALE, END, POWERS, THIRD, THIRD_NEW = range(
    s.METHOD_ARRAYS, s.METHOD_ARRAYS + 9
)
LAST_H, LAST_ERROR = range(s.METHOD_NUMBERS, s.METHOD_NUMBERS + 2)


class Work(NamedTuple):
    """Work arrays; n = nq + nu + nx."""

    k: Reals
    """Slopes of the 16 stages (16, n)."""
    start: Reals
    new: Reals
    last_stage: Reals
    scale: Reals
    end: Reals
    """A packed vector x."""
    powers: Reals
    """Of the stages (16, 2)."""
    third: Reals
    """Squares of the errors of order 3 in the last step, in units of the tolerance."""
    third_new: Reals


def arrays(nq: int, nu: int, nx: int, m: int, x_size: int) -> dict[int, int]:
    """Sizes of the work arrays by slot."""
    n = nq + nu + nx
    return {
        SLOPES: 16 * n, START: n, NEW: n, LAST_STAGE: n, SCALE: n, END: x_size,
        s.POSE: pose_size(n), POWERS: 32, THIRD: n, THIRD_NEW: n,
    }  # fmt: skip


@jit
def work_of(run: s.Run) -> Work:
    return Work(
        s.vector(run, SLOPES), s.vector(run, START), s.vector(run, NEW), s.vector(run, LAST_STAGE),
        s.vector(run, SCALE), s.vector(run, END), s.vector(run, POWERS), s.vector(run, THIRD),
        s.vector(run, THIRD_NEW),
    )  # fmt: skip


@jit
def slope(run: s.Run, w: Work, k: int) -> Any:
    """Slope of stage k."""
    return at(w.k, k * s.state_size(run))
