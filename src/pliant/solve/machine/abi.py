"""Functions of this room as machine code, called by address.

A *model function* is ``void f(const double *x, const double *p, double *y)`` (pliant.formulations).
A *service* is ``int64 s(int64 *ic, double *dc, double *x, double *y)``: it knows how to do one
thing (accelerate, project, ...) for the model whose context (ic, dc) it is handed. Integrators
know services only, so that one compiled integrator serves every model. An *entry* is called from
Python.

The code is written in a subset of Python that numba compiles. Its LLVM IR is shipped with the
package (``native.py``), so that users need numba only where the sources were changed, and for
services and entries of other packages.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from time import thread_time
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pliant.arrays import Array as Reals
from pliant.arrays import Integers, pointer, pointers
from pliant.code import background
from pliant.code.llvm import fence
from pliant.solve.machine.native import shipped_code, source_hash

_F = TypeVar("_F", bound=Callable[..., Any])

CODE = shipped_code()
"""Machine code that was shipped for exactly these sources; None: numba compiles them."""

PLAIN: list[Callable[..., Any]] = []
"""Functions that compiled code calls and whose machine code is shipped within that of others."""
_SERVICE = ("Integers", "Reals", "Reals", "Reals")
_C_TYPES: dict[str, Any] = {
    "Integers": ctypes.c_void_p,
    "Reals": ctypes.c_void_p,
    "int": ctypes.c_int64,
    "float": ctypes.c_double,
}


class MachineFunction:
    """A function with a C interface; its machine code is made or loaded at first use.

    Arrays are handed over as pointers to their (contiguous) data.
    """

    registry: dict[str, MachineFunction] = {}  # noqa: RUF012
    seconds = 0.0
    """CPU time spent in machine code so far, all functions together."""

    def __init__(self, function: Callable[..., Any], kinds: tuple[str, ...]) -> None:
        self.function, self.kinds = function, kinds
        self._arrays = tuple(kind in ("Integers", "Reals") for kind in kinds)
        self.name = f"{function.__module__}.{function.__qualname__}".removeprefix("pliant.")
        self.__doc__ = function.__doc__
        self._made: Any = None
        self._version = -1
        self._call: Any = None
        MachineFunction.registry[self.name] = self

    @property
    def address(self) -> int:
        if CODE is not None and self.function.__module__.startswith("pliant."):
            return CODE.address(self.name)
        if self._made is None:
            from pliant.solve.machine import numba_backend

            stamp = source_hash()
            if CODE is not None:
                numba_backend.link(PLAIN, at=at, complex_at=complex_at, call_model=call_model,
                                   call_service=call_service)  # fmt: skip
            self._made = numba_backend.c_function(self.function, self.kinds, stamp)
        return int(self._made.address)

    def _callable(self) -> Any:
        """The function at its present address, which better code may have changed."""
        if self._version != background.version():
            self._version, address = background.version(), self.address
            prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *(_C_TYPES[k] for k in self.kinds))
            self._call = prototype(address)
        return self._call

    def __call__(self, *arguments: Any) -> int:
        call: Any = self._callable()
        if fence.ON:
            return int(fence.call_between(self.name, partial(_timed, call), arguments))
        passed = pointers(arguments, self._arrays)
        began = thread_time()
        code: int = call(*passed)
        MachineFunction.seconds += thread_time() - began
        return code

    def prepared(self, *arguments: Any) -> Callable[[], int]:
        """A call with these arguments, for many times: the arrays are looked up once."""
        self(*arguments)
        if fence.ON:
            return lambda: self(*arguments)
        passed = (pointer(a) if isinstance(a, np.ndarray) else a for a in arguments)
        made = [_C_TYPES[kind](a) for kind, a in zip(self.kinds, passed, strict=True)]

        call = self._callable()

        def again(kept: tuple[Any, ...] = arguments) -> int:  # the arrays live as long as the call
            return int(call(*made))

        return again


def _timed(call: Callable[..., int], *passed: Any) -> int:
    """``call(*passed)``; its CPU time counts as spent in machine code, also on a busy machine."""
    began = thread_time()
    code = int(call(*passed))
    MachineFunction.seconds += thread_time() - began
    return code


def service(function: Callable[..., int]) -> MachineFunction:
    """Decorator: ``@service def accelerate(ic, dc, x, y): ...`` (pointers)."""
    return MachineFunction(function, _SERVICE)


def entry(function: Callable[..., int]) -> MachineFunction:
    """Decorator of a function called from Python; arrays arrive as pointers."""
    hints = {k: v for k, v in function.__annotations__.items() if k != "return"}
    return MachineFunction(function, tuple(str(v) for v in hints.values()))


def jit(function: _F) -> _F:
    """Decorator of a function called from compiled code only."""
    if CODE is not None:
        PLAIN.append(function)
        return function
    from pliant.solve.machine import numba_backend

    made: _F = numba_backend.jit(function, source_hash())
    return made


if TYPE_CHECKING or CODE is not None:

    def at(array: Any, start: int) -> Any:
        """The array from ``start`` on; in compiled code a pointer."""
        return array[start:]

    def complex_at(array: Any, start: int) -> Any:
        """The array from ``start`` on, read as pairs (real, imaginary)."""
        return array[start:].view(np.complex128)

    def call_model(*arguments: Any) -> Any:
        """Machine code is called by machine code only."""
        raise TypeError(call_model.__doc__)

    def call_service(*arguments: Any) -> Any:
        """Machine code is called by machine code only."""
        raise TypeError(call_service.__doc__)
else:
    from pliant.solve.machine.numba_backend import at, call_model, call_service, complex_at

__all__ = [
    "Integers",
    "MachineFunction",
    "Reals",
    "at",
    "call_model",
    "call_service",
    "complex_at",
    "entry",
    "jit",
    "service",
]
