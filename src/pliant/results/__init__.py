"""Results: labelled time series with units, files, comparison."""

from pliant.results.result import Result
from pliant.results.series import Series

__all__ = ["Result", "Series"]
