"""Algebra for reading: equations that are always in normal form, and their printers."""

from pliant.reading.algebra.evaluate import Evaluation, evaluate, to_sympy
from pliant.reading.algebra.functions import definitions_of
from pliant.reading.algebra.matrix import Matrix
from pliant.reading.algebra.operations import readable_ops
from pliant.reading.algebra.space import Space
from pliant.reading.algebra.value import TooLarge, Value
from pliant.reading.collect import bracketed, equation_lines
from pliant.reading.folding import folded
from pliant.reading.naming import name_parameters
from pliant.reading.printing import (
    definitions_latex,
    definitions_text,
    latex,
    text,
    written_definitions,
)

__all__ = [
    "Evaluation", "Matrix", "Space", "TooLarge", "Value", "bracketed", "definitions_latex",
    "definitions_of", "definitions_text", "equation_lines", "evaluate", "folded", "latex",
    "name_parameters", "readable_ops", "text", "to_sympy", "written_definitions",
]  # fmt: skip
