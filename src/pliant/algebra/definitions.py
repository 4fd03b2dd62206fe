"""The list of definitions that belongs to printed values ("where ...")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.algebra.collect import equation_lines
from pliant.algebra.dependence import definitions_of
from pliant.algebra.forms import Call, Sum
from pliant.algebra.latex import latex
from pliant.algebra.symbols import Symbol
from pliant.algebra.text import folded, text
from pliant.algebra.value import Value

Written = list[tuple[Symbol, Sum | Call]]


def written_definitions(
    values: Iterable[Value],
    accelerations: Iterable[Any] = (),
    speeds: Iterable[Any] = (),
    parameters: Iterable[Any] = (),
) -> Written:
    """Symbol and formula of each definition, collected as the equations are."""
    groups = list(accelerations), list(speeds), list(parameters)
    found: Written = []
    for definition in definitions_of(values):
        arguments = tuple(equation_lines(a, *groups) for a in definition.arguments)
        symbol = definition.arguments[0].space.symbols[definition.symbol]
        is_name = definition.function == "value"
        found.append((symbol, arguments[0] if is_name else Call(definition.function, arguments)))
    return found


def definitions_text(definitions: Written, width: int = 100) -> str:
    """One line for each: name = formula."""
    return "\n".join(folded(f"{s.text} = {text(form)}", width) for s, form in definitions)


def definitions_latex(definitions: Written) -> str:
    """Rows of an ``aligned`` environment."""
    return " \\\\\n".join(f"{s.latex} &= {latex(form)}" for s, form in definitions)
