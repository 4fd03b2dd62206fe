"""Names: free ones for what is new, frames that must be there, and how a change is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import count
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.files.document import Path
from pliant.model.files.editing.inline import Writer
from pliant.model.files.editing.references import require_free
from pliant.model.files.names import OWNERS, name_of
from pliant.model.frozen import did_you_mean
from pliant.studio.operations.draft import Draft

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_NUMBERED = re.compile(r"(.*?)_?(\d+)")
_LONGEST = 60


def free_name(draft: Draft, target: Path, wanted: str, but: Collection[str] = ()) -> str:
    """The name that is wanted or one like it with a number, which nothing else has; ``target``: a
    path in the mapping that it is for."""
    for name in _like(wanted):
        if name not in but and _is_free(draft.data, (*target[:-1], ""), name):
            return name
    raise InputError(f"'{wanted}' is not a legal name", "give a name")


def _like(wanted: str) -> Iterator[str]:
    yield wanted
    found = _NUMBERED.fullmatch(wanted)
    stem, first = (found[1], int(found[2]) + 1) if found and found[1] else (wanted, 2)
    for number in count(first):
        if number > first + 10_000:
            return
        yield f"{stem}_{number}"


def _is_free(data: Any, target: Path, name: str) -> bool:
    try:
        require_free(data, target, name)
    except InputError:
        return False
    return True


def free_letter(draft: Draft, target: Path, wanted: str = "") -> str:
    """A letter, as engineers name joints and frames: the one that is wanted, or the first that
    nothing else has."""
    letters: list[str] = [*([wanted] if wanted else []), *LETTERS]
    for letter in letters:
        if _is_free(draft.data, (*target[:-1], ""), letter):
            return letter
    return free_name(draft, target, "A_2")


def given_name(draft: Draft, target: Path, name: str) -> str:
    """A name that was given, if it may be one and nothing else has it; raises InputError."""
    require_free(draft.data, (*target[:-1], ""), name)
    return name


def frames_of(draft: Draft, body: str) -> list[str]:
    """Names of the frames of a body or of the ground, also of those that it has of itself."""
    owner = ("ground",) if body == "ground" else ("bodies", body)
    found = [*draft.entries(*owner, "frames")]
    if body in draft.model.bodies:
        found += [name for name in draft.model.bodies[body].frames if name not in found]
    return found


def all_frames(draft: Draft) -> Iterator[str]:
    """Everything that something can be attached to."""
    for body in ("ground", *draft.entries("bodies")):
        yield body
        yield from (f"{body}.{frame}" for frame in frames_of(draft, body))


def require_frame(draft: Draft, name: str) -> str:
    """The name of a frame, if there is one; raises UnknownName."""
    known = [*all_frames(draft)]
    if name not in known:
        raise UnknownName(f"there is no frame '{name[:_LONGEST]}'", did_you_mean(name, known))
    return name


def require_joint(draft: Draft, name: str) -> str:
    """The name of a joint, if there is one; raises UnknownName."""
    known = [*draft.entries("joints")]
    if name not in known:
        raise UnknownName(f"there is no joint '{name[:_LONGEST]}'", did_you_mean(name, known))
    return name


def require_element(draft: Draft, name: str) -> Path:
    """Where an element stands, by its name; raises UnknownName."""
    try:
        return draft.path_of(name)
    except UnknownName:
        known = [own for section in OWNERS for own in draft.entries(section)]
        raise UnknownName(f"nothing in the file is named '{name[:_LONGEST]}'",
                          did_you_mean(name, known)) from None  # fmt: skip


def spoken(path: Path) -> str:
    """A field as it is told: `crank.mass`, `simulate.t_end`."""
    owner = name_of(path)
    own = path[-1] if owner and owner.rpartition(".")[2] != path[-1] else ""
    return f"{owner}.{own}" if own else owner or ".".join(path)


def short(value: Any) -> str:
    """A value as it is told."""
    try:
        text = Writer().flow(value)
    except InputError:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def listed(names: Collection[str], most: int = 12) -> str:
    """Names as a list in words."""
    found = [*names]
    if len(found) > most:
        return f"{', '.join(found[:most])} and {len(found) - most} more"
    return " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)


def tidy(value: float) -> float | int:
    """A number from a gesture, to a millionth."""
    rounded = round(float(value), 6) + 0.0
    return int(rounded) if rounded.is_integer() else rounded
