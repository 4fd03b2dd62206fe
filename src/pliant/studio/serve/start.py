"""Ways into the studio: a file, or the model of a system."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.files import dump
from pliant.model.files.text import format_of
from pliant.studio.document.document import OpenDocument
from pliant.studio.document.journal import Journal
from pliant.studio.serve.server import run


def open_studio(
    model: str | None, *, port: int = 0, browser: bool = True, root: str | None = None,
    read_only: bool = False, allowed: Collection[str] = (), say: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """The studio of a model file, which need not be there yet; of a folder, or without a model, of
    a new one. A text that is empty still is begun in the page, with a template or an example."""
    if not 0 <= port <= 65535:
        raise InputError(f"--port {port}: no port", "give a number from 1024 to 65535")
    path = Path(model) if model is not None else None
    if path is not None and path.is_dir():
        path, root = None, root or model
    if path is not None:
        format_of(path)
        if not path.absolute().parent.is_dir():
            raise FileError(f"there is no folder {path.parent}", "create it first")
    folder = Path(root) if root is not None else path.absolute().parent if path else Path.cwd()
    if not folder.is_dir():
        raise FileError(f"--root {root}: there is no such folder", "create it first")
    if path is not None and not path.resolve().is_relative_to(folder.resolve()):
        raise FileError(f"{model} lies outside {root}", "give a folder above it as --root")
    document = (OpenDocument.opened(path, read_only=read_only) if path
                else _untitled("", folder, read_only=read_only))  # fmt: skip
    asyncio.run(run(document, folder, port=port, browser=browser, allowed=allowed, say=say))


def studio_of(system: Any, *, port: int = 0, browser: bool = True) -> None:
    """The studio of a model without a file; within a running event loop (a notebook) it is served
    by a thread."""
    document = _untitled(dump(system.described), Path.cwd())
    serving = run(document, Path.cwd(), port=port, browser=browser)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(serving)
        return
    threading.Thread(target=asyncio.run, args=(serving,), daemon=True).start()


def _untitled(text: str, folder: Path, *, read_only: bool = False) -> OpenDocument:
    journal = Journal(folder.absolute() / "untitled.yaml")
    return OpenDocument(text, journal=journal, read_only=read_only)
