"""One studio: the open document, its windows, the workers, and what goes on by itself."""

from __future__ import annotations

import asyncio
import contextlib
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.files.templates import TEMPLATES
from pliant.studio.document import disk
from pliant.studio.document.document import Change, OpenDocument
from pliant.studio.serve.gate import Gate
from pliant.studio.serve.protocol import VERSION
from pliant.studio.serve.windows import Window
from pliant.studio.views.text.checked import Checked, checked, faults_data
from pliant.studio.views.text.outline import outline_data
from pliant.studio.work.desk import Desk
from pliant.studio.work.source import Source

WATCH = 0.4
"""Seconds between looks at the file."""
MODELS = (".yaml", ".yml", ".json")
RESULTS = (".nc", ".csv")
MOST_FILES, DEPTH = 500, 3
"""Files that are listed, and folders within folders they are looked for in."""
Message = dict[str, Any]


class Session:
    """``root``: the folder below which files may be opened and saved."""

    def __init__(self, document: OpenDocument, root: Path, gate: Gate, folder: Path) -> None:
        self.document, self.root, self.gate = document, root.resolve(), gate
        self.windows: list[Window] = []
        self.desk = Desk(folder, self._from_work)
        self.checked: Checked | None = None
        self.last_data: Any = None
        """What the text said when it could last be read."""
        self.selection: tuple[str, ...] = ()
        self.theirs: disk.Stored | None = None
        """What another program has written while there are changes here."""
        self.left_at = time.monotonic()
        """When the last window went."""
        self._dirty, self._settled = asyncio.Event(), asyncio.Event()
        self._dirty.set()

    def enter(self, window: Window) -> None:
        """A window has greeted: tell it everything."""
        self.windows.append(window)
        window.tell({
            "type": "welcome", "version": VERSION, "pliant": import_module("pliant").__version__,
            "readOnly": self.document.read_only, "templates": list(TEMPLATES),
        })  # fmt: skip
        window.tell(self._document_data())
        if self.checked is not None:
            window.tell(faults_data(self.checked))
            if self.checked.document is not None:
                window.tell({"type": "outline", "data": outline_data(self.checked)})
        window.tell({"type": "runs", "runs": self.desk.runs()})
        window.tell({"type": "selected", "names": list(self.selection)})
        for message in self._of_journal():
            window.tell(message)
        if self.theirs is not None:
            window.tell({"type": "disk", "state": "changed", "text": self.theirs.text})

    def _of_journal(self) -> list[Message]:
        """What is to be said of other studios of the file, and of changes one left behind."""
        journal, found = self.document.journal, list[Message]()
        if journal and journal.others:
            text = "another studio has this file open: whoever saves second is asked"
            found.append({"type": "notice", "text": text, "kind": "remark"})
        if journal and journal.failure:
            found.append({"type": "notice", "text": journal.failure, "kind": "error"})
        if journal and journal.left:
            found.append({"type": "journal", "when": journal.left.when})
        return found

    def leave(self, window: Window) -> None:
        """A window is closed."""
        self.windows.remove(window)
        self.left_at = time.monotonic()

    def tell(
        self, message: Message | bytes, *, but: Window | None = None, draft: bool = False
    ) -> None:
        """Tell every window, or all but one."""
        for window in self.windows:
            if window is not but:
                window.tell(message, draft=draft)

    def _from_work(self, message: Message, frame: bytes | None) -> None:
        """What a worker has to say."""
        self.tell(frame if frame is not None else message, draft=bool(message.get("draft")))

    def _document_data(self) -> Message:
        d = self.document
        path = d.path.resolve() if d.path else None
        inside = path is not None and path.is_relative_to(self.root)
        return {
            "type": "document", "revision": d.revision, "text": d.offsets.page_text,
            "path": str(path.relative_to(self.root)) if path and inside else "",
            "name": d.path.name if d.path else "untitled", "format": d.format,
            "saved": d.is_saved, "readOnly": d.read_only,
            "canUndo": bool(d.history.done), "canRedo": bool(d.history.undone),
        }  # fmt: skip

    def take(self, document: OpenDocument) -> None:
        """Another document in place of the one that was open."""
        self.document.close()
        document.revision = self.document.revision + 1  # what workers still say is of another one
        self.document, self.checked, self.theirs = document, None, None
        self.last_data = None
        self.everything()
        for message in self._of_journal():
            self.tell(message)

    def refuse_unsaved(self) -> None:
        """Nothing is left behind unasked."""
        d = self.document
        if not d.is_saved and d.history.done:
            name = d.path.name if d.path else "the model without a file"
            raise InputError(f"{name} has changes that are not saved", "save them, or undo them")

    def everything(self) -> None:
        """Tell all windows of the document anew."""
        self.tell(self._document_data())
        self._again()

    def told(self, change: Change | None, window: Window | None = None) -> Message:
        """Tell all windows of a change that one of them asked for."""
        if change is None:
            return {"type": "nothing"}
        d = self.document
        self.tell({
            "type": "changed", "revision": change.revision,
            "splices": change.before.splices_to_page(change.splices), "label": change.label,
            "saved": d.is_saved, "canUndo": bool(d.history.done),
            "canRedo": bool(d.history.undone), "window": window.name if window else None,
            **({"selection": list(change.selection)} if change.selection is not None else {}),
        })  # fmt: skip
        if change.selection is not None:
            self.selection = change.selection
        if d.journal and d.journal.failure:
            self.tell({"type": "notice", "text": d.journal.failure, "kind": "error"})
            d.journal.failure = ""
        self._again()
        return {"type": "accepted", "revision": change.revision}

    def selected(self, names: tuple[str, ...], but: Window | None = None) -> None:
        """What is selected, in all windows but one."""
        self.selection = names
        self.tell({"type": "selected", "names": list(names)}, but=but)

    def source(self) -> Source:
        """The text as workers are given it."""
        d = self.document
        base, name = (d.path.resolve().parent, d.path.name) if d.path else (self.root, "")
        return Source(text=d.text, format=d.format, base=base, name=name or "untitled.yaml",
                      revision=d.revision)  # fmt: skip

    def _again(self) -> None:
        """The text has changed: it is to be read again."""
        self._settled.clear()
        self._dirty.set()

    async def current(self) -> Checked:
        """The text as it is now, read."""
        await self._settled.wait()
        assert self.checked is not None
        return self.checked

    async def check(self) -> None:
        """Read the text whenever it has changed, in a thread, and tell what was found."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            source, offsets = self.source(), self.document.offsets
            found = await asyncio.to_thread(
                checked, offsets, source.format, source.base, source.revision
            )
            if self._dirty.is_set():
                continue
            self.checked = found
            self._settled.set()
            self.tell(faults_data(found))
            if found.document is not None:
                self.last_data = found.data
                self.tell({"type": "outline", "data": outline_data(found)})

    async def watch(self) -> None:
        """Follow what other programs write into the file."""
        while True:
            await asyncio.sleep(WATCH)
            own = self.document.is_saved
            try:
                found = self.document.from_disk()
            except FileError as error:
                self.tell({"type": "notice", "text": str(error), "kind": "error"})
                continue
            if found == "gone":
                self.tell({"type": "disk", "state": "gone"})
            elif isinstance(found, disk.Stored):
                if own or found.text == self.document.text:
                    self.told(self.document.take(found))
                    self.tell({"type": "saved", "saved": True})
                    self.tell({"type": "disk", "state": "back"})
                else:
                    self.theirs = found
                    self.tell({"type": "disk", "state": "changed", "text": found.text})

    def below(self, name: str, endings: tuple[str, ...]) -> Path:
        """A file below the root, links followed."""
        try:
            path = (self.root / name).resolve()
        except (OSError, ValueError, RuntimeError):
            raise FileError(f"{name[:80]!r} is no path", "check its name") from None
        if not path.is_relative_to(self.root):
            raise FileError(f"{name} lies outside {self.root.name}/",
                            "start the studio with --root of a folder above both")  # fmt: skip
        if path.suffix.lower() not in endings:
            raise FileError(f"{name}: unknown kind of file", f"use {', '.join(endings)}")
        return path

    def files(self, endings: tuple[str, ...]) -> list[str]:
        """Files of these kinds below the root, few levels deep; hidden ones are left out."""
        found: list[str] = []
        folders = [(self.root, 0)]
        while folders and len(found) < MOST_FILES:
            folder, depth = folders.pop(0)
            with contextlib.suppress(OSError):
                for entry in sorted(folder.iterdir()):
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir() and depth < DEPTH and not entry.is_symlink():
                        folders.append((entry, depth + 1))
                    elif entry.suffix.lower() in endings and entry.is_file():
                        found.append(entry.relative_to(self.root).as_posix())
        return found[:MOST_FILES]

    async def close(self) -> None:
        """The end: workers go, and what is not saved stays in the journal."""
        with contextlib.suppress(Exception):
            await self.desk.close()
        self.document.close()
