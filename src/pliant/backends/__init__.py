"""Numeric back ends: producers of motions, one folder each, and what they share."""
