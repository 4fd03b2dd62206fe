"""Observables of many states: those that were asked for, by columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from pliant.equations import CompiledEquations, Observed
from pliant.solve.abi import Reals
from pliant.solve.points import observe_rows


class RowFunctions(Protocol):
    """A model whose functions of many rows are not one machine function each."""

    @property
    def observed(self) -> Mapping[str, Observed]: ...
    @property
    def asked(self) -> Mapping[str, Observed]: ...
    @property
    def powers(self) -> tuple[str, ...]: ...
    @property
    def wrapped(self) -> tuple[str, ...]: ...
    def evaluate_rows(self, name: str, X: Reals, p: Reals) -> Reals: ...


Observable = CompiledEquations | RowFunctions
"""What observables can be asked of."""


def evaluate_function(compiled: Observable, name: str, X: Reals, p: Reals) -> Reals:
    """A function of a model for many packed rows."""
    if not isinstance(compiled, CompiledEquations):
        return compiled.evaluate_rows(name, X, p)
    rows = np.ascontiguousarray(X, dtype=np.float64)
    out = np.zeros((len(rows), compiled.size[name]))
    symbols = compiled.symbols(name, len(rows))
    if symbols is not None and out.size:
        return symbols.rows(rows, np.asarray(p))
    if out.size:
        compiled.require(name)
        address = compiled.address(name)
        observe_rows(address, rows, len(rows), rows.shape[1], np.append(p, 0.0), out, out.shape[1])
    return out


def observe(compiled: Observable, X: Reals, p: Reals) -> Reals:
    """Observables that were asked for, one after the other, for many packed rows."""
    rows = evaluate_function(compiled, "O", X, p)
    if len(compiled.asked) == len(compiled.observed):
        return rows
    places = [np.arange(o.start, o.start + o.size) for o in compiled.asked.values()]
    return rows[:, np.concatenate([np.zeros(0, dtype=np.int64), *places])]


def table_of(asked: Mapping[str, Observed]) -> dict[str, slice]:
    """Where each of them stands in the rows of ``observe``."""
    ends = np.cumsum([o.size for o in asked.values()])
    return {name: slice(int(end) - o.size, int(end))
            for (name, o), end in zip(asked.items(), ends, strict=True)}  # fmt: skip
