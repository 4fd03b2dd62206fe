"""Formulas: numbers, quantities with units, and safe expressions. Parsed, never run as code."""

from pliant.model.formulas.formula import Formula, formula, from_tree

__all__ = ["Formula", "formula", "from_tree"]
