"""Quick machine code at once, good machine code in the background.

Compiling is put off here as jobs; they run one after the other on a thread of their own while a
long run goes on or another one begins, at the latest when the program ends, so that the next one
finds good code on disk. LLVM serves one thread at a time: whoever needs it while a job is running
waits for that job, which is why jobs are not begun while code is still being loaded.
"""

from __future__ import annotations

import atexit
import threading
from collections import deque
from collections.abc import Callable

Job = Callable[[], None]
_jobs: deque[Job] = deque()
_guard = threading.Lock()
_worker: threading.Thread | None = None
_done = 0


def later(job: Job) -> None:
    """Put a job off."""
    with _guard:
        _jobs.append(job)


def begin() -> None:
    """Start on the jobs, in the background."""
    global _worker
    with _guard:
        if _jobs and (_worker is None or not _worker.is_alive()):
            _worker = threading.Thread(target=_work, name="pliant compiler")
            _worker.start()


def finish() -> None:
    """Do all jobs now."""
    if _worker is not None:
        _worker.join()
    _work()


def version() -> int:
    """Grows with every job done: addresses of machine code may have changed."""
    return _done


def _work() -> None:
    global _done
    while True:
        with _guard:
            if not _jobs:
                return
            job = _jobs.popleft()
        job()
        _done += 1


atexit.register(finish)
