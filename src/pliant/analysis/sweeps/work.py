"""Chunks of runs, and who computes them: this process, others on this machine, a cluster.

Whoever does it, the same function computes a chunk and writes it to the store. All that is asked of
workers is ``submit``, as of the executors of the standard library and of clients of Dask.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pliant.analysis.sweeps.job import VERSION, Columns, Job
from pliant.errors import InputError, PliantError, RunError
from pliant.records import dataclass
from pliant.results.sweeps.runs import Runs, read_runs
from pliant.writing import replace_bytes

AT_ONCE = 64
"""Chunks that a cluster has at a time, at least; few enough that Ctrl-C need not wait for many."""
ANSWER = 5.0
"""Seconds in which a scheduler answers."""
_jobs: dict[str, Job] = {}
"""Jobs of this process, whose code is at hand, by their keys."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a job; ``path``: where their runs are kept."""

    index: int
    job: Job
    key: str
    columns: Columns
    path: Path | None


@dataclass(frozen=True, slots=True)
class Done:
    """A chunk that was computed; ``runs`` of one that is not kept in a file."""

    index: int
    count: int
    failed: int
    runs: Runs | None


Report = Callable[[Done], None]


def do(chunk: Chunk) -> Done:
    """Compute a chunk, unless it was kept by somebody who could not say so any more."""
    if chunk.job.version != VERSION:
        raise InputError(f"a worker has Pliant {VERSION}, the sweep is of {chunk.job.version}",
                         "install the same version on all workers")  # fmt: skip
    kept = chunk.path is not None and chunk.path.exists()
    if chunk.path is not None and kept:
        runs = read_runs(chunk.path, lambda name: False)
    else:
        job = _jobs.setdefault(chunk.key, chunk.job)
        runs = job.run(chunk.columns)
    if chunk.path is not None and not kept:
        replace_bytes(chunk.path, runs.content())
    return Done(chunk.index, len(runs), runs.failed, None if chunk.path else runs)


class Stop:
    """Whether Ctrl-C was pressed: chunks that are being computed are finished. Pressed again, it
    ends the program."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._pressed)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def told(self, tell: Callable[[Progress], None] | None) -> Callable[[Progress], None]:
        """Tell of the progress; who is told may press Ctrl-C, too."""

        def telling(progress: Progress) -> None:
            try:
                if tell is not None:
                    tell(progress)
            except KeyboardInterrupt:
                self.asked = True

        return telling

    def _pressed(self, *_: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


def one_by_one(chunks: Sequence[Chunk], report: Report, stop: Stop) -> None:
    """In this process."""
    for chunk in chunks:
        if stop.asked:
            return
        report(do(chunk))


def by_processes(chunks: Sequence[Chunk], count: int, report: Report, stop: Stop) -> None:
    """In so many new processes of this machine."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    needs_main = b"__main__" in pickle.dumps(chunks[0].job)
    if _runs_main_again():
        raise SystemExit(1)
    with ProcessPoolExecutor(count, get_context("spawn"), _settle) as pool:

        def submit(chunk: Chunk) -> Any:
            with _main_left_out(not needs_main):
                return pool.submit(do, chunk)

        try:
            submitted(chunks, submit, 2 * count, report, stop)
        except BrokenProcessPool:
            why = _UNGUARDED if needs_main else "perhaps for want of memory: take fewer workers"
            raise RunError("a process that computed runs was ended; what was stored is kept; "
                           f"{why}") from None  # fmt: skip
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_UNGUARDED = (
    "elements of the model are written in the program itself, which new processes import: let it "
    "sweep below `if __name__ == '__main__':` only, or put the elements into a file of their own"
)


def _runs_main_again() -> bool:
    """Whether this is a new process that is still importing the user's program, for its classes:
    a sweep there would begin processes without end."""
    from multiprocessing import current_process

    return bool(getattr(current_process(), "_inheriting", False))


