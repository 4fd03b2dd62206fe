"""Damaged files and extreme mechanisms: any number of them by hand, ``python -m tests.fuzz``."""
