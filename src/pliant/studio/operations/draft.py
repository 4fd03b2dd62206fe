"""A text that is being changed: one gesture, made of steps that are each proven by parsing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path as Folder
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.files.document import Document, Path, Span, value_at
from pliant.model.files.editing import references, splices
from pliant.model.files.editing.composing import composed
from pliant.model.files.editing.inline import WIDTH
from pliant.model.files.editing.layout import Layout
from pliant.model.files.editing.splices import Proven, Splice
from pliant.model.files.reading import Reading, read
from pliant.model.model import Model

NOTHING: Any = object()


class Draft:
    """The text as it will be. An operation changes it step by step, says what it does (``label``)
    and what is selected then (``selection``, names; None: what was).

    ``shared`` says what happens inside of values that are written once for several elements:
    ``"all"`` of them change, or this one gets its ``"own"`` copy; ``""``: it is asked.
    """

    def __init__(
        self, text: str, format: str, base: Folder | None = None, *, shared: str = "",
        reading: Reading | None = None,
    ) -> None:  # fmt: skip
        self.text, self.format, self.base, self.shared = text, format, base, shared
        self.first = text
        self.label = ""
        self.selection: tuple[str, ...] | None = None
        self.anew: list[Path] = []
        """Larger entries that had to be written anew: their comments and style are not kept."""
        self._steps: list[list[Splice]] = []
        if reading is not None:
            self.__dict__["reading"] = reading
        if not isinstance(self.data, dict):
            raise FileError("the text holds no model", "begin with 'pliant: 1'")

    @cached_property
    def document(self) -> Document:
        """The text with places."""
        try:
            return splices.document_of(self.text, self.format)
        except FileError as error:
            raise FileError(f"the text cannot be read: {error.what}",
                            "repair it first", error.span) from None  # fmt: skip

    @property
    def data(self) -> Any:
        """What the text says."""
        return self.document.data

    @cached_property
    def reading(self) -> Reading:
        """The model of what can be read, and its faults."""
        return read(self.document, self.base)

    @property
    def model(self) -> Model:
        """What could be read of the model."""
        return self.reading.model

    def at(self, *path: str) -> Any:
        """What stands at a path; ``NOTHING`` if nothing does."""
        return value_at(self.data, path, NOTHING)

    def has(self, *path: str) -> bool:
        """Whether anything stands at a path."""
        return self.at(*path) is not NOTHING

    def entries(self, *path: str) -> dict[str, Any]:
        """The entries of the mapping at a path; none if there is no mapping."""
        found = self.at(*path)
        return found if isinstance(found, dict) else {}

    def path_of(self, name: str) -> Path:
        """Where an element stands, by its name; raises UnknownName."""
        return references.definition(self.data, name)

    def put(self, path: Path, value: Any, after: str | None = None) -> None:
        """A value at a path, whether or not something stands there; what is missing is made."""
        if self.has(*path):
            if _differs(self.at(*path), value):
                self._take(splices.set_value(
                    self.text, self.format, path, value, shared=self.shared))  # fmt: skip
        else:
            self.insert(path[:-1], path[-1], value, after)

    def insert(self, path: Path, name: str, value: Any, after: str | None = None) -> None:
        """A new entry of a mapping, or item of a list, behind the one that is named."""
        self._take(splices.insert(
            self.text, self.format, path, name, value, after, shared=self.shared))  # fmt: skip

    def remove(self, path: Path, prune: int = 0) -> None:
        """Without the entry at a path; nor what held nothing else, as long as that path is longer
        than ``prune`` keys."""
        while len(path) - 1 > prune and len(self.at(*path[:-1])) == 1:
            path = path[:-1]
        self._take(splices.remove(self.text, self.format, path, shared=self.shared))

    def put_all(self, values: Mapping[Path, Any]) -> None:
        """Values at paths, in one step if they are not in each other's way."""
        new = {p: v for p, v in values.items() if _differs(self.at(*p), v)}
        step = splices.together(self.text, self.format, new.items()) if len(new) > 1 else None
        if step is not None:
            self._take(step)
            return
        for path, value in new.items():
            self.put(path, value)

    def remove_all(self, paths: Mapping[Path, int]) -> None:
        """Without the entries at paths, each pruned as ``remove`` does it, in one step if they are
        not in each other's way."""
        whole = [*self._pruned(paths)]
        step = splices.together(self.text, self.format, gone=whole) if len(whole) > 1 else None
        if step is not None:
            self._take(step)
            return
        for path, prune in paths.items():
            if self.has(*path):
                self.remove(path, prune)

    def _pruned(self, paths: Mapping[Path, int]) -> Iterator[Path]:
        """The entries that go, those of mappings that are left empty as the mapping."""
        gone = dict(paths)
        for path in sorted(paths, key=len, reverse=True):
            while path in gone and len(path) - 1 > gone[path]:
                above = path[:-1]
                inner = [p for p in gone if p[:-1] == above]
                if len(inner) < len(self.at(*above)):
                    break
                prune = min(gone.pop(p) for p in inner)
                gone[above], path = prune, above
        yield from gone

    def move(self, path: Path, after: str = splices.FIRST) -> None:
        """The entry at a path behind another one of the same mapping."""
        self._take(splices.move(self.text, self.format, path, after, shared=self.shared))

    def rename(self, name: str, new: str) -> None:
        """Another name of an element, and of everything that refers to it."""
        self._take(references.renamed(self.text, self.format, name, new, self.model))

    def rename_key(self, path: Path, new: str) -> None:
        """Another key of an entry; nothing else is changed."""
        self._take(splices.rename_key(self.text, self.format, path, new, shared=self.shared))

    def rewrite(self, span: Span, new: str) -> None:
        """Other characters in place of some, where the text does not say clearly what it means."""
        self._take(Proven([(*span, new)]))

    def open(self, path: Path) -> None:
        """The entries of a mapping in lines of their own, if those around it have theirs."""
        value, layout = self.at(*path), Layout(self.document, self.format)
        if not isinstance(value, dict) or not value or self.format != "yaml":
            return
        if layout.is_flow(path) and not layout.in_flow(path):
            step = layout.value(path, value, opened=True)
            self._take(splices.proven(self.text, self.format, step, self.data))

    def open_long(self, path: Path) -> None:
        """The same of a mapping whose line is too long, unless comments stand in it."""
        if self.has(*path) and path in self.document.spans:
            start, end = self.document.spans[path]
            first = self.text.rfind("\n", 0, start) + 1
            if end - first > WIDTH and "#" not in self.text[start:end]:
                self.open(path)

    def splices(self) -> list[Splice]:
        """The whole gesture, as a change of the first text."""
        return composed(len(self.first), self._steps)

    def _take(self, step: Proven) -> None:
        if not step:
            return
        if step.anew is not None and step.anew not in self.anew:
            self.anew.append(step.anew)
        self._steps.append(step)
        self.text = splices.applied(self.text, step)
        for known in ("document", "reading"):
            self.__dict__.pop(known, None)


def _differs(old: Any, new: Any) -> bool:
    return bool(old != new) or type(old) is not type(new)


class Question(InputError):  # noqa: N818 (it asks, nothing is wrong)
    """An operation that cannot go on without an answer. Each choice is a sentence for a button and
    the arguments that are added when it is taken."""

    def __init__(self, what: str, choices: list[tuple[str, dict[str, Any]]],
                 elements: tuple[str, ...] = ()) -> None:  # fmt: skip
        self.choices, self.elements = choices, elements
        super().__init__(what)
