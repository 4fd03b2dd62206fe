"""Messages that change the document: opened, typed, undone, saved."""

from __future__ import annotations

from pliant.errors import FileError
from pliant.model.files.templates import template_text
from pliant.studio.document import disk
from pliant.studio.document.document import OpenDocument
from pliant.studio.serve.answers.registry import Message, answer
from pliant.studio.serve.session import MODELS, Session
from pliant.studio.serve.windows import Window


@answer
def open_(session: Session, _: Window, message: Message) -> None:
    """Another model file."""
    path = session.below(message["path"], MODELS)
    if not path.exists():
        raise FileError(f"there is no file {message['path']}", "check its name")
    session.refuse_unsaved()
    session.take(OpenDocument.opened(path, read_only=session.document.read_only))


@answer
def new(session: Session, _: Window, message: Message) -> None:
    """A model from a template, which has no file until it is saved."""
    path = session.below(message["path"], MODELS)
    if path.exists():
        raise FileError(f"{message['path']} is there already", "choose another name, or open it")
    session.refuse_unsaved()
    session.take(OpenDocument.opened(path, read_only=session.document.read_only))
    text = template_text(message["template"], session.document.format)
    session.told(session.document.replace(text, "new model"))


@answer
def edit(session: Session, window: Window, message: Message) -> Message:
    """What was typed."""
    group = str(message.get("group") or "")
    splices = [(a, b, text) for a, b, text in message["splices"]]
    change = session.document.page_edit(splices, message["revision"], group)
    return session.told(change, window)


@answer
def set_(session: Session, _: Window, message: Message) -> Message:
    """A value at a place of the file."""
    return session.told(session.document.set(
        message["path"], message["value"], revision=message["revision"],
        label=str(message.get("label") or ""),
    ))  # fmt: skip


@answer
def undo(session: Session, _: Window, __: Message) -> Message:
    """The last entry of the history."""
    return session.told(session.document.undo())


@answer
def redo(session: Session, _: Window, __: Message) -> Message:
    """What was undone last."""
    return session.told(session.document.redo())


@answer
def save(session: Session, _: Window, message: Message) -> Message:
    """Into the file, or under another name; if another program has changed it, it is asked."""
    to = message.get("as")
    path = session.below(to, MODELS) if isinstance(to, str) and to else None
    try:
        session.document.save(force=bool(message.get("force")), to=path)
    except disk.ChangedError as changed:
        theirs = changed.stored.text if changed.stored else None
        return {"type": "conflict", "text": theirs,
                "state": "gone" if theirs is None else "changed"}  # fmt: skip
    session.theirs = None
    if path is not None:
        session.everything()
    session.tell({"type": "saved", "saved": True})
    return {"type": "saved", "saved": True}


@answer
def disk_(session: Session, _: Window, message: Message) -> Message:
    """Of a file that another program has changed: keep the own text, or take theirs."""
    found, session.theirs = session.theirs, None
    if found is None:
        return {"type": "nothing"}
    session.tell({"type": "disk", "state": "back"})
    if message["choice"] == "theirs":
        return session.told(session.document.take(found))
    session.document.stored = found
    session.tell({"type": "saved", "saved": session.document.is_saved})
    return {"type": "accepted"}


@answer
def journal(session: Session, _: Window, message: Message) -> Message:
    """Of changes that a studio left behind: recover, look (at the text), discard."""
    kept = session.document.journal
    if kept is None or kept.left is None:
        return {"type": "nothing"}
    if message["choice"] == "look":
        return {"type": "left", "text": kept.left.text, "when": kept.left.when}
    text, change = kept.left.text, None
    if message["choice"] == "recover":
        change = session.document.replace(text, "recovered changes")
    kept.discard()
    session.tell({"type": "journal", "when": None})
    return session.told(change)


@answer
def reopen(session: Session, _: Window, message: Message) -> Message:
    """The text of a run, as it was."""
    text = session.desk.text_of(message["run"])
    return session.told(session.document.replace(text, f"as it was in run {message['run']}"))
