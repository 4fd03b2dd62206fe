"""Pictures of results."""

from pliant.plots.kinds import PLOTS, Plot, plot

__all__ = ["PLOTS", "Plot", "plot"]
