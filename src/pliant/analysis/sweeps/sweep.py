"""The verb: a plan, cut into chunks, computed where there is room, put together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pliant.analysis.sweeps.job import Job
from pliant.analysis.sweeps.names import targets
from pliant.analysis.sweeps.plans import planned, spans_of
from pliant.analysis.sweeps.store import Store, missing
from pliant.analysis.sweeps.work import (
    Chunk,
    Counter,
    Done,
    Progress,
    Stop,
    by_cluster,
    by_processes,
    client_at,
    one_by_one,
    processors,
)
from pliant.backends.memory import allowed_memory, free_memory, size_text
from pliant.errors import InputError, Interrupted, RunError
from pliant.records import dataclass
from pliant.results.sweeps.runs import Runs, read_runs
from pliant.results.sweeps.sweep import Part, Sweep
from pliant.results.sweeps.table import Varied
from pliant.study import Study
from pliant.writing import replace_bytes

SECONDS = 1.0
"""What a chunk takes, about."""
LARGEST = 64e6
"""Bytes of a chunk."""
CHUNKS = 10_000
"""Chunks of a sweep, about, however long its runs take: they are files of one folder."""
SHARES = 4
"""Chunks that every worker has at least, so that all end at about the same time."""
WORTH = 6.0
"""Seconds of work for which processes are started; that takes two or three."""
_OLD = 60.0
"""Seconds after which nobody is writing a file any more."""
_TRIED = 8
"""Runs by which the time of a run is measured."""


def swept(
    system: Study, vary: Any, *, samples: int | None, plan: str | None, seed: int,
    store: str | Path | None, workers: Any, progress: Callable[[Progress], None] | None,
    max_memory: float | str | None, how: Mapping[str, Any],
) -> Sweep:  # fmt: skip
    """See ``System.sweep``."""
    began = time.perf_counter()
    job, varied = _asked(system, vary, samples, plan, seed, how)
    known = None if store is None else Store.found(store)
    if known is not None:
        known.refuse_another(job, varied)
    with _workers(workers) as given:
        pace = None if known is not None else paced(job, varied)
        if pace is not None and store is None:
            _refuse_large(pace.bytes * len(varied), max_memory)
        elif pace is not None and store is not None:
            known = Store.made(store, job, varied, pace.size(len(varied), _asked_for(given)))
        size = pace.size(len(varied), _asked_for(given)) if pace is not None else 1
        task = _Task(job, varied, known, size, progress)
        if pace is not None:
            task.keep(pace.tried)
        count = task.processes(given, pace)
        return task.done(lambda c, r, s: _handed(c, given, count, r, s), began)


def _asked(
    system: Study, vary: Any, samples: int | None, plan: str | None, seed: int,
    how: Mapping[str, Any],
) -> tuple[Job, Varied]:  # fmt: skip
    """What a row becomes, and all rows; what means nothing is refused."""
    spans, rows = spans_of(vary)
    meant = targets(system, spans)
    keys = {target.key for target in meant.values()}
    both = [name for name in (*how, *(how.get("params") or ())) if name in keys]
    if both:
        raise InputError(f"'{both[0]}' is given and varied", "leave one of them out")
    system, named = system.with_numbers(how.get("params") or {})
    how = {**how, "params": named} if "params" in how else how
    units = {name: t.unit for name, t in meant.items() if t.unit}
    varied = replace(planned(spans, samples, plan or ("list" if rows else None), seed), units=units)
    job = Job(system, how, meant)
    job.times  # noqa: B018 (refuses what no run can do)
    return job, varied


@contextmanager
def _workers(given: Any) -> Iterator[Any]:
    """A number of processes, None, or a client, which is closed if it was not the user's own."""
    if isinstance(given, bool) or (isinstance(given, int) and given < 1):
        raise InputError(f"workers: {given!r} is no number of processes", "give 1 or more")
    if isinstance(given, str):
        with client_at(given) as client:
            yield client
    elif given is None or isinstance(given, int) or callable(getattr(given, "submit", None)):
        yield given
    else:
        raise InputError(f"workers: {given!r} is no number, address or client",
                         "give a number of processes, or tcp://host:8786")  # fmt: skip


def _asked_for(workers: Any) -> int:
    """How many there are, as far as that is said."""
    if workers is None or isinstance(workers, int):
        return workers or 1
    return sum(workers.nthreads().values()) if hasattr(workers, "nthreads") else 1


