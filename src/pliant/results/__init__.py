"""Results: labelled time series with units, files, comparison."""

from pliant.results.result import Result, Series

__all__ = ["Result", "Series"]
