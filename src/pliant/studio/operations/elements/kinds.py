"""Kinds of elements, from the registries: which fields an entry of a file has, and where."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pliant.errors import UnknownName
from pliant.model.bodies import BODIES, RigidBody
from pliant.model.bodies.elastic import Material
from pliant.model.bodies.shapes import DRAWINGS, SHAPES
from pliant.model.constraints import CONSTRAINTS
from pliant.model.drivers import DRIVERS, LEVELS, Driving
from pliant.model.events import Event
from pliant.model.fields import STATE, Kind, Number, Reference, Text, has, kinds_of
from pliant.model.files.elements import FILE_KEYS, required
from pliant.model.forces import FORCES
from pliant.model.formulas import Formula
from pliant.model.frozen import did_you_mean
from pliant.model.joints import JOINTS
from pliant.model.model import SECTIONS
from pliant.model.named import NamedFormula, Output
from pliant.model.sensors import SENSORS
from pliant.model.signals import Signal
from pliant.records import dataclass

_MAIN = {"point": "mass", "modes": "file"}
"""Of bodies: the field that may stand alone under the kind."""
_MASS, _LENGTH, _RATES = Number("kg"), Number("m"), Number("", STATE)


@dataclass(frozen=True, slots=True)
class ElementKind:
    """One kind of a section. ``inside``: fields under the key of the kind, ``outside`` beside it,
    by the keys of files."""

    section: str
    kind: str
    cls: Any
    inside: Mapping[str, Kind]
    outside: Mapping[str, Kind]
    needed: tuple[str, ...] = ()
    """Keys without which it cannot be read, besides its ends."""
    main: str = ""
    pair: tuple[str, ...] = ()
    """The two fields of ``between``."""
    keyed: bool = True
    """Whether the kind is a key of the entry; otherwise all entries of the section are alike."""
    words: str = ""
    """What it is, if its class does not say it."""

    @property
    def fields(self) -> dict[str, Kind]:
        """All of them."""
        return {**self.inside, **self.outside}

    @property
    def reference(self) -> tuple[str, str]:
        """The key that names what it acts on, and whether that is a frame or a joint."""
        for key, kind in self.fields.items():
            if isinstance(kind, Reference) and key not in self.pair:
                return key, kind.to
        return "", ""

    @property
    def ends(self) -> str:
        """What it stands on: "frames" (two of them), "frame", "joint" or "none"."""
        if self.reads_rates:
            return "joint"
        return "frames" if self.pair else self.reference[1] or "none"

    @property
    def reads_rates(self) -> bool:
        """Whether it is a formula in which some rate must stand."""
        needed = [self.fields.get(key) for key in self.needed]
        return any(isinstance(kind, Number) and kind == _RATES for kind in needed)

    @property
    def title(self) -> str:
        """What it is called."""
        if self.section == "drivers":
            return f"{self.kind.replace('_', ' ')} driver"
        return self.kind.replace("_", " ") if self.keyed else SECTIONS.get(self.section, self.kind)

    @property
    def sentence(self) -> str:
        """What it is: the first sentence of its class."""
        if self.words:
            return self.words
        first = " ".join((inspect.getdoc(self.cls) or "").split("\n\n")[0].split())
        return first.replace("`", "").partition(". ")[0].rstrip(".:;")


def kinds_in(section: str) -> dict[str, ElementKind]:
    """The kinds of a section of files, by their keys."""
    return {kind.kind: kind for kind in _SECTIONS.get(section, lambda: iter(()))()}


def sections() -> tuple[str, ...]:
    """Sections whose elements can be added, in their order."""
    return tuple(_SECTIONS)


def kind_named(section: str, kind: str) -> ElementKind:
    """A kind of a section; raises UnknownName."""
    known = kinds_in(section)
    if not known:
        raise UnknownName(f"there are no kinds of elements in '{section[:40]}'",
                          did_you_mean(section, _SECTIONS))  # fmt: skip
    if kind not in known:
        raise UnknownName(f"there is no '{kind[:40]}' in {section}", did_you_mean(kind, known))
    return known[kind]


def kind_of(section: str, entry: Any) -> ElementKind | None:
    """What kind of element an entry of a file is; None if it does not say."""
    known = kinds_in(section)
    if len(known) == 1 and not next(iter(known.values())).keyed:
        return next(iter(known.values()))
    keys = [key for key in entry if key in known] if isinstance(entry, Mapping) else []
    return known[keys[0]] if len(keys) == 1 else None


# -- how each section says it


def _acting(section: str, registry: Mapping[str, Any]) -> Iterator[ElementKind]:
    for kind, cls in registry.items():
        fields = kinds_of(cls)
        outside = {FILE_KEYS.get(k, k): fields[k] for k in cls.outside if k in fields}
        inside = {k: v for k, v in fields.items() if k not in (*cls.outside, *cls.pair)}
        needed = tuple(k for k in required(cls, cls.pair)
                       if not isinstance(fields.get(k), Reference))  # fmt: skip
        yield ElementKind(section, kind, cls, inside, outside, needed, cls.main, cls.pair)


def _bodies() -> Iterator[ElementKind]:
    for name, cls in BODIES.items():
        fields = kinds_of(cls)
        outside = {k: fields[k] for k in cls.outside}
        inside = {k: v for k, v in fields.items() if k not in cls.outside}
        needed = tuple(required(cls, ()))
        yield ElementKind("bodies", name, cls, inside, outside, needed, _MAIN.get(name, ""))
    own = kinds_of(RigidBody)
    outside = {k: own[k] for k in RigidBody.outside}
    for name, shape in SHAPES.items():
        drawn = DRAWINGS.get(name, {})
        sizes = {k: drawn.get(k, _MASS if k == "mass" else _LENGTH) for k in shape.sizes}
        inside = {k: v for k, v in sizes.items() if k not in _PER} | {
            k: Number(unit) for k, unit in _PER.items() if k in sizes
        }
        needed = tuple(k for k, p in shape.sizes.items() if k == "mass" or p.default is p.empty)
        inside = {k: inside[k] for k in sorted(inside, key=lambda k: k != "mass")}
        about = vars(RigidBody).get(name, shape.properties)
        yield ElementKind("bodies", name, about, {**inside, "com": own["com"]}, outside, needed,
                          _MAIN.get(name, ""))  # fmt: skip


_PER = {"density": "kg/m^3", "mass_per_length": "kg/m"}
"""Units of what a shape may say in place of its mass."""


def _drivers() -> Iterator[ElementKind]:
    others = {kind: cls for kind, cls in DRIVERS.items() if issubclass(cls, Driving)}
    turning = ("orientation", "angular_velocity", "angular_acceleration")
    for kind, cls in DRIVERS.items():
        if kind not in others:
            fields = kinds_of(cls)
            keys: dict[str, Kind] = {kind: Reference(kind)}
            keys |= {k: Text() for k in ("coordinate",) if k in fields}
            keys |= {level: _driven(fields) for level in LEVELS}
            keys |= {k: fields["orientation"] for k in turning[:1] if k in fields}
            keys |= {k: fields["angular"] for k in turning[1:] if "angular" in fields}
            yield ElementKind("drivers", kind, cls, {}, keys)
    yield from _acting("drivers", others)


def _driven(fields: Mapping[str, Kind]) -> Kind:
    return fields.get("motion") or fields["translation"]


def _alike(
    section: str, kind: str, cls: Any, needed: tuple[str, ...] = (), words: str = ""
) -> Callable[[], Iterator[ElementKind]]:
    """A section whose entries are all of one kind."""

    def one() -> Iterator[ElementKind]:
        yield ElementKind(section, kind, cls, {}, kinds_of(cls), needed, keyed=False, words=words)

    return one


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A named number, which formulas may read."""


@dataclass(frozen=True, slots=True)
class _Speed:
    """A generalised speed of Kane's equations, linear in rates."""

    formula: Formula = has(_RATES)


_SECTIONS: dict[str, Callable[[], Iterator[ElementKind]]] = {
    "parameters": _alike("parameters", "parameter", _Parameter),
    "formulas": _alike("formulas", "formula", NamedFormula, ("formula",)),
    "materials": _alike("materials", "material", Material),
    "bodies": _bodies,
    "joints": lambda: _acting("joints", JOINTS),
    "forces": lambda: _acting("forces", FORCES),
    "drivers": _drivers,
    "constraints": lambda: _acting("constraints", CONSTRAINTS),
    "sensors": lambda: _acting("sensors", SENSORS),
    "speeds": _alike("speeds", "speed", _Speed, ("formula",)),
    "signals": _alike("signals", "signal", Signal),
    "outputs": _alike("outputs", "output", Output, ("formula",)),
    "events": _alike("events", "event", Event, ("when",), "Told when a formula crosses zero"),
    "stop": _alike("stop", "stop", Event, ("when",), "The run ends when its condition comes true"),
}
"""Sections whose elements can be added, and the kinds they have now."""
