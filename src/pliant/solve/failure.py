"""How an integration ends."""

from __future__ import annotations

from dataclasses import dataclass


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
