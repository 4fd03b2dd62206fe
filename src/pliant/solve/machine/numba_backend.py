"""The compiled functions of this room through numba: used by developers, where no machine code is
shipped for the sources at hand, and for functions of other packages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload, register_jitable

_OPTIONS = {"error_model": "numpy"}
_TYPES = {
    "Integers": types.CPointer(types.int64),
    "Reals": types.CPointer(types.float64),
    "int": types.int64,
    "float": types.float64,
}


def jit(function: Callable[..., Any], stamp: str) -> Any:
    """Compile, to be called from compiled code; the machine code is kept on disk."""
    make = numba.njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)
    return _stamped(make(function), stamp)


def c_function(function: Callable[..., Any], kinds: tuple[str, ...], stamp: str) -> Any:
    """A function with a C interface that returns an int64; ``.address`` is where it is."""
    signature = (tuple(_TYPES[k] for k in kinds), types.int64)
    compiled = CFunc(function, signature, {}, _OPTIONS)
    compiled.enable_caching()
    _stamped(compiled, stamp).compile()
    return compiled


def llvm_of(function: Callable[..., Any], kinds: tuple[str, ...]) -> tuple[str, str]:
    """LLVM IR of a function with all it calls, and the name of the function in it."""
    compiled: Any = CFunc(function, (tuple(_TYPES[k] for k in kinds), types.int64), {}, _OPTIONS)
    result = compiled._compile_uncached()
    with global_compiler_lock:
        result.library.finalize()
    return result.library.get_llvm_str(), result.fndesc.llvm_func_name


def _stamped(compiled: Any, stamp: str) -> Any:
    """Let the machine code kept on disk lapse when any of its sources changes.

    Numba looks only at the file a function stands in, but compiles in what it calls.
    """
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = stamp
    return compiled


_linked: set[Callable[..., Any]] = set()


def link(plain: list[Callable[..., Any]], **places: Callable[..., Any]) -> None:
    """Let compiled code call functions that were left as Python, and by their names the intrinsics
    below."""
    for function in plain:
        if function not in _linked:
            register_jitable(**_OPTIONS)(function)
    for name, place in places.items():
        if place not in _linked:
            overload(place, **_OPTIONS)(_INTRINSICS[name])
    _linked.update(plain, places.values())


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


_INTRINSICS = {
    "at": lambda array, start: lambda array, start: at(array, start),
    "complex_at": lambda array, start: lambda array, start: complex_at(array, start),
    "call_model": lambda address, x, p, y: lambda address, x, p, y: call_model(address, x, p, y),
    "call_service": lambda address, ic, dc, x, y: (
        lambda address, ic, dc, x, y: call_service(address, ic, dc, x, y)
    ),
}
