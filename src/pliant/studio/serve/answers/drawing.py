"""Messages of the network canvas: what may follow an element, what it may be bonded to, and what a
network can be drawn of."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from pliant.errors import FileError, InputError, PliantError
from pliant.model.networks.library import read_subgraph
from pliant.model.numbers.paths import stamped
from pliant.studio.operations.networks.drawn import Drawn
from pliant.studio.operations.networks.following import bondable as bondable_in
from pliant.studio.operations.networks.following import followers
from pliant.studio.operations.networks.gestures import gestures as gestures_on
from pliant.studio.operations.networks.palette import kind_choices, part_choices
from pliant.studio.operations.networks.parts.components import component as component_of
from pliant.studio.serve.answers.operating import draft_of
from pliant.studio.serve.answers.registry import Message, answer
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


@answer
async def gestures(session: Session, _: Window, message: Message) -> Message:
    """What can be put on a junction of the mechanism, and what each would make."""
    await session.current()
    found = gestures_on(draft_of(session).model, message["name"])
    return {"type": "gestures", "name": message["name"], "choices": found}


@answer
async def component(session: Session, _: Window, message: Message) -> Message:
    """A sub-graph as a file of its own below the root; one that is there is not written over."""
    await session.current()
    if session.document.read_only:
        raise InputError("the studio only looks at the model", "start it without --read-only")
    path = session.below(message["path"], MODELS)
    made = component_of(draft_of(session), message["subgraph"], path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(made.text)
    except FileExistsError:
        raise FileError(f"{message['path']} is there already", "choose another name") from None
    except OSError as error:
        raise FileError(f"cannot write {message['path']}: {error.strerror or error}",
                        "choose another place") from None  # fmt: skip
    base = session.source().base or session.root
    return {"type": "component", "path": message["path"], "reads": list(made.reads),
            "kind": Path(os.path.relpath(path, base)).as_posix()}  # fmt: skip


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
