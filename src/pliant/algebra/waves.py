"""Products of sines and cosines, at most one of each run of angles: the run-Fourier basis.

Angles of parallel joints form a run. Inside a run a product is a sum at once:

    2 cos a cos b = cos(a - b) + cos(a + b)        2 sin a sin b = cos(a - b) - cos(a + b)
    2 sin a cos b = sin(a + b) + sin(a - b)

Across runs it stays a product. That is a basis, so the form of a value is unique.
"""

from __future__ import annotations

from typing import NamedTuple

Multiples = tuple[tuple[int, int], ...]
"""An integer combination of angles: (symbol, multiple), by symbol."""


class Wave(NamedTuple):
    """cos or sin of an integer combination of the angles of one run."""

    run: int
    is_sine: bool
    angle: Multiples


Part = tuple[int, int, int]
"""(sign, number of halvings, index): sign / 2^halvings times a product of waves."""


class Waves:
    """Table of products of waves; index 0 is 1."""

    def __init__(self) -> None:
        self.waves: list[tuple[Wave, ...]] = [()]
        self._index: dict[tuple[Wave, ...], int] = {(): 0}
        self._products: dict[tuple[int, int], tuple[Part, ...]] = {}

    def index(self, waves: tuple[Wave, ...]) -> int:
        """The index of a product, its waves sorted by run."""
        found = self._index.get(waves)
        if found is None:
            found = self._index[waves] = len(self.waves)
            self.waves.append(waves)
        return found

    def times(self, a: int, b: int) -> tuple[Part, ...]:
        """The product of two products as a sum."""
        if a > b:
            a, b = b, a
        found = self._products.get((a, b))
        if found is None:
            found = self._products[a, b] = self._multiplied(a, b)
        return found

    def _multiplied(self, a: int, b: int) -> tuple[Part, ...]:
        sums: list[tuple[int, dict[int, Wave]]] = [(1, {w.run: w for w in self.waves[a]})]
        halvings = 0
        for second in self.waves[b]:
            own = next((w for w in self.waves[a] if w.run == second.run), None)
            if own is None:
                sums = [(c, {**waves, second.run: second}) for c, waves in sums]
                continue
            halvings += 1
            sums = [
                (c * sign, _with(waves, second.run, wave))
                for c, waves in sums
                for sign, wave in _two(own, second)
            ]
        return tuple((c, halvings, self.index(_sorted(waves))) for c, waves in sums)


def _with(waves: dict[int, Wave], run: int, wave: Wave | None) -> dict[int, Wave]:
    others = {r: w for r, w in waves.items() if r != run}
    return others if wave is None else {**others, run: wave}


def _sorted(waves: dict[int, Wave]) -> tuple[Wave, ...]:
    return tuple(waves[run] for run in sorted(waves))


def _two(a: Wave, b: Wave) -> list[tuple[int, Wave | None]]:
    """Twice the product of two waves of one run."""
    plus, minus = combined(a.angle, b.angle, 1), combined(a.angle, b.angle, -1)
    if a.is_sine == b.is_sine:
        parts = [(1, False, minus), (-1 if a.is_sine else 1, False, plus)]
    else:
        parts = [(1, True, plus), (1 if a.is_sine else -1, True, minus)]
    found = [(sign, canonical(a.run, is_sine, angle)) for sign, is_sine, angle in parts]
    return [(sign * own, wave) for sign, (own, wave) in found if own]


def combined(a: Multiples, b: Multiples, sign: int) -> Multiples:
    """a + sign b."""
    total = dict(a)
    for k, n in b:
        total[k] = total.get(k, 0) + sign * n
    return tuple(sorted((k, n) for k, n in total.items() if n))


def canonical(run: int, is_sine: bool, angle: Multiples) -> tuple[int, Wave | None]:
    """(sign, wave) with a positive first multiple; the wave of angle 0 is None, with 1 or 0."""
    if not angle:
        return (0 if is_sine else 1), None
    if angle[0][1] > 0:
        return 1, Wave(run, is_sine, angle)
    opposite = tuple((k, -n) for k, n in angle)
    return (-1 if is_sine else 1), Wave(run, is_sine, opposite)
