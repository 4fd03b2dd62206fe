"""Compiled loops over the links of a tree."""
