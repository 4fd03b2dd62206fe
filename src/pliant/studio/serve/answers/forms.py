"""Messages about forms: the fields of an element, and what may be typed into one."""

from __future__ import annotations

import asyncio

from pliant.errors import InputError
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window
from pliant.studio.views.form.form import form_data
from pliant.studio.views.text.completion import field_completions

_LONGEST = 10_000
"""Characters of a field for which there are completions."""


@answer
async def form(session: Session, _: Window, message: Message) -> Message:
    """Every field of an element with what the file says of it."""
    found = await session.current()
    data = await asyncio.to_thread(form_data, found, message["name"])
    return {"type": "form", "revision": found.revision, "data": data}


@answer
def complete_field(session: Session, _: Window, message: Message) -> Message:
    """What may be typed into a field of a form."""
    text, at = message["text"], message["at"]
    if not 0 <= at <= len(text) <= _LONGEST:
        raise InputError("there is no such place in this field")
    found = field_completions(tuple(message["path"]), text, at, session.last_data)
    return {"type": "completions", **found}
