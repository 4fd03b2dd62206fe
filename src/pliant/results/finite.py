"""No infinity and nothing that is not a number leaves an analysis as a number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.arrays import Integers
from pliant.errors import StepError
from pliant.results.result import Result
from pliant.results.series import Series


def finite_part(result: Result) -> Result:
    """The samples before the first one with a value that is no finite number.

    A result that begins with such a sample holds nothing: StepError.
    """
    bad = {name: _first_bad(s) for name, s in result.series.items()}
    k = min(bad.values(), default=len(result))
    if k >= len(result):
        return result
    names = [name for name, first in bad.items() if first == k]
    listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    why = f"t = {result.time[k]:.6g} s: no finite value of {listed}"
    why = "; ".join(filter(None, (result.failure, why)))
    if k == 0:
        raise StepError(why)
    kept = {n: replace(s, values=s.values[:k]) for n, s in result.series.items()}
    info = {**result.info, "failure_code": result.info.get("failure_code") or "not-a-number"}
    return replace(result, time=result.time[:k], series=kept, info=info, failure=why)


def _first_bad(series: Series) -> int:
    if np.isfinite(series.values).all():
        return len(series.values)
    rows = series.values.reshape(len(series.values), -1)
    bad: Integers = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    return int(bad[0])
