"""The message that copies elements to the clipboard."""

from __future__ import annotations

from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.copying import clip as clipped
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window


@answer
def clip(session: Session, _: Window, message: Message) -> Message:
    """Elements as a text, which ``element.paste`` takes in this studio or another one."""
    source = session.source()
    draft = Draft(source.text, source.format, source.base)
    return {"type": "clip", "text": clipped(draft, message["names"])}
