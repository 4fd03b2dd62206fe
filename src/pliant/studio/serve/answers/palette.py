"""The message that asks what can be added."""

from __future__ import annotations

from pliant.studio.operations.elements.kinds import kinds_in, sections
from pliant.studio.operations.elements.usual import PRESETS
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window

_GROUPS = {"stop": "events", "speeds": "outputs", "parameters": "numbers", "signals": "numbers"}
"""Headings of a menu that hold more than one section."""


@answer
def palette(_: Session, __: Window, ___: Message) -> Message:
    """Every kind of element but those of networks, and presets, as the registries have them now."""
    return {"type": "palette", "items": items()}


def items() -> list[Message]:
    """For a menu: section, kind (as ``element.add`` takes it), title, sentence, what it stands on,
    the group it is in, and whether a file must be named."""
    found = []
    for section in sections():
        for preset in (p for p in PRESETS if PRESETS[p].section == section):
            own = PRESETS[preset]
            ends = kinds_in(section)[own.kind].ends
            found.append(_item(section, preset, own.title, own.sentence, ends))
        for key, kind in kinds_in(section).items():
            if kind.keyed and getattr(kind.cls, "kind", key) != key:
                continue  # another name of a kind
            item = _item(section, key, kind.title, kind.sentence, kind.ends)
            found.append({**item, "file": "file" in kind.needed})
    return found


def _item(section: str, kind: str, title: str, sentence: str, ends: str) -> Message:
    return {"section": section, "kind": kind, "title": title, "sentence": sentence, "ends": ends,
            "group": _GROUPS.get(section, section), "file": False}  # fmt: skip
