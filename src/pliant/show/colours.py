"""Colours of pictures and plots: those of the page (web/src/style/theme.css), in daylight."""

from __future__ import annotations

CURVES = ("#2769b0", "#d8712c", "#3c8f4f", "#8f55b3", "#c23b4b", "#22908f", "#a8831a", "#5f6f86")
"""Bodies, and curves of one panel, one after the other; neighbours differ for all eyes, since
their lightness does."""
DASHES = ("-", "--", "-.", ":")
"""Curves beyond the colours, and those that lie on others."""
BACKGROUND = "#eef2f6"
GRID, GRID_STRONG = "#d3dae2", "#b9c3cf"
STEEL, GROUND = "#4a5563", "#8b96a3"
INK, MUTED = "#1d2530", "#64707f"
FORCE, TORQUE, REACTION, MOMENT = "#c2342b", "#a8630f", "#6c3fb5", "#0f7f86"
AXES = ("#d93333", "#339e40", "#3366e6")
"""Of x, y and z."""
