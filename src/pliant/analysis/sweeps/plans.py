"""Plans: which values are run together.

grid      all combinations
list      values side by side: the first of all, the second of all
random    independent of each other
latin     a Latin hypercube: n runs take a value out of every n-th part of every range
sobol     points that lie evenly however many are taken
saltelli  n (d + 2) runs from which ``Sweep.sobol`` finds the indices of d names

A plan is the same whenever it is made: its seed is part of it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.analysis.sweeps.sobol import DIMENSIONS, sobol
from pliant.analysis.sweeps.spans import Range, Span, refuse_many, span
from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.results.sweeps.table import Varied

KINDS = ("grid", "list", "random", "latin", "sobol", "saltelli")
Vary = Mapping[str, Any] | Sequence[Mapping[str, Any]]


def spans_of(vary: Any) -> tuple[dict[str, Span], bool]:
    """What each name takes; whether rows were given: a table of pandas, or one mapping a run."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(vary, pandas.DataFrame):
        names = [str(name) for name in vary.columns]
        _refuse_twice(names)
        if not names:
            raise InputError("nothing is varied", "give a table with a column for each name")
        return {n: span(n, vary.iloc[:, k].tolist()) for k, n in enumerate(names)}, True
    if isinstance(vary, Mapping):
        if not vary:
            raise InputError("nothing is varied", 'give for example {"T": "0.5..2"}')
        return {str(name): span(str(name), given) for name, given in vary.items()}, False
    if isinstance(vary, str) or not isinstance(vary, Sequence):
        raise InputError(f"vary: {vary!r} is no mapping", 'give for example {"T": "0.5..2"}')
    return _of_rows(vary), True


def _of_rows(rows: Sequence[Any]) -> dict[str, Span]:
    refuse_many(len(rows))
    if not rows or not all(isinstance(row, Mapping) and row for row in rows):
        raise InputError("vary: rows are mappings of names to values", 'give [{"T": 1}, {"T": 2}]')
    names = rows[0].keys()
    other = next((k for k, row in enumerate(rows) if row.keys() != names), None)
    if other is not None:
        raise InputError(f"vary: row {other + 1} has other names than the first",
                         "give every row all names")  # fmt: skip
    return {str(n): span(str(n), [row[n] for row in rows]) for n in names}


def _refuse_twice(names: Sequence[str]) -> None:
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise InputError(f"'{twice}' is varied twice", "name it once")


def planned(vary: Any, samples: int | None, kind: str | None, seed: int) -> Varied:
    """The table of a plan. ``kind`` None: rows as they are given; evenly along one range; all
    combinations of values; a Latin hypercube where there are several ranges."""
    spans, rows = spans_of(vary)
    counted = isinstance(samples, int | np.integer) and not isinstance(samples, bool)
    if samples is not None and not (counted and samples >= 1):
        raise InputError(f"samples: {samples!r} is no number of runs", "give 1 or more")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed: {seed!r} is no seed", "give a whole number from 0")
    free = [n for n, s in spans.items() if isinstance(s, Range) and s.count is None]
    kind = kind or ("list" if rows else "latin" if len(free) > 1 else "grid")
    if kind not in KINDS:
        raise InputError(f"plan: unknown kind '{kind}'",
                         did_you_mean(kind, KINDS) or f"use {', '.join(KINDS)}")  # fmt: skip
    _refuse_counts(spans, samples, kind, free)
    makers: dict[str, Callable[..., Varied]] = {"grid": _grid, "list": _list}
    made = makers.get(kind, _sampled)
    return made(spans, None if samples is None else int(samples), kind, int(seed))


def _refuse_counts(
    spans: Mapping[str, Span], samples: int | None, kind: str, free: Sequence[str]
) -> None:
    """Raise InputError if it is not said how many runs there are, or said where it has no part."""
    listed = kind in ("grid", "list")
    if samples is None and (free or not listed):
        of = f" of {', '.join(free)}" if free else ""
        raise InputError(
            f"how many values{of} is not said", "give samples, or for a grid 0.5..2:11"
        )
    if samples is not None and listed and not free:
        raise InputError(f"samples: {samples} has no part in a {kind} whose values are all given",
                         "leave it out, or give a range such as 0.5..2")  # fmt: skip
    counted = next((n for n, s in spans.items() if isinstance(s, Range) and s.count), None)
    if counted is not None and not listed:
        raise InputError(f"{counted}: how many values it takes has no part in a plan '{kind}'",
                         'give samples alone, or plan="grid"')  # fmt: skip


def _grid(spans: Mapping[str, Span], samples: int | None, kind: str, seed: int) -> Varied:
    counts = [(s.count or samples or 1) if isinstance(s, Range) else len(s.values)
              for s in spans.values()]  # fmt: skip
    refuse_many(math.prod(counts))
    axes = {
        name: s.even(count) if isinstance(s, Range) else s.column
        for (name, s), count in zip(spans.items(), counts, strict=True)
    }
    places = np.indices(counts).reshape(len(counts), -1)
    columns = {name: a[k] for (name, a), k in zip(axes.items(), places, strict=True)}
    return Varied(columns, kind, grid=axes)


def _list(spans: Mapping[str, Span], samples: int | None, kind: str, seed: int) -> Varied:
    lengths = {n: (s.count or samples or 1) if isinstance(s, Range) else len(s.values)
               for n, s in spans.items()}  # fmt: skip
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{n} has {count}" for n, count in lengths.items())
        raise InputError(f"a list takes as many values of every name: {told}",
                         'give as many of each, or plan="grid"')  # fmt: skip
    count = next(iter(lengths.values()))
    refuse_many(count)
    return Varied({n: s.even(count) if isinstance(s, Range) else s.column
                   for n, s in spans.items()}, kind)  # fmt: skip


def _sampled(spans: Mapping[str, Span], samples: int, kind: str, seed: int) -> Varied:
    d = len(spans)
    refuse_many(samples * (d + 2 if kind == "saltelli" else 1))
    wide = 2 * d if kind == "saltelli" else d
    if kind in ("sobol", "saltelli") and wide > DIMENSIONS:
        raise InputError(f"plan {kind}: {d} names are more than {DIMENSIONS * d // wide}",
                         "vary fewer, or use latin")  # fmt: skip
    shares = _SHARES[kind](samples, d, seed)
    columns = {n: s.at(shares[:, k]) for k, (n, s) in enumerate(spans.items())}
    return Varied(columns, kind, seed, base=samples if kind == "saltelli" else 0)


def _random(count: int, d: int, seed: int) -> Array:
    return np.random.default_rng(seed).random((count, d))


def _latin(count: int, d: int, seed: int) -> Array:
    """One point in every n-th part of every axis."""
    rng = np.random.default_rng(seed)
    parts = np.stack([rng.permutation(count) for _ in range(d)], axis=1)
    return np.asarray((parts + rng.random((count, d))) / count)


def _saltelli(count: int, d: int, seed: int) -> Array:
    """A, B, and A with one column of B after the other. Source: Saltelli et al. 2010."""
    both = sobol(count, 2 * d, seed)
    A, B = both[:, :d], both[:, d:]
    mixed = [np.where(np.arange(d) == k, B, A) for k in range(d)]
    return np.concatenate([A, B, *mixed])


_SHARES: dict[str, Callable[[int, int, int], Array]] = {
    "random": _random, "latin": _latin, "sobol": sobol, "saltelli": _saltelli,
}  # fmt: skip
