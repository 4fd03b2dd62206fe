"""A space of values: its symbols, runs of angles, definitions and limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod, sqrt
from typing import Any

from pliant.errors import UnknownName
from pliant.reading.algebra.angles import circle
from pliant.reading.algebra.functions import Definition, power, reciprocal, square_root
from pliant.reading.algebra.numbers import ENTRY, number, prime_factors
from pliant.reading.algebra.symbols import Symbol, symbol
from pliant.reading.algebra.value import Value
from pliant.reading.algebra.waves import Monomials, Wave, Waves

_LABELS = {"reciprocal": "inverse", "sqrt": "root", "where": "case"}
"""Names of defined symbols, where they are not those of the function."""


class Space:
    """Where values live.

    runs: names of angles whose sums are written as one angle (parallel joints); an angle not
    listed is a run of its own.

    elastic: names of small quantities; products are truncated after degree ``order`` in them and
    their rates. A derivative with respect to one of them is right to one degree less: take one
    order more than the equations are to have, and truncate these.

    A value of more than ``max_terms`` terms raises ``TooLarge``; ``name`` acts above
    ``naming_limit`` terms.
    """

    def __init__(
        self, runs: Iterable[Sequence[str]] = (), elastic: Iterable[str] = (), *,
        order: int | None = None, max_terms: int | None = None, naming_limit: int | None = None,
        max_work: int | None = None,
    ) -> None:  # fmt: skip
        self.order = order
        self.max_terms = max_terms
        self.max_work = max_work
        self.work = 0
        """Products of terms formed so far; more than ``max_work`` raise ``TooLarge``."""
        self.naming_limit = naming_limit
        self.monomials = Monomials()
        self.waves = Waves()
        self.symbols: list[Symbol] = []
        self.definitions: dict[int, Definition] = {}
        """By symbol; a definition speaks only of symbols that were there before it."""
        self.secants: dict[int, Wave] = {}
        """Symbols that are the reciprocal of a cosine or sine."""
        self._elastic = frozenset(elastic)
        self._index: dict[str, int] = {}
        self._taken: set[str] = set()
        self._run_of: dict[int, int] = {}
        self._named_runs = {name: k for k, run in enumerate(runs) for name in run}
        self._runs = 1 + max(self._named_runs.values(), default=-1)
        self._shared: dict[tuple[str, tuple[Value, ...]], int] = {}
        self._names: dict[Value, tuple[int, Fraction]] = {}
        self._derivative: dict[int, tuple[str, int]] = {}
        self._roots: dict[int, int] = {}
        self._counts: dict[str, int] = {}

    # --- symbols

    def symbol(
        self, name: str, text: str | None = None, latex: str | None = None,
        *, level: int = 0, rank: int = 0,
    ) -> Value:  # fmt: skip
        """The symbol of this name; declared at its first use."""
        if name not in self._index:
            self._declare(symbol(name, text, latex, level, rank))
        return self.value_of(self._index[name])

    def coordinate(
        self, name: str, text: str | None = None, latex: str | None = None
    ) -> tuple[Value, Value, Value]:  # fmt: skip
        """A coordinate q, its speed q' and its acceleration q'' (of these names)."""
        text = name if text is None else text
        q, u, a = (self.symbol(name + "'" * k, text, latex, level=k, rank=k + 1) for k in range(3))
        return q, u, a

    def sphere(self, names: Sequence[str]) -> None:
        """Symbols whose squares add up to one, such as a unit quaternion."""
        for name in names:
            self.symbol(name)
        first, *others = (self._index[name] for name in names)
        self.monomials.spheres[first] = tuple(others)

    def new_symbol(self, name: str) -> Value:
        """A declared symbol that was not asked for yet, or a new one with a name of its own."""
        if name in self._taken:
            name = self._free_name(name)
        self._taken.add(name)
        return self.symbol(name)

    def _declare(self, new: Symbol) -> int:
        index = self._index[new.name] = len(self.symbols)
        self.symbols.append(new)
        if new.name.rstrip("'") in self._elastic:
            self.monomials.small[index] = 1
        return index

    def _free_name(self, label: str) -> str:
        if label not in self._index:
            return label
        k = 2
        while f"{label}_{k}" in self._index:
            k += 1
        return f"{label}_{k}"

    def _numbered(self, label: str) -> str:
        k = self._counts.get(label, 0) + 1
        while f"{label}{k}" in self._index:
            k += 1
        self._counts[label] = k
        return f"{label}{k}"

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def index(self, name: str) -> int:
        """Where a symbol stands among ``symbols``."""
        if name not in self._index:
            raise UnknownName(f"no symbol is named '{name}'", "declare it with Space.symbol")
        return self._index[name]

    def value_of(self, index: int) -> Value:
        """A symbol as a value."""
        return Value(self, {(self.monomials.index(((index, 1),)), 0): 1})

    def run(self, index: int, near: int | None = None) -> int:
        """The run of an angle; one without a run joins ``near`` or founds its own."""
        if index not in self._run_of:
            own = self._named_runs.get(self.symbols[index].name, near)
            if own is None:
                own, self._runs = self._runs, self._runs + 1
            self._run_of[index] = own
        return self._run_of[index]

    # --- numbers

    def constant(self, x: Any) -> Value:
        """A number as a value (a value stays as it is)."""
        if isinstance(x, Value):
            return x
        value, radicand, exact = number(x)
        if radicand > 1:
            return self.root(radicand) * value
        noise = None if exact else {(0, 0): abs(float(x)) * ENTRY}
        return Value(self, {(0, 0): value.numerator}, value.denominator, noise)

    def root(self, radicand: int) -> Value:
        """√radicand, of a number without square factors."""
        roots = sorted((self._prime_root(p), 1) for p in prime_factors(radicand))
        return Value(self, {(self.monomials.index(tuple(roots)), 0): 1})

    def _prime_root(self, prime: int) -> int:
        if prime not in self._roots:
            own = Symbol(f"sqrt({prime})", f"sqrt({prime})", rf"\sqrt{{{prime}}}", -1)
            self._roots[prime] = self._declare(own)
            self.monomials.radicands[self._roots[prime]] = prime
        return self._roots[prime]

    def is_number(self, monomial: int) -> bool:
        """A monomial of roots only."""
        radicands = self.monomials.radicands
        return all(k in radicands for k, _ in self.monomials.powers[monomial])

    def root_value(self, monomial: int) -> float:
        """A monomial of roots as a number."""
        return sqrt(prod(self.monomials.radicands[k] for k, _ in self.monomials.powers[monomial]))

    # --- functions

    def cos(self, x: Any) -> Value:
        return circle(self, self.constant(x))[0]

    def sin(self, x: Any) -> Value:
        return circle(self, self.constant(x))[1]

    def reciprocal(self, x: Any) -> Value:
        return reciprocal(self, self.constant(x))

    def sqrt(self, x: Any) -> Value:
        return square_root(self, self.constant(x))

    def power(self, base: Any, exponent: Any) -> Value:
        """base^exponent for an exponent that is not an integer."""
        return power(self, self.constant(base), self.constant(exponent))

    # --- definitions

    def define(self, function: str, *arguments: Value, label: str = "") -> Value:
        """A symbol for function(arguments); the same one if it was asked for before."""
        key = (function, arguments)
        if key not in self._shared:
            name = self._numbered(label or _LABELS.get(function, function))
            self._shared[key] = self._defined(name, function, arguments)
        return self.value_of(self._shared[key])

    def secant(self, wave: Wave, value: Value) -> Value:
        """1/cos x or 1/sin x, in whose products with waves of x common factors are cancelled."""
        key = ("reciprocal", (value,))
        if key not in self._shared:
            own, function = self.symbols[wave.angle[0][0]], "csc" if wave.is_sine else "sec"
            name = self._free_name(f"{function}({own.text})")
            index = self._declare(symbol(name, name, rf"\{function} {own.latex}", rank=1))
            self.definitions[index] = Definition(index, "reciprocal", (value,))
            self._shared[key], self.secants[index] = index, wave
        return self.value_of(self._shared[key])

    def _defined(self, name: str, function: str, arguments: tuple[Value, ...]) -> int:
        index = self._declare(symbol(name))
        self.definitions[index] = Definition(index, function, arguments)
        return index

    def name(
        self, label: str, value: Value, *, numbered: bool = False, limit: int | None = None
    ) -> Value:
        """The value, or a symbol of this name for it if it has more terms than the limit (of the
        space, or one of its own).

        Where small quantities are truncated, each degree gets its own symbol. ``numbered``: the
        label is followed by a number.
        """
        limits = [own for own in (limit, self.naming_limit) if own is not None]
        limit = min(limits, default=None)
        if limit is None or len(value.terms) <= limit:
            return value
        parts = value.by_degree() if self.order is not None else {0: value}
        total = self.constant(0)
        for degree, part in parts.items():
            if len(part) > limit:
                own = label if numbered or not degree else f"{label}_o{degree}"
                part = self.give_name(own, part, degree, numbered=numbered)
            total = total + part
        return total

    def give_name(
        self, label: str, value: Value, degree: int = 0, *, numbered: bool = False
    ) -> Value:
        """A symbol for the value, or a multiple of one that stands for a multiple of it."""
        content = value.content
        primitive = value * (1 / content)
        if primitive not in self._names:
            name = self._numbered(label) if numbered else self._free_name(label)
            index = self._defined(name, "value", (value,))
            if degree:
                self.monomials.small[index] = degree
            self._names[primitive] = (index, content)
        index, own = self._names[primitive]
        return self.value_of(index) * (content / own)

    def function_of_time(self, name: str, level: int = 0) -> Value:
        """A function f of the symbol t, given from outside; its derivatives are the symbols f_dot,
        f_ddot, ..."""
        own = f"{name}_{'d' * level}ot" if level else name
        if own not in self._index:
            time = self.symbol("t")
            index = self._declare(symbol(own, name, level=level))
            self.definitions[index] = Definition(index, "time", (time,))
            self._derivative[index] = (name, level + 1)
        return self.value_of(self._index[own])

    def next_derivative(self, function: Value) -> Value:
        """f' of a function of time f."""
        index = function.symbol
        assert index is not None
        return self.function_of_time(*self._derivative[index])
