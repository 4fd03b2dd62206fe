"""Dimensions of formulas, inferred over the tree as types are: what has no unit fits anything.

A plain number, a plain parameter, a point of a table may have any unit, and so may their products:
``9.81*m`` may be a force. What is left has a dimension, which says more or less:

| weight | what | |
|---|---|---|
| PLAIN | time, pure numbers such as ``x/L`` or ``sin(a)`` | standing alone it fits anything |
| READ | motion, currents, pressures | fits anything as long as no unit is written beside it |
| WRITTEN | what holds a quantity with its unit, ``k: 5 N/m`` | must fit |

So ``sin(t)`` may be a torque and ``x0 + t`` a displacement (but with ``x0: 2 m`` there is no ``t <
x0``), and with ``k: 5 N/m`` and ``x`` in m nothing of ``k*x + k`` or ``k*x**2`` can be a force.
Radians are pure numbers here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from pliant.model.formulas import functions as rules
from pliant.model.formulas.formula import CONSTANTS, Formula, from_tree
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.formulas.tree import COMPARISONS, Call, Name, Node, Number, text_of
from pliant.model.numbers.units import NONE, Dimension, unit_text
from pliant.records import dataclass

PLAIN, READ, WRITTEN = range(3)
_LARGEST = 12
"""Of denominators of exponents."""
_HIGHEST, _NEAR = 100, 1e-9
"""Of exponents: the largest, and how near a fraction is."""
_SHOWN = 60
_ZERO = Number(0.0)


@dataclass(frozen=True, slots=True)
class Measure:
    """The dimension of a part of a formula, if it is known, and how much that says."""

    dimension: Dimension | None = None
    weight: int = PLAIN

    def to(self, power: int | Fraction) -> Measure:
        """Of a power of it."""
        if self.dimension is None or power == 1:
            return self
        return measured(self.dimension**power, self.weight)

    def times(self, other: Measure) -> Measure:
        """Of a product."""
        if self.dimension is None or other.dimension is None:
            return ANY
        return measured(self.dimension * other.dimension, max(self.weight, other.weight))

    def like(self, other: Measure) -> bool:
        """Whether both are known to be the same but for angles."""
        one, two = self.dimension, other.dimension
        return one is not None and two is not None and one.without_angle == two.without_angle

    @property
    def is_time(self) -> bool:
        """Whether it is made of time alone, and no pure number."""
        return self.weight == PLAIN and self.dimension not in (None, NONE)

    @property
    def unit(self) -> str:
        """In words."""
        return "any unit" if self.dimension is None else unit_text(self.dimension)


ANY, PURE = Measure(), Measure(NONE)
Lookup = Callable[[str], Measure]
"""What a name stands for."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Parts of a formula that cannot stand together, and the cure."""

    what: str
    cure: str


def measured(dimension: Dimension, weight: int) -> Measure:
    """Of this dimension; a pure number says nothing."""
    return Measure(dimension, PLAIN if dimension == NONE else weight)


def measure_of(formula: Formula, lookup: Lookup) -> Measure:
    """That of a formula: of its unit, or inferred."""
    return inferred(formula, lookup)[0]


def inferred(formula: Formula, lookup: Lookup) -> tuple[Measure, list[Clash]]:
    """The same, with everything in it that cannot stand together."""
    if formula.dimension is not None:
        return measured(formula.dimension, WRITTEN), []
    inference = _Inference(lookup)
    return inference.of(formula.tree), inference.clashes


def measure_of_ratio(formula: Formula, lookup: Lookup) -> Measure:
    """The same where a number alone is a ratio: 1/r is the inverse of r."""
    tree = formula.tree
    above = tree.args[0] if isinstance(tree, Call) and tree.function == "/" else tree
    if isinstance(tree, Call) and isinstance(above, Number) and abs(above.value) == 1:
        return _Inference(lookup).of(tree.args[1]).to(-1)
    return measure_of(formula, lookup)


def exponent_of(formula: Formula, name: str, lookup: Lookup) -> Fraction | int:
    """To which power a formula has the unit of a name; 0 if it does not depend on it by a power."""
    mark = Dimension((0, 0, 0, 0, 1, 0))

    def marked(read: str) -> Measure:
        return lookup(read).times(Measure(mark)) if read == name else lookup(read)

    one, two = measure_of(formula, lookup).dimension, measure_of(formula, marked).dimension
    return 0 if one is None or two is None else two.powers[4] - one.powers[4]


