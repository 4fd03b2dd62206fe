"""From expressions to assignments, one per operation, whatever the language.

The tape of a function shares common subexpressions. Long tapes are cut into chunks, which become
functions of their own, so that compilers need a time in proportion to the length; values that cross
a cut live in a work array ``w``.

Which functions a source has, and in what order everything stands in their arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.code.llvm.tape import Instruction, tape
from pliant.errors import InputError, UnknownName
from pliant.formulations.equations import Equations
from pliant.records import dataclass

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


T, Q, U, X = Argument("t"), Argument("q", ("NQ",)), Argument("u", ("NU",)), Argument("x", ("NX",))
P, A, LAM = Argument("p", ("NP",)), Argument("a", ("NU",)), Argument("lam", ("NC",))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the CSV: an entry of an observable."""

    name: str
    unit: str
    turns: bool
    """An angle known modulo a turn."""


@dataclass(frozen=True, slots=True)
class Program:
    """Everything a source says, whatever the language."""

    name: str
    equations: Equations
    sizes: Mapping[str, int]
    parts: tuple[Part, ...]
    columns: tuple[Column, ...]
    p: Array
    start: Array
    """t, q, u, x at the beginning."""
    t_end: float
    every: float

    @property
    def augmented(self) -> bool:
        """Whether the equations have multipliers."""
        return self.sizes["ND"] == self.sizes["NU"]

    @property
    def quaternions(self) -> list[int]:
        """Where quaternions begin in q."""
        return self.equations.layout.quaternions

    @property
    def singular(self) -> list[str]:
        """What is zero where an angle set is singular."""
        return [f"{f}({name})" for f, name, _ in _second_angles(self.equations, self.start)]


def program_of(
    e: Equations, *, x0: Array, p: Array, t_end: float, every: float, name: str,
    outputs: Sequence[str] | None,
) -> Program:  # fmt: skip
    """What is to be written; InputError for what a source cannot hold."""
    columns, y = chosen_columns(e, outputs)
    sizes = {
        "NQ": e.q.numel(), "NU": e.u.numel(), "NX": e.x.numel(), "ND": e.residual.numel(),
        "NC": e.cv.numel(), "NH": e.g.numel(), "NP": e.p.numel(), "NS": len(e.inputs.slots),
        "NY": len(columns),
    }  # fmt: skip
    states = 1 + sizes["NQ"] + sizes["NU"] + sizes["NX"]
    if len(x0) < states or len(p) != sizes["NP"]:
        raise InputError(
            f"export: {len(x0)} states and {len(p)} parameters do not fit the equations",
            f"give {states} states (t, q, u, x) and {sizes['NP']} parameters",
        )
    if not (t_end > float(x0[0]) and every > 0):
        raise InputError("export: the end is not after the start, or no output interval",
                         "give t_end after the start time and every above zero")  # fmt: skip
    refuse(e, x0)
    return Program(name, e, sizes, _parts(e, y), columns, np.asarray(p, dtype=float),
                   np.asarray(x0[:states], dtype=float), float(t_end), float(every))  # fmt: skip


_ZERO = {"euler313": "sin", "bryant123": "cos"}
"""Of the second angle: the rates of the set are infinite where it is zero."""
_SINGULAR = 1e-6


def _second_angles(e: Equations, start: Array) -> Iterator[tuple[str, str, float]]:
    """For every angle set, sine or cosine, its second angle, and the value at the start."""
    for r in e.layout.rotations:
        if r.kind in _ZERO:
            f, k = _ZERO[r.kind], r.start + 1
            yield f, e.layout.q[k].name, float(getattr(np, f)(start[1 + k]))


def refuse(e: Equations, start: Array) -> None:
    """InputError for equations that no program can integrate from their start."""
    for f, name, value in _second_angles(e, start):
        if abs(value) < _SINGULAR:
            raise InputError(
                f"export: angles are singular at the start, where {f}({name}) is zero",
                "tell this rotation in quaternions, or in other angles",
            )
    if not e.u.numel() + e.x.numel():
        raise InputError("export: nothing is left to integrate", "keep a driver out of the tree")


