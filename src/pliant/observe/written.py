"""Formulas of a model that are observables: named ones, speeds, outputs."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.model.numbers.measures import Measures
from pliant.observe.catalogue import FORMULA, OUTPUT, Quantity


def formulas_told(model: Model) -> Iterator[tuple[str, Formula, Quantity]]:
    """Each with what it is: its unit as written, or as it follows from what it reads."""
    measures = Measures(model)
    for name, formula, unit in model.observed_formulas():
        what = OUTPUT if name in model.outputs else FORMULA
        yield name, formula, what.of(name, unit=unit or measures.unit(formula))
