"""Quick machine code at once, good machine code in the background.

Compiling is put off here as jobs; they run one after the other on a thread of their own while a run
goes on. LLVM serves one thread at a time. Therefore a job is begun only when nobody else has used
it for a moment: whoever loads one model after the other is not kept waiting. Nor is a program that
ends: quick code is kept with what good code is made of, for the next one that runs long enough.

With ``PLIANT_QUICK=1`` nothing is made better, and models are not kept on disk: for many models
that run shortly, as in tests.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep

Job = Callable[[], None]
QUIET = 0.3
"""Seconds without use of LLVM after which a job is begun."""
_jobs: deque[tuple[Job, bool]] = deque()
"""What is to be done, and whether also when the program ends."""
_guard = threading.Lock()
_worker: threading.Thread | None = None
_done = 0
_last_use = 0.0
_hurry = False
_hasty = False
_closing = False


def quick() -> bool:
    """Whether quick code is good enough."""
    return _hasty or passing()


def passing() -> bool:
    """Whether models are seen once (PLIANT_QUICK=1)."""
    return os.environ.get("PLIANT_QUICK") == "1"


@contextmanager
def quickly() -> Iterator[None]:
    """Quick code is good enough meanwhile, and nothing is left to be made when the program ends."""
    global _hasty
    before, _hasty = _hasty, True
    try:
        yield
    finally:
        _hasty = before


def later(job: Job) -> None:
    """Make code better, when there is time; when the program ends it is left as it is."""
    if not quick():
        _put_off(job, always=False)


def afterwards(job: Job) -> None:
    """Do something with code as soon as it is as good as it will be in this program."""
    if quick():
        job()
    else:
        _put_off(job, always=True)


def _put_off(job: Job, *, always: bool) -> None:
    with _guard:
        _jobs.append((job, always))


def in_use() -> None:
    """LLVM is being used now."""
    global _last_use
    if threading.current_thread() is not _worker:
        _last_use = monotonic()


def begin() -> None:
    """Start on the jobs in the background, as soon as it is quiet."""
    global _worker
    with _guard:
        if _jobs and (_worker is None or not _worker.is_alive()):
            _worker = threading.Thread(target=_work, name="pliant compiler")
            _worker.start()


def finish() -> None:
    """Do all jobs now."""
    global _hurry
    _hurry = True
    if _worker is not None:
        _worker.join()
    _work()
    _hurry = False


def close() -> None:
    """Do what must be done when the program ends."""
    global _closing
    _closing = True
    finish()


def version() -> int:
    """Grows with every job done: addresses of machine code may have changed."""
    return _done


def _work() -> None:
    global _done
    while True:
        _wait_for_quiet()
        with _guard:
            if not _jobs:
                return
            job, always = _jobs.popleft()
        if always or not _ending():
            job()
            _done += 1


def _wait_for_quiet() -> None:
    while not _hurry and not _ending() and monotonic() - _last_use < QUIET:
        sleep(0.02)


def _ending() -> bool:
    return _closing or not threading.main_thread().is_alive()


atexit.register(close)
