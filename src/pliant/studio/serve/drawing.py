"""Messages of the network canvas: what may follow an element, what it may be bonded to, and what a
network can be drawn of."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from pliant.errors import PliantError
from pliant.model.networks.library import read_subgraph
from pliant.model.numbers.paths import stamped
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.following import bondable as bondable_in
from pliant.studio.operations.networks.following import followers
from pliant.studio.operations.networks.palette import kind_choices, part_choices
from pliant.studio.serve.answers import Message, answer
from pliant.studio.serve.operating import draft_of
from pliant.studio.serve.session import MODELS, Session
from pliant.studio.serve.windows import Window

_HEAD = 4096
"""Bytes of a file in which it is seen whether it holds a sub-graph."""


@answer
async def follow(session: Session, _: Window, message: Message) -> Message:
    """What may follow when a bond is dragged from an element into the free."""
    drawn = await _drawn(session, message["network"])
    choices = followers(drawn, message["name"], _components(session))
    return {"type": "follow", "network": message["network"], "choices": choices}


@answer
async def bondable(session: Session, _: Window, message: Message) -> Message:
    """Of every other element whether a bond may go there, and if not, why."""
    drawn = await _drawn(session, message["network"])
    return {"type": "bondable", "network": message["network"],
            "elements": bondable_in(drawn, message["a"])}  # fmt: skip


@answer
async def network_palette(session: Session, _: Window, message: Message) -> Message:
    """Kinds of elements and parts that a network can be drawn of."""
    drawn = await _drawn(session, message["network"])
    return {"type": "network_palette", "network": message["network"],
            "kinds": kind_choices(drawn.domain),
            "parts": part_choices(drawn, _components(session))}  # fmt: skip


async def _drawn(session: Session, network: str) -> Drawn:
    await session.current()
    return Drawn(draft_of(session), network)


def _components(session: Session) -> list[str]:
    """Files below the root that hold a sub-graph, relative to the model."""
    base = session.source().base or session.root
    files = [session.root / name for name in session.files(MODELS)]
    return [Path(os.path.relpath(file, base)).as_posix() for file in files if _is_component(file)]


def _is_component(file: Path) -> bool:
    try:
        return _holds_subgraph(*stamped(file))
    except PliantError:
        return False


@lru_cache(maxsize=500)
def _holds_subgraph(path: Path, changed: int, size: int) -> bool:
    """Whether a file says that it is a sub-graph, and can be read as one."""
    with path.open("rb") as file:
        if b"subgraph" not in file.read(_HEAD):
            return False
    read_subgraph(path)
    return True
