"""The model as a tree of what its file holds, also of a file with faults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.files.names import OWNERS, name_of
from pliant.model.model import SECTIONS as ELEMENTS
from pliant.model.numbers.units import dimension_of
from pliant.studio.views.text.checked import Checked
from pliant.studio.views.text.names import SECTIONS, Path, children

_NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z%°µ][\w%°µ/*^.()-]*)?")
_BESIDE = ("frames", "shape", "initial", "guess", "between", "at", "on", "cut", "description")
_NOUN_KINDS = {"parameters": "parameter", "formulas": "formula", "outputs": "output",
               "speeds": "speed", "materials": "material", "signals": "signal",
               "events": "event", "stop": "stop", "subgraphs": "sub-graph"}  # fmt: skip


def outline_data(found: Checked) -> dict[str, Any]:
    """Sections with their elements, and the names of all elements with what they are."""
    data = found.data if isinstance(found.data, Mapping) else {}
    sections = []
    for section in SECTIONS:
        entries = data.get(section)
        if isinstance(entries, Mapping) and entries:
            items = [_item(found, section, str(name), entry)
                     for name, entry in entries.items()]  # fmt: skip
            sections.append({"section": section, "items": items})
    _add_ground(found, data.get("ground"), sections)
    _mark(found, [item for section in sections for item in section["items"]])
    kinds = {str(name): ELEMENTS[section] for section in OWNERS
             if isinstance(data.get(section), Mapping) for name in data[section]}  # fmt: skip
    return {
        "revision": found.revision, "title": _text(data.get("name")) or "model",
        "sections": sections, "kinds": kinds, "view": view_data(data.get("view")),
        "run": _run(data.get("simulate")),
    }  # fmt: skip


def number_data(value: Any, key: str) -> dict[str, Any] | None:
    """What a slider needs of a number as it is written: "10 mm"; None of a formula."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    match = _NUMBER.fullmatch(str(value).strip())
    if match is None:
        return None
    unit = match[2] or ""
    try:
        dimension_of(unit or "1")
    except InputError:
        return None
    return {"key": key, "text": str(value), "value": float(match[1]), "unit": unit}


def view_data(view: Any) -> dict[str, Any]:
    """Section ``view`` as far as it makes sense."""
    view = view if isinstance(view, Mapping) else {}
    controls = view.get("controls") if isinstance(view.get("controls"), Mapping) else {}
    ranges = {str(key): _range(pair) for key, pair in (controls or {}).items()}
    plots, folded = view.get("plots"), view.get("folded")
    return {
        "controls": {key: pair for key, pair in ranges.items() if pair},
        "plots": [list(map(str, own)) for own in plots or [] if isinstance(own, list)]
        if isinstance(plots, list) else [],
        "folded": list(map(str, folded)) if isinstance(folded, list) else [],
    }  # fmt: skip


def _range(pair: Any) -> list[float] | None:
    """Both ends of a slider, in the unit they are written in."""
    if not isinstance(pair, list) or len(pair) != 2:
        return None
    ends = [number_data(end, "") for end in pair]
    return [end["value"] for end in ends if end] if all(ends) else None


def _mark(found: Checked, items: list[Any]) -> None:
    """Count each fault at the innermost item that it stands in."""
    rows = {tuple(row["path"]): row for item in items for row in (item, *item["children"])}
    for fault in found.faults:
        ways = (fault.path[:k] for k in range(len(fault.path), 0, -1))
        row = next((rows[way] for way in ways if way in rows), None)
        if row is not None:
            row["faults"] += 1


def _add_ground(found: Checked, entry: Any, sections: list[Any]) -> None:
    """The ground before the bodies, by itself if there are none; only if the file speaks of it."""
    if not isinstance(entry, Mapping):
        return
    frames = entry.get("frames")
    named = frames.items() if isinstance(frames, Mapping) else ()
    below = [_row(found, ("ground", "frames", str(n)), "frame", value, [])
             for n, value in named]  # fmt: skip
    ground = _row(found, ("ground",), "the world", entry, below)
    for section in sections:
        if section["section"] == "bodies":
            section["items"].insert(0, ground)
            return
    sections.insert(0, {"section": "ground", "items": [ground]})


def _item(found: Checked, section: str, name: str, entry: Any) -> Any:
    below = [_row(found, inner, _kind(inner[2], value), value, [])
             for _, inner, value in children(section, name, entry)]  # fmt: skip
    item = _row(found, (section, name), _kind(section, entry), entry, below)
    number = number_data(entry, name) if section == "parameters" else None
    return item | ({"number": number} if number else {})


def _row(found: Checked, path: Path, kind: str, entry: Any, below: list[Any]) -> dict[str, Any]:
    return {
        "name": name_of(path), "label": path[-1], "kind": kind, "text": _short(entry),
        "path": list(path), "span": found.span(path), "faults": 0, "children": below,
    }  # fmt: skip


def _kind(section: str, entry: Any) -> str:
    """The key that says what an element is."""
    if section in _NOUN_KINDS:
        return _NOUN_KINDS[section]
    if section == "networks":
        return _text(entry.get("domain")) or "network" if isinstance(entry, Mapping) else "network"
    if section in ("frames", "bonds", "ports"):
        return section[:-1]
    if not isinstance(entry, Mapping):
        return ""
    if section == "drivers":
        return "driver"
    found = [str(key) for key in entry if key not in _BESIDE]
    if found == ["junction"] or "junction" in found:
        return f"{entry['junction']}-junction"
    return found[0].replace("_", " ") if found else ""


def _short(entry: Any) -> str:
    """A value, or what an element joins."""
    if not isinstance(entry, Mapping):
        return _value(entry)
    for key in ("between", "at", "joint", "frame", "on", "when"):
        if key in entry:
            value = entry[key]
            return " – ".join(map(str, value)) if isinstance(value, list) else str(value)
    if "from" in entry or "to" in entry:
        return f"{_value(entry.get('from', ''))} → {_value(entry.get('to', ''))}"
    return ""


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{…}"
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _run(settings: Any) -> dict[str, Any]:
    settings = settings if isinstance(settings, Mapping) else {}
    end = settings.get("t_end")
    return {"analysis": _text(settings.get("analysis")) or "transient",
            "t_end": None if end is None else str(end)}  # fmt: skip
