"""Named formulas: none reads itself, none stands for too much, none has the name of an output."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pliant.errors import Fault
from pliant.model.cures import Remove, curing
from pliant.model.model import Model
from pliant.model.named import MOST_LEVELS, MOST_PARTS
from pliant.model.validation.context import About, Context


def formula_faults(context: Context) -> Iterator[Fault]:
    """Named formulas that read themselves, or stand for too much; names that outputs have too."""
    model = context.model
    written, named = model.formulas_as_written(), model.named_formulas()
    for name in model.formulas:
        if name in model.outputs:
            what = "an output has the same name"
            cure = curing("remove the output: a formula is an observable of its name",
                          Remove(f"outputs.{name}"))  # fmt: skip
            yield About("formulas", name).fault(what, cure)
    stuck = {n: f.names & (written.keys() - named.keys()) for n, f in written.items()
             if n not in named}  # fmt: skip
    circles = {frozenset(c): c for n in stuck if (c := _round(n, stuck)) is not None}
    for circle in circles.values():
        name = min(circle)
        at = circle.index(name)
        way = " -> ".join([*circle[at:], *circle[:at], name])
        yield _written_at(model, name, f"it reads itself: {way}", "break the circle")
    for name, others in stuck.items():
        if not others:
            what = f"with what it reads it has more than {MOST_PARTS} parts or {MOST_LEVELS} levels"
            yield _written_at(model, name, what, "write it with less repetition, or as a signal")


def _written_at(model: Model, name: str, what: str, cure: str) -> Fault:
    section = next(s for s in ("formulas", "speeds", "outputs") if name in getattr(model, s))
    return Fault(f"{section[:-1]} '{name}'", what, cure, path=(section, name))


def _round(start: str, reads: Mapping[str, Collection[str]]) -> list[str] | None:
    """The shortest way from a name back to itself; None if there is none."""
    ways, seen = [[start]], {start}
    for way in ways:
        for name in sorted(reads.get(way[-1], ())):
            if name == start:
                return way
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return None
