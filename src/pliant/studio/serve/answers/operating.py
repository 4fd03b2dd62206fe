"""Messages that change the model by operations: done, or only tried."""

from __future__ import annotations

import asyncio

from pliant.model.files.reading import Reading
from pliant.studio.document.offsets import Offsets
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.registry import planned
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window
from pliant.studio.views.text.checked import checked, fault_data


@answer
def do(session: Session, window: Window, message: Message) -> Message:
    """An operation, which is one entry of the history."""
    d = session.document
    d.require(message["revision"])
    draft = planned(draft_of(session), message["operation"], message["arguments"])
    splices = draft.splices()
    if not splices:
        if draft.selection is not None:
            session.selected(draft.selection)
        return {"type": "accepted", "revision": d.revision, "selection": draft.selection}
    change = d.edit(splices, label=draft.label, selection=session.selection,
                    selects=draft.selection)  # fmt: skip
    return {**session.told(change), "label": draft.label, "selection": draft.selection}


@answer
async def try_(session: Session, _: Window, message: Message) -> Message:
    """What an operation would do: the lines it writes and the faults it brings; nothing changes."""
    before = await session.current()
    draft = planned(draft_of(session), message["operation"], message["arguments"])
    source = session.source()
    after = await asyncio.to_thread(
        checked, Offsets(draft.text), source.format, source.base, source.revision
    )
    known = {(fault.path, fault.what) for fault in before.faults}
    new = [fault for fault in after.faults if (fault.path, fault.what) not in known]
    return {"type": "tried", "label": draft.label, "lines": _new_lines(draft),
            "faults": [fault_data(after, fault) for fault in new]}  # fmt: skip


def draft_of(session: Session) -> Draft:
    """The text as it is, with what is known of it already."""
    found, source = session.checked, session.source()
    known = None
    if found is not None and found.model is not None and found.revision == source.revision:
        known = Reading(found.model, found.faults)
    return Draft(source.text, source.format, source.base, reading=known)


def _new_lines(draft: Draft) -> list[str]:
    """The lines in which something is new."""
    found, shift = dict[int, str](), 0
    for start, end, new in draft.splices():
        begin = start + shift + len(new) - len(new.lstrip("\n"))
        first = draft.text.rfind("\n", 0, begin) + 1
        last = draft.text.find("\n", start + shift + len(new.rstrip("\n")))
        shift += len(new) - (end - start)
        if new.strip():
            lines = draft.text[first : last if last >= 0 else None].split("\n")
            found |= {first + k: line for k, line in enumerate(lines) if line.strip()}
    return [*found.values()]