def chosen_columns(
    e: Equations, outputs: Sequence[str] | None
) -> tuple[tuple[Column, ...], list[Any]]:
    """Columns and their expressions; without a choice: the coordinates of joints and bodies."""
    if outputs is None:
        outputs = [
            k for k, o in e.told.observables.items() if o.kind in ("coordinate", "angle", "rate")
        ]
    found: dict[str, tuple[Column, Any]] = {}
    for wanted in outputs:
        hits = _hits(e, wanted)
        if not hits:
            raise UnknownName(f"export: no observable is named '{wanted}'")
        found |= hits
    return tuple(c for c, _ in found.values()), [x for _, x in found.values()]


def _hits(e: Equations, wanted: str) -> dict[str, tuple[Column, Any]]:
    """Entries meant by the name of an observable, its owner or component, or by a pattern."""
    found = {}
    for key, o in e.told.observables.items():
        flat = ca.vec(o.expression)
        labels = o.labels or ("",) * flat.numel()
        for k, label in enumerate(labels):
            name = f"{key}.{label}" if label else key
            if wanted == name or f"{key}.".startswith(f"{wanted}.") or fnmatchcase(key, wanted):
                found[name] = Column(name, o.unit, bool(o.wraps) or o.kind == "angle"), flat[k]
    return found


def _parts(e: Equations, y: Sequence[Any]) -> tuple[Part, ...]:
    """All functions of a source."""
    at_rest = ca.vertcat(e.a, e.lam)
    zero = ca.SX.zeros(at_rest.numel())
    acceleration = e.ca
    M = Argument("M", ("ND", "NU")), ca.jacobian(e.residual, e.a)
    h = Argument("h", ("ND",)), -ca.substitute(e.residual, at_rest, zero)
    g = Argument("g", ("NH",)), e.g
    cv = Argument("cv", ("NC",)), e.cv
    G = Argument("G", ("NC", "NU")), ca.jacobian(e.cv, e.u)
    gamma = Argument("gamma", ("NC",)), ca.substitute(acceleration, at_rest, zero)
    qdot, xdot = (Argument("qdot", ("NQ",)), e.qdot), (Argument("xdot", ("NX",)), e.f)
    dq = Argument("dq", ("NQ",)), ca.jacobian(e.qdot, e.u) @ e.u
    rows = Argument("y", ("NY",)), ca.vertcat(*y) if y else ca.SX.zeros(0, 1)
    last = [(P, e.p), *([(SIGNALS, e.inputs.signals)] if e.inputs.slots else [])]
    state = [(T, e.t), (Q, e.q), (U, e.u), (X, e.x)]
    full = [*state, (A, e.a), (LAM, e.lam), *last]
    state += last
    along = [(T, e.t), (Q, e.q), (Argument("v", ("NU",)), e.u), (X, e.x), *last]
    return (
        part_of("mass_matrix", "mass matrix M", state, [M]),
        part_of("forcing", "forces h: M u' = h + G^T lam", state, [h]),
        part_of("constraints", "position constraints g = 0", state, [g]),
        part_of("jacobian", "constraint Jacobian G", state, [G]),
        part_of("velocity_constraints", "velocity constraints G u + b = 0", state, [cv]),
        part_of("constraint_gamma", "gamma: G u' + gamma = 0", state, [gamma]),
        part_of("coordinate_rates", "q' = N u + n", state, [qdot]),
        part_of("state_rates", "x'", state, [xdot]),
        part_of("tangent", "change of q along speeds v: N v", along, [dq]),
        part_of("dynamics_terms", "all that forward dynamics needs, at once", state,
                [M, h, G, gamma, qdot, xdot]),
        part_of("observables", "what is written to the CSV", full, [rows]),
    )  # fmt: skip
