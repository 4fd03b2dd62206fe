"""Open windows of the page, each with a queue of what it is to be told."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from pliant.studio.serve.protocol import written


class Window:
    """One socket. A draft that was not sent yet gives way to a newer one."""

    def __init__(self, socket: ServerConnection, name: str) -> None:
        self.socket, self.name = socket, name
        self._queue: deque[tuple[str | bytes, bool]] = deque()
        self._more = asyncio.Event()

    def tell(self, message: dict[str, Any] | bytes, *, draft: bool = False) -> None:
        """Put a message into the queue."""
        text = message if isinstance(message, bytes) else written(message)
        if draft:
            self._queue = deque(item for item in self._queue if not item[1])
        self._queue.append((text, draft))
        self._more.set()

    async def send(self) -> None:
        """Empty the queue as fast as the page takes it, until the socket is closed."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                while self._queue:
                    await self.socket.send(self._queue.popleft()[0])
                self._more.clear()
                await self._more.wait()
