"""A process that computes: it is asked by one pipe, and answers by another.

One thread listens, so that a task can be told to stop, and so that the process ends when the studio
does; all else is done by the main thread, one task after the other.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time as clock
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

from pliant.errors import PliantError
from pliant.studio.work.process.channel import packed, receive
from pliant.studio.work.source import WorkError, told

if TYPE_CHECKING:
    from pliant.studio.work.bench import Bench

Answer = tuple[dict[str, Any], bytes | None]
GRACE = 2.0
"""Seconds to end by itself after the studio has."""
TASKS = {
    "look": "looks", "run": "analyses", "series": "series", "compare": "compare",
    "load": "series", "export": "export", "warm": "warm",
}  # fmt: skip
"""Tasks by name, each with the module that has a function of this name."""


class Task:
    """One thing that was asked for: whoever does it can tell of its progress here."""

    def __init__(self, number: int, send: Callable[[Any], None], stopped: set[int]) -> None:
        self.number, self._send, self._stopped = number, send, stopped

    def tell(self, news: dict[str, Any], frame: bytes | None = None) -> None:
        """Send what is known so far."""
        self._send(("news", self.number, news, frame))

    @property
    def stopped(self) -> bool:
        """Whether it is no longer wanted."""
        return self.number in self._stopped

    def go_on(self) -> None:
        """Raise KeyboardInterrupt if it is no longer wanted: a run keeps its samples then."""
        if self.stopped:
            raise KeyboardInterrupt


def main() -> None:
    """Serve until the pipe ends. Whatever is printed by others goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is for the studio
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    _Server(answers).serve(asked)


class _Server:
    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._inbox: queue.SimpleQueue[tuple[int, str, Any] | None] = queue.SimpleQueue()
        self._stopped: set[int] = set()

    def serve(self, asked: BinaryIO) -> None:
        """Do what is asked for, in order."""
        threading.Thread(target=self._listen, args=(asked,), daemon=True).start()
        from pliant.studio.work.bench import Bench

        bench = Bench()
        while (task := self._inbox.get()) is not None:
            self._do(bench, *task)

    def _listen(self, asked: BinaryIO) -> None:
        """Tasks to the main thread; the end of the studio is the end of this process."""
        try:
            while True:
                word, *rest = receive(asked)
                if word == "stop":
                    self._stopped.add(rest[0])
                else:
                    self._inbox.put(tuple(rest))
        except (EOFError, OSError):
            self._inbox.put(None)
            clock.sleep(GRACE)
            os._exit(0)

    def _send(self, message: Any) -> None:
        try:
            self._answers.write(packed(message))
            self._answers.flush()
        except BrokenPipeError:
            os._exit(0)

    def _do(self, bench: Bench, number: int, name: str, payload: dict[str, Any]) -> None:
        task = Task(number, self._send, self._stopped)
        try:
            task.go_on()
            module = import_module(f"pliant.studio.work.tasks.{TASKS[name]}")
            answer: Answer = getattr(module, name)(bench, task, **payload)
            self._send(("done", number, *answer))
        except WorkError as error:
            self._refuse(number, what=error.what, cure=error.cure, elements=error.elements)
        except PliantError as error:
            self._refuse(number, **told(error))
        except KeyboardInterrupt:
            self._send(("stopped", number, {}, None))
        except Exception as error:
            what = f"unexpected error: {type(error).__name__}: {error}"
            self._refuse(number, what=what, trace=traceback.format_exc())
        finally:
            self._stopped.discard(number)

    def _refuse(self, number: int, **why: Any) -> None:
        self._send(("refused", number, why, None))


def command() -> list[str]:
    """What starts such a process."""
    return [sys.executable, "-c", "from pliant.studio.work.process.worker import main; main()"]
