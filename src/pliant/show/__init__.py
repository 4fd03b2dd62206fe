"""Everything to look at: plots, drawn graphs, the moving page."""

from pliant.show.kinds import PLOTS, Plot, plot

__all__ = ["PLOTS", "Plot", "plot"]
