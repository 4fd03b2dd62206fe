"""LLVM IR to machine code in memory (llvmlite); functions are called by address."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import llvmlite.binding as llvm

from pliant.arrays import Array, pointer
from pliant.code import background, store
from pliant.code.llvm import fence
from pliant.mechanics.signals import SignalSlot

GOOD = 1
"""Level of optimisation of good code; that of quick code is 0."""
_HEAD = b"pliant "
_DIGITS = 12


class Code(Protocol):
    """What is kept on disk, and may become better."""

    @property
    def unfinished(self) -> bool: ...

    @property
    def blob(self) -> bytes: ...


class Machine:
    """A loaded module: ``address[name]`` for compiled callers, ``call`` for Python.

    ``ir``: of quick code, the packed text that good code is made of in the background; empty: this
    is as good as it will be.
    """

    def __init__(self, object_code: bytes, names: tuple[str, ...], ir: bytes = b"") -> None:
        _initialise()
        self.object_code, self.address, self.ir = object_code, dict.fromkeys(names, 0), ir
        self._loaded: list[Any] = []
        self.load(object_code)
        if ir:
            background.later(self.improve)

    @classmethod
    def read(cls, blob: bytes, names: tuple[str, ...]) -> Machine:
        """The inverse of ``blob``; ValueError if it is not one."""
        start = len(_HEAD) + _DIGITS
        if not blob.startswith(_HEAD):
            raise ValueError("not machine code")
        end = start + int(blob[len(_HEAD) : start])
        return cls(blob[end:], names, blob[start:end])

    @property
    def unfinished(self) -> bool:
        """Whether better code is still to be made."""
        return bool(self.ir)

    @property
    def blob(self) -> bytes:
        """As it is kept on disk: the code, and what better code is made of."""
        return b"%b%0*d%b%b" % (_HEAD, _DIGITS, len(self.ir), self.ir, self.object_code)

    def improve(self) -> None:
        """Load good code, if this is not."""
        if self.ir:
            self.load(emit_object(zlib.decompress(self.ir).decode(), GOOD))
            self.ir = b""

    def load(self, object_code: bytes) -> None:
        """Use other code for the same functions from now on; the old one stays callable."""
        if not self.address:
            return  # nothing is asked of it
        background.in_use()
        # The engine owns its target machine and disposes of it: never share one. It only loads: the
        # module it begins with is taken away, else it would set up a compiler for it.
        target = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
        empty = llvm.parse_assembly("")
        engine = llvm.create_mcjit_compiler(empty, target)
        engine.remove_module(empty)
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


def compile_functions(
    functions: Mapping[str, Any],
    *,
    reproducible: bool = False,
    signals: Sequence[SignalSlot] = (),
    tiered: bool = False,
) -> Machine:
    """Machine code for SX functions ``name(x, p) -> y``, or ``name(x, p, s)`` with signals s.

    ``reproducible`` forbids fused multiply-add, so that results do not depend on the processor.
    ``tiered``: quick code at once, good code in the background.
    """
    if not functions:
        return Machine(b"", ())
    from pliant.code.llvm.ir import module_ir  # needs casadi; a cached module does not

    ir = module_ir(dict(functions), fuse=fuses() and not reproducible, signals=signals)
    return machine_of(ir, tuple(functions), tiered=tiered)


def kept_functions(
    kind: str, key: str, make: Callable[[], tuple[Any, Mapping[str, Any]]], *,
    reproducible: bool = False,
) -> tuple[Any, Machine]:  # fmt: skip
    """What ``make`` tells of its functions (as JSON can say it), and their machine code: made once
    and kept on disk by a key (empty: not kept). Good code, unless models are seen once."""
    quick = background.passing()
    key = f"{key}-quick" if key and quick else key
    blob = store.get(key, kind) if key else None
    if blob is not None:
        with contextlib.suppress(ValueError):
            head, _, code = blob.partition(b"\n")
            about, names = json.loads(head)
            return about, Machine(code, tuple(names))
    about, functions = make()
    machine = compile_functions(functions, reproducible=reproducible, tiered=quick)
    if key:
        head = json.dumps([about, list(functions)]).encode()
        store.put(key, kind, head + b"\n" + machine.object_code)
    return json.loads(json.dumps(about)), machine


def machine_of(ir: str, names: tuple[str, ...], *, tiered: bool) -> Machine:
    """Good code of IR text; ``tiered``: quick code now, good code in the background."""
    if tiered:
        packed = b"" if background.quick() else zlib.compress(ir.encode(), 1)
        return Machine(emit_object(ir, 0), names, packed)
    return Machine(emit_object(ir, GOOD), names)


def kept_machine(
    key: str, kind: str, names: tuple[str, ...], make: Callable[[], Machine]
) -> Machine:
    """Machine code from the cache on disk, or made and kept there; without a key it is made."""
    blob = store.get(key, kind) if key else None
    if blob is not None:
        with contextlib.suppress(ValueError):
            machine = Machine.read(blob, names)
            if machine.unfinished and background.quick():
                machine.improve()  # nothing is made better later
                store.put(key, kind, machine.blob)
            keep_once_good(key, kind, machine)
            return machine
    machine = make()
    if key:
        background.afterwards(lambda: store.put(key, kind, machine.blob))
    return machine


def keep_once_good(key: str, kind: str, code: Code) -> None:
    """Write code that was read from disk again when it has become better."""

    def write() -> None:
        if not code.unfinished:
            store.put(key, kind, code.blob)

    if code.unfinished:
        background.afterwards(write)


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
    background.in_use()
    return code


def reproducible() -> bool:
    """Whether results must not depend on the processor (PLIANT_REPRODUCIBLE=1)."""
    return os.environ.get("PLIANT_REPRODUCIBLE") == "1"


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def _target_machine(optimise: int) -> Any:
    """What code is written by."""
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
