"""A sub-graph of the model as a file of its own, which other models can use."""

from __future__ import annotations

import os
from copy import deepcopy
from pathlib import Path
from typing import Any

from pliant.errors import InputError
from pliant.model.files.text import dump_json
from pliant.records import dataclass
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.networks.drawn import SUBGRAPHS, Drawn
from pliant.studio.operations.networks.parts import words


@dataclass(frozen=True, slots=True)
class Component:
    """The text of a file, and names that its formulas read of the model it comes from."""

    text: str
    reads: tuple[str, ...]


def component(draft: Draft, subgraph: str, path: Path) -> Component:
    """A sub-graph as a file; raises InputError if it does not stand by itself."""
    drawn = Drawn(draft, SUBGRAPHS + subgraph.removeprefix(SUBGRAPHS))
    data = deepcopy(drawn.data)
    for name, entry in drawn.elements.items():
        part = entry.get("part") if isinstance(entry, dict) else None
        if isinstance(part, str) and part in drawn.model.subgraphs:
            raise InputError(f"{drawn.key} has a part {name}, a copy of {part} of this model",
                             f"save {part} first and use that file, or ungroup it")  # fmt: skip
        if isinstance(part, dict) and draft.base is not None:
            file = os.path.relpath(draft.base / str(part.get("file")), path.parent)
            data["elements"][name]["part"]["file"] = Path(file).as_posix()
    places = draft.at("view", "places", drawn.key)
    view = {"view": {"places": {path.stem: places}}} if isinstance(places, dict) else {}
    return Component(_text(data, view, path), _reads(drawn))


def _text(data: dict[str, Any], view: dict[str, Any], path: Path) -> str:
    if path.suffix.lower() == ".json":
        return dump_json({"pliant": 1, "subgraph": data, **view})
    draft = Draft("pliant: 1\n", "yaml")
    draft.insert((), "subgraph", data)
    draft.open(("subgraph", "elements"))
    if view:
        draft.insert((), "view", view["view"])
    return draft.text


def _reads(drawn: Drawn) -> tuple[str, ...]:
    """Parameters and signals of the model that its formulas read."""
    own = drawn.data.get("parameters")
    known = {*own} if isinstance(own, dict) else set[str]()
    outside = {*drawn.model.parameters, *drawn.model.signals, *drawn.model.joints,
               *drawn.model.networks}  # fmt: skip
    found = dict[str, None]()
    for entry in drawn.elements.values():
        for word in words.words_in(entry) if isinstance(entry, dict) else ():
            first = word.partition(".")[0]
            if first in outside and first not in known and first not in drawn.elements:
                found[word] = None
    return tuple(found)
