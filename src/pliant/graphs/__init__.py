"""Who touches whom: topology, spanning tree, path and incidence matrices."""

from pliant.graphs.linear_graph import Edge, LinearGraph, Step
from pliant.graphs.spanning_tree import (
    SystemGraph,
    TreeChoice,
    TreeCost,
    TreeEdge,
    cheapest_tree,
    spanning_tree,
    tree_cost,
)

__all__ = [
    "Edge", "LinearGraph", "Step", "SystemGraph", "TreeChoice", "TreeCost", "TreeEdge",
    "cheapest_tree", "spanning_tree", "tree_cost",
]  # fmt: skip
