"""LLVM IR to machine code in memory (llvmlite); functions are called by address."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from pliant.arrays import Array
from pliant.engine import fence, store, tiers
from pliant.engine.signal import SignalSlot


class Machine:
    """A loaded module: ``address[name]`` for compiled callers, ``call`` for Python."""

    def __init__(self, object_code: bytes, names: tuple[str, ...]) -> None:
        _initialise()
        self.object_code, self.address = object_code, dict.fromkeys(names, 0)
        self._loaded: list[Any] = []
        self.load(object_code)

    def load(self, object_code: bytes) -> None:
        """Use other code for the same functions from now on; the old one stays callable."""
        tiers.in_use()
        # The engine owns its target machine and disposes of it: never share one.
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine(0))
        code = llvm.ObjectFileRef.from_data(object_code)
        engine.add_object_file(code)
        engine.finalize_object()
        self._loaded.append((engine, code))
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        address = {n: engine.get_function_address(n) for n in self.address}
        self._call = {n: prototype(a) for n, a in address.items()}
        self.object_code, self.address = object_code, address

    def call(self, name: str, x: Array, p: Array, y: Array) -> None:
        """y <- name(x, p). Arrays are contiguous float64; y is not x or p."""
        if fence.ON:
            fence.call_between(name, self._call[name], (x, p, y))
            return
        self._call[name](pointer(x), pointer(p), pointer(y))


_view, _place = ctypes.c_char.from_buffer, ctypes.addressof


def pointer(array: Any) -> int:
    """Where the (contiguous) data of an array begin."""
    try:
        return _place(_view(array))  # a quarter of array.ctypes.data
    except (TypeError, ValueError):  # empty, or not to be written
        return int(array.ctypes.data)


def compile_functions(
    functions: Mapping[str, Any],
    *,
    optimise: int = 1,
    reproducible: bool = False,
    signals: Sequence[SignalSlot] = (),
    tiered: bool = False,
) -> Machine:
    """Machine code for SX functions ``name(x, p) -> y``, or ``name(x, p, s)`` with signals s.

    ``reproducible`` forbids fused multiply-add, so that results do not depend on the processor.
    ``tiered``: quick code at once, that of level ``optimise`` in the background.
    """
    from pliant.engine.ir import module_ir  # needs casadi; a cached module does not

    ir = module_ir(dict(functions), fuse=fuses() and not reproducible, signals=signals)
    return tiered_machine(ir, tuple(functions), 0 if tiered else optimise, optimise)


def kept_machine(
    kind: str, key: str, make: Callable[[], tuple[Any, Mapping[str, Any]]], *,
    reproducible: bool = False,
) -> tuple[Any, Machine]:  # fmt: skip
    """What ``make`` tells of its functions (as JSON can say it), and their machine code: made once
    and kept on disk by a key (empty: not kept)."""
    blob = store.get(key, kind) if key else None
    if blob is not None:
        with contextlib.suppress(ValueError):
            head, _, code = blob.partition(b"\n")
            about, names = json.loads(head)
            return about, Machine(code, tuple(names))
    about, functions = make()
    machine = compile_functions(functions, reproducible=reproducible)
    if key:
        head = json.dumps([about, list(functions)]).encode()
        store.put(key, kind, head + b"\n" + machine.object_code)
    return json.loads(json.dumps(about)), machine


def tiered_machine(ir: str, names: tuple[str, ...], first: int, then: int) -> Machine:
    """Code of one level of optimisation now, of another in the background if they differ."""
    machine = Machine(emit_object(ir, first), names)
    if first != then:
        tiers.later(lambda: machine.load(emit_object(ir, then)))
    return machine


def emit_object(ir: str, optimise: int) -> bytes:
    """Object code of IR text for this processor.

    Nothing is done to the IR itself: tapes are straight-line code without common subexpressions,
    and shipped code was optimised when it was made.
    """
    _initialise()
    module = llvm.parse_assembly(ir)
    target = _target_machine(optimise)
    module.triple = llvm.get_default_triple()
    module.data_layout = str(target.target_data)
    code: bytes = target.emit_object(module)
    tiers.in_use()
    return code


def reproducible() -> bool:
    """Whether results must not depend on the processor (PLIANT_REPRODUCIBLE=1)."""
    return os.environ.get("PLIANT_REPRODUCIBLE") == "1"


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _target_machine(optimise: int) -> Any:
    cpu, features = _processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=optimise, codemodel="jitdefault"
    )


@cache
def _processor() -> tuple[str, str]:
    """Name and features of the processor."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def fuses() -> bool:
    """Whether the processor has fused multiply-add; elsewhere it would be a slow library call."""
    features = _processor()[1].split(",")
    return "+fma" in features or "+neon" in features


@cache
def host() -> str:
    """What machine code depends on besides its source: processor, features, LLVM."""
    cpu, features = _processor()
    return f"{cpu} {features} LLVM {llvm.llvm_version_info}"
