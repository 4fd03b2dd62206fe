"""Times known before a run at which its equations have a corner or a jump.

Corners of linear signals stand in their tables; so do the points of signals that a condition reads,
which may turn back between two of them. A condition that time alone decides changes where its g(t)
comes to zero: spans of time whose enclosure of g does not hold zero are dropped, those in
which g is smooth and monotone have one zero or none, all others are halved. Nothing is missed,
however fast g is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array, Flags
from pliant.equations.compiled import Clock, CompiledEquations
from pliant.solve.enclosures import Enclosure, Span, enclose

_FIRST = 64
"""Spans to begin with."""
_MANY = 100_000
"""Spans that are looked at together; more are done in two halves of the time."""
_PARTS = 4096
"""So many parts of the time at most."""
_SHORTEST = 1e-10
"""Of the whole time: a span is not halved further (a jump, or g that touches zero)."""
_CLOSE = 1e-12
"""Of the whole time: instants closer together are one."""
_STRAIGHT = 1e-12
"""Of the steepest line of a signal: a smaller change of slope is no corner."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Times at which g is zero, and those near which it jumps over zero or touches it."""

    exact: Array
    near: Array


def instants(compiled: CompiledEquations, p: Array, begin: float, end: float) -> Array:
    """Increasing times between ``begin`` and ``end``, both excluded."""
    whole = end - begin
    exact = [corners(p[s.offset :], s.points) for s in compiled.signals if s.corners]
    exact += [p[s.offset + 1 :][: s.points] for s in compiled.signals if s.guarded]
    found = [changes(clock, p, begin, end) for clock in compiled.clocks]
    if not exact and not found:
        return np.zeros(0)
    sure = np.concatenate([*exact, *(f.exact for f in found)])
    near = np.concatenate([f.near for f in found] or [sure[:0]])
    times = np.concatenate([sure, near[_distance(near, np.sort(sure)) > 2 * _SHORTEST * whole]])
    times = np.unique(times[(times > begin + _CLOSE * whole) & (times < end - _CLOSE * whole)])
    return times[np.diff(times, prepend=-np.inf) > _CLOSE * whole]


def _distance(times: Array, others: Array) -> Array:
    """From each time to the nearest of others, which increase."""
    fenced = np.concatenate([[-np.inf], others, [np.inf]])
    k = np.searchsorted(others, times)
    nearest: Array = np.minimum(times - fenced[k], fenced[k + 1] - times)
    return nearest


def corners(table: Array, points: int) -> Array:
    """Points of a linear signal at which its slope changes."""
    times, values = table[1 : 1 + 2 * points].reshape(2, points)
    slopes = np.concatenate([[0.0], np.diff(values) / np.diff(times), [0.0]])
    found: Array = times[np.abs(np.diff(slopes)) > _STRAIGHT * np.abs(slopes).max()]
    return found


def changes(clock: Clock, p: Array, begin: float, end: float) -> Changes:
    """Times at which a condition of time changes; none if no end of them can be seen (a g that is
    zero for long but for rounding), which leaves them to the looks inside steps."""
    shortest, found = _SHORTEST * (end - begin), list[Changes]()
    waiting = [(begin, end)]
    while waiting:
        a, b = waiting.pop()
        some = _changes(clock, p, a, b, shortest)
        if some is not None:
            found.append(some)
        elif b - a < (end - begin) / _PARTS:
            return Changes(np.zeros(0), np.zeros(0))
        else:
            waiting += [(a, (a + b) / 2), ((a + b) / 2, b)]
    return _together(found)


def _changes(clock: Clock, p: Array, begin: float, end: float, shortest: float) -> Changes | None:
    """The same; None if there are too many spans to look at together."""
    edges, found = np.linspace(begin, end, _FIRST + 1), list[Changes]()
    low, high = edges[:-1], edges[1:]
    while len(low):
        if len(low) > _MANY:
            return None
        seen = enclose(clock, Span(low, high), p)
        may, one = _may_change(clock, seen), _once(clock, seen)
        unclear = may & ~one
        short = unclear & (high - low <= shortest)
        sure = _located(clock, p, low[may & one], high[may & one])
        found.append(Changes(sure, (low[short] + high[short]) / 2))
        low, high = low[unclear & ~short], high[unclear & ~short]
        middle = (low + high) / 2
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return _together(found)


def _together(parts: Sequence[Changes]) -> Changes:
    return Changes(
        np.concatenate([c.exact for c in parts]), np.concatenate([c.near for c in parts])
    )


def _may_change(clock: Clock, seen: Enclosure) -> Flags:
    """Spans in which the condition may change: not where g is constant."""
    moves: Flags = ~(seen.smooth & (seen.rate.low == 0.0) & (seen.rate.high == 0.0))
    if clock.whole:
        moves &= np.floor(seen.g.low) != np.floor(seen.g.high)
        return moves
    return moves & seen.g.holds(0.0)


def _once(clock: Clock, seen: Enclosure) -> Flags:
    """Spans in which it can change once only."""
    monotone: Flags = seen.smooth & ~seen.rate.holds(0.0)
    if not clock.whole:
        return monotone
    single: Flags = np.floor(seen.g.high) - np.floor(seen.g.low) <= 1
    return monotone & single


def _located(clock: Clock, p: Array, low: Array, high: Array) -> Array:
    """Zeros in spans where g is smooth and monotone, by Newton's rule in a bracket."""
    ends = [enclose(clock, Span(t, t), p).g for t in (low, high)]
    values = [(e.low + e.high) / 2 for e in ends]
    level = np.floor(np.maximum(*values)) if clock.whole else np.zeros(len(low))
    at_low, at_high = (v - level for v in values)
    has = (at_low <= 0) != (at_high <= 0)
    low, high, level = low[has], high[has], level[has]
    rises = at_high[has] > 0
    t = (low + high) / 2
    for _ in range(60):
        seen = enclose(clock, Span(t, t), p)
        g, rate = (seen.g.low + seen.g.high) / 2 - level, seen.rate.low
        above = (g > 0) == rises
        low, high = np.where(above, low, t), np.where(above, t, high)
        new = t - g / rate
        new = np.where((new >= low) & (new <= high), new, (low + high) / 2)
        if np.all(np.abs(new - t) <= 4 * np.spacing(np.abs(t))):
            break
        t = new
    return t
