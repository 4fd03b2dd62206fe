"""Named formulas: what other formulas read by a name, and those formulas with what they read.

A name in a formula stands for what it means: a model holds every formula with named ones put in
(``Formula.tree``), and as it is written in the file (``Formula.written``). So whatever computes,
checks or prints a formula sees names of parameters and of what moves only.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from copy import copy
from functools import cache
from typing import Any, ClassVar

from pliant.errors import Fault, ModelError, UnitError
from pliant.model.cures import Instead, curing
from pliant.model.fields import ANYTHING, Number, Quantity, Text, has, settle
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Call, Name, Node, depth, text_of
from pliant.model.frozen import FrozenDict
from pliant.model.numbers.units import parse_unit
from pliant.records import dataclass

_INITIAL = ("initial", "guess")
"""Fields of what holds at the start."""
MOST_PARTS = 20_000
MOST_LEVELS = 250
"""Parts of a formula with named ones put in, and levels of it: above, it is refused."""


@dataclass(frozen=True, slots=True)
class NamedFormula:
    """A formula that other formulas read by its name, and an observable of that name.

    >>> pl.NamedFormula("wanted", "0.3*sin(t)", unit="rad").unit
    'rad'
    """

    name: str
    formula: Quantity = has(Number("", ANYTHING), doc="what the name stands for")
    unit: str = has(Text(), "", "SI unit of its values")

    section: ClassVar[str] = "formulas"
    noun: ClassVar[str] = "formula"

    def __post_init__(self) -> None:
        settle(self, self.section, self.noun)
        if not self.unit:
            return
        found = _unit_objection(self.unit) or self._dimension_objection()
        if found is not None:
            key, what, cure = found
            path = (self.section, self.name, key)
            raise ModelError([Fault(f"{self.noun} '{self.name}'", what, cure, path=path)])

    def _dimension_objection(self) -> tuple[str, str, str] | None:
        own = self.formula.dimension
        if own is None or parse_unit(self.unit)[1].accepts(own):
            return None
        return "unit", f"'{self.formula.text}' is not in {self.unit}", f"write unit: {own}"


class Output(NamedFormula):
    """A formula that is an observable, the first that pictures show.

    >>> pl.Output("reach", "hypot(hand.position.x, hand.position.z)", unit="m").unit
    'm'
    """

    __slots__ = ()
    section: ClassVar[str] = "outputs"
    noun: ClassVar[str] = "output"


def _unit_objection(unit: str) -> tuple[str, str, str] | None:
    """Formulas are numbers in SI units; a unit of another size would say something wrong."""
    try:
        scale, dimension = parse_unit(unit)
    except UnitError as error:
        return "unit", f"unit: {error.what}", error.cure
    if abs(scale - 1) < 1e-12:
        return None
    cure = curing(f"write unit: {dimension}", Instead(unit, str(dimension)))
    return "unit", f"unit: values of formulas are in SI units, not in {unit}", cure


NAMED: dict[str, type[NamedFormula]] = {"formulas": NamedFormula, "outputs": Output}
"""What the elements of a section of formulas are."""


def each_named(value: Any, section: str) -> Any:
    """Formulas as users give them in Python: a mapping may hold the formulas alone."""
    if not isinstance(value, Mapping):
        return value
    alone, made = (str, int, float, Formula), NAMED[section]
    return {n: made(n, f) if isinstance(f, alone) and not isinstance(f, bool) else f
            for n, f in value.items()}  # fmt: skip


def closed(formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    """Formulas as written, by name, with each other put in. One in a circle, or with more parts
    than are sensible, is left out, as is what reads it."""
    found: dict[str, Formula] = {}
    sizes: dict[str, int] = {}
    waiting = dict(formulas)
    while ready := [n for n, f in waiting.items() if not f.names & waiting.keys()]:
        for name in ready:
            f = waiting.pop(name)
            if f.names & (formulas.keys() - found.keys()):
                continue
            sizes[name] = _size(f.tree, sizes)
            whole = put_in(f, found) if sizes[name] <= MOST_PARTS else f
            if sizes[name] <= MOST_PARTS and depth(whole.tree) <= MOST_LEVELS:
                found[name] = whole
    return found


def _size(tree: Node, sizes: Mapping[str, int]) -> int:
    if isinstance(tree, Name):
        return sizes.get(tree.name, 1)
    return 1 + (sum(_size(a, sizes) for a in tree.args) if isinstance(tree, Call) else 0)


def put_in(f: Formula, known: Mapping[str, Formula]) -> Formula:
    """A formula with what names stand for; the same object where it reads none of them."""
    if f.names.isdisjoint(known):
        return f
    tree = _put_in(f.tree, known)
    unit = known[f.tree.name].dimension if isinstance(f.tree, Name) else None
    return Formula(tree, text_of(tree), unit, f.written or f.text)


def _put_in(tree: Node, known: Mapping[str, Formula]) -> Node:
    if isinstance(tree, Name):
        return known[tree.name].tree if tree.name in known else tree
    if isinstance(tree, Call):
        return Call(tree.function, tuple(_put_in(a, known) for a in tree.args))
    return tree


@dataclass(frozen=True, slots=True)
class Known:
    """What names stand for, and what they stand for at the start: the same with t = t_start."""

    formulas: Mapping[str, Formula]
    at_start: Mapping[str, Formula]

    @classmethod
    def of(cls, formulas: Mapping[str, Formula], start: Formula) -> Known:
        return cls(formulas, {n: put_in(f, {"t": start}) for n, f in formulas.items()})

    def starting(self) -> Known:
        """For initial values."""
        return Known(self.at_start, self.at_start)


def with_named(value: Any, known: Known) -> Any:
    """Anything with the formulas in it put in; the same object where nothing reads one."""
    if isinstance(value, Formula):
        return put_in(value.as_written, known.formulas) if value.written or value.names else value
    if isinstance(value, Mapping):
        pairs = {k: with_named(v, known) for k, v in value.items()}
        return value if all(pairs[k] is v for k, v in value.items()) else FrozenDict(pairs)
    if isinstance(value, tuple):
        items = tuple(with_named(v, known) for v in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    changes = {}
    for name in _fields(value.__class__):
        old = getattr(value, name)
        then = known.starting() if name in _INITIAL else known
        if old is not (new := with_named(old, then)):
            changes[name] = new
    return _changed(value, changes) if changes else value


@cache
def _fields(cls: Any) -> tuple[str, ...]:
    """The names of the fields of a dataclass; none of other classes."""
    return tuple(f.name for f in dataclasses.fields(cls)) if dataclasses.is_dataclass(cls) else ()


def _changed(element: Any, changes: Mapping[str, Any]) -> Any:
    """A copy with other fields: what an element was told about itself stays as it is."""
    made = copy(element)
    for name, value in changes.items():
        object.__setattr__(made, name, value)
    return made
