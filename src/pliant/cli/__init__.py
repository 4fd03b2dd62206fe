"""The command line."""

from pliant.cli.main import main

__all__ = ["main"]
