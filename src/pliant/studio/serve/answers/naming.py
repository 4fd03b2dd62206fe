"""Messages that ask for names: of frames that joints and forces may hold, of domains of networks,
of what was done."""

from __future__ import annotations

from pliant.model.networks.kinds import DOMAINS
from pliant.studio.document.history import Entry
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window

MOST = 20
"""Entries of the history that are told."""


@answer
async def frames(session: Session, _: Window, __: Message) -> Message:
    """Every frame of the model as far as it can be read, also those that bodies bring with them."""
    found = await session.current()
    names = ["ground"]
    if found.model is not None:
        names += [f"ground.{name}" for name in found.model.ground.frames]
        for body, element in found.model.bodies.items():
            names += [body, *(f"{body}.{name}" for name in element.frames)]
    return {"type": "frames", "names": names}


@answer
def domains(_: Session, __: Window, ___: Message) -> Message:
    """The domains that a network may have."""
    return {"type": "domains", "names": [name for name in DOMAINS if name]}


@answer
def history(session: Session, _: Window, __: Message) -> Message:
    """What can be undone and done again, the next first, in words."""
    kept = session.document.history
    return {"type": "history", "done": _labels(kept.done), "undone": _labels(kept.undone)}


def _labels(entries: list[Entry]) -> list[str]:
    return [entry.label for entry in reversed(entries[-MOST:])]
