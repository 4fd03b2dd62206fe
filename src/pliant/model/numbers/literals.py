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
import os
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from pliant.errors import InputError, UnknownName
from pliant.model.bodies import RigidBody
from pliant.model.bodies.base import LOOKS
from pliant.model.formulas import Formula, formula, from_tree
from pliant.model.formulas.tree import Name, Number, text_of
from pliant.model.frames import Orientation
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.model import Model
from pliant.model.signals import Signal
from pliant.records import dataclass

SECTIONS = ("gravity", "ground", "bodies", "joints", "forces", "drivers", "events", "constraints",
            "sensors", "materials")  # fmt: skip
"""Where numbers are written that equations read. Networks have parameters of their own."""
_UNREAD = frozenset(("shape", *LOOKS, "name", "description", "settings", "made", "origin", "view"))
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

    free_model = _changed(model, named, as_written=False)
    found = formulas(free_model, as_written=False).values()
    read = {name for f in found for name in f.names}
    numbers = {path: number for path, number in numbers.items() if path in read}
    parameters = {**model.parameters, **numbers}
    return Structure(free_model.with_(parameters=parameters), numbers)


def formulas(model: Model, *, as_written: bool = True) -> dict[str, Formula]:
    """Everything in a model where a number may stand, by its path. ``as_written``: of bodies of
    simple shapes their sizes, not the inertia found of them."""
    found: dict[str, Formula] = {}

    def listen(path: str, value: Any) -> Any:
        if isinstance(value, Formula):
            found[path] = value
        return value

    _changed(model, listen, as_written=as_written)
    return found


def is_path(name: str) -> bool:
    """Whether a name is that of a number without one: it begins with a section."""
    return name.partition(".")[0].partition("[")[0] in SECTIONS and name not in SECTIONS


def is_structure(model: Model, paths: Collection[str]) -> bool:
    """Whether one of these numbers is an exact 0, 1 or -1, or of an orientation along axes."""
    known, free = formulas(model), structure_of(model).numbers
    plain = (known[path].value in (0.0, 1.0, -1.0) for path in paths)
    return any(plain) or any("orientation" in path and path not in free for path in paths)


def with_literals(model: Model, changes: Mapping[str, Any]) -> Model:
    """The model with other numbers at some paths; their units are those of the fields."""
    known = formulas(model)
    for path in changes:
        if path not in known:
            raise UnknownName(f"no number is written at '{path}'", did_you_mean(path, known))
        if not isinstance(known[path].tree, Number):
            names = ", ".join(sorted(known[path].names)) or "another in the file"
            raise InputError(f"'{path}' is the formula '{known[path]}', not a number",
                             f"set {names}")  # fmt: skip

    def changed(path: str, value: Any) -> Any:
        return changes.get(path, value) if isinstance(value, Formula) else value

    new = _changed(model, changed, as_written=True)
    for path, f in formulas(new).items():
        if path in changes and f != formula(changes[path]):
            raise InputError(f"'{path}' is not written in the model", "it follows from others")
    return new


def formulas_with(model: Model, changes: Mapping[str, float]) -> dict[str, Formula]:
    """What stands in the elements in which numbers are written at some paths, with others there, as
    equations read it: of a body of a simple shape its inertia. The same as in ``with_literals``,
    without looking at the rest of the model."""
    found: dict[str, Formula] = {}

    def changed(path: str, value: Any) -> Any:
        return changes.get(path, value) if isinstance(value, Formula) else value

    def listen(path: str, value: Any) -> Any:
        if isinstance(value, Formula):
            found[path] = value
        return value

    for owner in dict.fromkeys(map(_owner, changes)):
        section, _, name = owner.partition(".")
        element = getattr(model, section)
        new = _mapped(element[name] if name else element, owner, changed, True)
        if not name and isinstance(new, tuple):
            new = tuple(map(formula, new))
        _mapped(new, owner, listen, False)
    return found


def _owner(path: str) -> str:
    """The element that a path leads into; of gravity and the ground the section."""
    section, dot, rest = path.partition(".")
    name = rest.partition(".")[0]
    if dot and section not in ("gravity", "ground"):
        return f"{section}.{name}"
    return section.partition("[")[0]


