"""Curves in panels: which observables, in which panel, how they are told apart, and rounding."""
