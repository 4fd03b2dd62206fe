"""Elements removed, with what cannot be without them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.errors import InputError
from pliant.model.files.document import Path
from pliant.model.files.editing.mentions import Mention, mentions
from pliant.model.files.editing.references import meant
from pliant.model.files.names import KEYS, name_of
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.elements.naming import listed, require_element
from pliant.studio.operations.parameters import forget
from pliant.studio.operations.registry import operation

_GRAPHS = ("networks", "subgraphs")
_LISTS = ("observe", "independent", "tree")
"""Settings that are lists of names."""
_BONDS = ("on", "from", "to", "ports", "stroke")
"""Keys of elements of networks that are bonds: they go, the element stays."""


@operation("element.remove")
def remove(draft: Draft, names: list[str], with_needed: bool = False) -> None:
    """Remove elements, and with them what cannot be without them: joints of a body, forces on a
    joint, what reads them."""
    chosen = list(dict.fromkeys(require_element(draft, name) for name in names))
    if not chosen:
        raise InputError("nothing is chosen to be removed", "choose elements")
    numbers = [path for path in chosen if path[-2] == "parameters"]
    going = Going(draft, [path for path in chosen if path not in numbers])
    used = {p: [m for m in going.mentions if meant(m, p) and m.path[0] != "view"] for p in numbers}
    if not with_needed and (going.more or any(used.values())):
        raise _question(going, used)
    for path in numbers:
        forget(draft, path)
    drop(draft, [*going.paths, *going.loose])
    told = listed(_names(chosen), 4)
    more = f" and {listed(_names(going.more), 4)}" if going.more else ""
    draft.label = f"remove {told}{more}"
    draft.selection = ()


class Going:
    """What is removed with elements: ``more`` elements, and ``loose`` ends, entries that speak of
    them and mean nothing without."""

    def __init__(self, draft: Draft, chosen: Iterable[Path]) -> None:
        self.draft, self.chosen = draft, [*chosen]
        self.mentions = [*mentions(draft.data, draft.model)]
        self.paths = dict.fromkeys(self.chosen)
        self.loose: dict[Path, None] = {}
        waiting = [*self.chosen]
        while waiting:
            gone = waiting.pop(0)
            for mention in self.mentions:
                if meant(mention, gone) and not self._is_gone(mention.path):
                    waiting += self._follows(mention, gone)

    @property
    def more(self) -> list[Path]:
        """Elements that were not chosen, and settings that change; not how it is drawn."""
        inner = [p for p in self.paths if p not in self.chosen]
        inner += dict.fromkeys(p[:2] for p in self.loose if p[0] == "simulate")
        return sorted(inner, key=lambda p: KEYS.index(p[0]))

    def _is_gone(self, path: Path) -> bool:
        return any(path[:size] in self.paths for size in range(1, len(path) + 1))

    def _follows(self, mention: Mention, gone: Path) -> list[Path]:
        """The element that goes because it speaks of what is gone, or else an end is loose."""
        path = mention.path
        if path[0] == "view" or (path[0] == "simulate" and path[1] in _LISTS):
            self.loose[path] = None
            return []
        owner = self._owner(path, gone)
        if owner is None:
            self.loose[_bond(path)] = None
            return []
        self.paths[owner] = None
        return [owner]

    def _owner(self, path: Path, gone: Path) -> Path | None:
        """The element that cannot be without what is gone; None if only a bond of it goes."""
        if path[0] == "bodies" and "frames" in path:
            return path[: path.index("frames") + 2]
        if path[0] == "ground" and len(path) > 2:
            return path[:3]
        if gone[0] == "materials":
            raise InputError(f"material '{gone[1]}' is the one of {name_of(path)}",
                             "give it another material first")  # fmt: skip
        if path[0] in _GRAPHS and len(path) > 3:
            inside = path[2] == "elements" and path[4:5] and path[4] in _BONDS
            return None if inside or path[2] == "ports" else path[:4]
        if len(path) < 2 or path[0] in ("simulate", "gravity"):
            raise InputError(f"'{'.'.join(path)}' reads {name_of(gone)}", "change it first")
        return path[:2]


def _bond(path: Path) -> Path:
    """The end of a bond in an element: `on`, one of `from`, a port; the port of a sub-graph."""
    if path[2] == "ports":
        return path[:4]
    return path if path[4] == "ports" or path[-1].isdigit() else path[:5]


def _question(going: Going, used: dict[Path, list[Mention]]) -> Question:
    told, names = [], _names(going.more)
    if names:
        told.append(f"{listed(names)} cannot be without {listed(_names(going.chosen))}")
    for path, found in used.items():
        if found:
            readers = [*dict.fromkeys(name_of(m.path) for m in found)]
            told.append(f"{path[-1]} is used by {listed(readers)} and leaves its value there")
            names += readers
    choice = "Remove them too" if going.more else "Put its value where it is used"
    return Question("; ".join(told), [(choice, {"with_needed": True})],
                    tuple(dict.fromkeys(names)))  # fmt: skip


def _names(paths: Iterable[Path]) -> list[str]:
    return [".".join(path) if path[0] == "simulate" else name_of(path) for path in paths]


def drop(draft: Draft, paths: Iterable[Path]) -> None:
    """Without the entries at paths, nor what held nothing else."""
    outer = {*paths}
    kept = [p for p in outer if not any(p[:size] in outer for size in range(1, len(p)))]
    there = [path for path in sorted(kept, key=_backwards, reverse=True) if draft.has(*path)]
    draft.remove_all({path: _prune(path) for path in there})


def _backwards(path: Path) -> Any:
    """Items of a list go from its end, so that the places of the others stay."""
    return tuple((int(key), "") if key.isdigit() else (-1, key) for key in path)


def _prune(path: Path) -> int:
    """How many keys of a path stay although they hold nothing any more."""
    if path[0] in _GRAPHS and len(path) > 2:
        return 4 if len(path) > 4 else 3 if path[2:3] == ("elements",) else 2
    return 2 if path[0] == "bodies" and len(path) > 2 else 0
