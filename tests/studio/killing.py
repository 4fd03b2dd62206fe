"""Studios that are processes of their own and can be killed, started by a parent that has all of it
imported already; and a user who edits until that happens."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.studio.talking import Studio, Talk
from websockets.exceptions import ConnectionClosed

from pliant.errors import InputError
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.registry import planned

# Reads names of models; for each a child serves that model, and says its number and its address.
_NURSERY = """
import asyncio, os, signal, sys
from pathlib import Path
from pliant.studio.document.document import OpenDocument
from pliant.studio.operations.registry import operations
from pliant.studio.serve.server import run

operations()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    if os.fork() == 0:
        model = Path(line.strip())
        say = lambda text: print(os.getpid(), text.partition(": ")[2], flush=True)
        try:
            opened = OpenDocument.opened(model)
            asyncio.run(run(opened, model.parent, browser=False, warm=False, say=say))
        finally:
            print(flush=True)  # whoever waits for an address that does not come
            os._exit(0)
"""


_MARK = "#~ "
"""How lines begin that the user types."""


class Nursery:
    """Starts studios in a moment each; use as a context manager."""

    def __init__(self, state: Path) -> None:
        environment = {**os.environ, "PLIANT_STATE_DIR": str(state), "TMPDIR": str(state)}
        state.mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _NURSERY], text=True, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def born(self, model: Path) -> tuple[int, Studio]:
        """The number of a new process, and how to talk to it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(model, file=self._process.stdin, flush=True)
        number, address = self._process.stdout.readline().split()
        host, _, token = address.removeprefix("http://").partition("/#token=")
        studio = object.__new__(Studio)
        studio.host, studio.origin, studio.token = host, f"http://{host}", token
        return int(number), studio


class User:
    """Edits a model at random. ``text`` is what was confirmed last; ``next_text`` what it becomes
    with the gesture that is under way."""

    def __init__(self, text: str, seed: int) -> None:
        self.text = self.next_text = text
        self.random = random.Random(seed)
        self.undone: list[str] = []
        self.done: list[str] = []
        self.gestures = 0
        self.revision = 0

    async def edit(self, window: Talk) -> None:
        """One gesture after the other, until the socket is closed."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self._gesture(window)
                self.text = self.next_text
                self.gestures += 1

    async def _gesture(self, window: Talk) -> None:
        kind = self.random.choice(("do", "do", "do", "edit", "edit", "undo", "redo", "save"))
        if kind == "undo" and self.done:
            self.next_text = self.done.pop()
            self.undone.append(self.text)
            await self._ask(window, "undo")
        elif kind == "redo" and self.undone:
            self.next_text = self.undone.pop()
            self.done.append(self.text)
            await self._ask(window, "redo")
        elif kind == "save":
            await self._ask(window, "save")
        elif kind == "edit":
            await self._typed(window)
        else:
            await self._operation(window)

    async def _typed(self, window: Talk) -> None:
        """A line of comment at the end, or without all of those."""
        marked = self.text.find(_MARK)
        if marked > 0 and self.random.random() < 0.3:
            start, new = marked, ""
        else:
            word = self.random.choice(("mass", "längs", "𝛼", "x"))
            start, new = len(self.text), f"{_MARK}{word}\n"
        splice = [_units(self.text[:start]), _units(self.text), new]
        self._expect(self.text[:start] + new)
        await self._ask(window, "edit", revision=self.revision, splices=[splice])

    async def _operation(self, window: Talk) -> None:
        name, arguments = self.random.choice((
            ("parameter.set", {"name": f"p{self.random.randrange(8)}",
                               "value": f"{self.random.randrange(1, 99)} mm"}),
            ("element.add", {"section": "bodies", "kind": "rigid"}),
            ("element.rename", {"name": "bob", "new": "bob_2"}),
            ("element.rename", {"name": "bob_2", "new": "bob"}),
            ("body.frame", {"body": "ground", "name": f"F{self.random.randrange(20)}",
                            "at": [1, 2, 3]}),
            ("element.remove", {"names": ["rigid"]}),
        ))  # fmt: skip
        try:
            draft = planned(Draft(self.text, "yaml"), name, arguments)
        except InputError:
            return  # a name that is taken, or nobody's
        if draft.text == self.text:
            return
        self._expect(draft.text)
        await self._ask(window, "do", revision=self.revision, operation=name, arguments=arguments)

    def _expect(self, text: str) -> None:
        self.next_text = text
        self.done.append(self.text)
        self.undone.clear()

    async def _ask(self, window: Talk, kind: str, /, **content: Any) -> None:
        answer = await window.ask(kind, **content)
        assert answer["type"] in ("accepted", "saved"), (kind, content, answer)
        self.revision = answer.get("revision", self.revision)

    async def begin(self, window: Talk) -> tuple[str, bool]:
        """The text that is there again after a crash, recovered; and whether a journal had it."""
        document = await window.wait("document")
        self.revision, found = document["revision"], document["text"]
        await window.ask("history")  # its answer comes behind everything that is told at first
        left = [m for m in window.heard if m["type"] == "journal" and m["when"]]
        if left:
            looked = await window.ask("journal", choice="look")
            found = looked["text"]
            answer = await window.ask("journal", choice="recover")
            self.revision = answer.get("revision", self.revision)
        self.done, self.undone = [], []
        return found, bool(left)


async def kill(number: int) -> None:
    """Kill a process, until it is gone and holds nothing any more."""
    os.kill(number, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.kill(number, 0)
            await asyncio.sleep(0.002)


def _units(text: str) -> int:
    """How long a text is as the page counts."""
    return len(text.encode("utf-16-le")) // 2


async def session(studio: Studio, number: int, user: User, seconds: float) -> bool:
    """Open, compare, recover, edit, and be killed after a while; whether a journal was found."""
    async with studio.window() as window:
        found, had_journal = await user.begin(window)
        assert found in (user.text, user.next_text), (found, user.text, user.next_text)
        user.text = user.next_text = found
        editing = asyncio.create_task(user.edit(window))
        await asyncio.sleep(seconds)
        await kill(number)
        await editing
    return had_journal
