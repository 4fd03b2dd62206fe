"""Functions of a model as symbols: kept as bytes, evaluated by CasADi's own interpreter.

Compiling pays when a function is called thousands of times. What is evaluated at a few states, as
in statics, modes and comparisons at random states, is sooner interpreted.
"""

from __future__ import annotations

import zlib
from typing import Any

import casadi as ca

from pliant.arrays import Array


class SymbolicFunction:
    """``f(x, p) -> y`` by CasADi, called as machine code is."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def call(self, name: str, x: Array, p: Array, y: Array) -> None:
        """y <- f(x, p)."""
        inputs = x[: self.function.nnz_in(0)], p[: self.function.nnz_in(1)]
        y[:] = self.function(*inputs).nonzeros()


def to_symbols(function: Any) -> bytes:
    """A function as bytes."""
    return zlib.compress(function.serialize().encode(), 1)


def from_symbols(symbols: bytes) -> SymbolicFunction:
    """The inverse of ``to_symbols``."""
    return SymbolicFunction(ca.Function.deserialize(zlib.decompress(symbols).decode()))
