"""What the languages have in common: values, operations, bodies of functions, the order of all that
stands in a file, its opening, and the names beside its numbers."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import ClassVar

import casadi as ca

from pliant.code.export import statements
from pliant.code.llvm.ir import UnsupportedOperationError
from pliant.mechanics.layout import Scalar


def plain(text: str) -> str:
    """Text that can stand in a comment of any language."""
    return re.sub(r"[^\w .,:;()'+-]+", " ", text).strip()


def identifier(text: str) -> str:
    """A name made of the text, for any language."""
    return re.sub(r"\W+", "_", text.lower(), flags=re.ASCII).strip("_")[:40]


def digits(x: float) -> str:
    """17 significant digits, or as few as give the same number; always with a point."""
    text = next(t for t in (f"{x:.{n}g}" for n in (15, 16, 17)) if float(t) == x)
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


def header(program: statements.Program, first: int, calls: Sequence[str]) -> Iterator[str]:
    """Lines of the opening comment. ``first``: where the language begins to count."""
    e, w, sizes = program.equations, program.equations.written, program.sizes
    yield f"{plain(program.name)}: equations of motion, written by Pliant"
    yield f"formulation {w.formulation}, {plain(str(w.tree))} tree, {w.form} form"
    yield ""
    yield "  M u' = h + G^T lam    q' = N u + n    x' = f"
    yield "  g(t, q) = 0           G u + b = 0     G u' + gamma = 0"
    yield ""
    if not program.augmented:
        yield "Embedding form: M and h have a row for each degree of freedom, and lam is left out."
    yield "SI units and radians. Initial state and parameters are those of the model; p may be"
    yield "changed between calls. Rows of G that depend on others are found at run time."
    if program.singular:
        yield f"Angles are singular, and no step goes on, where {', '.join(program.singular)} is 0:"
        yield "there and near it take the model in quaternions."
    if e.told.events:
        yield f"The main program does not watch events: {plain(', '.join(e.told.events))}."
    yield ""
    yield from calls
    for title, names in _orders(program, first):
        yield ""
        yield f"{title}:" if names else f"{title}: none"
        yield from (f"  {line}" for line in names)
    yield ""
    yield ", ".join(f"{k} = {v}" for k, v in sizes.items())


def _orders(program: statements.Program, first: int) -> Iterator[tuple[str, list[str]]]:
    e = program.equations
    yield "q, coordinates", _listed(e.layout.q, first)
    yield "u, speeds", _listed(e.layout.u, first)
    yield "x, other states", _listed(e.layout.x, first)
    title = "rows of g, G and gamma, and multipliers lam"
    yield (title if program.augmented else title.split(",")[0]), _listed(e.layout.rows, first)
    yield "p, parameters", _parameters(program, first)
    yield (
        "y, columns of the CSV after time",
        [
            f"{k + first}  {c.name}{_unit(c.unit)}{', modulo a turn' if c.turns else ''}"
            for k, c in enumerate(program.columns)
        ],
    )


def _listed(scalars: Sequence[Scalar], first: int) -> list[str]:
    return [f"{k + first}  {s.name}{_unit(s.unit)}" for k, s in enumerate(scalars)]


def _unit(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _parameters(program: statements.Program, first: int) -> list[str]:
    e = program.equations
    named = [
        f"{k + first}  {name} = {digits(float(program.p[k]))}"
        for name, k in sorted(e.inputs.parameters.items(), key=lambda item: item[1])
    ]
    tables = [f"{k + first}...  numbers of {name}" for name, k in e.inputs.tables.items()]
    signals = [f"{s.offset + first}...  signal, {s.points} points" for s in e.inputs.slots]
    return named + tables + signals


def parameter_names(program: statements.Program) -> list[str]:
    """What stands beside each parameter."""
    names = [""] * program.sizes["NP"]
    starts = {**{k: n for n, k in program.equations.inputs.tables.items()},
              **{s.offset: "signal" for s in program.equations.inputs.slots}}  # fmt: skip
    for start in starts:
        names[start] = f"{starts[start]}..."
    for name, k in program.equations.inputs.parameters.items():
        names[k] = name
    return names


def labels(program: statements.Program) -> dict[str, list[list[str]]]:
    """Names along each side of the outputs."""
    layout = program.equations.layout
    q, u, x, rows = ([s.name for s in v] for v in (layout.q, layout.u, layout.x, layout.rows))
    motion = u if program.augmented else [f"row {k + 1}" for k in range(program.sizes["ND"])]
    return {
        "M": [motion, u], "h": [motion], "G": [rows, u], "g": [rows], "cv": [rows],
        "gamma": [rows], "qdot": [q], "dq": [q], "xdot": [x],
        "y": [[c.name for c in program.columns]],
    }  # fmt: skip


def label(names: dict[str, list[list[str]]], entry: statements.Entry) -> str:
    """What an entry of an output is."""
    sides = names.get(entry.array, [])
    return ", ".join(side[i] for side, i in zip(sides, entry.index, strict=False))


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

    def __init__(self, program: statements.Program) -> None:
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
        folder = files("pliant.code.export").joinpath("runtime")
        return folder.joinpath(f"{name}{self.ending}").read_text(encoding="utf-8")

    @abstractmethod
    def opening(self) -> Iterator[str]:
        """Sizes, parameters, initial state and names of columns."""

    @abstractmethod
    def chunk(
        self, part: statements.Part, k: int, passed: str, body: Sequence[str]
    ) -> Iterator[str]:
        """A function with the statements of a chunk of a long one."""

    @abstractmethod
    def head(self, part: statements.Part, split: bool) -> Iterator[str]:
        """The first lines of a function, up to its statements. ``split``: it calls its chunks."""

    @abstractmethod
    def end(self, part: statements.Part) -> str:
        """The last line of a function."""

    def call(self, name: str, passed: str) -> str:
        """The call of a chunk."""
        return f"    {name}({passed})"

    def _function(self, part: statements.Part) -> Iterator[str]:
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

    def outputs(self, part: statements.Part) -> list[str]:
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

    def _statements(self, chunk: Iterable[statements.Statement]) -> Iterator[str]:
        """Lines of a chunk; entries of outputs are named beside them."""
        names = labels(self.program)

        def text(value: statements.Value) -> str:
            match value:
                case statements.Constant(x):
                    return self.number(x)
                case statements.Local(k):
                    return f"v{k}"
                case statements.Entry(array, index):
                    return self.entry(array, index)

        for s in chunk:
            if s.op not in self.operations:
                raise UnsupportedOperationError(f"export: operation {s.op}")
            expression = self.operations[s.op].format(*map(text, s.args))
            is_local = isinstance(s.target, statements.Local)
            line = self.assignment(text(s.target), expression, local=is_local)
            name = label(names, s.target) if isinstance(s.target, statements.Entry) else ""
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


def calls_of(part: statements.Part) -> str:
    """How a function is listed in the header."""
    inputs = ", ".join(a.name for a in part.arguments)
    return f"  {part.name}({inputs} -> {', '.join(a.name for a in part.outputs)})  {part.purpose}"
