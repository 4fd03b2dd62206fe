"""What was done, so that it can be undone: one history for all views, without limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from pliant.model.files.editing.splices import Splice, applied, inverse
from pliant.records import dataclass

PAUSE = 0.5
"""Seconds without typing after which the next key begins a new entry."""


@dataclass(slots=True)
class Entry:
    """One gesture: a sentence, and its steps with their inverses."""

    label: str
    group: str
    at: float
    steps: list[tuple[list[Splice], list[Splice]]] = field(default_factory=list)
    selection: tuple[str, ...] = ()
    """What was selected before."""
    selects: tuple[str, ...] | None = None
    """What is selected after it; None: what was."""


@dataclass(slots=True)
class History:
    """Entries that were done, and those that were undone."""

    done: list[Entry] = field(default_factory=list)
    undone: list[Entry] = field(default_factory=list)

    def add(self, text: str, splices: Sequence[Splice], *, label: str, group: str, at: float,
            selection: Sequence[str] = (), selects: tuple[str, ...] | None = None,
            ) -> None:  # fmt: skip
        """A change of ``text``; typing that goes on belongs to the entry before it."""
        step = list(splices), inverse(text, splices)
        last = self.done[-1] if self.done else None
        goes_on = last is not None and group and last.group == group and at - last.at < PAUSE
        if last is None or not goes_on or self.undone:
            last = Entry(label, group, at, selection=tuple(selection), selects=selects)
            self.done.append(last)
        last.steps.append(step)
        last.at = at
        self.undone.clear()

    def undo(self, text: str) -> tuple[str, Entry] | None:
        """The text before the last entry, byte by byte."""
        if not self.done:
            return None
        entry = self.done.pop()
        self.undone.append(entry)
        for _, back in reversed(entry.steps):
            text = applied(text, back)
        return text, entry

    def redo(self, text: str) -> tuple[str, Entry] | None:
        """The text with the entry again that was undone last."""
        if not self.undone:
            return None
        entry = self.undone.pop()
        self.done.append(entry)
        entry.at = 0.0  # typing does not go on in it
        for forth, _ in entry.steps:
            text = applied(text, forth)
        return text, entry


def difference(old: str, new: str) -> list[Splice]:
    """One splice from a text to another: what lies between their common ends."""
    if old == new:
        return []
    most = min(len(old), len(new))
    start = _common(old, new, most)
    end = _common(old[::-1], new[::-1], most - start)
    return [(start, len(old) - end, new[start : len(new) - end])]


def _common(a: str, b: str, most: int) -> int:
    """How many characters two texts have in common at their beginning, found by halving."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def rebased(splices: Sequence[Splice], over: Sequence[Splice]) -> list[Splice] | None:
    """Changes of an older text as changes of the one after ``over``; None where they overlap."""
    found = []
    for start, end, text in splices:
        shift = 0
        for a, b, new in sorted(over):
            if b < start or (b == start and a < b):
                shift += len(new) - (b - a)
            elif b == start and a == b:  # inserted exactly here: it comes first
                shift += len(new)
            elif a >= end and not (a == b == start):
                break
            else:
                return None
        found.append((start + shift, end + shift, text))
    return found
