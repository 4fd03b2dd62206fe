"""A result as a table of pandas, where pandas is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pliant.errors import CapabilityError
from pliant.results.result import Result

if TYPE_CHECKING:
    import pandas


def to_dataframe(result: Result, names: Sequence[str] = ()) -> pandas.DataFrame:
    """See ``Result.to_dataframe``."""
    try:
        from pandas import DataFrame, Index
    except ImportError:
        raise CapabilityError(
            "to_dataframe needs pandas, which is not installed: pip install pandas; "
            "result.to_dataset() gives the same as a data set of xarray"
        ) from None
    for name in names:
        result.unit(name)  # an unknown name is reported here
    result = result.also(names)
    columns = result.components(names or result.series)
    table = DataFrame({name: result.values(name) for name in columns},
                      index=Index(result.time, name="time"))  # fmt: skip
    table.attrs["units"] = {"time": "s", **{name: result.unit(name) for name in columns}}
    return table
