"""Single states, compiled: consistent initial values, output points, functions of many rows;
observables of many states, by columns of a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from pliant.code.compiled import CompiledEquations
from pliant.observe.catalogue import Quantity
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, call_model, call_service, entry, jit

LEFT_ALLOWED = 1e-9
FALSE = 30.0
"""Pivots of dependent rows off the constraints are at most so many times the distance."""


@entry
def call_once(address: int, ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """One service, from Python."""
    return int(call_service(address, ic, dc, x, y))


@entry
def make_consistent(address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Rank, factor, projection of q and u, renewed until it holds; then a and lam.

    0: done; 1: the constraints cannot be met; 2: the accelerations are not determined.
    """
    call_service(address[c.S_SETTLE], ic, dc, x, y)
    for _ in range(5):
        call_service(address[c.S_RANK], ic, dc, x, y)
        if call_service(address[c.S_ACCELERATE], ic, dc, x, y) != 0:
            return 2
        if ic[c.EXACT] == 0 or ic[c.NC] == 0:
            return 0
        y[0], y[1] = c.PROJECT_BOTH, 20
        count = call_service(address[c.S_PROJECT], ic, dc, x, y)
        if count == 0 and dc[c.LEFT] <= LEFT_ALLOWED:
            break
    call_service(address[c.S_RANK], ic, dc, x, y)
    code = call_service(address[c.S_ACCELERATE], ic, dc, x, y)
    if not dc[c.LEFT] <= LEFT_ALLOWED:
        return 1
    return 2 if code != 0 else 0


@jit
def _onto_constraints(
    address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals, decide: bool
) -> int:
    """Project x, ``decide``: after a new rank decision; 0 if a and lam of x are known."""
    if decide:
        call_service(address[c.S_RANK], ic, dc, x, y)
    moved, ic[c.FACTOR_CURRENT] = 1, 0
    if ic[c.PROJECT_ALONE] == 0:
        call_service(address[c.S_ACCELERATE], ic, dc, x, y)
        moved = 0
    y[0], y[1] = c.PROJECT_BOTH, 12
    return int(moved + call_service(address[c.S_PROJECT], ic, dc, x, y))


@jit
def _from_afar(
    address: Integers, ic: Integers, dc: Reals, row: Reals, n: int, x: Reals, y: Reals
) -> int:
    """The same from a state off the constraints. There dependent rows seem independent by as much,
    and would hold what is free: so first with rows whose pivots are far larger than that."""
    threshold = dc[c.THRESHOLD]
    dc[c.THRESHOLD] = max(threshold, min(FALSE * dc[c.CORRECTION], 0.1))
    for i in range(n):
        x[i] = row[i]
    _onto_constraints(address, ic, dc, x, y, True)
    dc[c.THRESHOLD] = threshold
    return _onto_constraints(address, ic, dc, x, y, True)