def with_named(model: Model, names: Mapping[str, str]) -> Model:
    """The model in which the numbers at some paths are parameters of these names."""
    known = formulas(model)
    read = {path: from_tree(Name(name)) for path, name in names.items()}

    def named(path: str, value: Any) -> Any:
        return read.get(path, value) if isinstance(value, Formula) else value

    numbers = {name: known[path] for path, name in names.items()}
    changed = _changed(model, named, as_written=True)
    return changed.with_(parameters={**model.parameters, **numbers})


_others: WeakKeyDictionary[type, str] = WeakKeyDictionary()
"""Classes of other packages, and what they are known by."""


def known_as(cls: type) -> str:
    """What a class of elements is called where code is looked up by what it is made of. One that is
    not of this package may be written anew from one program to the next, and within one: no code
    that was made of another class of its name is taken for it. Of an installed package that offers
    its elements, the text tells."""
    if cls.__module__.partition(".")[0] == "pliant":
        return cls.__name__
    if cls not in _others:
        from pliant.model.registration import source_of

        own = source_of(cls.__module__.partition(".")[0])
        _others[cls] = f"{cls.__name__} {own or os.urandom(16).hex()}"
    return _others[cls]


def module_as(name: str) -> str:
    """The same of a module that writes equations: the text of the file of another package."""
    if name.partition(".")[0] == "pliant":
        return ""
    file = getattr(import_module(name), "__file__", None)
    text = os.urandom(16) if file is None else Path(file).read_bytes()
    return hashlib.sha256(text).hexdigest()


def canonical(value: Any) -> str:
    """A model as text in which equal things that equations are derived from read alike."""
    if isinstance(value, Formula):
        return text_of(value.tree)
    if isinstance(value, Signal):
        return f"{value.name}:{len(value.times)}:{value.interpolation}"
    if isinstance(value, Model):
        given = {k: "" if f.is_constant else canonical(f) for k, f in value.parameters.items()}
        others = (f.name for f in dataclasses.fields(value)
                  if f.init and f.name not in _UNREAD | {"parameters"})  # fmt: skip
        return canonical([given, *(canonical(getattr(value, name)) for name in others)])
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{k!r}:{canonical(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, np.ndarray):
        return f"{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (f for f in dataclasses.fields(value) if f.name not in _UNREAD - {"name"})
        parts = (f"{f.name}={canonical(getattr(value, f.name))}" for f in fields)
        return f"{known_as(type(value))}({','.join(parts)})"
    if value is None or isinstance(value, str | int | float | Enum | frozenset):
        return repr(sorted(value)) if isinstance(value, frozenset) else repr(value)
    raise TypeError(f"{type(value).__name__} in a model")


@dataclass(frozen=True)
class _Kept:
    """What is not looked into."""

    value: Any


def _changed(model: Model, change: Change, *, as_written: bool) -> Model:
    found = {k: _mapped(getattr(model, k), k, change, as_written) for k in SECTIONS}
    return model.with_(**{k: v for k, v in found.items() if v is not getattr(model, k)})


def _mapped(value: Any, path: str, change: Change, as_written: bool) -> Any:
    """What stands at a path with everything in it changed; the same object where nothing is."""
    new = change(path, value)
    if new is not value:
        return new.value if isinstance(new, _Kept) else new
    if isinstance(value, Mapping):
        pairs = {k: _mapped(v, f"{path}.{k}", change, as_written) for k, v in value.items()}
        return value if all(pairs[k] is v for k, v in value.items()) else FrozenDict(pairs)
    if isinstance(value, tuple):
        items = tuple(_mapped(v, f"{path}[{k + 1}]", change, as_written)
                      for k, v in enumerate(value))  # fmt: skip
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Formula):
        return _element(value, path, change, as_written)
    return value


def _element(value: Any, path: str, change: Change, as_written: bool) -> Any:
    """The same of a dataclass; a body of a simple shape is made anew of its sizes."""
    made = value.made if as_written and isinstance(value, RigidBody) else None
    if made is not None:
        given = _mapped(made.given, path, change, as_written)
        value = value if given is made.given else value.remade(given)
    left = _UNREAD | (made.found.keys() if made else set())
    own = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)
           if f.init and f.name not in left}  # fmt: skip
    news = {k: _mapped(v, f"{path}.{k}", change, as_written) for k, v in own.items()}
    changes = {k: v for k, v in news.items() if v is not own[k]}
    return dataclasses.replace(value, **changes) if changes else value


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
