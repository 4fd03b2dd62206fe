"""A studio within the test, and a window that talks to it as the page does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from pliant.studio.document.document import OpenDocument
from pliant.studio.serve.protocol import VERSION
from pliant.studio.serve.server import run

PATIENCE = 60.0
PENDULUM = """\
pliant: 1
name: pendulum
gravity: [0, -9.81, 0]
parameters:
  l: 1 m   # length
bodies:
  bob: {rod: {mass: 1 kg, length: l}}
joints:
  O: {revolute: {axis: z}, between: [ground, bob], initial: {angle: 30 deg}}
simulate: {t_end: 0.2 s, every: 10 ms}
"""


class Talk:
    """One window. Messages that were not waited for are kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.frames: list[bytes] = []
        self._number = 0

    async def send(self, kind: str, /, **content: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, **content}))

    async def receive(self) -> dict[str, Any]:
        data = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        if isinstance(data, bytes):
            length = int.from_bytes(data[:4], "little")
            message = {"type": "frame", **json.loads(data[4 : 4 + length])}
            self.frames.append(data)
        else:
            message = json.loads(data)
        self.heard.append(message)
        return message

    async def ask(self, kind: str, /, **content: Any) -> dict[str, Any]:
        """The answer to a question."""
        self._number += 1
        await self.send(kind, id=self._number, **content)
        while True:
            message = await self.receive()
            if message.get("id") == self._number:
                return message

    async def wait(self, kind: str, /, **content: Any) -> dict[str, Any]:
        """The next message of a kind, or one heard before, with this content."""
        while True:
            for k, message in enumerate(self.heard):
                wanted = message["type"] == kind
                if wanted and all(message.get(key) == value for key, value in content.items()):
                    return self.heard.pop(k)
            await self.receive()


class Studio:
    """A server on a free port, whose workers start when they are asked."""

    def __init__(self, document: OpenDocument, root: Path) -> None:
        self.document, self.root = document, root
        self.address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._said: list[str] = []

    def _say(self, text: str) -> None:
        self._said.append(text)
        if not self.address.done():
            self.address.set_result(text.partition(": ")[2])

    async def __aenter__(self) -> Studio:
        serving = run(self.document, self.root, browser=False, say=self._say, warm=False)
        self._task = asyncio.create_task(serving)
        await asyncio.wait([self._task, self.address], return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            self._task.result()
        url, _, self.token = (await self.address).partition("/#token=")
        self.origin, self.host = url, url.removeprefix("http://")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    @contextlib.asynccontextmanager
    async def window(self, **hello: Any) -> Any:
        """A window that has greeted."""
        address = f"ws://{self.host}/socket"
        async with connect(address, origin=self.origin, max_size=None) as socket:
            talk = Talk(socket)
            greeting = {"token": self.token, "version": VERSION, "window": "test", **hello}
            await talk.send("hello", **greeting)
            yield talk


class Loop:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def do(self, what: Any, *arguments: Any) -> Any:
        """what(*arguments) within the loop."""
        return asyncio.run_coroutine_threadsafe(what(*arguments), self.loop).result(PATIENCE)


@contextlib.contextmanager
def in_thread() -> Iterator[Loop]:
    """A loop that ends with its last test."""
    loop = Loop()
    yield loop
    loop.loop.call_soon_threadsafe(loop.loop.stop)
    loop.thread.join()
    loop.loop.close()


def in_studio(model, what, **options):
    """what(studio, window), while a studio of the model runs."""

    async def go():
        document = OpenDocument.opened(model, **options)
        async with Studio(document, model.parent) as studio, studio.window() as window:
            await window.wait("outline")
            return await what(studio, window)

    return asyncio.run(go())
