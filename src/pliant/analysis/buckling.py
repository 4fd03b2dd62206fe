"""Beams that buckle during a run, as events by name: ``rod.buckling``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pliant.arrays import Array
from pliant.flex.body import BeamGeometry
from pliant.flex.buckling import Column, column
from pliant.mechanics.supports import ENDS, beam_places, compressible, supports
from pliant.solve.events import OnsetRule
from pliant.solve.observed import evaluate_function

if TYPE_CHECKING:
    from pliant.equations import CompiledEquations
    from pliant.mechanics.values import Values
    from pliant.solve.events import Crossing
    from pliant.system import System

SUFFIX = ".buckling"


def buckling_rules(
    system: System, compiled: CompiledEquations, params: Mapping[str, Any] | None
) -> list[OnsetRule]:
    """A rule for every beam that axial forces can make buckle."""
    if not compiled.size.get("B"):
        return []
    values = system.values(params)
    rules, start = [], 0
    for name, beam in compressible(system.model).items():
        stop = start + 1 + len(beam.frames) + len(ENDS)
        held = values.remembered(("column", name), partial(beam_column, name=name))
        rules.append(_rule(compiled, name, held, slice(start, stop)))
        start = stop
    return rules


def beam_column(values: Values, name: str) -> Column:
    """A beam of a model with what holds it."""
    model, value = values.model, values.number
    beam, geometry = compressible(model)[name], values.tables(name).data.geometry
    assert isinstance(geometry, BeamGeometry)
    return column(geometry, beam_places(beam, value), ENDS, supports(model, name, value))


def _rule(compiled: CompiledEquations, name: str, beam: Column, own: slice) -> OnsetRule:
    def loads(X: Array, p: Array) -> Array:
        return evaluate_function(compiled, "B", X, p)[:, own]

    def margin(X: Array, p: Array) -> Array:
        return beam.margins(loads(X, p))

    def describe(x: Array, p: Array) -> str:
        force = beam.largest_compression(loads(x[None], p)[0])
        return f"{name} buckles: its axial force reaches {force:.4g} N"

    return OnsetRule(f"{name}{SUFFIX}", -1, "falling", False, "", margin, describe)


def buckled_before(events: list[Crossing]) -> str:
    """What a run that failed says about beams that had buckled."""
    found = [c for c in events if isinstance(c.rule, OnsetRule)]
    parts = [f"{c.rule.name.removesuffix(SUFFIX)} had buckled at t = {c.time:.6g} s" for c in found]
    return "; ".join(parts)
