"""Graphs of a system: linear graph, bond graph, their text."""
