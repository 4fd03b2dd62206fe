"""A desk for tests: what it tells is kept, and can be waited for."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pliant.studio.work.desk import Desk, Source

PENDULUM = """\
pliant: 1
name: pendulum
parameters: {L: 1 m, m: 2 kg}
gravity: [0, -9.81, 0]
bodies:
  bob: {rigid: {mass: m, inertia: [0.1, 0.1, 0.1]}, frames: {tip: [L, 0, 0]}}
joints:
  pivot: {revolute: {axis: z}, between: [ground, bob.tip], initial: {angle: 60 deg}}
simulate: {t_end: 2 s}
"""


def source(text: str = PENDULUM, name: str = "pendulum.yaml", base: Path = Path()) -> Source:
    """The text of a model."""
    return Source(text, "yaml", base, name, 1)


def unpacked(frame: bytes) -> tuple[dict[str, Any], np.ndarray, dict[str, np.ndarray]]:
    """Header, times, and columns by the names of their series, as the page reads them."""
    (length,) = struct.unpack_from("<I", frame)
    header = json.loads(frame[4 : 4 + length])
    start, count = -(-(4 + length) // 8) * 8, header["count"]
    assert not frame[4 + length : start].strip(b"\0")
    table = np.frombuffer(frame[start:], dtype="<f8").reshape(-1, count)
    columns = {}
    for s in header["series"]:
        size = max(len(s["labels"]), 1)
        own = table[1 + s["column"] : 1 + s["column"] + size].T
        columns[s["name"]] = own if s["labels"] else own[:, 0]
    return header, table[0], columns


class Listener:
    """What a desk has told."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.frames: list[bytes] = []
        self._news = asyncio.Event()

    def __call__(self, message: dict[str, Any], frame: bytes | None) -> None:
        if frame is None:
            json.dumps(message, allow_nan=False)
            self.messages.append(message)
        else:
            self.frames.append(frame)
        self._news.set()

    async def until(self, holds: Callable[[], Any], seconds: float = 60.0) -> Any:
        """What ``holds`` gives once that is true."""
        async with asyncio.timeout(seconds):
            while not (found := holds()):
                self._news.clear()
                await self._news.wait()
        return found

    def jobs(self, number: int) -> list[dict[str, Any]]:
        """Everything told of a job."""
        return [m["job"] for m in self.messages if m["type"] == "job" and m["job"]["id"] == number]

    async def end(self, number: int) -> dict[str, Any]:
        """The last that is told of a job."""

        def ended() -> dict[str, Any] | None:
            over = [j for j in self.jobs(number) if j["state"] in ("done", "stopped", "failed")]
            return over[-1] if over else None

        return await self.until(ended)


class AtDesk:
    """Does things at a desk, whose processes are started once for many tests."""

    def __init__(self, folder: Path) -> None:
        self._runner, self.told = asyncio.Runner(), Listener()
        self.desk = self._runner.run(self._begun(folder))

    async def _begun(self, folder: Path) -> Desk:
        return Desk(folder, self.told)

    def __call__(self, work: Callable[[Desk, Listener], Awaitable[Any]]) -> Any:
        self.told.frames.clear()
        self.told.messages.clear()

        async def done() -> Any:
            return await work(self.desk, self.told)

        return self._runner.run(done())

    def close(self) -> None:
        """The end of its processes."""
        self._runner.run(self.desk.close())
        self._runner.close()


def desk_of(folders: pytest.TempPathFactory) -> Iterator[AtDesk]:
    """A fixture's body."""
    found = AtDesk(folders.mktemp("desk"))
    yield found
    found.close()
