"""Who touches whom: topology, spanning tree, path and incidence matrices."""

from pliant.graphs.spanning_tree import SystemGraph, TreeEdge, spanning_tree

__all__ = ["SystemGraph", "TreeEdge", "spanning_tree"]