class _Inference:
    """One walk over a tree."""

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup
        self.clashes: list[Clash] = []

    def of(self, node: Node) -> Measure:
        if isinstance(node, Name):
            return PURE if node.name in CONSTANTS else self.lookup(node.name)
        if not isinstance(node, Call):
            return ANY
        function, args = node.function, node.args
        if function in ("*", "/"):
            return self._product(node)
        if function == "**":
            return self._power(args[0], args[1])
        if function == "piecewise":
            for condition in args[:-1:2]:
                self.of(condition)
            return self._same((*args[1::2], args[-1]))
        if function in ("+", "-"):
            return self._same([*_terms(node)])
        if function in COMPARISONS:
            self._same(args, compared=True)
            return PURE
        rule = FUNCTIONS[function].units if function in FUNCTIONS else rules.KEPT
        return self._call(function, rule, args)

    def _call(self, function: str, rule: str, args: tuple[Node, ...]) -> Measure:
        if rule in (rules.SAME, rules.COMPARED):
            found = self._same(args, compared=rule == rules.COMPARED or function == "mod")
            return found if rule == rules.SAME else PURE
        own = [self.of(arg) for arg in args]
        if rule == rules.NUMBER:
            self._pure(args[0], own[0], f"in {function}(...)", "an angle or a pure number")
        if rule in (rules.NUMBER, rules.FREE):
            return PURE
        if rule == rules.ROOT:
            return own[0].to(Fraction(1, 2))
        return own[0] if rule == rules.KEPT else ANY

    def _product(self, node: Node) -> Measure:
        found = PURE
        for factor, power in _factors(node):
            found = found.times(self.of(factor).to(power))
        return found

    def _power(self, base: Node, exponent: Node) -> Measure:
        own, above = self.of(base), self.of(exponent)
        self._pure(exponent, above, "as an exponent", "a pure number")
        power = _constant(exponent)
        if power is not None:
            return own.to(power)
        return PURE if own.dimension == NONE else ANY

    def _pure(self, node: Node, found: Measure, where: str, wanted: str) -> None:
        if found.weight == WRITTEN and not found.like(PURE):
            what = f"{quoted(text_of(node))} {where} is in {found.unit}"
            self.clashes.append(Clash(what, f"{wanted} may stand there"))

    def _same(self, nodes: Sequence[Node], *, compared: bool = False) -> Measure:
        """Of parts that are added, or ``compared``: there time does not fit anything.

        ``x - 0.5`` is in m, but ``1 - x**2`` may be a pure number, with x in units of one metre.
        """
        found = [(self.of(node), node) for node in nodes]
        known = [(m, node) for m, node in found if m.weight > PLAIN or (compared and m.is_time)]
        if not known:
            told = [m for m, _ in found if m.dimension is not None]
            same = all(m == told[0] for m in told) if told else False
            return told[0] if same and (told[0] == PURE or len(told) == len(found)) else ANY
        most, leading = max(known, key=lambda item: item[0].weight)
        others = [(m, node) for m, node in known if not m.like(most)]
        if not others:
            unknown = any(m.dimension is None and node != _ZERO for m, node in found)
            plain = all(_is_name(node) for _, node in known)
            return ANY if most.weight == READ and unknown and not plain else most
        if most.weight == WRITTEN:
            other, node = others[0]
            one, two = quoted(text_of(leading)), quoted(text_of(node))
            what = f"{one} is in {most.unit}, but {two} in {other.unit}"
            self.clashes.append(Clash(what, "only what has one unit can be added or compared"))
        return ANY


def _is_name(node: Node) -> bool:
    """x or -x."""
    if isinstance(node, Call) and node.function == "neg":
        node = node.args[0]
    return isinstance(node, Name)


def _terms(node: Node) -> Iterator[Node]:
    """What is added in a sum, however long."""
    waiting = [node]
    while waiting:
        top = waiting.pop()
        if isinstance(top, Call) and top.function in ("+", "-"):
            waiting += reversed(top.args)
        else:
            yield top


def _factors(node: Node) -> Iterator[tuple[Node, int]]:
    """What is multiplied in a product, and whether above or below the line."""
    waiting = [(node, 1)]
    while waiting:
        top, power = waiting.pop()
        if not isinstance(top, Call) or top.function not in ("*", "/"):
            yield top, power
            continue
        one, two = top.args
        waiting += [(two, power if top.function == "*" else -power), (one, power)]


def _constant(node: Node) -> int | Fraction | None:
    """The value of an exponent, if it is a simple fraction."""
    value = node.value if isinstance(node, Number) else from_tree(node)
    if isinstance(value, Formula):
        value = value.number({}) if value.is_constant else math.nan
    if not abs(value) <= _HIGHEST:
        return None
    power = int(value) if value.is_integer() else Fraction(value).limit_denominator(_LARGEST)
    return power if abs(value - power) < _NEAR else None


def quoted(text: str) -> str:
    """A part of a formula in a message."""
    return f"'{text}'" if len(text) <= _SHOWN else f"'{text[: _SHOWN - 3]}...'"


def units_read(names: Iterable[str], lookup: Lookup) -> dict[str, Measure]:
    """The names whose unit is written somewhere."""
    found = {name: lookup(name) for name in sorted(names)}
    return {name: m for name, m in found.items() if m.weight == WRITTEN}