@jit
def _with_fewer_rows(address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Where that does not lead onto the constraints: leave out rows with the smallest pivots, more
    and more of them, until the state is close; then decide as usual."""
    threshold = dc[c.THRESHOLD]
    for _ in range(4):
        dc[c.THRESHOLD] *= 30.0
        _onto_constraints(address, ic, dc, x, y, True)
        if dc[c.LEFT] <= LEFT_ALLOWED:
            break
    dc[c.THRESHOLD] = threshold
    return _onto_constraints(address, ic, dc, x, y, True)


@jit
def complete_row(
    address: Integers, ic: Integers, dc: Reals, row: Reals, x: Reals, y: Reals, first: bool,
    forces: int,
) -> None:  # fmt: skip
    """x <- that of a row (t, q, u, xs): projected, with a and lam of least norm; ``first``: of
    several; ``forces`` 0: a and lam are not asked for."""
    n = 1 + ic[c.NQ] + ic[c.NU] + ic[c.NX]
    for i in range(n):
        x[i] = row[i]
    decide = first or forces == 1 or ic[c.PROJECT_ALONE] == 0
    moved = _onto_constraints(address, ic, dc, x, y, decide)
    if ic[c.EXACT] == 1 and dc[c.PIVOT] < FALSE * dc[c.CORRECTION]:
        moved = _from_afar(address, ic, dc, row, n, x, y)
    if ic[c.EXACT] == 1 and not dc[c.LEFT] <= LEFT_ALLOWED:
        moved = _with_fewer_rows(address, ic, dc, x, y)
    if forces == 1:
        if moved > 0:
            call_service(address[c.S_ACCELERATE], ic, dc, x, y)
        call_service(address[c.S_MULTIPLIERS], ic, dc, x, y)


@entry
def complete_rows(
    address: Integers, ic: Integers, dc: Reals, rows: Reals, count: int, x: Reals, y: Reals,
    out: Reals, size: int, forces: int,
) -> int:  # fmt: skip
    """out[k] <- x of rows[k]; ``count`` rows; ``size`` is the length of an x."""
    n = 1 + ic[c.NQ] + ic[c.NU] + ic[c.NX]
    for k in range(count):
        complete_row(address, ic, dc, at(rows, k * n), x, y, k == 0, forces)
        for i in range(size):
            out[k * size + i] = x[i]
    return 0


@entry
def observe_rows(
    address: int, rows: Reals, count: int, width: int, p: Reals, out: Reals, size: int
) -> int:
    """out[k] <- f(rows[k], p) for ``count`` rows of ``width`` numbers; ``size`` results each."""
    for k in range(count):
        call_model(address, at(rows, k * width), p, at(out, k * size))
    return 0


@entry
def observe_columns(
    address: int, rows: Reals, count: int, width: int, p: Reals, y: Reals, columns: Integers,
    size: int, out: Reals,
) -> int:  # fmt: skip
    """The same of which only ``size`` ``columns`` are kept; y has room for all results."""
    for k in range(count):
        call_model(address, at(rows, k * width), p, y)
        for j in range(size):
            out[k * size + j] = y[columns[j]]
    return 0


class RowFunctions(Protocol):
    """A model whose functions of many rows are not one machine function each."""

    @property
    def observed(self) -> Mapping[str, Quantity]: ...
    @property
    def asked(self) -> Mapping[str, Quantity]: ...
    @property
    def powers(self) -> tuple[str, ...]: ...
    @property
    def wrapped(self) -> tuple[str, ...]: ...
    def evaluate_rows(self, name: str, X: Reals, p: Reals) -> Reals: ...


RowSource = CompiledEquations | RowFunctions
"""What observables can be asked of."""


def evaluate_function(compiled: RowSource, name: str, X: Reals, p: Reals) -> Reals:
    """A function of a model for many packed rows."""
    if not isinstance(compiled, CompiledEquations):
        return compiled.evaluate_rows(name, X, p)
    rows = np.ascontiguousarray(X, dtype=np.float64)
    count, width = rows.shape
    out = np.zeros((count, compiled.size[name]))
    symbols = compiled.code.symbols(name, count)
    if symbols is not None and out.size:
        return symbols.rows(rows, np.asarray(p))
    if out.size:
        compiled.code.require(name)
        observe_rows(compiled.address(name), rows, count, width, passed(p), out, out.shape[1])
    return out


def passed(p: Reals) -> Reals:
    """Parameters as machine code takes them: none are one that nobody reads."""
    return np.ascontiguousarray(p, dtype=np.float64) if len(p) else np.zeros(1)


def observe(compiled: RowSource, X: Reals, p: Reals) -> Reals:
    """Observables that were asked for, one after the other, for many packed rows."""
    if not isinstance(compiled, CompiledEquations) or compiled.chosen is None:
        return evaluate_function(compiled, "observables", X, p)
    columns = chosen_columns(compiled)
    if compiled.code.symbols("observables", len(X)) is not None:
        return evaluate_function(compiled, "observables", X, p)[:, columns]
    rows = np.ascontiguousarray(X, dtype=np.float64)
    count, width, size = *rows.shape, len(columns)
    out = np.zeros((count, size))
    if out.size:
        compiled.code.require("observables")
        observe_columns(compiled.address("observables"), rows, count, width, passed(p),
                        np.zeros(compiled.size["observables"]), columns, size, out)  # fmt: skip
    return out


def chosen_columns(compiled: CompiledEquations) -> Integers:
    """Where observables that were asked for stand in the output of O."""

    def places() -> Integers:
        asked = (np.arange(o.start, o.start + o.size) for o in compiled.asked.values())
        return np.concatenate([np.zeros(0, dtype=np.int64), *asked])

    return compiled.remembered("columns", compiled.chosen, places)


def table_of(asked: Mapping[str, Quantity]) -> dict[str, slice]:
    """Where each of them stands in the rows of ``observe``."""
    ends = np.cumsum([o.size for o in asked.values()])
    return {name: slice(int(end) - o.size, int(end))
            for (name, o), end in zip(asked.items(), ends, strict=True)}  # fmt: skip
