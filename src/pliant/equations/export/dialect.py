"""What the languages have in common: values, operations and bodies of functions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Protocol

import casadi as ca

from pliant.engine.ir import UnsupportedOperationError
from pliant.equations.export.header import digits, label, labels
from pliant.equations.export.parts import Program
from pliant.equations.export.statements import Constant, Entry, Local, Part, Statement, Value

RTOL = 1e-9
"""Tolerance of the main program."""


class Dialect(Protocol):
    """How a language writes numbers, entries of arrays and operations."""

    operations: Mapping[int, str]
    """Templates of expressions by operation: {0}, {1} are the arguments."""
    comment: str

    def number(self, x: float) -> str:
        """A number with 17 significant digits."""

    def entry(self, array: str, index: tuple[int, ...], sizes: Mapping[str, int]) -> str:
        """An entry of an array."""

    def assignment(self, target: str, expression: str, *, local: bool) -> str:
        """A statement; ``local``: the first and only one that sets the target."""


class RowByRow:
    """Languages whose arrays count from zero, matrices row by row."""

    nan: str
    infinity: str

    def number(self, x: float) -> str:
        """A number with 17 significant digits."""
        if not math.isfinite(x):
            return self.nan if math.isnan(x) else self.infinity if x > 0 else f"(-{self.infinity})"
        return f"({digits(x)})" if x < 0 else digits(x)

    def entry(self, array: str, index: tuple[int, ...], sizes: Mapping[str, int]) -> str:
        """Matrices are stored row by row."""
        match index:
            case ():
                return array
            case (i,):
                return f"{array}[{i}]"
            case (i, j):
                return f"{array}[{i * sizes['NU'] + j}]"
        raise ValueError(index)


def runtime(name: str) -> str:
    """Text that does not depend on the model."""
    return files("pliant.equations.export").joinpath("runtime", name).read_text(encoding="utf-8")


def statements(dialect: Dialect, program: Program, chunk: Iterable[Statement]) -> Iterator[str]:
    """Lines of a chunk; entries of outputs are named beside them."""
    names = labels(program)

    def text(value: Value) -> str:
        match value:
            case Constant(x):
                return dialect.number(x)
            case Local(k):
                return f"v{k}"
            case Entry(array, index):
                return dialect.entry(array, index, program.sizes)

    for s in chunk:
        line = dialect.assignment(
            text(s.target), operation(dialect.operations, s.op, map(text, s.args)),
            local=isinstance(s.target, Local),
        )  # fmt: skip
        name = label(names, s.target) if isinstance(s.target, Entry) else ""
        yield f"{line}  {dialect.comment} {name}" if name else line


def operation(templates: Mapping[int, str], op: int, args: Iterable[str]) -> str:
    """The expression of one operation."""
    if op not in templates:
        raise UnsupportedOperationError(f"export: operation {op}")
    return templates[op].format(*args)


def common_operations(call: Mapping[int, str]) -> dict[int, str]:
    """Templates that all languages share, and calls of functions by name."""
    shared = {
        ca.OP_ADD: "{0} + {1}", ca.OP_SUB: "{0} - {1}", ca.OP_MUL: "{0} * {1}",
        ca.OP_DIV: "{0} / {1}", ca.OP_SQ: "{0} * {0}", ca.OP_TWICE: "{0} + {0}",
        ca.OP_NEG: "-{0}", ca.OP_INV: "1.0 / {0}", ca.OP_ASSIGN: "{0}",
    }  # fmt: skip
    two = {ca.OP_POW, ca.OP_CONSTPOW, ca.OP_FMIN, ca.OP_FMAX, ca.OP_COPYSIGN, ca.OP_ATAN2,
           ca.OP_FMOD, ca.OP_HYPOT, ca.OP_REMAINDER}  # fmt: skip
    calls = {op: f"{name}({{0}}, {{1}})" if op in two else f"{name}({{0}})"
             for op, name in call.items()}  # fmt: skip
    return shared | calls


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
