"""A run made of parts: equations change between them, coordinates and observables do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np

from pliant.arrays import Array
from pliant.solve.observed import Observable, evaluate_function
from pliant.solve.run import RunData

Rows = list[tuple[Array, Array]]
_TURN = 2 * np.pi


def joined(compiled: Observable, parts: Sequence[RunData], times: Array) -> RunData:
    """One run of several, each of which begins with a sample where the one before ends with one.

    Work is added up and angles are continued. Samples where parts meet are kept only if they are
    among ``times``.
    """
    return reduce(lambda first, second: _two(compiled, first, second, times), parts)


def _two(compiled: Observable, first: RunData, second: RunData, times: Array) -> RunData:
    end = len(first.time) if first.time[-1] in times else -1
    missing = _missing_turns(compiled, first, second)
    turns = second.turns + missing
    work = second.work + first.work[-1]
    return RunData(
        time=np.concatenate([first.time[:end], second.time[1:]]),
        outputs=np.concatenate([first.outputs[:end], second.outputs[1:]]),
        work=np.concatenate([first.work[:end], work[1:]]),
        turns=np.concatenate([first.turns[:end], turns[1:]]),
        events=[*first.events, *second.events], failure=second.failure, failed=second.failed,
        statistics=_statistics(first.statistics, second.statistics),
        states=[*first.states, *second.states], flexible=[*first.flexible, *second.flexible],
        rows=_joined_rows(first.rows, second.rows, end),
        passed=[*first.passed, *second.passed], undefined=second.undefined,
        x_end=second.x_end, p_end=second.p_end, angles=second.angles + missing,
        energy=first.energy + second.energy if first.energy and second.energy else None,
    )  # fmt: skip


def _joined_rows(first: Rows, second: Rows, end: int) -> Rows:
    """Rows of the samples that are kept."""
    if not first or not second:
        return []
    *before, (last, p) = first
    (start, r), *after = second
    return [*before, (last[:-1] if end == -1 else last, p), (start[1:], r), *after]


def _missing_turns(compiled: Observable, first: RunData, second: RunData) -> Array:
    """What makes wrapped angles continuous from the last sample to the first."""
    if not first.rows or not second.rows:
        lost: Array = first.turns[-1] - second.turns[0]
        return lost
    (x, p), (y, r) = first.rows[-1], second.rows[0]
    before = evaluate_function(compiled, "A", x[-1:], p)[0, 0::2] + first.turns[-1]
    after = evaluate_function(compiled, "A", y[:1], r)[0, 0::2] + second.turns[0]
    missing: Array = _TURN * np.round((before - after) / _TURN)
    return missing


def _statistics(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Counts and times of both; extremes of either."""
    total = {}
    for name, value in second.items():
        merge = max if name in ("max_rank", "largest_projection") else _plus
        merge = min if name == "min_rank" else merge
        total[name] = merge(first.get(name, value if merge is not _plus else 0), value)
    return total


def _plus(a: float, b: float) -> float:
    return a + b
