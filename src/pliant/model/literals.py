"""Numbers written in a model are parameters without a name: they are known by their path.

    bodies.rod.length    gravity[3]    bodies.rod.frames.tip.position[1]    forces.s.stiffness

Equations are derived from the model with these paths in place of the numbers: what is written out
as code is the ``structure`` of a model, and serves all its numbers. Exact 0, 1 and -1 and
orientations along axes are structure: they make terms vanish.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from pliant.errors import UnknownName
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name, Number, text_of
from pliant.model.frames import Orientation
from pliant.model.model import Model
from pliant.model.named import Named, did_you_mean
from pliant.model.signals import Signal

SECTIONS = ("gravity", "ground", "bodies", "joints", "forces", "drivers", "events", "constraints",
            "materials")  # fmt: skip
"""Where numbers are written that equations read. Networks have parameters of their own."""
_UNREAD = frozenset(("shape", "name", "description", "settings"))
"""Fields that no equation reads: drawings, words, and how a model is run."""
_ALONG_AXES = 1e-15

Change = Callable[[str, Any], Any]
"""From a path and what stands there to what shall stand there."""


@dataclass(frozen=True)
class Structure:
    """A model with names for its numbers, and the numbers by name."""

    model: Model
    numbers: Mapping[str, float]


def structure_of(model: Model, free: Collection[str] | None = None) -> Structure:
    """``free``: the paths that have names, otherwise all numbers that are no structure."""
    numbers: dict[str, float] = {}

    def named(path: str, value: Any) -> Any:
        if isinstance(value, Orientation) and free is None and _along_axes(value):
            return _Kept(value)
        if not isinstance(value, Formula) or not isinstance(value.tree, Number):
            return value
        number = value.tree.value
        if number in (0.0, 1.0, -1.0) if free is None else path not in free:
            return value
        numbers[path] = number
        return from_tree(Name(path))

    sections = {name: _mapped(getattr(model, name), name, named) for name in SECTIONS}
    parameters = {**model.parameters, **numbers}
    return Structure(model.with_(**sections, parameters=parameters), numbers)


def literals(model: Model) -> dict[str, Formula]:
    """Every number written in a model, by its path."""
    found: dict[str, Formula] = {}

    def listen(path: str, value: Any) -> Any:
        if isinstance(value, Formula) and isinstance(value.tree, Number):
            found[path] = value
        return value

    for name in SECTIONS:
        _mapped(getattr(model, name), name, listen)
    return found


def with_literals(model: Model, changes: Mapping[str, Any]) -> Model:
    """The model with other numbers at some paths; their units are those of the fields."""
    known = literals(model)
    for path in changes:
        if path not in known:
            raise UnknownName(f"no number is written at '{path}'", did_you_mean(path, known))

    def changed(path: str, value: Any) -> Any:
        return changes.get(path, value) if isinstance(value, Formula) else value

    sections = {name: _mapped(getattr(model, name), name, changed) for name in SECTIONS}
    return model.with_(**sections)


def canonical(value: Any) -> str:
    """A model as text in which equal things that equations are derived from read alike."""
    if isinstance(value, Formula):
        return text_of(value.tree)
    if isinstance(value, Signal):
        return f"{value.name}:{len(value.times)}:{value.interpolation}"
    if isinstance(value, Model):
        given = {k: "" if f.is_constant else canonical(f) for k, f in value.parameters.items()}
        return canonical([given, *(canonical(getattr(value, f.name))
                                   for f in dataclasses.fields(value)
                                   if f.name not in _UNREAD | {"parameters"})])  # fmt: skip
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{k!r}:{canonical(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, np.ndarray):
        return f"{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (f for f in dataclasses.fields(value) if f.name not in _UNREAD - {"name"})
        parts = (f"{f.name}={canonical(getattr(value, f.name))}" for f in fields)
        return f"{type(value).__name__}({','.join(parts)})"
    if value is None or isinstance(value, str | int | float | Enum | frozenset):
        return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)
    raise TypeError(f"{type(value).__name__} in a model")


@dataclass(frozen=True)
class _Kept:
    """What is not looked into."""

    value: Any


def _mapped(value: Any, path: str, change: Change) -> Any:
    """What stands at a path with everything in it changed; the same object where nothing is."""
    new = change(path, value)
    if new is not value:
        return new.value if isinstance(new, _Kept) else new
    if isinstance(value, Mapping):
        pairs = {k: _mapped(v, f"{path}.{k}", change) for k, v in value.items()}
        return value if all(pairs[k] is v for k, v in value.items()) else Named(pairs)
    if isinstance(value, tuple):
        items = tuple(_mapped(v, f"{path}[{k + 1}]", change) for k, v in enumerate(value))
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Formula):
        own = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)
               if f.init and f.name not in _UNREAD}  # fmt: skip
        news = {k: _mapped(v, f"{path}.{k}", change) for k, v in own.items()}
        changes = {k: v for k, v in news.items() if v is not own[k]}
        return dataclasses.replace(value, **changes) if changes else value
    return value


def _along_axes(turned: Orientation) -> bool:
    """Whether all angles are right ones, and all directions along axes."""
    if not all(isinstance(f.tree, Number) for f in turned.values):
        return False
    numbers = np.array([f.value for f in turned.values])
    whole = {"quaternion": 2 * numbers**2, "axes": numbers}.get(turned.kind, numbers)
    angles = {"euler313": slice(0, 3), "bryant123": slice(0, 3), "axis_angle": slice(3, 4)}
    own = angles.get(turned.kind, slice(0, 0))
    whole[own] = whole[own] / (math.pi / 2)
    return bool(np.all(np.abs(whole - np.round(whole)) < _ALONG_AXES))
