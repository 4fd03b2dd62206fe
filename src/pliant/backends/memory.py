"""Memory that the samples of a run need: computed beforehand, refused if there is not enough."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pliant.errors import InputError

_UNITS = {"": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
_TEXT = re.compile(r"\s*([0-9.]+(?:[eE][+-]?[0-9]+)?)\s*([kMGT]?B?)\s*")
_SHARE = 0.5
"""Part of the free memory that one run may use unless it is told otherwise."""
_LITTLE = 16e6
"""Bytes that every machine has."""
_COPIES = 2.5
"""Samples are kept piece by piece, put together, and some are converted."""


def allowed_memory(given: float | str | None = None) -> float | None:
    """Bytes: as given (a number, or a text such as "8 GB"); None: half of what is free."""
    if given is None:
        return None
    found = _TEXT.fullmatch(str(given))
    unit = "" if found is None else found.group(2)
    if isinstance(given, bool) or found is None or unit not in _UNITS:
        raise InputError(f"max_memory: '{given}' is no amount of memory", 'write "8 GB" or bytes')
    try:
        size = float(found.group(1)) * _UNITS[unit]
    except ValueError:
        size = 0.0
    if not size > 0:
        raise InputError(f"max_memory: '{given}' is not above zero", 'write "8 GB" or bytes')
    return size


def free_memory() -> float:
    """Bytes that can be had without swapping; infinite where the system does not say."""
    return min(_of_machine(), _of_group())


def _of_machine() -> float:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024.0 * int(line.split()[1])
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError, AttributeError):
        return float("inf")


def _of_group(folder: Path = Path("/sys/fs/cgroup")) -> float:
    """What a container leaves (control groups of Linux)."""
    try:
        most = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
        return float("inf") if most == "max" else float(int(most) - int(used))
    except (OSError, ValueError):
        return float("inf")


def refuse_too_many(samples: float, columns: float, limit: float | None) -> None:
    """Raise InputError if so many samples of so many numbers need more than ``limit`` bytes, or
    (None) more than half of what is free. Little is not asked about."""
    needed = 8.0 * samples * (1.0 + _COPIES * columns)
    if limit is None and needed > _LITTLE:
        limit = _SHARE * free_memory()
    if limit is not None and needed > limit:
        raise InputError(
            f"{samples:.3g} samples need {size_text(needed)} of memory, more than the "
            f"{size_text(limit)} that may be used",
            "sample less often (every, --every), end earlier, observe less (outputs, --observe), "
            "or allow more (max_memory, --max-memory)",
        )


def size_text(size: float) -> str:
    """ "1.2 GB"."""
    unit = next((u for u in ("TB", "GB", "MB") if size >= _UNITS[u]), "kB")
    return f"{size / _UNITS[unit]:.3g} {unit}"
