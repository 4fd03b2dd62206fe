"""Compiled loops over blocks and elements: assembly, elimination, steps."""
