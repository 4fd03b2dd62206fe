"""Forward recursive construction in relative coordinates (Roberson/Wittenburg). Source: S4."""

from pliant.formulations.recursive.formulation import Recursive

__all__ = ["Recursive"]
