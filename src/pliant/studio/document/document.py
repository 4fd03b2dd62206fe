"""The open text with its revisions: every change is based on one, can be undone, and is in the
journal before it is confirmed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from pliant.errors import FileError, InputError
from pliant.model.files.editing import splices as edits
from pliant.model.files.editing.splices import Splice, applied
from pliant.model.files.text import MAX_BYTES, format_of
from pliant.records import dataclass
from pliant.studio.document import disk
from pliant.studio.document.history import History, difference, rebased
from pliant.studio.document.journal import Journal
from pliant.studio.document.offsets import Offsets

_REMEMBERED = 1000
"""Revisions that a late change can be rebased over."""


@dataclass(frozen=True, slots=True)
class Change:
    """From the revision before to ``revision``; ``before`` counts places in the text before it."""

    revision: int
    splices: list[Splice]
    label: str
    before: Offsets
    selection: tuple[str, ...] | None = None


class OpenDocument:
    """One text, and the file it comes from if there is one."""

    def __init__(self, text: str, path: Path | None = None, *, format: str = "yaml",
                 stored: disk.Stored | None = None, journal: Journal | None = None,
                 read_only: bool = False) -> None:  # fmt: skip
        self.text, self.path, self.format = text, path, format
        self.stored, self.journal, self.read_only = stored, journal, read_only
        self.revision = 1
        self.history = History()
        self.offsets = Offsets(text)
        self._recent: deque[tuple[int, list[Splice]]] = deque(maxlen=_REMEMBERED)
        """Changes by the revision they led to, as the page counts."""
        self._stamp = disk.stamp(path) if path else None

    @classmethod
    def opened(cls, path: Path, *, read_only: bool = False) -> OpenDocument:
        """The document of a file; one that is not there yet is empty until it is saved."""
        format = format_of(path)
        stored = disk.stored(path) if path.exists() else None
        journal = None if read_only else Journal(path.absolute())
        if journal and journal.left and stored and journal.left.text == stored.text:
            journal.discard()  # everything was undone, or is in the file
        return cls(stored.text if stored else "", path, format=format, stored=stored,
                   journal=journal, read_only=read_only)  # fmt: skip

    @property
    def is_saved(self) -> bool:
        """Whether the file has this text."""
        return self.stored is not None and self.stored.text == self.text

    def edit(self, splices: Sequence[Splice], *, label: str = "typing", group: str = "",
             selection: Sequence[str] = (), selects: tuple[str, ...] | None = None,
             ) -> Change:  # fmt: skip
        """A change of the text as it is now; ``selection`` is what was selected before it,
        ``selects`` what is selected then."""
        self._refuse_read_only()
        own = sorted(splices)
        last = 0
        for start, end, _ in own:
            if not last <= start <= end <= len(self.text):
                raise InputError("a change lies outside the text", "look again")
            last = end
        text = applied(self.text, own)
        if len(text) > MAX_BYTES:
            raise InputError(f"the text would be larger than {MAX_BYTES // 10**6} MB",
                             "use a CSV file for data")  # fmt: skip
        at = time.monotonic()
        self.history.add(self.text, own, label=label, group=group, at=at, selection=selection,
                         selects=selects)  # fmt: skip
        return self._changed(text, own, label, selects)

    def page_edit(self, splices: Sequence[Splice], revision: int, group: str) -> Change:
        """A change that the page made to a revision, in its way of counting; refused if somebody
        else has changed the same place since."""
        own = sorted(splices)
        if revision != self.revision:
            later = [made for r, made in self._recent if r > revision]
            if len(later) != self.revision - revision:
                raise InputError("the text has changed meanwhile", "look again")
            for made in later:
                moved = rebased(own, made)
                if moved is None:
                    raise InputError("the text has changed there meanwhile", "look again")
                own = moved
        return self.edit(self.offsets.splices_from_page(own), group=group)

    def set(self, path: Sequence[str], value: object, *, revision: int, label: str) -> Change:
        """Write a value at a path of the data; its line stays as it is otherwise."""
        self.require(revision)
        own = edits.set_value(self.text, self.format, tuple(path), value)
        return self.edit(own, label=label or f"set {'.'.join(path)}")

    def require(self, revision: int) -> None:
        """Refuse what was planned on an older text."""
        self._refuse_read_only()
        if revision != self.revision:
            raise InputError("the text has changed meanwhile", "look again")

    def replace(self, text: str, label: str) -> Change | None:
        """Another text as one entry; None if it is the same."""
        own = difference(self.text, text)
        return self.edit(own, label=label) if own else None

    def undo(self) -> Change | None:
        """Take the last entry back."""
        self._refuse_read_only()
        found = self.history.undo(self.text)
        if found is None:
            return None
        text, entry = found
        return self._changed(text, difference(self.text, text), f"undo {entry.label}",
                             entry.selection or None)  # fmt: skip

    def redo(self) -> Change | None:
        """Do again what was undone last."""
        self._refuse_read_only()
        found = self.history.redo(self.text)
        if found is None:
            return None
        text, entry = found
        return self._changed(text, difference(self.text, text), f"redo {entry.label}",
                             entry.selects)  # fmt: skip

    def save(self, *, force: bool = False, to: Path | None = None) -> None:
        """Into the file, if it is still the one that was read (otherwise ``disk.ChangedError``), or
        by ``force``; ``to``: into another one, which becomes the file of the document."""
        self._refuse_read_only()
        path = to or self.path
        if path is None:
            raise FileError("the model has no file yet", "save it under a name")
        marked = self.stored.marked if self.stored else False
        expect = self.stored.digest if self.stored and to is None else None
        if force:
            there = disk.stored(path) if path.exists() else None
            expect = there.digest if there else None
        self.stored = disk.write(path, self.text, marked=marked, expect=expect)
        if to is not None and to != self.path:
            self.close()
            self.path, self.format, self.journal = to, format_of(to), Journal(to.absolute())
        self._stamp = disk.stamp(path)
        if self.journal:
            self.journal.saved()

    def from_disk(self) -> disk.Stored | str | None:
        """What another program has written since, "gone" if the file went, None if nothing did."""
        if self.path is None:
            return None
        now = disk.stamp(self.path)
        if now == self._stamp:
            return None
        self._stamp = now
        if now is None:
            return "gone"
        found = disk.stored(self.path)
        if self.stored is not None and found.digest == self.stored.digest:
            return None
        return found

    def take(self, found: disk.Stored, label: str = "changed on disk") -> Change | None:
        """The text of the file in place of this one, as an entry that can be undone."""
        self.stored = found
        own = difference(self.text, found.text)
        if not own:
            return None
        self.history.add(self.text, own, label=label, group="", at=time.monotonic())
        change = self._changed(found.text, own, label)
        if self.journal:
            self.journal.saved()
        return change

    def close(self) -> None:
        """The document is left; what is not saved stays in the journal."""
        if self.journal:
            self.journal.close()
            self.journal = None

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise InputError("this studio only looks: nothing is changed",
                             "start it without --read-only")  # fmt: skip

    def _changed(self, text: str, splices: list[Splice], label: str,
                 selection: tuple[str, ...] | None = None) -> Change:  # fmt: skip
        before = self.offsets
        if self.journal:
            self.journal.add(self.text, splices, self.revision + 1)
        self.text, self.offsets = text, Offsets(text)
        self.revision += 1
        self._recent.append((self.revision, before.splices_to_page(splices)))
        return Change(self.revision, splices, label, before, selection)
