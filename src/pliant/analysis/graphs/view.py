"""A graph of a system, of either kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.analysis.graphs.graph import GraphView, LinearGraphView
from pliant.backends.choice import Choice
from pliant.errors import InputError
from pliant.graphs import LinearGraph, spanning_tree, tree_cost
from pliant.study import Study


def graph_view(
    system: Study, kind: str, choice: Choice, params: Mapping[str, Any] | None, *,
    virtual_work: bool, full: bool,
) -> GraphView:  # fmt: skip
    """See ``System.graph``."""
    if kind not in ("linear", "bond"):
        raise InputError(f"unknown kind of graph '{kind}'", "known: linear, bond")
    system.values(params)  # unknown names and bad values are reported here
    tree = spanning_tree(system.model, choice.tree, choice.cut)
    if kind == "bond":
        from pliant.analysis.graphs.bond_graph import BondGraphView

        return BondGraphView.of(tree, full)
    graph = LinearGraph.of(tree)
    return LinearGraphView(system, graph, tree_cost(tree), params or {}, virtual_work, full)
