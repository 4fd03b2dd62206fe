"""Radau IIA, implicit, of order 5."""
