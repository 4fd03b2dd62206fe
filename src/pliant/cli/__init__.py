"""The command line."""

from pliant.cli.main import main, program

__all__ = ["main", "program"]
