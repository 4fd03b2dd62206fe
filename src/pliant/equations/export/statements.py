"""From expressions to assignments, one per operation, whatever the language.

The tape of a function shares common subexpressions. Long tapes are cut into chunks, which become
functions of their own, so that compilers need a time in proportion to the length; values that cross
a cut live in a work array ``w``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from pliant.engine.tape import Instruction, tape

CHUNK = 1000
"""Operations per chunk."""


@dataclass(frozen=True, slots=True)
class Local:
    """A value computed in the same chunk."""

    number: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of an array, counted from zero; no index: a scalar argument."""

    array: str
    index: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Constant:
    """A number."""

    value: float


Value = Local | Entry | Constant


@dataclass(frozen=True, slots=True)
class Statement:
    """target = op(args)."""

    target: Local | Entry
    op: int
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """An array by the names of its sizes (``("ND", "NU")``); none: a scalar."""

    name: str
    sizes: tuple[str, ...] = ()


SIGNALS = Argument("s", ("3*NS",))
"""Signals are looked up inside of a function."""


@dataclass(frozen=True, slots=True)
class Part:
    """One function of the source: outputs of inputs, as chunks of statements."""

    name: str
    purpose: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    chunks: tuple[tuple[Statement, ...], ...]
    work: int
    """Length of ``w``."""
    sparse: frozenset[str]
    """Outputs with entries that are always zero."""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The inputs that a caller gives."""
        return tuple(a for a in self.inputs if a != SIGNALS)

    @property
    def reads_signals(self) -> bool:
        """Whether signals have to be looked up."""
        return SIGNALS in self.inputs


def part_of(
    name: str,
    purpose: str,
    inputs: Sequence[tuple[Argument, Any]],
    outputs: Sequence[tuple[Argument, Any]],
) -> Part:
    """Statements for the outputs: (argument, expression), of the inputs: (argument, symbols)."""
    wanted = [ca.sparsify(ca.SX(expression)) for _, expression in outputs]
    function = ca.Function(name, [symbols for _, symbols in inputs], ca.cse(wanted))
    sources = [_entries(a, s.sparsity()) for a, s in inputs]
    targets = [_entries(a, e.sparsity()) for (a, _), e in zip(outputs, wanted, strict=True)]
    program = tape(function)
    slots = _Slots(program)
    chunks = [
        tuple(_chunk(program, start, slots, sources, targets))
        for start in range(0, len(program), CHUNK)
    ]
    sparse = [a.name for (a, _), e in zip(outputs, wanted, strict=True) if not e.is_dense()]
    return Part(
        name, purpose, tuple(a for a, _ in inputs), tuple(a for a, _ in outputs),
        tuple(c for c in chunks if c), slots.count, frozenset(sparse),
    )  # fmt: skip


def _entries(argument: Argument, pattern: Any) -> list[Entry]:
    """The non-zeros of an argument in the order of the tape."""
    rows, columns = pattern.get_triplet()
    match len(argument.sizes):
        case 0:
            return [Entry(argument.name)]
        case 1:
            return [Entry(argument.name, (i,)) for i in rows]
        case _:
            return [Entry(argument.name, (i, j)) for i, j in zip(rows, columns, strict=True)]


class _Slots(dict[int, int]):
    """Place in the work array of every value read in a later chunk, reused after its last read."""

    def __init__(self, program: Sequence[Instruction]) -> None:
        super().__init__()
        last: dict[int, int] = {}
        for k, item in enumerate(program):
            for s in item.args:
                if not _is_given(program[s]) and s // CHUNK != k // CHUNK:
                    last[s] = k // CHUNK
        free: list[int] = []
        dying: dict[int, list[int]] = {}
        self.count, chunk = 0, 0
        for s in sorted(last):
            while chunk < s // CHUNK:
                free += dying.pop(chunk, [])
                chunk += 1
            if not free:
                free.append(self.count)
                self.count += 1
            self[s] = free.pop()
            dying.setdefault(last[s], []).append(self[s])


def _is_given(item: Instruction) -> bool:
    return item.op in (ca.OP_CONST, ca.OP_INPUT)


def _chunk(
    program: Sequence[Instruction],
    start: int,
    slots: _Slots,
    sources: Sequence[Sequence[Entry]],
    targets: Sequence[Sequence[Entry]],
) -> list[Statement]:
    """Statements of the instructions from ``start``, as many as a chunk has."""
    local: dict[int, Local] = {}
    found: list[Statement] = []

    def value(s: int) -> Value:
        item = program[s]
        if item.op == ca.OP_CONST:
            return Constant(item.constant)
        if item.op == ca.OP_INPUT:
            return sources[item.slot[0]][item.slot[1]]
        return local[s] if s in local else Entry("w", (slots[s],))

    for k in range(start, min(start + CHUNK, len(program))):
        item = program[k]
        if _is_given(item):
            continue
        args = tuple(map(value, item.args))
        if item.op == ca.OP_OUTPUT:
            found.append(Statement(targets[item.slot[0]][item.slot[1]], ca.OP_ASSIGN, args))
            continue
        local[k] = Local(len(local))
        found.append(Statement(local[k], item.op, args))
        if k in slots:
            found.append(Statement(Entry("w", (slots[k],)), ca.OP_ASSIGN, (local[k],)))
    return found
