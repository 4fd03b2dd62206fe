"""What the languages have in common: values, operations, bodies of functions, and the order of all
that stands in a file."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import ClassVar

import casadi as ca

from pliant.engine.ir import UnsupportedOperationError
from pliant.equations.export.header import digits, header, label, labels
from pliant.equations.export.parts import Program
from pliant.equations.export.statements import Constant, Entry, Local, Part, Statement, Value

RTOL = 1e-9
"""Tolerance of the main program."""


class Dialect(ABC):
    """How a language writes numbers, entries of arrays, operations and functions. Its arrays count
    from zero, matrices row by row, unless it says otherwise."""

    operations: ClassVar[Mapping[int, str]]
    """Templates of expressions by operation: {0}, {1} are the arguments."""
    comment: ClassVar[str]
    nan: ClassVar[str]
    infinity: ClassVar[str]
    suffix: ClassVar[str] = ""
    """Of numbers."""
    ending: ClassVar[str]
    """Of the files of text that does not depend on the model."""
    first: ClassVar[int] = 0
    apart: ClassVar[tuple[str, ...]] = ("",)
    """Lines between functions."""
    calls: ClassVar[tuple[str, Sequence[str]]]
    """Title of the list of functions, and what is written below it."""
    renamed: ClassVar[Mapping[str, str]] = {}

    def __init__(self, program: Program) -> None:
        self.program = program
        layout = program.equations.layout
        self.states = [s.name for v in (layout.q, layout.u, layout.x) for s in v]

    def source(self) -> str:
        """The whole file."""
        title, below = self.calls
        calls = [title, *map(calls_of, self.program.parts), *below]
        top = header(self.program, self.first, calls)
        lines = [*(f"{self.comment} {line}".rstrip() for line in top), "", *self.opening()]
        lines += self.runtime("signals").splitlines() if self.program.sizes["NS"] else []
        for part in self.program.parts:
            lines += [*self._function(part), *self.apart]
        return "\n".join(lines) + "\n" + self.runtime("dynamics") + self.runtime("main")

    def runtime(self, name: str) -> str:
        """Text that does not depend on the model."""
        folder = files("pliant.equations.export").joinpath("runtime")
        return folder.joinpath(f"{name}{self.ending}").read_text(encoding="utf-8")

    @abstractmethod
    def opening(self) -> Iterator[str]:
        """Sizes, parameters, initial state and names of columns."""

    @abstractmethod
    def chunk(self, part: Part, k: int, passed: str, body: Sequence[str]) -> Iterator[str]:
        """A function with the statements of a chunk of a long one."""

    @abstractmethod
    def head(self, part: Part, split: bool) -> Iterator[str]:
        """The first lines of a function, up to its statements. ``split``: it calls its chunks."""

    @abstractmethod
    def end(self, part: Part) -> str:
        """The last line of a function."""

    def call(self, name: str, passed: str) -> str:
        """The call of a chunk."""
        return f"    {name}({passed})"

    def _function(self, part: Part) -> Iterator[str]:
        """One function; long ones call their chunks in turn."""
        split = len(part.chunks) > 1
        passed = ", ".join([*(a.name for a in part.inputs), "w", *self.outputs(part)])
        bodies = [list(self._statements(chunk)) for chunk in part.chunks]
        for k, body in enumerate(bodies if split else ()):
            yield from (*self.chunk(part, k, passed, body), *self.apart)
        yield from self.head(part, split)
        for k, body in enumerate(bodies):
            yield from [self.call(f"{part.name}_{k}", passed)] if split else body
        yield self.end(part)

    def outputs(self, part: Part) -> list[str]:
        """Names of the outputs of a function."""
        return [self.renamed.get(a.name, a.name) for a in part.outputs]

    def number(self, x: float) -> str:
        """A number with 17 significant digits."""
        if not math.isfinite(x):
            return self.nan if math.isnan(x) else self.infinity if x > 0 else f"(-{self.infinity})"
        plain = digits(x) + self.suffix
        return f"({plain})" if x < 0 else plain

    def entry(self, array: str, index: tuple[int, ...]) -> str:
        """An entry of an array."""
        if not index:
            return array
        row, column = index if len(index) == 2 else (0, index[0])
        return f"{array}[{row * self.program.sizes['NU'] + column}]"

    def assignment(self, target: str, expression: str, *, local: bool) -> str:
        """A statement; ``local``: the first and only one that sets the target."""
        return f"    {target} = {expression}"

    def table(
        self, ends: tuple[str, str], entries: Iterable[str], names: Sequence[str] = ()
    ) -> list[str]:
        """An array with its initial values, and what they are."""
        rows = list(entries)
        names = [*names, *[""] * (len(rows) - len(names))]
        body = [f"    {r},{f'  {self.comment} {n}' if n else ''}"
                for r, n in zip(rows, names, strict=False)]  # fmt: skip
        return [ends[0], *body, ends[1]]

    def _statements(self, chunk: Iterable[Statement]) -> Iterator[str]:
        """Lines of a chunk; entries of outputs are named beside them."""
        names = labels(self.program)

        def text(value: Value) -> str:
            match value:
                case Constant(x):
                    return self.number(x)
                case Local(k):
                    return f"v{k}"
                case Entry(array, index):
                    return self.entry(array, index)

        for s in chunk:
            if s.op not in self.operations:
                raise UnsupportedOperationError(f"export: operation {s.op}")
            expression = self.operations[s.op].format(*map(text, s.args))
            is_local = isinstance(s.target, Local)
            line = self.assignment(text(s.target), expression, local=is_local)
            name = label(names, s.target) if isinstance(s.target, Entry) else ""
            yield f"{line}  {self.comment} {name}" if name else line


def operations(
    truth: str, equal: tuple[str, str, str], zero: str = "0.0", **other: str
) -> dict[int, str]:
    """Templates that all languages share, calls of functions under their names in C, or under
    ``other`` ones, and tests. ``truth``: a test as a number; ``equal``: unequal, and, or."""
    shared = {
        ca.OP_ADD: "{0} + {1}", ca.OP_SUB: "{0} - {1}", ca.OP_MUL: "{0} * {1}",
        ca.OP_DIV: "{0} / {1}", ca.OP_SQ: "{0} * {0}", ca.OP_TWICE: "{0} + {0}",
        ca.OP_NEG: "-{0}", ca.OP_INV: "1.0 / {0}", ca.OP_ASSIGN: "{0}",
    }  # fmt: skip
    two = {ca.OP_POW, ca.OP_CONSTPOW, ca.OP_FMIN, ca.OP_FMAX, ca.OP_COPYSIGN, ca.OP_ATAN2,
           ca.OP_FMOD, ca.OP_HYPOT, ca.OP_REMAINDER}  # fmt: skip
    calls = {op: f"{name}({{0}}, {{1}})" if op in two else f"{name}({{0}})"
             for op, name in functions_by_name(**other).items()}  # fmt: skip
    unequal, both, either = equal
    tests = {
        ca.OP_LT: "{0} < {1}", ca.OP_LE: "{0} <= {1}", ca.OP_EQ: "{0} == {1}",
        ca.OP_NE: f"{{0}} {unequal} {{1}}", ca.OP_NOT: f"{{0}} == {zero}",
        ca.OP_AND: f"{{0}} {unequal} {zero} {both} {{1}} {unequal} {zero}",
        ca.OP_OR: f"{{0}} {unequal} {zero} {either} {{1}} {unequal} {zero}",
    }  # fmt: skip
    return shared | calls | {op: truth.replace("TEST", test) for op, test in tests.items()}


def functions_by_name(**other: str) -> dict[int, str]:
    """Elementary functions under their names in C, or under others."""
    names = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
             "atanh", "exp", "log", "sqrt", "fabs", "floor", "ceil", "erf", "log1p", "expm1", "pow",
             "fmin", "fmax", "copysign", "atan2", "fmod", "hypot", "remainder")  # fmt: skip
    found: dict[int, str] = {
        getattr(ca, f"OP_{name.upper()}"): other.get(name, name) for name in names
    }
    return found | {ca.OP_CONSTPOW: other.get("pow", "pow")}


def calls_of(part: Part) -> str:
    """How a function is listed in the header."""
    inputs = ", ".join(a.name for a in part.arguments)
    return f"  {part.name}({inputs} -> {', '.join(a.name for a in part.outputs)})  {part.purpose}"
