"""Messages that ask: views of the model, what stands where, runs and what they found."""

from __future__ import annotations

import asyncio

from pliant.errors import InputError
from pliant.model.files.names import name_of
from pliant.model.files.templates import TEMPLATES, example_sentences
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import MODELS, RESULTS, Session
from pliant.studio.serve.windows import Window
from pliant.studio.views.text.completion import completions
from pliant.studio.views.text.inquire import inquiry
from pliant.studio.views.text.place import path_at


@answer
def files(session: Session, _: Window, __: Message) -> Message:
    """What can be opened below the root, and what a new model can begin with."""
    return {
        "type": "files", "models": session.files(MODELS), "results": session.files(RESULTS),
        "templates": {name: template.sentence for name, template in TEMPLATES.items()},
        "examples": example_sentences(),
    }  # fmt: skip


@answer
async def look(session: Session, _: Window, message: Message) -> Message:
    """A view that a worker makes."""
    source = session.source()
    data = await session.desk.look(message["what"], source, message["arguments"])
    return {"type": "view", "what": message["what"], "revision": source.revision, "data": data}


@answer
async def complete(session: Session, _: Window, message: Message) -> Message:
    """What may stand where the cursor is."""
    d = session.document
    offset = d.offsets.from_page(message["offset"])
    options = completions(d.text, offset, d.format, session.last_data)
    return {"type": "completions", **options, "from": d.offsets.to_page(options["from"])}


@answer
def at(session: Session, _: Window, message: Message) -> Message:
    """What stands at a place of the text."""
    d, found = session.document, session.checked
    path = path_at(d.text, d.offsets.from_page(message["offset"]), d.format,
                   found.document if found else None)  # fmt: skip
    return {"type": "place", "path": list(path), "name": name_of(path)}


@answer
async def inquire(session: Session, _: Window, message: Message) -> Message:
    """Everything there is to say of an element."""
    return {"type": "inquiry", "data": inquiry(await session.current(), message["name"])}


@answer
def select(session: Session, window: Window, message: Message) -> None:
    """What is selected, in all windows."""
    session.selected(tuple(message["names"]), but=window)


@answer
async def run(session: Session, _: Window, message: Message) -> Message:
    """A run, or another analysis; a model with faults is refused."""
    found = await session.current()
    if not found.is_sound:
        count = len(found.faults)
        raise InputError(f"the model has {count} fault{'s' if count != 1 else ''}",
                         "see the list of faults")  # fmt: skip
    return {"type": "accepted", "job": session.desk.run(session.source(), message)}


@answer
def stop(session: Session, _: Window, message: Message) -> None:
    """End a run; what it has is kept."""
    session.desk.stop(message["job"])


@answer
async def series(session: Session, _: Window, message: Message) -> bytes:
    """Columns of a run."""
    scene, sections = (bool(message.get(key)) for key in ("scene", "sections"))
    return await session.desk.series(message["run"], message["names"], scene, sections)


@answer
async def compare(session: Session, _: Window, message: Message) -> Message:
    """Two runs."""
    return {"type": "comparison", **await session.desk.compare(message["a"], message["b"])}


@answer
def forget(session: Session, _: Window, message: Message) -> None:
    """A run that is no longer wanted."""
    session.desk.forget(message["run"])


@answer
async def load(session: Session, _: Window, message: Message) -> Message:
    """A result from a file, to compare with."""
    number = await session.desk.load(session.below(message["path"], RESULTS))
    session.tell({"type": "runs", "runs": session.desk.runs()})
    return {"type": "loaded", "run": number}


@answer
async def export(session: Session, _: Window, message: Message) -> Message:
    """A file to fetch, and the command line that makes the same."""
    made = await session.desk.export(message["kind"], message["options"], session.source())
    content = await asyncio.to_thread(made.path.read_bytes)
    url = session.gate.offer(made.name, "application/octet-stream", content)
    return {"type": "ready", "url": url, "name": made.name, "command": made.command}
