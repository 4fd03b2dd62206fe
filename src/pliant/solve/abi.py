"""Calling machine code by address from compiled code.

A *model function* is ``void f(const double *x, const double *p, double *y)`` (pliant.equations).
A *service* is ``int64 s(int64 *ic, double *dc, double *x, double *y)``: it knows how to do one
thing (accelerate, project, ...) for the model whose context (ic, dc) it is handed. Integrators
know services only, so that one compiled integrator serves every model.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.ccallback import CFunc
from numba.extending import intrinsic
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]
_F = TypeVar("_F", bound=Callable[..., Any])


_CONSTANTS = ("abi.py", "context.py", "dense_layout.py")


def _sources() -> tuple[tuple[str, float, int], ...]:
    """Names, times and sizes of the files of this room that machine code is made of."""
    found = []
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        constants = file.name in _CONSTANTS or file.name.endswith("_coefficients.py")
        if constants or "pliant.solve.abi import" in file.read_text(encoding="utf-8"):
            found.append((file.name, file.stat().st_mtime, file.stat().st_size))
    return tuple(found)


_SOURCES = _sources()


def _stamped(compiled: Any) -> Any:
    """Let the machine code kept on disk lapse when any of its sources changes.

    Numba looks only at the file a function stands in, but compiles in what it calls.
    """
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = _SOURCES
    return compiled


def jit(function: _F) -> _F:
    """Compile with numba, to be called from compiled code; the machine code is kept on disk."""
    options = dict(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    make = numba.njit(cache=True, error_model="numpy", **options)
    return cast(_F, _stamped(make(function)))


def entry(function: _F) -> _F:
    """Compile with numba, to be called from Python."""
    return cast(_F, _stamped(numba.njit(cache=True, error_model="numpy")(function)))


class Service:
    """A compiled function with the service signature; machine code is made at first use."""

    def __init__(self, function: Callable[..., int]) -> None:
        self._function = function
        self._compiled: Any = None
        self.__doc__ = function.__doc__

    @property
    def address(self) -> int:
        if self._compiled is None:
            pointer = types.CPointer(types.float64)
            arguments = (types.CPointer(types.int64), pointer, pointer, pointer)
            options = {"error_model": "numpy"}
            compiled = CFunc(self._function, (arguments, types.int64), {}, options)
            compiled.enable_caching()
            _stamped(compiled).compile()
            self._compiled = compiled
        return int(self._compiled.address)


def service(function: Callable[..., int]) -> Service:
    """Decorator: ``@service def accelerate(ic, dc, x, y): ...`` (pointers)."""
    return Service(function)


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Data pointer of an array or of a pointer."""
    if isinstance(kind, types.CPointer):
        return value
    return context.make_array(kind)(context, builder, value).data


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def at(typing: Any, array: Any, start: Any) -> Any:
    """Pointer to array[start].

    Compiled code works on bare pointers (``a[i]`` as usual): arrays cost reference counts at run
    time and several times the machine code, hence compile time.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(_data(context, builder, signature.args[0], arguments[0]), arguments[1:])

    return types.CPointer(array.dtype)(array, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def complex_at(typing: Any, array: Any, start: Any) -> Any:
    """Pointer to array[start], read as pairs (real, imaginary)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = _data(context, builder, signature.args[0], arguments[0])
        pointer = context.get_value_type(types.CPointer(types.complex128))
        return builder.bitcast(builder.gep(data, arguments[1:]), pointer)

    return types.CPointer(types.complex128)(array, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def call_model(typing: Any, address: Any, x: Any, p: Any, y: Any) -> Any:
    """y <- f(x, p) for the model function at ``address``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        real = ir.DoubleType().as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [real, real, real]).as_pointer()
        pointers = [
            _data(context, builder, t, v)
            for t, v in zip(signature.args[1:], arguments[1:], strict=True)
        ]
        builder.call(builder.inttoptr(arguments[0], kind), pointers)
        return context.get_dummy_value()

    return types.void(address, x, p, y), generate


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def call_service(typing: Any, address: Any, ic: Any, dc: Any, x: Any, y: Any) -> Any:
    """The result of the service at ``address``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        whole, real = ir.IntType(64).as_pointer(), ir.DoubleType().as_pointer()
        kind = ir.FunctionType(ir.IntType(64), [whole, real, real, real]).as_pointer()
        pointers = [
            _data(context, builder, t, v)
            for t, v in zip(signature.args[1:], arguments[1:], strict=True)
        ]
        return builder.call(builder.inttoptr(arguments[0], kind), pointers)

    return types.int64(address, ic, dc, x, y), generate
