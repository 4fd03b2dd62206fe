"""Functions of a model as symbols: kept as bytes, evaluated by CasADi's own interpreter.

Compiling pays when a function is called thousands of times. What is evaluated at a few states, as
in statics, modes and comparisons at random states, is sooner interpreted.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array


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

    def rows(self, X: Array, p: Array) -> Array:
        """f at many rows."""
        y = self.function(X[:, : self.function.nnz_in(0)].T, p[: self.function.nnz_in(1)])
        return np.ascontiguousarray(y.full().T)

    def call(self, name: str, x: Array, p: Array, y: Array) -> None:
        """y <- f(x, p)."""
        inputs = x[: self.function.nnz_in(0)], p[: self.function.nnz_in(1)]
        y[:] = self.function(*inputs).nonzeros()
