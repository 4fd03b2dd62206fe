"""Faults with buttons: what a cure asks for, as an operation on the text of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import singledispatch
from typing import Any

from pliant.errors import Fault, Fix, UnknownName
from pliant.model.cures import (
    Add,
    Beside,
    Define,
    Instead,
    Leave,
    Once,
    Put,
    Remove,
    Rename,
    Shift,
    Step,
    Version,
    Write,
    steps_of,
)
from pliant.model.files.document import Document, Path, value_at
from pliant.model.files.editing import references
from pliant.model.files.editing.inline import Writer
from pliant.model.files.names import KEYS, name_of

_MOST = 40
"""Characters of a value that a label shows."""


def fixed(fault: Fault, document: Document) -> Fault:
    """The fault with everything that a button can do about it."""
    steps = steps_of(fault.cure)
    if not steps:
        return fault
    place = _Place(document, fault)
    fixes = [fix for step in steps for fix in _fix(step, place)]
    return replace(fault, cure=str(fault.cure), fixes=(*fault.fixes, *fixes))


class _Place:
    """Where a fault is."""

    def __init__(self, document: Document, fault: Fault) -> None:
        self.data, self.fault = document.data, fault
        self.at = document.nearest(fault.path, keyed=False)
        """The nearest place in the file."""
        deep = 4 if fault.path[:1] in (("networks",), ("subgraphs",)) else 2
        one = fault.path[:1] in (("simulate",), ("ground",), ("gravity",))
        self.element: Path = self.at[: 1 if one else deep]

    @property
    def value(self) -> Any:
        """What stands there."""
        return value_at(self.data, self.at)

    def within(self, keys: Path) -> Path:
        """Where keys are found within the element, also further in; empty if nowhere."""
        known = _keys(value_at(self.data, self.element))
        inner = next((k for k in known if k[-len(keys) :] == keys), None)
        return (*self.element, *inner) if inner is not None else ()


@singledispatch
def _fix(step: Step, place: _Place) -> Iterator[Fix]:
    """A step as an operation; nothing if it makes no sense in this file."""
    raise TypeError(step)


@_fix.register
def _instead(step: Instead, place: _Place) -> Iterator[Fix]:
    if place.at and place.at[-1] == step.wrong and step.wrong in place.fault.path:
        if step.right not in (value_at(place.data, place.at[:-1]) or ()):
            yield _renamed_key(place.at, step)
        return
    if any(_speaks(text, step.wrong) for _, text in _texts(place.value)):
        yield Fix(f"Use {step.right}", "element.word",
                  {"path": [*place.at], "word": step.wrong, "new": step.right})  # fmt: skip
        return
    for keys in _keys(place.value):
        if keys[-1] == step.wrong:
            yield _renamed_key((*place.at, *keys), step)
            return


def _renamed_key(path: Path, step: Instead) -> Fix:
    label = f"Rename {step.wrong} to {step.right}"
    return Fix(label, "element.key", {"path": [*path], "new": step.right})


@_fix.register
def _define(step: Define, place: _Place) -> Iterator[Fix]:
    label = f"Define {step.name} = {_said(step.value)}"
    if place.at[:1] == ("subgraphs",):
        path = [*place.at[:2], "parameters", step.name]
        yield Fix(label, "element.set", {"path": path, "value": step.value})
    else:
        yield Fix(label, "parameter.set", {"name": step.name, "value": step.value})


@_fix.register
def _add(step: Add, place: _Place) -> Iterator[Fix]:
    path = [*place.element, *step.keys]
    label = f"Add {step.keys[-1] if step.keys else path[-1]}: {_said(step.value)}"
    yield Fix(label.replace(": ", " = ", 1), "element.set", {"path": path, "value": step.value})


@_fix.register
def _put(step: Put, place: _Place) -> Iterator[Fix]:
    path = (*place.element, *step.keys) if step.keys else place.at
    if not step.keys and path[-1:] != place.fault.path[-1:]:
        return
    yield Fix(f"Write {path[-1]}: {_said(step.value)}", "element.set",
              {"path": [*path], "value": step.value})  # fmt: skip


@_fix.register
def _leave(step: Leave, place: _Place) -> Iterator[Fix]:
    path = place.within(step.keys) if step.keys else place.at
    if not path:
        return
    if len(path) == 1 and path[0] not in KEYS:
        yield Fix(f"Remove {path[0]}", "section.remove", {"name": path[0]})
    else:
        told = {"also": [*step.also]} if step.also else {}
        label = f"Leave out {', '.join((path[-1], *step.also))}"
        yield Fix(label, "element.unset", {"path": [*path], **told})


@_fix.register
def _remove(step: Remove, place: _Place) -> Iterator[Fix]:
    name = step.name or name_of(place.element)
    yield Fix(f"Remove {name}", "element.remove", {"names": [name]})


@_fix.register
def _rename(step: Rename, place: _Place) -> Iterator[Fix]:
    at = (*place.element, *step.keys) if step.keys else place.at
    name = name_of(at)
    try:
        is_clear = references.definition(place.data, name) == at
    except UnknownName:
        is_clear = False
    label = f"Rename {at[-1]} to {step.new}"
    if is_clear and name != "ground":
        yield Fix(label, "element.rename", {"name": name, "new": step.new})
    else:
        yield Fix(label, "element.key", {"path": [*at], "new": step.new})


@_fix.register
def _beside(step: Beside, place: _Place) -> Iterator[Fix]:
    entry = value_at(place.data, place.element)
    for keys in _keys(entry):
        if keys[-1] == step.known:
            path = [*place.element, *keys[:-1], step.key]
            label = f"Add {step.key} = {_said(step.value)}"
            yield Fix(label, "element.set", {"path": path, "value": step.value})
            return


@_fix.register
def _write(step: Write, _: _Place) -> Iterator[Fix]:
    label = f"Add {name_of(step.path)} = {_said(step.value)}"
    if name_of(step.path) == name_of(step.path[:-1]):
        label = f"Give {name_of(step.path)} {step.path[-1]} = {_said(step.value)}"
    yield Fix(label, "element.set", {"path": [*step.path], "value": step.value})


@_fix.register
def _shift(step: Shift, place: _Place) -> Iterator[Fix]:
    to = [*place.element, *step.keys]
    where = f"into {to[-2]}" if len(to) > len(place.at) else f"beside {place.at[-2]}"
    yield Fix(f"Write {to[-1]} {where}", "element.shift", {"path": [*place.at], "to": to})


@_fix.register
def _once(_: Once, place: _Place) -> Iterator[Fix]:
    path = place.fault.path
    yield Fix(f"Keep the first {path[-1]}", "element.once", {"path": [*path]})


@_fix.register
def _begin(step: Version, _: _Place) -> Iterator[Fix]:
    yield Fix(f"Write pliant: {step.number}", "model.version", {})


def _texts(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Everything that is written somewhere, as text."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from _texts(inner, (*path, str(k)))
    elif isinstance(value, str):
        yield path, value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, f"{value}"


def _keys(value: Any, path: Path = ()) -> Iterator[Path]:
    items = value.items() if isinstance(value, Mapping) else ()
    for key, inner in items:
        yield (*path, str(key))
        yield from _keys(inner, (*path, str(key)))


def _speaks(text: str, word: str) -> bool:
    return text == word or pattern(word).search(text) is not None


def pattern(word: str) -> re.Pattern[str]:
    """Finds a word in a text: as a whole, not as a part of another one."""
    return re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w)")


def _said(value: Any) -> str:
    text = Writer().flow(value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"
