"""Algebra for reading: equations that are always in normal form, and their printers."""

from pliant.algebra.collect import bracketed, equation_lines
from pliant.algebra.evaluate import Evaluation, evaluate, to_sympy
from pliant.algebra.functions import definitions_of
from pliant.algebra.matrix import Matrix
from pliant.algebra.naming import name_parameters
from pliant.algebra.operations import readable_ops
from pliant.algebra.printing import (
    definitions_latex,
    definitions_text,
    folded,
    latex,
    text,
    written_definitions,
)
from pliant.algebra.space import Space
from pliant.algebra.value import TooLarge, Value

__all__ = [
    "Evaluation", "Matrix", "Space", "TooLarge", "Value", "bracketed", "definitions_latex",
    "definitions_of", "definitions_text", "equation_lines", "evaluate", "folded", "latex",
    "name_parameters", "readable_ops", "text", "to_sympy", "written_definitions",
]  # fmt: skip
