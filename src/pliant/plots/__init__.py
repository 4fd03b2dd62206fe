"""Pictures of results."""

from pliant.plots.time_plot import plot

__all__ = ["plot"]
