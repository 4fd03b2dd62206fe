"""Algebra for reading: equations that are always in normal form, and their printers."""

from pliant.algebra.collect import bracketed, equation_lines
from pliant.algebra.definitions import (
    definitions_latex,
    definitions_text,
    written_definitions,
)
from pliant.algebra.dependence import definitions_of
from pliant.algebra.evaluate import Evaluation, evaluate
from pliant.algebra.latex import latex
from pliant.algebra.matrix import Matrix
from pliant.algebra.naming import Derivation, derive_readable, name_parameters
from pliant.algebra.operations import readable_ops
from pliant.algebra.space import Space
from pliant.algebra.sympy_form import from_sympy, to_sympy
from pliant.algebra.text import folded, text
from pliant.algebra.value import TooLarge, Value

__all__ = [
    "Derivation",
    "Evaluation",
    "Matrix",
    "Space",
    "TooLarge",
    "Value",
    "bracketed",
    "definitions_latex",
    "definitions_of",
    "definitions_text",
    "derive_readable",
    "equation_lines",
    "evaluate",
    "folded",
    "from_sympy",
    "latex",
    "name_parameters",
    "readable_ops",
    "text",
    "to_sympy",
    "written_definitions",
]
