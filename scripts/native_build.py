"""Make ``native.zip``: ``python scripts/native_build.py`` (needs numba).

The IR is made without regard to a processor and lightly optimised, so that it is small and serves
every machine.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import zipfile

import llvmlite.binding as llvm

from pliant import backends, solve
from pliant.solve.machine import native
from pliant.solve.machine.abi import MachineFunction

_ENVIRONMENT = {
    "PLIANT_NATIVE": "0",
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
}
_TYPES = {"Integers": "ptr", "Reals": "ptr", "int": "i64", "float": "double"}


_LIBRARY = frozenset(
    ("pow", "sqrt", "sin", "cos", "exp", "log", "fabs", "hypot", "atan2", "memset", "memcpy")
)
"""Functions every machine has."""


def main() -> None:
    """Compile every function of the rooms to IR and write the archive."""
    if any(os.environ.get(k) != v for k, v in _ENVIRONMENT.items()):
        raise SystemExit(_in_clean_environment())
    for room in (solve, backends):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    part = native.ARCHIVE.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_LZMA) as archive:
        _add(archive, native.STAMP, native.source_hash())
        for name, compiled in sorted(MachineFunction.registry.items()):
            _add(archive, f"{name}.ll", _neutral_ir(name, compiled))
            print(name)
    os.replace(part, native.ARCHIVE)
    print(f"{native.ARCHIVE.name}: {native.ARCHIVE.stat().st_size / 1e3:.0f} kB")


def _in_clean_environment() -> int:
    """The same in a process of its own, without code that numba has kept of other settings."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, **_ENVIRONMENT, "NUMBA_CACHE_DIR": cache}
        command = [sys.executable, "-W", "ignore", __file__]
        return subprocess.run(command, env=environment).returncode


def _add(archive: zipfile.ZipFile, name: str, text: str) -> None:
    """A member without date, so that equal sources give an equal archive."""
    archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_LZMA)


def _neutral_ir(name: str, compiled: MachineFunction) -> str:
    """One exported function with a plain C interface, everything else internal."""
    from pliant.solve.machine import numba_backend

    text, inner = numba_backend.llvm_of(compiled.function, compiled.kinds)
    module = llvm.parse_assembly(text)
    for item in (*module.functions, *module.global_variables):
        if not item.is_declaration:
            item.linkage = "internal"
    module.get_function(inner).linkage = "external"
    _optimise(module)
    text = str(module)
    quoted = f'@"{inner}"' if f'@"{inner}"' in text else f"@{inner}"
    module = llvm.parse_assembly(text + _thunk(native.c_name(name), quoted, compiled.kinds))
    module.get_function(inner).linkage = "internal"
    _optimise(module)
    unknown = [f.name for f in module.functions if f.is_declaration and "llvm." not in f.name]
    missing = set(unknown) - _LIBRARY
    if missing:
        raise SystemExit(f"{name}: calls {sorted(missing)}, which users do not have")
    return _without_target(str(module))


def _thunk(name: str, inner: str, kinds: tuple[str, ...]) -> str:
    """int64 name(...) around numba's convention (result, error, arguments) -> status."""
    parameters = ", ".join(f"{_TYPES[k]} %a{i}" for i, k in enumerate(kinds))
    return f"""
define i64 @{name}({parameters}) {{
 %result = alloca i64, align 8
 %error = alloca ptr, align 8
 store i64 0, ptr %result, align 8
 %status = call i32 {inner}(ptr %result, ptr %error, {parameters})
 %value = load i64, ptr %result, align 8
 ret i64 %value
}}
"""


def _optimise(module: llvm.ModuleRef) -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(cpu="generic", opt=1)
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)


def _without_target(text: str) -> str:
    lines = [
        line
        for line in text.splitlines()
        if not line.startswith(("target ", "source_filename", "; ModuleID"))
    ]
    return re.sub(r"\n{2,}", "\n", "\n".join(lines))


if __name__ == "__main__":
    main()