def by_cluster(chunks: Sequence[Chunk], client: Any, report: Report, stop: Stop) -> None:
    """By whatever has ``submit``."""
    own, at_once = {}, AT_ONCE
    if type(client).__module__.startswith("distributed"):
        own = {"pure": False}
        at_once = max(AT_ONCE, 2 * sum(client.nthreads().values()))
    try:
        submitted(chunks, lambda chunk: client.submit(do, chunk, **own), at_once, report, stop)
    except PliantError:
        raise
    except (ImportError, AttributeError, pickle.UnpicklingError) as error:
        raise RunError(f"a worker cannot take part: {error}; install pliant {VERSION} and what "
                       "the model needs on all workers") from error  # fmt: skip
    except Exception as error:  # whatever clusters raise
        raise RunError(f"the workers could not go on ({type(error).__name__}: {error}); what was "
                       "stored is kept") from error  # fmt: skip


def submitted(
    chunks: Sequence[Chunk], submit: Callable[[Chunk], Any], at_once: int, report: Report,
    stop: Stop,
) -> None:  # fmt: skip
    """Hand out chunks, a few at a time, and report each as soon as it is done."""
    waiting = list(reversed(chunks))
    running: set[Any] = set()
    finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
    try:
        while running or (waiting and not stop.asked):
            while waiting and len(running) < at_once and not stop.asked:
                future = submit(waiting.pop())
                running.add(future)
                future.add_done_callback(finished.put)
            try:
                future = finished.get(timeout=0.2)
            except queue.Empty:
                _drop(running, stop)
                continue
            running.discard(future)
            if not (future.cancelled() and stop.asked):
                report(future.result())
            _drop(running, stop)
    finally:
        for future in running:
            future.cancel()


def _drop(running: set[Any], stop: Stop) -> None:
    """Of what nobody has begun yet, once no more is wanted."""
    if stop.asked:
        for future in list(running):
            if getattr(future, "status", "") != "pending" and future.cancel():
                running.discard(future)


def client_at(address: str) -> Any:
    """A client of the Dask cluster whose scheduler is at an address."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("workers: Dask is not installed", "pip install 'pliant[sweep]'") from None
    try:
        return Client(address, timeout=ANSWER)
    except (OSError, ValueError, TimeoutError) as error:
        what = f"workers: no cluster answers at '{address}' ({error})"
        cure = "give the address of its scheduler, such as tcp://host:8786"
        raise InputError(what, cure) from None


def processors() -> int:
    """How many this program may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _settle() -> None:
    """Begin a process: Ctrl-C is for the one that hands out work; without that one it ends."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _main_left_out(wanted: bool) -> Iterator[None]:
    """New processes do not run the user's script again: nothing of it is needed there."""
    main = sys.modules["__main__"]
    names: dict[str, Any] = main.__dict__
    kept: dict[str, Any] = {
        n: names.pop(n) for n in ("__file__", "__spec__") if wanted and n in names
    }
    if kept:
        names["__spec__"] = None
    try:
        yield
    finally:
        names.update(kept)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is: runs done, in all, failed, kept from earlier; seconds since it began."""

    done: int
    total: int
    failed: int
    earlier: int
    seconds: float

    @property
    def rate(self) -> float:
        """Runs a second."""
        return (self.done - self.earlier) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float:
        """Seconds that the rest will take; infinite as long as nobody knows."""
        return (self.total - self.done) / self.rate if self.rate else float("inf")

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        left = f", {self.left:.0f} s left" if self.rate and self.done < self.total else ""
        return f"{self.done} of {self.total} runs{failed}, {self.rate:.3g}/s{left}"


class Counter:
    """Counts what is done, and tells it."""

    def __init__(
        self, total: int, earlier: int, failed: int, tell: Callable[[Progress], None]
    ) -> None:
        self._tell, self._began = tell, time.perf_counter()
        self._total, self._earlier, self._done, self._failed = total, earlier, earlier, failed
        self.told()

    def add(self, done: Done) -> None:
        """A chunk more."""
        self._done += done.count
        self._failed += done.failed
        self.told()

    def told(self) -> None:
        self._tell(Progress(self._done, self._total, self._failed, self._earlier,
                            time.perf_counter() - self._began))  # fmt: skip
