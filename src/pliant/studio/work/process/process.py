"""The studio's end of a worker: a process that is started when it is needed, anew if it ended."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from itertools import count
from typing import Any

from pliant.studio.work.process.channel import packed, received
from pliant.studio.work.process.worker import Answer, command
from pliant.studio.work.source import WorkError

log = logging.getLogger("pliant.studio")
News = Callable[[dict[str, Any], bytes | None], None]
PATIENCE = 2.0
"""Seconds that a worker may take to end by itself."""


class WorkerEnded(Exception):  # noqa: N818 (it is what happened)
    """The process ended before it had answered; the message says how."""


class TaskStopped(Exception):  # noqa: N818
    """The task was told to stop, and nothing was made."""


class _Waiting:
    """A task that was sent: who waits for the answer, and who hears news of it."""

    def __init__(self, news: News | None) -> None:
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.news = news


class Worker:
    """One process. ``runs``: which imports it begins with."""

    def __init__(self, *, runs: bool) -> None:
        self._runs = runs
        self._process: Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._numbers = count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._worked = self._closed = self._killed = False

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start it, if it does not run. WorkerEnded: it is closed."""
        async with self._starting:
            if self._closed:
                raise WorkerEnded("the studio ends")
            if self._killed and self._listener is not None:
                await self._listener  # until the one that was ended is gone
            if self._process is not None:
                return
            self._worked = self._killed = False
            safe = {**os.environ, "PYTHONSAFEPATH": "1"}  # nothing is imported from this folder
            self._process = await asyncio.create_subprocess_exec(
                *command(), stdin=PIPE, stdout=PIPE, env=safe, limit=2**26
            )
            self._listener = asyncio.create_task(self._listen(self._process))
            self._send(0, "warm", {"runs": self._runs})

    async def ask(
        self, name: str, payload: dict[str, Any], news: News | None = None,
        started: Callable[[int], None] = lambda number: None,
    ) -> Answer:  # fmt: skip
        """The answer to a task. ``started`` is called with its number, by which it is stopped.
        WorkError: it could not be done; WorkerEnded, TaskStopped."""
        await self.start()
        number, waiting = next(self._numbers), _Waiting(news)
        self._waiting[number] = waiting
        self._send(number, name, payload)
        started(number)
        try:
            return await waiting.answer
        finally:
            self._waiting.pop(number, None)

    def stop(self, number: int) -> None:
        """Tell a task to stop."""
        self._write(("stop", number))

    def kill(self) -> None:
        """End the process now; it is started anew when it is next needed."""
        if self._process is not None:
            self._killed = True
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """The end of the process, for good. One that has worked ends by itself: it may keep code
        that it has made; any other at once, and what is under way is given up."""
        self._closed = True
        async with self._starting:
            process, listener = self._process, self._listener
        if process is None or listener is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if self._waiting or not self._worked:
            self.kill()
        try:
            await asyncio.wait_for(process.wait(), PATIENCE)
        except TimeoutError:
            self.kill()
        await listener

    def _send(self, number: int, name: str, payload: dict[str, Any]) -> None:
        self._write(("task", number, name, payload))

    def _write(self, message: Any) -> None:
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(packed(message))

    async def _listen(self, process: Process) -> None:
        """Answers and news to whoever waits for them, until the process ends."""
        assert process.stdout is not None
        with contextlib.suppress(EOFError):
            while True:
                word, number, content, frame = await received(process.stdout)
                waiting = self._waiting.get(number)
                if waiting is not None and not waiting.answer.done():
                    self._receive(waiting, word, content, frame)
        code = await process.wait()
        self._process = None
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(WorkerEnded(_how(code)))

    def _receive(
        self, waiting: _Waiting, word: str, content: dict[str, Any], frame: bytes | None
    ) -> None:
        if word == "news":
            try:
                if waiting.news is not None:
                    waiting.news(content, frame)
            except Exception:
                log.exception("news of a task could not be passed on")
        elif word == "done":
            self._worked = True
            waiting.answer.set_result((content, frame))
        elif word == "stopped":
            waiting.answer.set_exception(TaskStopped())
        else:
            if "trace" in content:
                log.error("%s", content.pop("trace"))
            waiting.answer.set_exception(WorkError(**content))


def _how(code: int) -> str:
    """How a process ended."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
