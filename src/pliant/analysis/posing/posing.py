"""Moving a mechanism towards a wish, its joints held, in steps that keep the branch.

Each step is of Levenberg and Marquardt's kind within the free motions,

    min |J v + r|^2 + m |W v|^2   with  A v = 0,        then back onto the constraints

A holds the mechanism, W measures what is to change least (all joints alike where a joint is
dragged, the motion of all bodies where a body is). The step is accepted if it comes nearer to the
wish and the way back onto the constraints is short beside it. Where A loses rank two branches of
the mechanism meet: steps shrink with the smallest singular value, so that none leads across, and
the motion ends there.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pliant.analysis.posing.linkage import Coordinates, Linkage
from pliant.analysis.posing.reasons import Reason, locked, why_not
from pliant.analysis.posing.wishes import Wish
from pliant.arrays import Array
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError
from pliant.study import Study

_REACHED, _NEAR = 1e-11, 1e-6
"""Residuals that end the iteration, and those that will do where it ends by itself."""
_LARGEST_STEP, _SMALLEST_STEP = 0.1, 1e-6
"""Of joints (rad, sizes of the model), and of all bodies together."""
_SHORT = 0.5
"""The way back onto the constraints, beside the step."""
_RANK = 1e-6
_SINGULAR = 2e-3
"""Of the smallest singular value next to what it is elsewhere."""
_USUAL = 0.03
"""What the smallest singular value usually is at least, of the largest."""
_STEPS = 400
_GOOD, _POOR = 0.75, 0.4
_STILL = 1e-9
"""By which part a step must bring it nearer to the wish."""


@dataclass(frozen=True, slots=True)
class Freedom:
    """Free motions Z at a pose; ``share``: how far from singular it is, 1 is far."""

    Z: Array
    share: float


@dataclass(frozen=True, slots=True)
class Moved:
    """Whether the wish was reached; why not, if it cannot be; ``unfinished``: time was up."""

    reached: bool
    reason: Reason | None = None
    unfinished: bool = False


def _damping(now: float, gained: float) -> float:
    """For the next step; ``gained``: what the last one brought, of what it was to bring."""
    if gained > _GOOD:
        return max(now / 4, 1e-9)
    return now if gained > _POOR else max(4 * now, 1e-4)


class Posing:
    """The present pose of a mechanism, which begins at its assembled start."""

    def __init__(self, system: Study, params: Mapping[str, Any] | None = None) -> None:
        self.linkage = Linkage(system, params)
        self.q = self.linkage.start.copy()
        self.told: Coordinates = self.linkage.coordinates(self.q, self._given())
        self.first = self.told
        self._usual, self._rank = 0.0, 0
        self._seen: tuple[bytes, type[Wish], Freedom] | None = None

    def _given(self) -> Coordinates:
        """What the file says of angles, for those that a pose tells within a turn only."""
        value, found = self.linkage.values.number, dict[str, dict[str, float]]()
        for name, joint in self.linkage.joints.items():
            told = {**joint.guess, **joint.initial}
            found[name] = {s.name: value(told[s.name]) if s.name in told else 0.0
                           for s in joint.scalars}  # fmt: skip
        return found

    def toward(self, wishes: Sequence[Wish], seconds: float = np.inf) -> Moved:
        """Move as near to the wishes as the mechanism allows, or as far as time allows."""
        for wish in wishes:
            wish.check(self.linkage)
        if not self.linkage.c.nu:
            return Moved(False, locked(self.linkage, wishes[0]))
        end, damping = clock.monotonic() + seconds, 1e-9
        for _ in range(_STEPS):
            J, r = self._rows(self.q, self.told, wishes)
            if float(np.abs(r).max(initial=0.0)) < _REACHED:
                return Moved(True)
            free = self.freedom(self.q, wishes[0])
            JZ = J @ free.Z
            made = self._step(wishes, free, JZ, r, damping)
            if made is None or made[1] < _STILL:
                if float(np.abs(r).max()) < _NEAR:
                    return Moved(True)
                return Moved(False, why_not(self.linkage, self.q, wishes[0], free, JZ))
            damping = made[0]
            if clock.monotonic() > end:
                return Moved(False, unfinished=True)
        return Moved(False, unfinished=True)

    def _rows(self, q: Array, told: Coordinates, wishes: Sequence[Wish]) -> tuple[Array, Array]:
        rows = [wish.rows(self.linkage, q, told) for wish in wishes]
        return np.vstack([J for J, _ in rows]), np.concatenate([r for _, r in rows])

    def freedom(self, q: Array, wish: Wish) -> Freedom:
        """Free motions in the measure of a wish."""
        key = q.tobytes(), type(wish)
        if self._seen is None or self._seen[:2] != key:
            self._seen = *key, self._freedom(q, wish)
        return self._seen[2]

    def _freedom(self, q: Array, wish: Wish) -> Freedom:
        A, W = self.linkage.holding(q), wish.metric(self.linkage, q)
        n = A.shape[1]
        small = 1e-6 * max(float(np.abs(W).max(initial=0.0)), 1.0)
        R = np.linalg.qr(np.vstack([W, small * np.eye(n)]), mode="r")  # |W v| = |R v|
        if not len(A):
            return Freedom(np.linalg.inv(R), 1.0)
        _, s, Vt = np.linalg.svd(A)
        rank = int((s > _RANK * max(float(s[0]), 1e-300)).sum())
        self._rank = max(rank, self._rank)
        smallest = float(s[self._rank - 1]) if self._rank else 1.0
        self._usual = max(self._usual, smallest, _USUAL * float(s[0]))
        held = np.linalg.svd(s[:rank, None] * Vt[:rank] @ np.linalg.inv(R))[2]
        Z = np.linalg.solve(R, held[rank:].T)
        return Freedom(Z, min(1.0, smallest / max(self._usual, 1e-300)))

    def _step(
        self, wishes: Sequence[Wish], free: Freedom, JZ: Array, r: Array, damping: float
    ) -> tuple[float, float] | None:
        """Take one step; (damping for the next, part by which the cost has shrunk), or None."""
        cost, largest = float(r @ r), min(_LARGEST_STEP, max(0.5 * free.share, _SINGULAR / 4))
        gradient, H = JZ.T @ r, JZ.T @ JZ
        scale = float(np.trace(H)) / max(len(H), 1)
        if not len(H) or float(np.abs(gradient).max()) <= 1e-9 * np.sqrt(cost * max(scale, 1e-12)):
            return None
        shrink = 1.0
        for attempt in range(40):
            y = -np.linalg.solve(H + (damping * scale + 1e-15) * np.eye(len(H)), gradient)
            step = free.Z @ y
            size = float(np.abs(step).max())
            limited = min(1.0, shrink * largest / max(size, 1e-300))
            if attempt and limited * size < _SMALLEST_STEP * free.share:
                return None
            found = self._tried(wishes, free, limited * step, cost)
            if found is not None:
                self.q, self.told, new = found
                ahead = r + limited * JZ @ y
                gained = (cost - new) / max(cost - float(ahead @ ahead), 1e-300)
                return _damping(damping, gained), 1 - new / cost
            damping, shrink = max(4 * damping, 1e-4), shrink / 2
        return None

    def _tried(
        self, wishes: Sequence[Wish], free: Freedom, step: Array, cost: float
    ) -> tuple[Array, Coordinates, float] | None:
        """The pose after a step, its coordinates and cost, if it is a good one."""
        linkage = self.linkage
        try:
            ahead = linkage.moved(self.q, step)
            q = linkage.closed(ahead)
            if q is None or self._far(ahead, q, free):
                return None
            told = linkage.coordinates(q, self.told)
            r = self._rows(q, told, wishes)[1]
            after = self.freedom(q, wishes[0])
        except UndefinedError:
            return None
        if after.share < min(_SINGULAR, free.share) or after.share < 0.4 * free.share:
            return None
        new = float(r @ r)
        return (q, told, new) if new < cost else None

    def _far(self, ahead: Array, q: Array, free: Freedom) -> bool:
        """Whether the way back onto the constraints is long beside the step."""
        way, back = np.abs(ahead - self.q), np.abs(q - ahead)
        lengths = np.array([1 / self.linkage.size if s.unit == "m" else 1.0
                            for s in self.linkage.c.layout.q])  # fmt: skip
        most = _SHORT if free.share > _SINGULAR else 4.0
        return float((back * lengths).max(initial=0.0)) > most * float(
            (way * lengths).max(initial=0.0)
        )
