"""The functions of a model by name: as machine code, or as symbols until code is needed.

Compiling pays when a function is called thousands of times. What is evaluated at a few states, as
in statics, modes and comparisons at random states, is sooner interpreted: such functions are put
off. Python has them interpreted by CasADi; their code is made, or read from disk, when somebody
needs its address.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.code.llvm.machine import Machine, compile_functions, kept_machine, reproducible
from pliant.mechanics.signals import SignalSlot
from pliant.records import dataclass

FEW_ROWS = 300
"""An operation takes some 10 ns to interpret, and some 10 us to compile."""


class SymbolicFunction:
    """``f(x, p) -> y`` by CasADi, called as machine code is; made of a function or of its bytes."""

    def __init__(self, function: Any = None, *, symbols: bytes = b"") -> None:
        if function is not None:
            self.function = function
        if symbols:
            self.symbols = symbols

    @cached_property
    def function(self) -> Any:
        """Read from its bytes."""
        import casadi as ca

        return ca.Function.deserialize(zlib.decompress(self.symbols).decode())

    @cached_property
    def symbols(self) -> bytes:
        """The function as bytes."""
        return zlib.compress(self.function.serialize().encode(), 1)

    def __getstate__(self) -> dict[str, bytes]:
        return {"symbols": self.symbols}

    @cached_property
    def _free(self) -> list[Any]:
        """Evaluators that nobody uses: CasADi reads and writes numbers where they are, which takes
        a tenth of a call that makes matrices of them. One serves one thread at a time."""
        return []

    def rows(self, X: Array, p: Array) -> Array:
        """f at many rows."""
        out = np.zeros((len(X), self.function.nnz_out(0)))
        self._evaluate(np.ascontiguousarray(X, dtype=np.float64), p, out)
        return out

    def call(self, name: str, x: Array, p: Array, y: Array) -> None:
        """y <- f(x, p)."""
        self._evaluate(np.ascontiguousarray(x, dtype=np.float64)[None], p, y[None])

    def _evaluate(self, X: Array, p: Array, out: Array) -> None:
        """out[k] <- f(X[k], p); they and p are as long as f takes them, or longer."""
        function, free = self.function, self._free
        try:
            buffer, evaluate = free.pop()
        except IndexError:
            buffer, evaluate = function.buffer()
        values = np.ascontiguousarray(p, dtype=np.float64)
        if function.nnz_in(1):
            buffer.set_arg(1, values.data)
        reads = function.nnz_in(0)
        for k in range(len(X) if function.nnz_out(0) else 0):
            if reads:
                buffer.set_arg(0, X[k].data)
            buffer.set_res(0, out[k].data)
            evaluate()
        free.append((buffer, evaluate))


@dataclass(frozen=True, slots=True)
class FunctionTable:
    """Every function of a model."""

    machines: tuple[Machine, ...]
    """Code that was made at once."""
    put_off: Mapping[str, SymbolicFunction] = field(default_factory=dict)
    signals: tuple[SignalSlot, ...] = ()
    """What code looks up by itself; symbols alone cannot be evaluated where there are some."""
    key: str = ""
    """Under which code is kept on disk; empty: it is not."""
    made: dict[str, Machine] = field(default_factory=dict, repr=False)
    """Code of functions that were put off."""

    @property
    def unfinished(self) -> bool:
        """Whether better code is still to be made."""
        return any(machine.unfinished for machine in self.machines)

    def address(self, name: str) -> int:
        """Where the machine code of a function is; 0 if it was not made."""
        machine = self._machine(name)
        return machine.address[name] if machine else 0

    def symbols(self, name: str, rows: int) -> SymbolicFunction | None:
        """A function that was put off, if so few rows are sooner interpreted than compiled."""
        put_off = name in self.put_off and name not in self.made and not self.signals
        return self.put_off[name] if put_off and rows <= FEW_ROWS else None

    def expect(self, name: str, rows: int) -> None:
        """So many rows will be asked for, a few at a time: code is made if that is sooner."""
        if self.symbols(name, rows) is None:
            self.require(name)

    def require(self, name: str) -> None:
        """Make the code of a function that was put off, or read it from disk."""
        if name in self.put_off and name not in self.made:
            key = f"{self.key}-{name}" if self.key else ""
            self.made[name] = kept_machine(key, "model", (name,), lambda: self._compiled(name))

    def call(self, name: str, x: Array, p: Array, y: Array) -> None:
        """y <- name(x, p), from Python."""
        function: SymbolicFunction | Machine | None = self.symbols(name, 1)
        if function is None:
            self.require(name)
            function = self._machine(name)
        if function is None:
            raise KeyError(f"{name} is none of these functions")
        function.call(name, x, p, y)

    def with_(self, machine: Machine) -> FunctionTable:
        """With further functions."""
        return replace(self, machines=(*self.machines, machine))

    def as_kept(self) -> FunctionTable:
        """As it goes to disk: code that is kept by itself is not kept again."""
        return replace(self, key="", made={})

    def _machine(self, name: str) -> Machine | None:
        if name in self.made:
            return self.made[name]
        return next((m for m in self.machines if name in m.address), None)

    def _compiled(self, name: str) -> Machine:
        function = {name: self.put_off[name].function}
        return compile_functions(
            function, signals=self.signals, tiered=True, reproducible=reproducible()
        )
