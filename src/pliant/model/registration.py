"""Elements of other packages: ``register`` makes a joint, force, section or component known.

    pl.register(CurvedSlot)             # a class; also as a decorator
    pl.register("parts/pump.yaml")      # a file with a sub-graph, a component of networks
    pl.register(Integrator("rk4", ...)) # what is not of a model: see ``pliant.registry``

A system in Python takes such a class at once; files, the schema and saved results look it up by its
kind. An installed package names its module, class or file in the entry point group
``pliant.elements``; it is imported when a kind is asked for that is not known.
"""

from __future__ import annotations

import hashlib
import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract
from os import PathLike
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from pliant.errors import InputError
from pliant.model.bodies import BODIES, Deformable
from pliant.model.bodies.sections import SECTIONS, SectionShape
from pliant.model.constraints import CONSTRAINTS, Holding
from pliant.model.drivers import DRIVERS, Driving
from pliant.model.forces import FORCES
from pliant.model.forces.action import Acting
from pliant.model.joints import JOINTS, Joint
from pliant.model.networks.library import COMPONENTS, read_subgraph
from pliant.model.sensors import SENSORS, Sensing
from pliant.registry import REGISTRIES

GROUP = "pliant.elements"
T = TypeVar("T")
_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_REGISTRIES: tuple[tuple[type, dict[str, Any]], ...] = (
    (Joint, JOINTS), (Holding, CONSTRAINTS), (Driving, DRIVERS), (Sensing, SENSORS),
    (Acting, FORCES), (SectionShape, SECTIONS), (Deformable, BODIES),
)  # fmt: skip
_by: dict[tuple[int, str], str] = {}
"""Modules by what they registered: place of the registry, and name."""
_installed: dict[str, list[EntryPoint]] = {}
"""Entry points by the package they are in, once they were loaded."""


def register(element: T) -> T:
    """Make something known, and give it back: a class of joints, forces, drivers, sensors,
    sections, constraints or deformable bodies by its ``kind``, a sub-graph by the name of its file,
    an integrator, treatment, formulation, back end, observable, plot or command by its name.

    >>> @pl.register
    ... class Hinge(pl.Revolute):
    ...     kind = "hinge"
    ...
    >>> "hinge" in pl.JOINTS
    True
    >>> del pl.JOINTS["hinge"]
    """
    if isinstance(element, str | PathLike):
        path = Path(element).resolve()
        read_subgraph(path)
        _enter(COMPONENTS, path.stem, path, f"component '{path.stem}'")
        return element
    if not isinstance(element, type):
        for base, things in REGISTRIES:
            if isinstance(element, base):
                _put(things, element, sys._getframe(1).f_globals.get("__name__", ""))
                return element
    for base, kinds in _REGISTRIES:
        if isinstance(element, type) and issubclass(element, base):
            _enter(kinds, _kind_of(element), element, f"class '{element.__name__}'")
            return element
    raise InputError(f"{element!r} cannot be registered",
                     "give a class of joints, forces, drivers, sensors, sections, constraints or "
                     "deformable bodies, a file with a sub-graph, or a thing of a "
                     "registry")  # fmt: skip


def _kind_of(cls: Any) -> str:
    """What files call it."""
    kind = getattr(cls, "kind", None)
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise InputError(f"class '{cls.__name__}' has no name for files",
                         'say kind: ClassVar[str] = "..."')  # fmt: skip
    if isabstract(cls):
        missing = ", ".join(sorted(cls.__abstractmethods__))
        raise InputError(f"class '{cls.__name__}' does not define {missing}", "define it")
    return kind


def _enter(kinds: dict[str, Any], kind: str, element: Any, what: str) -> None:
    """Another element of that kind is kept, unless it is the same one written anew."""
    known = kinds.get(kind)
    if known is not None and _place(known) != _place(element):
        raise InputError(f"{what}: there is another '{kind}' already", "choose another name")
    kinds[kind] = element


def _put(things: dict[str, Any], thing: Any, module: str) -> None:
    """The same for a thing that is no class: written anew by the module that it is of."""
    if thing.name in [*things] and _by.get((id(things), thing.name)) != module:
        what = f"{type(thing).__name__.lower()} '{thing.name}'"
        raise InputError(f"{what}: there is another one already", "choose another name")
    things[thing.name], _by[id(things), thing.name] = thing, module


def _place(element: Any) -> Any:
    if isinstance(element, type):
        return element.__module__, element.__qualname__
    return element


@cache
def load_installed() -> bool:
    """Import what installed packages offer; whether there is something."""
    found = tuple(entry_points(group=GROUP))
    for entry in found:
        try:
            offered = entry.load()
            if not isinstance(offered, ModuleType):
                register(offered)
        except Exception as error:
            owner = entry.dist.name if entry.dist is not None else entry.value
            raise InputError(f"package '{owner}' offers '{entry.name}', which cannot be had: "
                             f"{type(error).__name__}: {error}",
                             "repair or remove the package") from error  # fmt: skip
        _installed.setdefault(entry.module.partition(".")[0], []).append(entry)
    return bool(found)


@cache
def source_of(package: str) -> str:
    """A hash of the text of an installed package that offers elements; empty: it is none."""
    if package not in _installed:
        return ""
    module, digest = sys.modules[package], hashlib.sha256()
    roots = [Path(p) for p in getattr(module, "__path__", ())] or [Path(str(module.__file__))]
    for root in roots:
        for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
