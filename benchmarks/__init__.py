"""Benchmarks through the front door: ``python -m benchmarks``, ``make bench``.

Every row times a whole call as a user makes it, warm, and the compiled loop inside it, beside the
whole call of another program that solves the same problem. Not part of the wheel.
"""
