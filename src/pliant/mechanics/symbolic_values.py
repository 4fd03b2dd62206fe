"""Numbers of a model as symbols: parameters stay free until run time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.packing import Entries, Packing
from pliant.mechanics.signals import SignalSlot, signal_table
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula
from pliant.model.formulas.functions import second_derivatives
from pliant.model.model import Model
from pliant.model.signals import Signal
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps

_ROUNDING = 1e-12


def signal_numbers(signal: Signal) -> Array:
    """A signal as compiled code reads it."""
    if signal.interpolation == "spline":
        bent = second_derivatives(signal.times, signal.values)
        return signal_table(signal.times, signal.values, bent, hold=False)
    return signal_table(signal.times, signal.values, [0.0] * len(signal.times), hold=True)


@dataclass(frozen=True, slots=True)
class FlexibleSlot:
    """Where the numbers of a flexible body start in p, and its tables in their symbols."""

    start: int
    packing: Packing
    names: tuple[str, ...]
    tables: Mapping[str, Entries]


def _table_names(body: str, packing: Packing) -> list[str]:
    """rod.K[1,2], rod.tip.L[2,1]: what each number of a flexible body is."""
    names = [f"{body}[{k}]" for k in range(packing.size)]
    for table, entries in reversed(packing.unpack(range(packing.size)).items()):
        for index, k in reversed(entries.items()):
            places = ",".join(str(i + 1) for i in index)
            names[k] = f"{body}.{table.replace(':', '.')}" + (f"[{places}]" if index else "")
    return names


def _cleaned(packed: Array, packing: Packing) -> Array:
    """The numbers of a body, those that are rounding errors of their table set to zero."""
    clean = packed.copy()
    for entries in packing.unpack(range(packing.size)).values():
        places = list(entries.values())
        size = np.abs(packed[places]).max(initial=0.0)
        clean[[k for k in places if abs(packed[k]) <= _ROUNDING * size]] = 0.0
    return clean


class SymbolicValues:
    """Time and parameters of a model as symbols, with their default numbers.

    ``number(formula)`` evaluates a formula of parameters; one without parameters gives a float,
    so that it folds into the code.
    """

    def __init__(self, model: Model, ops: SymbolicOps) -> None:
        self.ops = ops
        self.t = ops.symbol("t")
        self._symbols: list[Any] = []
        self._numbers: list[float] = []
        self.index: dict[str, int] = {}
        plain = Values.of(model)
        for name, value in plain.parameters.items():
            self.index[name] = self._slot(name, [value])
        self.flexible: dict[str, FlexibleSlot] = {}
        for name in plain.flexible:
            self.flexible[name] = self._flexible_slot(name, plain)
        self.sections = {name: self._flexible_slot(name, plain) for name in plain.sections}
        self._signals: dict[str, Any] = {}
        self.signal_slots: list[SignalSlot] = []
        for name, signal in model.signals.items():
            self._signals[name] = ops.symbols([name, f"{name}'", f"{name}''"])
            start = self._slot(name, signal_numbers(signal))
            self.signal_slots.append(SignalSlot(start, len(signal.times)))

    def _flexible_slot(self, name: str, plain: Values) -> FlexibleSlot:
        """The tables of a flexible body, or of its part beyond a section, as run-time numbers."""
        packing, packed = plain.packing(name), plain.packed(name)
        names = plain.tables(name.partition(".")[0]).data.names
        start = len(self._symbols)
        self._symbols += map(self.ops.entry, _table_names(name, packing), _cleaned(packed, packing))
        self._numbers += map(float, packed)
        symbols = self._symbols[start : start + packing.size]
        return FlexibleSlot(start, packing, names, packing.unpack(symbols))

    def _slot(self, name: str, numbers: Any) -> int:
        """New run-time numbers; returns where they start in p."""
        start, flat = len(self._symbols), np.ravel(numbers)
        names = [name] if len(flat) == 1 else [f"{name}[{k}]" for k in range(len(flat))]
        self._symbols += map(self.ops.symbol, names)
        self._numbers += map(float, flat)
        return start

    @property
    def p(self) -> Any:
        return self.ops.stack(self._symbols) if self._symbols else self.ops.symbols(())

    @property
    def p_default(self) -> Array:
        return np.array(self._numbers)

    def number(self, formula: Formula) -> Any:
        """Value of a formula that reads parameters only."""
        return float(formula.value) if formula.is_constant else self.evaluate(formula, self.look_up)

    def evaluate(self, formula: Formula, look_up: Callable[[str], Any]) -> Any:
        """Value of any formula, with names found by ``look_up``."""
        if formula.is_constant:
            return float(formula.value)
        return formula.evaluate(self.ops, look_up)

    def look_up(self, name: str) -> Any:
        """Time, parameters and signals."""
        if name == "t":
            return self.t
        if name in self.index:
            return self._symbols[self.index[name]]
        return self._signals[name][0]

    @property
    def signals(self) -> Any:
        """Value, first and second derivative of each signal."""
        return self.ops.stack(self._signals.values()) if self._signals else None

    def time_derivative(self, expression: Any) -> Any:
        """d/dt of a function of time, parameters and signals."""
        rate = self.ops.jtimes(expression, self.t, 1)
        for s in self._signals.values():
            rate = rate + self.ops.jtimes(expression, s[:2], s[1:])
        return rate

    def vector(self, formulas: Any) -> Any:
        """A column of constants."""
        return self.ops.vec(*(self.number(f) for f in formulas))
