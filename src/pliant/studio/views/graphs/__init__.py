"""Graphs as data: the generated bond graph, the linear graph, networks as they are drawn."""
