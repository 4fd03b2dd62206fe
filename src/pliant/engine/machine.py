"""LLVM IR to machine code in memory (llvmlite); functions are called by address."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from pliant.engine.signal import SignalSlot

Array = NDArray[np.float64]


class Machine:
    """A loaded module: ``address[name]`` for compiled callers, ``call`` for Python."""

    def __init__(self, object_code: bytes, names: tuple[str, ...]) -> None:
        _initialise()
        self.object_code = object_code
        # The engine owns its target machine and disposes of it: never share one.
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine(0))
        self._object = llvm.ObjectFileRef.from_data(object_code)
        self._engine.add_object_file(self._object)
        self._engine.finalize_object()
        self.address: dict[str, int] = {n: self._engine.get_function_address(n) for n in names}
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._call = {n: prototype(a) for n, a in self.address.items()}

    def call(self, name: str, x: Array, p: Array, y: Array) -> None:
        """y <- name(x, p). Arrays are contiguous float64; y is not x or p."""
        self._call[name](x.ctypes.data, p.ctypes.data, y.ctypes.data)


def compile_functions(
    functions: Mapping[str, Any],
    *,
    optimise: int = 1,
    reproducible: bool = False,
    signals: Sequence[SignalSlot] = (),
) -> Machine:
    """Machine code for SX functions ``name(x, p) -> y``, or ``name(x, p, s)`` with signals s.

    ``reproducible`` forbids fused multiply-add, so that results do not depend on the processor.
    """
    from pliant.engine.ir import module_ir  # needs casadi; a cached module does not

    ir = module_ir(dict(functions), contract=not reproducible, signals=signals)
    return Machine(emit_object(ir, optimise), tuple(functions))


def emit_object(ir: str, optimise: int, *, passes: bool = False) -> bytes:
    """Object code of IR text for this processor; ``passes``: optimise the IR itself, too.

    Tapes need no passes: they are straight-line code without common subexpressions.
    """
    _initialise()
    module = llvm.parse_assembly(ir)
    target = _target_machine(optimise)
    module.triple = llvm.get_default_triple()
    module.data_layout = str(target.target_data)
    if passes:
        options = llvm.create_pipeline_tuning_options(speed_level=optimise)
        options.loop_vectorization = options.slp_vectorization = True
        builder = llvm.create_pass_builder(target, options)
        builder.getModulePassManager().run(module, builder)
    code: bytes = target.emit_object(module)
    return code


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _target_machine(optimise: int) -> Any:
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=optimise,
        codemodel="jitdefault",
    )


def host() -> str:
    """What machine code depends on besides its source: processor, features, LLVM."""
    features = llvm.get_host_cpu_features().flatten()
    return f"{llvm.get_host_cpu_name()} {features} LLVM {llvm.llvm_version_info}"
