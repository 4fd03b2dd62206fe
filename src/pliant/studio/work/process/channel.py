"""Messages between the studio and a worker: Python objects over a pair of pipes.

Both ends are this program; what comes from the page is plain data.
"""

from __future__ import annotations

import pickle
import struct
from asyncio import IncompleteReadError, StreamReader
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")


def packed(message: Any) -> bytes:
    """A message after its length."""
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(content)) + content


def receive(stream: BinaryIO) -> Any:
    """The next message; EOFError at the end."""
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: BinaryIO, count: int) -> bytes:
    content = stream.read(count)
    if len(content) < count:
        raise EOFError
    return content


async def received(reader: StreamReader) -> Any:
    """The next message; EOFError at the end."""
    try:
        (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
        return pickle.loads(await reader.readexactly(length))
    except (IncompleteReadError, ConnectionError):
        raise EOFError from None
