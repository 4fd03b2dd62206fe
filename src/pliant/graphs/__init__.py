"""Who touches whom: topology, spanning tree, path and incidence matrices."""

from pliant.graphs.cost import TreeCost, cheapest_tree, tree_cost
from pliant.graphs.linear_graph import Edge, LinearGraph, Step
from pliant.graphs.spanning_tree import SystemGraph, TreeChoice, TreeEdge, spanning_tree

__all__ = [
    "Edge", "LinearGraph", "Step", "SystemGraph", "TreeChoice", "TreeCost", "TreeEdge",
    "cheapest_tree", "spanning_tree", "tree_cost",
]  # fmt: skip
