"""The bond graph of a run for the moving page: its drawing, and the power on all its bonds."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.analysis.power.bond_series import bond_series
from pliant.backends.choice import Choice
from pliant.errors import PliantError
from pliant.results.result import Result
from pliant.study import Study

MOST = 600
"""Samples at which powers are told."""


def bond_graph_shown(result: Result) -> dict[str, Any]:
    """Shapes of the graph of a model with networks, in which elements of mechanisms are drawn as
    far as networks reach; power along the half arrow of every bond drawn, where it is known."""
    from pliant.analysis.graphs.bond_graph import BondGraphView
    from pliant.graphs import spanning_tree
    from pliant.show.bonds.scene import bond_scene
    from pliant.show.graphs.shapes import svg

    system = Study.loads(result.model)
    choice = Choice.of(system)
    view = BondGraphView.of(spanning_tree(system.model, choice.tree, choice.cut), True)
    drawing = view.drawing([n for n, g in view.grid.groups.items() if g.kind == "network"])
    scene = bond_scene(drawing, title=system.model.name or "model", caption=view.caption)
    names = [b.bond.name for b in drawing.bonds]
    samples = slice(0, None, -(-len(result) // MOST))
    try:
        series = bond_series(system, result, samples)
    except PliantError:
        return {"svg": svg(scene), "bonds": [], "time": [], "power": []}
    known = {b.name: k for k, b in enumerate(series.graph.bonds)}
    told = [name for name in names if name in known]
    return {"svg": svg(scene), "bonds": told, "time": series.time,
            "power": [np.nan_to_num(series.power(known[name])) for name in told]}  # fmt: skip
