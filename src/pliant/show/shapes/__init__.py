"""Shapes of mechanisms in panels: modes, equilibria, drawn as in pictures."""