def _handed(
    chunks: Sequence[Chunk], client: Any, count: int, report: Callable[[Done], None], stop: Stop
) -> None:
    """To who is to compute them."""
    if not isinstance(client, int | None):
        by_cluster(chunks, client, report, stop)
    elif count > 1:
        by_processes(chunks, count, report, stop)
    else:
        one_by_one(chunks, report, stop)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds and bytes of a run; ``tried``: the first runs, by which these were measured."""

    seconds: float
    bytes: float
    tried: tuple[Runs, ...] = ()

    def size(self, count: int, workers: int = 1) -> int:
        """Runs of a chunk of so many in all."""
        most = min(max(SECONDS / max(self.seconds, 1e-6), count / CHUNKS),
                   LARGEST / max(self.bytes, 1.0), count)  # fmt: skip
        if workers > 1:
            most = min(most, max(count / (SHARES * workers), count / CHUNKS))
        return max(1, int(most))


def paced(job: Job, varied: Varied) -> Pace:
    """Measured on the first runs, once everything is compiled."""
    runs = [job.run(varied.part(0, 1))]
    began = time.perf_counter()
    for k in range(1, min(_TRIED, len(varied))):
        if time.perf_counter() - began > 0.25 * SECONDS:
            break
        runs.append(job.run(varied.part(k, k + 1)))
    spent = time.perf_counter() - began
    size = sum(s.values.nbytes for s in runs[-1].series.values())
    return Pace(spent / max(len(runs) - 1, 1), float(size), tuple(runs))


def _refuse_large(size: float, max_memory: float | str | None) -> None:
    limit = allowed_memory(max_memory) or 0.5 * free_memory()
    if size > max(limit, 16e6):
        raise InputError(
            f"the runs need {size_text(size)} of memory, more than the {size_text(limit)} that may "
            "be used",
            "keep them on disk (store, --store), name outputs (outputs, --observe), or sample "
            "less often (every, --every)",
        )


class _Task:
    """All chunks of a sweep, and what was computed of them."""

    def __init__(
        self, job: Job, varied: Varied, store: Store | None, size: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:  # fmt: skip
        self._job, self._varied, self._store, self._size = job, varied, store, size
        self._progress = progress
        self._found: dict[int, Runs] = {}
        self._chunks = self._planned()
        self._left = [c for c in self._chunks if c.path is None or not c.path.exists()]

    def _planned(self) -> list[Chunk]:
        n, size, key = len(self._varied), self._size, self._job.key
        places: list[tuple[int, int, Path | None]] = (
            [(a, min(a + size, n), None) for a in range(0, n, size)]
            if self._store is None else [*self._store.chunks()]
        )  # fmt: skip
        return [Chunk(k, self._job, key, self._varied.part(a, b), path)
                for k, (a, b, path) in enumerate(places)]  # fmt: skip

    def keep(self, tried: Sequence[Runs]) -> None:
        """First runs that are chunks by themselves: long ones are not done again."""
        if self._size > 1:
            return
        for chunk, runs in zip(self._chunks, tried, strict=False):
            if chunk.path is None:
                self._found[chunk.index] = runs
            else:
                replace_bytes(chunk.path, runs.content())
        self._left = self._left[len(tried) :]

    def processes(self, given: Any, pace: Pace | None) -> int:
        """How many; 1: this one alone."""
        if isinstance(given, int):
            return max(1, min(given, len(self._left)))
        work = SECONDS if pace is None else pace.seconds * self._size
        return min(processors(), len(self._left)) if work * len(self._left) > WORTH else 1

    def done(
        self, hand_out: Callable[[Sequence[Chunk], Callable[[Done], None], Stop], None],
        began: float,
    ) -> Sweep:  # fmt: skip
        """The sweep, once everything is computed. Ctrl-C, or KeyboardInterrupt from who is told of
        the progress: what is computed until then is kept."""
        earlier = [c for c in self._chunks if c.path is not None and c.path.exists()]
        runs = [read_runs(c.path, lambda name: False) for c in earlier if c.path is not None]
        runs += self._found.values()
        if self._store is not None:
            self._store.tidy(time.time() - _OLD)
        with Stop() as stop:
            counter = Counter(len(self._varied), sum(map(len, runs)), sum(r.failed for r in runs),
                              stop.told(self._progress))  # fmt: skip

            def report(done: Done) -> None:
                if done.runs is not None:
                    self._found[done.index] = done.runs
                counter.add(done)

            hand_out(self._left, report, stop)
        if not stop.asked:
            self._refuse_missing()
        sweep = self._sweep(time.perf_counter() - began, interrupted=stop.asked)
        if stop.asked and sweep.failure:
            raise Interrupted(sweep)
        return sweep

    def _refuse_missing(self) -> None:
        """Raise RunError if workers have a folder of that name to themselves."""
        lost = [c for c in self._chunks if c.path is not None and not c.path.exists()]
        if lost and self._store is not None:
            raise RunError(f"{len(lost)} of {len(self._chunks)} chunks that workers computed are "
                           f"not in {self._store.folder}: give a folder of a disk that all share; "
                           "if it is one, the same command again reads them")  # fmt: skip

    def _sweep(self, seconds: float, interrupted: bool) -> Sweep:
        name = self._job.system.described.name
        info = {"model": name, "seconds": seconds, "version": self._job.version}
        if self._store is not None:
            return self._store.sweep(**info)
        parts, first = [], 0
        for chunk in self._chunks:
            count = len(next(iter(chunk.columns.values())))
            runs = self._found.get(chunk.index) or missing(count)
            parts.append(Part(first, first + count, runs))
            first += count
        return Sweep(self._varied, tuple(parts), info)
