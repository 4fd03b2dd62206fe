"""Pictures of results."""

from pliant.show.time_plot import plot

__all__ = ["plot"]
