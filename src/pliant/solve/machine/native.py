"""Machine code of this room and of back ends from LLVM IR that is shipped with the package.

``native.zip`` holds one IR text per function, made by ``scripts/native_build.py``; it is used only
if it was made from exactly the sources at hand. A function is compiled for the processor when it is
first asked for (no numba needed), quickly first and well in the background, and kept on disk.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from functools import cache, cached_property
from pathlib import Path

from pliant.code import background, store
from pliant.code.llvm.machine import Machine, host, kept_machine, machine_of

PACKAGE = store.PACKAGE
ROOMS = ("backends", "solve")
"""Where compiled code is written."""
ARCHIVE = Path(__file__).with_name("native.zip")
STAMP = "sources.txt"
_CONSTANTS = (PACKAGE / "solve/machine/context.py", PACKAGE / "backends/tree/model.py")
"""Others with numbers that compiled code reads."""
_COMPILED = r"(?m)^@(jit|entry|service|intrinsic)\b|^class \w+\(NamedTuple\)"


@cache
def source_hash() -> str:
    """Changes with the text of any file that compiled code is made of."""
    return store.sources_hash("compiled", ROOMS, _digest)


def _digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(f for room in ROOMS for f in (PACKAGE / room).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        constants = file.name.endswith(("layout.py", "coefficients.py")) or file in _CONSTANTS
        if constants or re.search(_COMPILED, text) or file.name in ("abi.py", "numba_backend.py"):
            digest.update(f"{file.relative_to(PACKAGE).as_posix()}\0{text}\0".encode())
    return digest.hexdigest()


def c_name(name: str) -> str:
    """Name of a function in the IR."""
    return "pliant_" + name.replace(".", "_")


class NativeCode:
    """Addresses of shipped functions by name."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._machines: dict[str, Machine] = {}

    def address(self, name: str) -> int:
        """Where the machine code of a function is; compiled or read from the cache if need be."""
        if name not in self._machines:
            key = store.key_of(f"native {name} {source_hash()}", host())
            names = (c_name(name),)
            self._machines[name] = kept_machine(key, "native", names, lambda: self._made(name))
        return self._machines[name].address[c_name(name)]

    @cached_property
    def _texts(self) -> zipfile.ZipFile:
        """Held in memory: its list of contents is read once."""
        return zipfile.ZipFile(io.BytesIO(self._archive.read_bytes()))

    def _made(self, name: str) -> Machine:
        ir = self._texts.read(f"{name}.ll").decode()
        tiered = not background.quick()  # one code serves all models: good at once, or later
        return machine_of(ir, (c_name(name),), tiered=tiered)


@cache
def shipped_code() -> NativeCode | None:
    """The shipped code, if it was made from the sources at hand (PLIANT_NATIVE=0: never)."""
    if os.environ.get("PLIANT_NATIVE") == "0":
        return None
    try:
        with zipfile.ZipFile(ARCHIVE) as archive:
            stamp = archive.read(STAMP).decode()
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    return NativeCode(ARCHIVE) if stamp == source_hash() else None
