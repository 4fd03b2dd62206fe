"""Benchmarks against other programs, side by side in one run (``pliant bench``, ``make bench``)."""
