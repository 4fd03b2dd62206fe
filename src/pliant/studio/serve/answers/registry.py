"""Answers to messages of the page, by their types; one is registered by ``@answer``."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pliant.errors import InputError, PliantError
from pliant.studio.operations.draft import Question
from pliant.studio.serve.log import LOG
from pliant.studio.serve.windows import Window
from pliant.studio.work.process.frames import with_header
from pliant.studio.work.source import WorkError

if TYPE_CHECKING:
    from pliant.studio.serve.session import Session

Message = dict[str, Any]
Answer = Message | bytes | None
Answering = Callable[["Session", Window, Message], Answer | Awaitable[Answer]]
ANSWERS: dict[str, Answering] = {}


def answer(function: Answering) -> Answering:
    """Registers what is done when a message of the function's name comes (``open_`` for "open")."""
    ANSWERS[function.__name__.rstrip("_")] = function
    return function


async def handle(session: Session, window: Window, message: Message) -> None:
    """Do what a window asks for; whatever goes wrong is answered in words."""
    number = message.get("id")
    try:
        found = ANSWERS[message["type"]](session, window, message)
        if isinstance(found, Awaitable):
            found = await found
    except WorkError as error:
        found = refused(error.what, error.cure, list(error.elements))
    except Question as error:
        choices = [{"label": label, "arguments": more} for label, more in error.choices]
        found = {**refused(error.what, error.cure, list(error.elements)), "choices": choices}
    except InputError as error:
        found = refused(error.what, error.cure, list(error.elements))
    except PliantError as error:
        found = refused(str(error))
    except Exception:
        mark = uuid.uuid4().hex[:8]
        LOG.exception("fault %s in message %s", mark, message["type"])
        found = refused(f"something went wrong in the studio itself (fault {mark})",
                        "its log has the whole story")  # fmt: skip
    if isinstance(found, bytes):
        window.tell(with_header(found, id=number))
    elif number is not None:
        window.tell({"type": "done", **(found or {}), "id": number})
    elif found and found.get("type") == "refused":
        window.tell(found)


def refused(what: str, cure: str = "", elements: list[str] | None = None) -> Message:
    """What the page shows when something cannot be done."""
    return {"type": "refused", "what": what, "cure": cure, "elements": elements or []}
