"""The message that asks what can be added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.model.formulas import formula
from pliant.studio.operations.elements.kinds import ElementKind, kinds_in, sections
from pliant.studio.operations.elements.sizes import length_of
from pliant.studio.operations.elements.usual import PRESETS, first_fields
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import Session
from pliant.studio.serve.windows import Window

_GROUPS = {
    "stop": "events",
    "speeds": "outputs",
    "parameters": "numbers",
    "formulas": "numbers",
    "signals": "numbers",
}
"""Headings of a menu that hold more than one section."""
_ROTATIONS = 3


@answer
def palette(_: Session, __: Window, ___: Message) -> Message:
    """Every kind of element but those of networks, and presets, as the registries have them now."""
    return {"type": "palette", "items": items()}


def items() -> list[Message]:
    """For a menu: section, kind (as ``element.add`` takes it), title, sentence, what it stands on,
    the group it is in, whether a file must be named, what the one axis of a joint is for, and how
    long a new body is, in metres."""
    found = []
    for section in sections():
        for preset in (p for p in PRESETS if PRESETS[p].section == section):
            own = PRESETS[preset]
            ends = kinds_in(section)[own.kind].ends
            item = _item(section, preset, own.title, own.sentence, ends)
            found.append({**item, "length": _length(kinds_in(section)[own.kind], own.fields)})
        for key, kind in kinds_in(section).items():
            if kind.keyed and getattr(kind.cls, "kind", key) != key:
                continue  # another name of a kind
            item = _item(section, key, kind.title, kind.sentence, kind.ends)
            found.append({**item, "file": "file" in kind.needed, "axis": _axis(kind),
                          "length": _length(kind, {})})  # fmt: skip
    return found


def _item(section: str, kind: str, title: str, sentence: str, ends: str) -> Message:
    return {"section": section, "kind": kind, "title": title, "sentence": sentence, "ends": ends,
            "group": _GROUPS.get(section, section), "file": False, "axis": "",
            "length": 0.0}  # fmt: skip


def _axis(kind: ElementKind) -> str:
    """What the only axis of a joint is for: "turn", or "slide" if it holds every rotation."""
    if [key for key in kind.inside if key.startswith("axis")] != ["axis"]:
        return ""
    held = getattr(kind.cls, "row_units", ())
    return "slide" if held.count("rad") == _ROTATIONS else "turn" if held else ""


def _length(kind: ElementKind, given: Mapping[str, Any]) -> float:
    """Of a new body of this kind along its x axis; 0 if it has none."""
    if kind.section != "bodies":
        return 0.0
    fields = first_fields(kind, given)
    length = length_of(fields) if fields.get("axis", "x") == "x" else None
    return 0.0 if length is None else formula(length).number({})
