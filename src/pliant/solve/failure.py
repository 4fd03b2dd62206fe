"""How an integration ends."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.errors import RunError
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an integration stopped before its end; what was computed until ``time`` is kept.

    ``code``: step-underflow, too-many-steps, rejections, singular, lock-up, not-a-number,
    no-convergence, interrupted or change-point. ``row``: the constraint row to blame (-1: none);
    ``rows``: all rows that take part in the near dependency. ``pivot``: smallest relative pivot of
    the constraints there.
    """

    code: str
    time: float
    message: str
    row: int = -1
    rows: tuple[int, ...] = ()
    pivot: float = 1.0


CODES = {
    -1: ("step-underflow", "the step has become too small for the tolerance"),
    -2: ("too-many-steps", "the number of steps allowed is used up"),
    -3: ("rejections", "every step tried is rejected"),
    -4: ("singular", "the accelerations are not determined: a mass or a constraint is missing"),
    -5: ("lock-up", "the constraints cannot be continued: the mechanism is locked"),
    -6: ("not-a-number", "the state is no longer finite or the constraints no longer hold"),
    -7: ("no-convergence", "Newton's iteration does not converge with this step"),
    -8: ("change-point", "two ways of assembly meet here, and rounding would decide which to take"),
}


class UndefinedError(RunError):
    """Something has no finite value at the packed state x with parameters p.

    Whoever knows the model says what it is (``pliant.backends.causes``). ``what``: what was found
    so far, such as the names of observables.
    """

    def __init__(self, what: str, x: Array, p: Array) -> None:
        self.what, self.x, self.p = what, x.copy(), p.copy()
        super().__init__(f"t = {float(x[0]):.6g} s: {what}")


def require_finite(what: str, x: Array, p: Array, *values: Array) -> None:
    """Linear algebra on these numbers is possible; raises UndefinedError otherwise."""
    if not all(np.isfinite(v).all() for v in values):
        raise UndefinedError(f"{what} cannot be computed as finite numbers", x, p)
