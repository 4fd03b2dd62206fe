"""Times known before a run at which its equations have a corner or a jump.

Corners of linear signals stand in their tables; so do the points of signals that a condition reads,
which may turn back between two of them. A condition that time alone decides changes where its g(t)
comes to zero: spans of time whose enclosure of g does not hold zero are dropped, those in
which g is smooth and monotone have one zero or none, all others are halved. Nothing is missed,
however fast g is.

Intervals put through a program: bounds of a function of time over a span of time.

Every operation takes spans [low, high] of its arguments to a span that holds all its values, so
that a function whose span does not hold zero has no zero there. A span is marked as broken where
a jump or a change of branch may lie inside it. Many spans of time are done at once. Source: Moore,
Interval Analysis (1966).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pliant.arrays import Array, Flags
from pliant.code.compiled import Clock, CompiledEquations
from pliant.records import dataclass

_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True)
class Span:
    """low <= value <= high, for many spans of time at once."""

    low: Array
    high: Array

    def holds(self, value: float) -> Flags:
        inside: Flags = (self.low <= value) & (value <= self.high)
        return inside

    @property
    def single(self) -> Flags:
        """Whether there is one value only."""
        same: Flags = self.low == self.high
        return same

    @property
    def some(self) -> Flags:
        """Whether there are values other than zero."""
        found: Flags = np.maximum(np.abs(self.low), np.abs(self.high)) > 0
        return found


@dataclass(frozen=True, slots=True)
class Enclosure:
    """g and its rate over spans of time, and whether g is smooth in each."""

    g: Span
    rate: Span
    smooth: Flags


def enclose(clock: Clock, times: Span, p: Array) -> Enclosure:
    """Bounds of a condition's g and dg/dt over spans of time."""
    values: list[Span] = []
    smooth, same = np.ones(len(times.low), dtype=bool), np.zeros(len(times.low))
    with np.errstate(all="ignore"):
        for name, args, number in clock.program:
            if name == "t":
                values.append(times)
            elif name in ("number", "p"):
                constant = same + (number if name == "number" else p[args[0]])
                values.append(Span(constant, constant))
            else:
                parts = [values[k] for k in args]
                values.append(_defined(_OPERATIONS[name](*parts)))
                if name in _JUMPING:
                    smooth &= values[-1].single
    g, rate = values[-2:]
    slack = _ROUNDING * np.maximum(np.abs(g.low), np.abs(g.high))
    return Enclosure(Span(g.low - slack, g.high + slack), rate, smooth)


def _defined(x: Span) -> Span:
    """No number means any number."""
    bad = np.isnan(x.low) | np.isnan(x.high)
    return Span(np.where(bad, -np.inf, x.low), np.where(bad, np.inf, x.high)) if bad.any() else x


def _rising(f: Callable[[Array], Array]) -> Callable[[Span], Span]:
    return lambda a: Span(f(a.low), f(a.high))


def _hull(*values: Array) -> Span:
    return Span(np.minimum.reduce(values), np.maximum.reduce(values))


def _product(a: Span, b: Span) -> Span:
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _hull(*(np.where(np.isnan(e), 0.0, e) for e in ends))  # 0 times infinity


def _inverse(a: Span) -> Span:
    pole = a.holds(0.0)
    made = _hull(1 / a.low, 1 / a.high)
    return Span(np.where(pole, -np.inf, made.low), np.where(pole, np.inf, made.high))


def _absolute(a: Span) -> Span:
    high = np.maximum(np.abs(a.low), np.abs(a.high))
    return Span(np.where(a.holds(0.0), 0.0, np.minimum(np.abs(a.low), np.abs(a.high))), high)


def _sine(a: Span) -> Span:
    """A top lies inside if the number of turns past it changes."""
    turns = (a.low / (2 * np.pi), a.high / (2 * np.pi))
    top, bottom = ([np.floor(t + shift) for t in turns] for shift in (-0.25, 0.25))
    ends = _hull(np.sin(a.low), np.sin(a.high))
    wild = ~np.isfinite(a.low) | ~np.isfinite(a.high)
    low = np.where((bottom[0] != bottom[1]) | wild, -1.0, ends.low)
    return Span(low, np.where((top[0] != top[1]) | wild, 1.0, ends.high))


