"""Where a sweep is kept: a folder with ``sweep.json`` and a file of netCDF for each chunk of runs.

A chunk is known by everything its numbers depend on: version, model, files, arguments and rows. It
is written aside and moved into place: what is there is whole, and is not computed again, whoever
was stopped in the middle.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pliant.analysis.sweeps.job import Job, digest
from pliant.errors import FileError, InputError
from pliant.records import dataclass
from pliant.results.sweeps.runs import NOT_YET, Runs
from pliant.results.sweeps.sweep import Part, Sweep
from pliant.results.sweeps.table import Varied
from pliant.writing import replace_text

INDEX = "sweep.json"
FORMAT = 1
_NAMES = {
    "version": "the version of Pliant", "model": "the model", "files": "a file it reads",
    "how": "how runs are computed", "names": "what names mean", "varied": "the plan",
}  # fmt: skip


@dataclass(frozen=True)
class Store:
    """A folder, and what its index says."""

    folder: Path
    told: Mapping[str, Any]
    varied: Varied
    size: int
    """Runs of a chunk."""
    key: str
    model: str = ""
    """What it is called."""

    @classmethod
    def found(cls, folder: str | Path) -> Store | None:
        """What a folder keeps; None: there is no sweep in it."""
        index = Path(folder) / INDEX
        if not index.exists():
            return None
        try:
            data = json.loads(index.read_text(encoding="utf-8"))
            if data["pliant_sweep"] != FORMAT:
                raise ValueError(f"format {data['pliant_sweep']}")
            varied = Varied.of(data["varied"])
            return cls(Path(folder).absolute(), data["told"], varied, data["size"],
                       data["key"], data.get("model", ""))  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileError(f"{index}: not the index of a sweep ({error})",
                            "choose another folder") from None  # fmt: skip

    @classmethod
    def made(cls, folder: str | Path, job: Job, varied: Varied, size: int) -> Store:
        """A new one."""
        path = Path(folder)
        try:
            path.mkdir(exist_ok=True)
            others = [item for item in path.iterdir() if not item.name.startswith(".")]
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror or error}",
                            "choose another folder") from None  # fmt: skip
        if others:
            raise FileError(f"{path} holds other files ({others[0].name})", "choose another folder")
        model = job.system.described.name
        store = cls(path.absolute(), job.told, varied, size, job.key, model)
        data = {"pliant_sweep": FORMAT, "size": size, "key": job.key, "told": job.told,
                "model": model, "varied": varied.as_dict()}  # fmt: skip
        try:
            replace_text(path / INDEX, json.dumps(data))
        except FileError:
            with contextlib.suppress(OSError):
                path.rmdir()  # if there is nothing else in it
            raise
        return store

    def refuse_another(self, job: Job, varied: Varied) -> None:
        """Raise InputError if it is the store of another sweep, saying what differs."""
        now = json.loads(json.dumps({**job.told, "varied": varied.as_dict()}))
        then = {**self.told, "varied": self.varied.as_dict()}
        other = [name for name in now if now[name] != then.get(name)]
        if other:
            told = "; ".join(f"{_NAMES[n]}: {_difference(then.get(n), now[n])}" for n in other)
            raise InputError(f"{self.folder} keeps another sweep: {told}",
                             "choose another folder, or delete it")  # fmt: skip

    def chunks(self) -> Iterator[tuple[int, int, Path]]:
        """First and last of the runs of each chunk, and its file."""
        for first in range(0, len(self.varied), self.size):
            last = min(first + self.size, len(self.varied))
            yield first, last, self.folder / f"{self._name(first, last)}.nc"

    def _name(self, first: int, last: int) -> str:
        rows = {n: v.tolist() for n, v in self.varied.part(first, last).items()}
        return digest(f"{self.key} {json.dumps(rows)}".encode())[:24]

    def tidy(self, before: float) -> None:
        """Remove what was being written, before this second of the clock, by a program that was
        killed."""
        for part in self.folder.glob(".*.part"):
            with contextlib.suppress(OSError):
                if part.stat().st_mtime < before:
                    part.unlink()

    def sweep(self, **info: Any) -> Sweep:
        """What was computed until now."""
        parts = [Part(a, b, path if path.exists() else missing(b - a))
                 for a, b, path in self.chunks()]  # fmt: skip
        about = {"store": str(self.folder), "model": self.model}
        return Sweep(self.varied, tuple(parts), {**about, **info})


def missing(count: int) -> Runs:
    """Runs that are still to be computed."""
    nothing: tuple[Any, ...] = ((),) * count
    return Runs(np.zeros(0), np.full(count, np.nan), {}, (NOT_YET,) * count, nothing, nothing)


def load_sweep(folder: str | Path) -> Sweep:
    """A sweep that was kept, as far as it got."""
    found = Store.found(folder)
    if found is None:
        raise FileError(f"{folder}: no sweep is kept here", f"give a folder with {INDEX}")
    return found.sweep()


def _difference(then: Any, now: Any) -> str:
    """The first place at which two things differ."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        key = next(k for k in (*now, *then) if then.get(k) != now.get(k))
        return f"{key}: {_difference(then.get(key), now.get(key))}"
    if isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            return f"{len(then)} values, now {len(now)}"
        k = next(k for k, (a, b) in enumerate(zip(then, now, strict=True)) if a != b)
        return f"[{k}] {_difference(then[k], now[k])}"
    if isinstance(then, str) and isinstance(now, str) and "\n" in then + now:
        a, b = then.splitlines(), now.splitlines()
        k = next(
            (k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
        )
        lines = [lines[k].strip() if k < len(lines) else "nothing" for lines in (a, b)]
        return f"line {k + 1}: '{lines[0]}', now '{lines[1]}'"
    return f"{then}, now {now}"
