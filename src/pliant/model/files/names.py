"""One scheme of names for everything in a model, and where in the file each stands.

`crank` (a body), `crank.A` (its frame), `O` (a joint), `drive` (a network), `drive.mesh` (its
element), `drive.ab` (its bond), `parameters.h`, `materials.steel`, `outputs.x`, `simulate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pliant.model.model import SECTIONS, Model

Path = tuple[str, ...]

KEYS = (
    "pliant", "name", "description", "gravity", "parameters", "formulas", "materials", "ground",
    "bodies", "joints", "forces", "drivers", "constraints", "sensors", "speeds", "signals",
    "networks", "subgraphs", "outputs", "events", "stop", "simulate", "view",
)  # fmt: skip
"""Sections of a file, in the order in which the reference lists them."""
OWNERS = ("bodies", "joints", "forces", "drivers", "constraints", "sensors", "networks")
"""Sections whose elements are known by their names alone."""
PREFIXED = (
    "parameters",
    "formulas",
    "materials",
    "signals",
    "speeds",
    "outputs",
    "events",
    "subgraphs",
)
"""Sections that are part of the names of what they hold."""
_WHOLE = ("ground", "gravity", "simulate", "view", "name", "description")
_NOUNS = "|".join([*SECTIONS.values(), "frame", "element", "bond"])
_QUOTED = re.compile(r"'([A-Za-z][\w.-]*)'")
_SPOKEN = re.compile(
    rf"(?:\b(?:{_NOUNS}|joint or driver) |\b(?=[A-Za-z]\w*\.))([A-Za-z][\w.]*\w|\w)"
)


def path_of(model: Model, name: str) -> Path:
    """Where something stands in a model file, by its name; empty if there is no such thing.

    What is inside of a part, or follows from an element, stands where the part or element does.
    """
    first, _, rest = name.partition(".")
    if first in PREFIXED and rest:
        own, _, inner = rest.partition(".")
        if own not in getattr(model, first):
            return ()
        return _inside(model, first, own, inner)
    for section in OWNERS:
        if first in getattr(model, section):
            return _inside(model, section, first, rest)
    if first == "ground" and rest in model.ground.frames:
        return "ground", "frames", rest
    return (first,) if first in _WHOLE else ()


def _inside(model: Model, section: str, name: str, rest: str) -> Path:
    """The part of an element that the rest of a name speaks of; the element otherwise."""
    own, first = (section, name), rest.partition(".")[0]
    element = getattr(model, section)[name]
    if section == "bodies" and first in element.frames:
        return (*own, "frames", first)
    if section in ("networks", "subgraphs"):
        for key in ("elements", "bonds", "parameters"):
            if first in getattr(element, key):
                return (*own, key, first)
    return own


def name_of(path: Path) -> str:
    """The name of what stands at a path of a file, or encloses it; empty for nothing with a name.

    `("bodies", "crank", "frames", "A", "at")` is `crank.A`.
    """
    if not path or path[0] in _WHOLE:
        if path[:2] == ("ground", "frames") and len(path) > 2:
            return f"ground.{path[2]}"
        return path[0] if path else ""
    section, *rest = ("events" if path[0] == "stop" else path[0]), *path[1:]
    if not rest:
        return section
    own = rest[0] if section in OWNERS else f"{section}.{rest[0]}"
    inner: Path = ("frames",) if section == "bodies" else ()
    if section in ("networks", "subgraphs"):
        inner = ("elements", "bonds", "parameters", "ports")
    return f"{own}.{rest[2]}" if len(rest) > 2 and rest[1] in inner else own


def named_in(model: Model, text: str) -> tuple[str, ...]:
    """The elements a message speaks of, in its order: names in quotes, behind a noun ("joint O"),
    or with a dot (`drive.mesh`)."""
    found: dict[str, None] = {}
    for name in _spoken(text):
        path = path_of(model, name)
        if path[:1] and path[0] not in _WHOLE:
            found[name_of(path)] = None
    return tuple(found)


def _spoken(text: str) -> Iterator[str]:
    places = [(m.start(1), m[1]) for m in _QUOTED.finditer(text)]
    places += [(m.start(1), m[1]) for m in _SPOKEN.finditer(text)]
    return (name for _, name in sorted(places))
