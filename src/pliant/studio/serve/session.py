"""One studio: the open document, its windows, and what is done when one of them says something."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import uuid
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from pliant import __version__
from pliant.errors import FileError, InputError, PliantError
from pliant.studio.document import disk
from pliant.studio.document.document import Change, OpenDocument
from pliant.studio.serve.gate import Gate
from pliant.studio.serve.protocol import VERSION
from pliant.studio.serve.templates import TEMPLATES, template_text
from pliant.studio.serve.windows import Window
from pliant.studio.views.checked import Checked, checked, faults_data
from pliant.studio.views.completion import completions
from pliant.studio.views.inquire import inquiry
from pliant.studio.views.names import name_of
from pliant.studio.views.outline import outline_data
from pliant.studio.views.place import path_at
from pliant.studio.work.desk import Desk, Source, WorkError
from pliant.studio.work.frames import with_id

LOG = logging.getLogger("pliant.studio")
WATCH = 0.4
"""Seconds between looks at the file."""
_ENDINGS = (".yaml", ".yml", ".json")
_RESULTS = (".nc", ".csv")
Message = dict[str, Any]


class Session:
    """``root``: the folder below which files may be opened and saved."""

    def __init__(self, document: OpenDocument, root: Path, gate: Gate, folder: Path) -> None:
        self.document, self.root, self.gate = document, root.resolve(), gate
        self.windows: list[Window] = []
        self.desk = Desk(folder, self._from_work)
        self.checked: Checked | None = None
        self.selection: tuple[str, ...] = ()
        self._found: disk.Stored | None = None
        self._dirty = asyncio.Event()
        self._dirty.set()
        self._settled = asyncio.Event()
        self.left_at = time.monotonic()
        """When the last window went."""

    # -- windows ---------------------------------------------------------------------------------

    def enter(self, window: Window) -> None:
        """A window has greeted: tell it everything."""
        self.windows.append(window)
        window.tell({
            "type": "welcome", "version": VERSION, "pliant": __version__,
            "readOnly": self.document.read_only, "templates": list(TEMPLATES),
        })  # fmt: skip
        window.tell(self._document_data())
        if self.checked is not None:
            window.tell(faults_data(self.checked))
            if self.checked.document is not None:
                window.tell({"type": "outline", "data": outline_data(self.checked)})
        window.tell({"type": "runs", "runs": self.desk.runs()})
        window.tell({"type": "selected", "names": list(self.selection)})
        for notice in self._notices():
            window.tell({"type": "notice", "text": notice, "kind": "remark"})
        journal = self.document.journal
        if journal and journal.left:
            window.tell({"type": "journal", "when": journal.left.when})
        if self._found is not None:
            window.tell({"type": "disk", "state": "changed"})

    def leave(self, window: Window) -> None:
        """A window is closed."""
        self.windows.remove(window)
        self.left_at = time.monotonic()

    def tell(self, message: Message | bytes, *, but: Window | None = None,
             draft: bool = False) -> None:  # fmt: skip
        """Tell every window, or all but one."""
        for window in self.windows:
            if window is not but:
                window.tell(message, draft=draft)

    def _from_work(self, message: Message, frame: bytes | None) -> None:
        """What a worker has to say."""
        draft = bool(message.get("draft"))
        self.tell(frame if frame is not None else message, draft=draft)

    def _notices(self) -> list[str]:
        journal = self.document.journal
        if journal is None:
            return []
        others = ("another studio has this file open: whoever saves second is asked"
                  if journal.others else "")  # fmt: skip
        return [text for text in (journal.failure, others) if text]

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

    # -- messages --------------------------------------------------------------------------------

    async def handle(self, window: Window, message: Message) -> None:
        """Do what a window asks for; whatever goes wrong is answered in words."""
        answer = getattr(self, f"_on_{message['type']}")
        number = message.get("id")
        try:
            found = answer(window, message)
            if isinstance(found, Awaitable):
                found = await found
        except WorkError as error:
            found = {"type": "refused", "what": error.what, "cure": error.cure,
                     "elements": list(error.elements)}  # fmt: skip
        except InputError as error:
            found = {"type": "refused", "what": error.what, "cure": error.cure, "elements": []}
        except PliantError as error:
            found = {"type": "refused", "what": str(error), "cure": "", "elements": []}
        except Exception:
            mark = uuid.uuid4().hex[:8]
            LOG.exception("fault %s in message %s", mark, message["type"])
            what = f"something went wrong in the studio itself (fault {mark})"
            found = {"type": "refused", "what": what, "cure": "the log has the whole story",
                     "elements": []}  # fmt: skip
        if isinstance(found, bytes):
            window.tell(with_id(found, number))
        elif number is not None:
            window.tell({"type": "done", **(found or {}), "id": number})
        elif found and found.get("type") == "refused":
            window.tell(found)

    def _on_open(self, _: Window, message: Message) -> None:
        path = self._below(message["path"], _ENDINGS)
        if not path.exists():
            raise FileError(f"there is no file {message['path']}", "check its name")
        self._refuse_unsaved()
        self._take(OpenDocument.opened(path, read_only=self.document.read_only))

    def _on_new(self, _: Window, message: Message) -> None:
        path = self._below(message["path"], _ENDINGS)
        if path.exists():
            raise FileError(f"{message['path']} is there already", "choose another name, or open it")
        self._refuse_unsaved()
        self._take(OpenDocument.opened(path, read_only=self.document.read_only))
        self.document.replace(template_text(message["template"], self.document.format), "new model")
        self._everything()

    def _take(self, document: OpenDocument) -> None:
        """Another document in place of the one that was open."""
        self.document.close()
        document.revision = self.document.revision + 1  # what workers still say is of another one
        self.document, self.checked, self._found = document, None, None
        self._everything()

    def _refuse_unsaved(self) -> None:
        if self.document.path is not None and not self.document.is_saved and self.document.text:
            name = self.document.path.name
            raise InputError(f"{name} has changes that are not saved", "save them, or undo them")

    def _everything(self) -> None:
        self.tell(self._document_data())
        self._again()

    def _on_edit(self, window: Window, message: Message) -> Message:
        group = str(message.get("group") or "")
        splices = [(a, b, text) for a, b, text in message["splices"]]
        change = self.document.page_edit(splices, message["revision"], group)
        return self._told(change, window)

    def _on_set(self, _: Window, message: Message) -> Message:
        change = self.document.set(
            message["path"], message["value"], revision=message["revision"],
            label=str(message.get("label") or ""),
        )  # fmt: skip
        return self._told(change)

    def _on_undo(self, _: Window, __: Message) -> Message | None:
        return self._told(self.document.undo())

    def _on_redo(self, _: Window, __: Message) -> Message | None:
        return self._told(self.document.redo())

    def _told(self, change: Change | None, window: Window | None = None) -> Message:
        """Tell all windows of a change."""
        if change is None:
            return {"type": "nothing"}
        d = self.document
        self.tell({
            "type": "changed", "revision": change.revision,
            "splices": change.before.splices_to_page(change.splices), "label": change.label,
            "saved": d.is_saved, "canUndo": bool(d.history.done),
            "canRedo": bool(d.history.undone), "window": window.name if window else None,
            **({"selection": list(change.selection)} if change.selection else {}),
        })  # fmt: skip
        if d.journal and d.journal.failure:
            self.tell({"type": "notice", "text": d.journal.failure, "kind": "error"})
            d.journal.failure = ""
        self._again()
        return {"type": "accepted", "revision": change.revision}

    def _on_save(self, _: Window, message: Message) -> Message:
        to = message.get("as")
        path = self._below(to, _ENDINGS) if isinstance(to, str) and to else None
        try:
            self.document.save(force=bool(message.get("force")), to=path)
        except disk.Changed as changed:
            theirs = changed.stored.text if changed.stored else None
            return {"type": "conflict", "text": theirs,
                    "state": "gone" if theirs is None else "changed"}  # fmt: skip
        self._found = None
        if path is not None:
            self._everything()
        self.tell({"type": "saved", "saved": True})
        return {"type": "saved", "saved": True}

    def _on_disk(self, _: Window, message: Message) -> Message:
        """Of a file that another program changed: keep the own text, or take theirs."""
        found, self._found = self._found, None
        if found is None:
            return {"type": "nothing"}
        if message["choice"] == "theirs":
            return self._told(self.document.take(found))
        self.document.stored = found
        self.tell({"type": "saved", "saved": self.document.is_saved})
        return {"type": "accepted"}

    def _on_journal(self, _: Window, message: Message) -> Message:
        """Of changes that a studio left behind: recover, look (the text), discard."""
        journal = self.document.journal
        if journal is None or journal.left is None:
            return {"type": "nothing"}
        if message["choice"] == "look":
            return {"type": "left", "text": journal.left.text, "when": journal.left.when}
        text, found = journal.left.text, None
        if message["choice"] == "recover":
            found = self.document.replace(text, "recovered changes")
        journal.discard()
        self.tell({"type": "journal", "when": None})
        return self._told(found)

    async def _on_look(self, _: Window, message: Message) -> Message:
        source = self.source()
        data = await self.desk.look(message["what"], source, message["arguments"])
        return {"type": "view", "what": message["what"], "revision": source.revision, "data": data}

    async def _on_complete(self, _: Window, message: Message) -> Message:
        await self._current()
        assert self.checked is not None
        d = self.document
        found = completions(d.text, d.offsets.from_page(message["offset"]), d.format, self.checked)
        return {"type": "completions", **found, "from": d.offsets.to_page(found["from"])}

    def _on_at(self, _: Window, message: Message) -> Message:
        """What stands at a place of the text."""
        d = self.document
        document = self.checked.document if self.checked else None
        path = path_at(d.text, d.offsets.from_page(message["offset"]), d.format, document)
        return {"type": "place", "path": list(path), "name": name_of(path)}

    async def _on_inquire(self, _: Window, message: Message) -> Message:
        await self._current()
        assert self.checked is not None
        return {"type": "inquiry", "data": inquiry(self.checked, message["name"])}

    def _on_select(self, window: Window, message: Message) -> None:
        self.selection = tuple(message["names"])
        self.tell({"type": "selected", "names": message["names"]}, but=window)

    async def _on_run(self, _: Window, message: Message) -> Message:
        await self._current()
        if self.checked is None or not self.checked.is_sound:
            count = len(self.checked.faults) if self.checked else 0
            raise InputError(f"the model has {count} fault{'s' if count != 1 else ''}",
                             "see the list of faults")  # fmt: skip
        return {"type": "accepted", "job": self.desk.run(self.source(), message)}

    def _on_stop(self, _: Window, message: Message) -> None:
        self.desk.stop(message["job"])

    async def _on_series(self, _: Window, message: Message) -> bytes:
        return await self.desk.series(message["run"], message["names"], bool(message.get("scene")))

    async def _on_compare(self, _: Window, message: Message) -> Message:
        return {"type": "comparison", **await self.desk.compare(message["a"], message["b"])}

    def _on_forget(self, _: Window, message: Message) -> None:
        self.desk.forget(message["run"])
        self.tell({"type": "runs", "runs": self.desk.runs()})

    def _on_load(self, _: Window, message: Message) -> Message:
        path = self._below(message["path"], _RESULTS)
        run = self.desk.load(path)
        self.tell({"type": "runs", "runs": self.desk.runs()})
        return {"type": "loaded", "run": run}

    def _on_reopen(self, _: Window, message: Message) -> Message:
        text = self.desk.text_of(message["run"])
        return self._told(self.document.replace(text, f"as it was in run {message['run']}"))

    async def _on_export(self, _: Window, message: Message) -> Message:
        made = await self.desk.export(message["kind"], message["options"], self.source())
        content = await asyncio.to_thread(made.path.read_bytes)
        url = self.gate.offer(made.name, "application/octet-stream", content)
        return {"type": "ready", "url": url, "name": made.name, "command": made.command}

    # -- what goes on by itself ------------------------------------------------------------------

    def source(self) -> Source:
        """The text as workers are given it."""
        d = self.document
        base = d.path.resolve().parent if d.path else self.root
        return Source(text=d.text, format=d.format, base=base,
                      name=d.path.name if d.path else "untitled.yaml", revision=d.revision)  # fmt: skip

    def _again(self) -> None:
        """The text has changed: read it again."""
        self._settled.clear()
        self._dirty.set()

    async def _current(self) -> None:
        """Until the text has been read as it is now."""
        await self._settled.wait()

    async def check(self) -> None:
        """Read the text whenever it has changed, in a thread, and tell what was found."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            source, offsets = self.source(), self.document.offsets
            found = await asyncio.to_thread(
                checked, offsets, source.format, source.base, source.revision
            )
            outline = outline_data(found) if found.document is not None else None
            if self._dirty.is_set() and found.revision != self.document.revision:
                continue
            self.checked = found
            self._settled.set()
            self.tell(faults_data(found))
            if outline is not None:
                self.tell({"type": "outline", "data": outline})

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
                    self._told(self.document.take(found))
                    self.tell({"type": "saved", "saved": True})
                else:
                    self._found = found
                    self.tell({"type": "disk", "state": "changed"})

    def _below(self, name: str, endings: tuple[str, ...]) -> Path:
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

    async def close(self) -> None:
        """The end: workers go, and what is not saved stays in the journal."""
        with contextlib.suppress(Exception):
            await self.desk.close()
        self.document.close()


