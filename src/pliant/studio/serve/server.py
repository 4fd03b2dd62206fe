"""The server of one studio: from its first to its last moment."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import signal
import tempfile
import time
import webbrowser
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from pliant.errors import InputError
from pliant.studio.document.document import OpenDocument
from pliant.studio.serve.answers import (  # noqa: F401 (they register answers)
    asking,
    changing,
    clip,
    drawing,
    forms,
    naming,
    operating,
    palette,
)
from pliant.studio.serve.answers.registry import handle
from pliant.studio.serve.gate import Gate
from pliant.studio.serve.log import keep_log
from pliant.studio.serve.protocol import LARGEST, VERSION, read
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window

GREETING = 3.0
"""Seconds within which a window must greet."""
ALONE = 3600.0
"""Seconds after the last window was closed until the server ends."""
HOST = "127.0.0.1"


async def run(
    document: OpenDocument, root: Path, *, port: int = 0, browser: bool = True,
    allowed: Collection[str] = (), say: Callable[[str], None] = print, warm: bool = True,
) -> None:  # fmt: skip
    """Serve until the terminal ends it, or an hour after the last window was closed. ``warm``: what
    works for it starts at once, not when a window asks for the first view."""
    gate = Gate(allowed=allowed)
    keep_log()
    silent = logging.getLogger("pliant.studio.socket")
    silent.setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="pliant-studio-") as folder:
        session = Session(document, root, gate, Path(folder))
        try:
            async with serve(
                lambda socket: _talk(socket, session, gate), HOST, port,
                process_request=gate.answer, max_size=LARGEST, compression=None, logger=silent,
            ) as server:  # fmt: skip
                gate.port = next(iter(server.sockets)).getsockname()[1]
                if warm:
                    session.desk.warm()
                await _serve(session, gate, browser=browser, say=say)
        except OSError as error:
            raise _no_port(port, error) from None
        finally:
            await session.close()


async def _serve(
    session: Session, gate: Gate, *, browser: bool, say: Callable[[str], None]
) -> None:
    address = f"http://{HOST}:{gate.port}/#token={gate.token}"
    say(f"Pliant Studio: {address}")
    if browser and not await asyncio.to_thread(_opened, address):
        say("no browser could be started: open this address in one")
    await _until_the_end(session)


def _no_port(port: int, error: OSError) -> InputError:
    if error.errno == errno.EADDRINUSE:
        return InputError(f"port {port} is taken", "choose another, or leave --port out")
    return InputError(f"port {port}: {error.strerror or error}", "choose another")


def _opened(address: str) -> bool:
    """Whether a browser shows the page."""
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False


async def _until_the_end(session: Session) -> None:
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(sign, over.set)
    work = [asyncio.create_task(job) for job in (session.check(), session.watch(), _alone(session))]
    end = asyncio.create_task(over.wait())
    try:
        done, _ = await asyncio.wait([*work, end], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (*work, end):
            task.cancel()
        await asyncio.gather(*work, end, return_exceptions=True)


async def _alone(session: Session) -> None:
    """Until nobody has looked for an hour."""
    while session.windows or time.monotonic() - session.left_at < ALONE:
        await asyncio.sleep(1.0)


async def _talk(socket: ServerConnection, session: Session, gate: Gate) -> None:
    """With one window, from its greeting on."""
    window = await _greeted(socket, gate)
    if window is None:
        return
    session.enter(window)
    sender = asyncio.create_task(window.send())
    under_way: set[asyncio.Task[None]] = set()
    try:
        async for text in socket:
            try:
                message = read(text)
            except InputError as error:
                window.tell({"type": "refused", "what": error.what, "cure": error.cure,
                             "elements": [], **_number(text)})  # fmt: skip
                continue
            task = asyncio.create_task(handle(session, window, message))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
    except ConnectionClosed:
        pass
    finally:
        session.leave(window)
        sender.cancel()


def _number(text: str | bytes) -> dict[str, Any]:
    """The number of a message that cannot be read otherwise."""
    with contextlib.suppress(ValueError, RecursionError):
        message = json.loads(text)
        if isinstance(message, dict) and isinstance(message.get("id"), int):
            return {"id": message["id"]}
    return {}


async def _greeted(socket: ServerConnection, gate: Gate) -> Window | None:
    """The window, if it greets as it should; otherwise the socket is closed."""
    try:
        hello = json.loads(await asyncio.wait_for(socket.recv(), GREETING))
        known = isinstance(hello, dict) and hello.get("type") == "hello"
    except (TimeoutError, ValueError, RecursionError, ConnectionClosed):
        known = False
    if not known or not gate.greets(hello.get("token")):
        await socket.close(1008, "not greeted" if not known else "wrong token")
        return None
    if hello.get("version") != VERSION:
        await socket.close(1008, "another version: load the page again")
        return None
    return Window(socket, str(hello.get("window", ""))[:64])
