"""Which element a formula belongs to."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from pliant.model.formulas import Formula
from pliant.model.model import SECTIONS, Model

_PLAIN = {"parameters": "parameter", "outputs": "output", "speeds": "speed"}
"""Sections of formulas."""


def whose(model: Model, formula: Formula) -> str:
    """ "force 'f'": the element with this very formula, or with an equal one; may be empty."""
    equal = ""
    for owner, own in _formulas(model):
        if own is formula:
            return owner
        equal = equal or (owner if own == formula else "")
    return equal


def titled(model: Model, name: str) -> str:
    """ "spring 's'", "driver 'D'": an element by its name, as messages call it."""
    if name in model.forces:
        return f"{model.forces[name].kind.replace('_', ' ')} '{name}'"
    noun = next((noun for section, noun in SECTIONS.items() if name in getattr(model, section)), "")
    return f"{noun} '{name}'".lstrip()


def _formulas(model: Model) -> Iterator[tuple[str, Formula]]:
    for section in SECTIONS:
        for name, element in getattr(model, section).items():
            yield from ((titled(model, name), f) for f in _inside(element))
    for section, noun in _PLAIN.items():
        for name, formula in getattr(model, section).items():
            yield f"{noun} '{name}'", formula
    yield from (("ground", f) for f in _inside(model.ground))


def _inside(value: Any) -> Iterator[Formula]:
    if isinstance(value, Formula):
        yield value
    elif dataclasses.is_dataclass(value):
        for f in dataclasses.fields(value):
            yield from _inside(getattr(value, f.name))
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _inside(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _inside(item)
