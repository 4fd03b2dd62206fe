"""Sweeps: many runs of one system, that differ in what is varied."""
