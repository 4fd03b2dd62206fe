"""A benchmark case: the same problem on both sides, an error against a stated reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Run(NamedTuple):
    """One integration: seconds of compiled code, error, seconds around it, steps if it has any."""

    seconds: float
    error: float
    wrapping: float = 0.0
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Contestant:
    """One program with one setting: ``run`` makes one integration.

    ``prepared`` is what it took to get ready (derivation, compilation, building the model), in
    seconds; it is reported apart.
    """

    program: str
    setting: str
    run: Callable[[], Run]
    prepared: float = 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """A problem over ``duration`` simulated seconds.

    ``peer()`` is the peer at its fastest sensible setting; ``pliant(error)`` Pliant at a setting
    whose error is no larger. ``wanted`` is the ratio of times to be reached. ``measure`` says
    where the error is taken.
    """

    name: str
    title: str
    reference: str
    duration: float
    wanted: float
    peer: Callable[[], Contestant]
    pliant: Callable[[float], Contestant]
    measure: str = "error at the end"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Best times (s), errors and numbers of steps of both sides."""

    case: Case
    peer: Contestant
    peer_time: float
    peer_error: float
    pliant: Contestant
    pliant_time: float
    pliant_error: float
    wrapping: float
    """Pliant's time outside compiled code."""
    peer_steps: int = 0
    pliant_steps: int = 0

    @property
    def ratio(self) -> float:
        """How many times faster Pliant was."""
        return self.peer_time / self.pliant_time

    @property
    def reached(self) -> bool:
        """Whether the wanted ratio was reached at equal or better accuracy."""
        return self.ratio >= self.case.wanted and self.pliant_error <= max(self.peer_error, 1e-12)


def loosest(run: Callable[[float], Run], tolerances: Sequence[float], allowed: float) -> float:
    """The loosest tolerance that is accurate enough, as all tighter ones are: no lucky ones."""
    chosen = min(tolerances)
    for rtol in sorted(tolerances):
        if not run(rtol).error <= allowed:
            break
        chosen = rtol
    return chosen


def play(case: Case, rounds: int) -> Outcome:
    """Both sides in turn; best of ``rounds``."""
    peer = case.peer()
    peer_error = peer.run().error
    pliant = case.pliant(peer_error)
    pliant_error = pliant.run().error
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(peer.run())
        ours.append(pliant.run())
    their_best, best = min(theirs), min(ours)
    return Outcome(
        case, peer, their_best.seconds, peer_error, pliant, best.seconds, pliant_error,
        best.wrapping, their_best.steps, best.steps,
    )  # fmt: skip