def _power(a: Span, b: Span) -> Span:
    """A whole constant power of anything, any power of what is above zero."""
    n = float(b.low[0]) if len(b.low) else 1.0
    if np.all(b.single) and n == round(n):
        if n < 0:
            return _inverse(_power(a, Span(-b.low, -b.high)))
        base = _absolute(a) if n % 2 == 0 else a
        return Span(base.low**n, base.high**n)
    ends = [x**y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _hull(*ends)


def _truth(certain: Flags, possible: Flags) -> Span:
    return Span(certain.astype(float), possible.astype(float))


def _chosen(c: Span, x: Span) -> Span:
    """x where c holds, else 0."""
    never, always = ~np.asarray(c.high != 0), ~c.holds(0.0)
    low, high = np.minimum(x.low, 0.0), np.maximum(x.high, 0.0)
    return Span(np.where(never, 0.0, np.where(always, x.low, low)),
                np.where(never, 0.0, np.where(always, x.high, high)))  # fmt: skip


def _equal(a: Span, b: Span) -> Span:
    same = a.single & b.single & (a.low == b.low)
    return _truth(same, (a.low <= b.high) & (b.low <= a.high))


def _not(a: Span) -> Span:
    return _truth(a.single & (a.low == 0), a.holds(0.0))


_JUMPING = frozenset(("floor", "ceil", "sign", "lt", "le", "eq", "ne"))
_OPERATIONS: dict[str, Callable[..., Span]] = {
    "add": lambda a, b: Span(a.low + b.low, a.high + b.high),
    "sub": lambda a, b: Span(a.low - b.high, a.high - b.low),
    "mul": _product,
    "div": lambda a, b: _product(a, _inverse(b)),
    "neg": lambda a: Span(-a.high, -a.low),
    "sq": lambda a: _rising(np.square)(_absolute(a)),
    "twice": lambda a: Span(2 * a.low, 2 * a.high),
    "inv": _inverse,
    "sqrt": _rising(np.sqrt),
    "exp": _rising(np.exp),
    "log": _rising(np.log),
    "sin": _sine,
    "cos": lambda a: _sine(Span(a.low + np.pi / 2, a.high + np.pi / 2)),
    "atan": _rising(np.arctan),
    "tanh": _rising(np.tanh),
    "sinh": _rising(np.sinh),
    "abs": _absolute,
    "sign": _rising(np.sign),
    "floor": _rising(np.floor),
    "ceil": _rising(np.ceil),
    "min": lambda a, b: Span(np.minimum(a.low, b.low), np.minimum(a.high, b.high)),
    "max": lambda a, b: Span(np.maximum(a.low, b.low), np.maximum(a.high, b.high)),
    "lt": lambda a, b: _truth(a.high < b.low, a.low < b.high),
    "le": lambda a, b: _truth(a.high <= b.low, a.low <= b.high),
    "eq": _equal,
    "ne": lambda a, b: _not(_equal(a, b)),
    "not": _not,
    "and": lambda a, b: _truth(~a.holds(0.0) & ~b.holds(0.0), a.some & b.some),
    "or": lambda a, b: _truth(~a.holds(0.0) | ~b.holds(0.0), a.some | b.some),
    "if": _chosen,
    "power": _power,
    "end": lambda a: a,
}


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
    fenced = np.concatenate([[-np.inf], np.sort(sure), [np.inf]])
    k = np.searchsorted(fenced[1:-1], near)
    apart = np.minimum(near - fenced[k], fenced[k + 1] - near)
    times = np.concatenate([sure, near[apart > 2 * _SHORTEST * whole]])
    times = np.unique(times[(times > begin + _CLOSE * whole) & (times < end - _CLOSE * whole)])
    return times[np.diff(times, prepend=-np.inf) > _CLOSE * whole]


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
    """The same; None if there are too many spans to look at together. ``may``: spans in which the
    condition may change; ``one``: in which it can do so once only."""
    edges, found = np.linspace(begin, end, _FIRST + 1), list[Changes]()
    low, high = edges[:-1], edges[1:]
    while len(low):
        if len(low) > _MANY:
            return None
        seen = enclose(clock, Span(low, high), p)
        still = seen.smooth & (seen.rate.low == 0.0) & (seen.rate.high == 0.0)  # g is constant
        may, one = ~still & seen.g.holds(0.0), seen.smooth & ~seen.rate.holds(0.0)
        if clock.whole:
            floors = np.floor(seen.g.low), np.floor(seen.g.high)
            may, one = ~still & (floors[0] != floors[1]), one & (floors[1] - floors[0] <= 1)
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
