"""From plain data to a Model: every section, every fault."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pliant.errors import Fault, FileError, InputError, ModelError
from pliant.model.bodies import Ground
from pliant.model.constraints import CONSTRAINTS
from pliant.model.cures import Leave, Rename, Version, curing, legal_name, otherwise
from pliant.model.fields import STATE, Number, Numbers, Text, kinds_of, shown
from pliant.model.files import elements as el
from pliant.model.files.names import KEYS
from pliant.model.files.text import Document
from pliant.model.forces import FORCES
from pliant.model.frozen import did_you_mean
from pliant.model.joints import JOINTS
from pliant.model.model import SECTIONS, Model
from pliant.model.named import NamedFormula, Output
from pliant.model.networks.library import KEYS as GRAPH_KEYS
from pliant.model.networks.library import with_file
from pliant.model.networks.network import Network, Subgraph
from pliant.model.sensors import SENSORS
from pliant.model.settings import Settings
from pliant.model.view import View
from pliant.records import dataclass

_CONTENTS = ("elements", "bonds", "ports")
VERSION = 1
_FORMULAS = {
    "parameters": ("parameter", Number("")),
    "speeds": ("speed", Number("", STATE)),
}


def graph_from(entry: el.Entry, given: el.Given, cls: Any, keys: Sequence[str]) -> Any:
    """The graph; if some of its elements are bad, the graph of the others.

    `drive: {domain: electrical, elements: {mesh: {junction: 1}, ...}}`,
    `pump: {domain: hydraulic, parameters: {D: null}, elements: {...}, ports: {...}}`.
    """
    entry.known(given, keys)
    given = {key: value for key, value in given.items() if value is not None}
    if isinstance(given.get("elements"), Mapping):
        given["elements"] = _with_files(entry, given["elements"])
    try:
        return cls(entry.name, **given)
    except ModelError as error:
        entry.faults.extend(error.faults)
        for _, _, key, *inside in (fault.path for fault in error.faults):
            if key in _CONTENTS and inside:
                entry.lost.append(inside[0])
                given[key] = {k: v for k, v in given[key].items() if str(k) != inside[0]}
            else:
                entry.partial = True
                given.pop(key, None)
    return cls(entry.name, **given)


def _with_files(entry: el.Entry, elements: Mapping[str, Any]) -> dict[str, Any]:
    """Elements whose parts name files by their full paths."""
    found = {}
    for name, element in elements.items():
        try:
            found[name] = with_file(element, entry.base)
        except InputError as error:
            path = (entry.section, entry.name, "elements", str(name), "part")
            who = f"element '{entry.name}.{name}'"
            entry.faults.append(Fault(who, f"part: {error.what}", error.cure, path=path))
            entry.lost.append(str(name))
    return found


_SHORT = {"events": "when", "formulas": "formula", "outputs": "formula"}
"""The key of an entry that may be written as its formula alone, by section."""
_ENTRIES: dict[str, Callable[[el.Entry, el.Given], Any]] = {
    "formulas": partial(el.named_from, cls=NamedFormula),
    "outputs": partial(el.named_from, cls=Output),
    "materials": el.material_from,
    "bodies": el.body_from,
    "joints": partial(el.acting_from, kinds=JOINTS),
    "forces": partial(el.acting_from, kinds=FORCES),
    "drivers": el.driver_from,
    "constraints": partial(el.acting_from, kinds=CONSTRAINTS),
    "sensors": partial(el.acting_from, kinds=SENSORS),
    "signals": el.signal_from,
    "events": el.event_from,
    "stop": partial(el.event_from, stop=True),
    "networks": partial(graph_from, cls=Network, keys=[k for k in GRAPH_KEYS if k != "ports"]),
    "subgraphs": partial(graph_from, cls=Subgraph, keys=GRAPH_KEYS),
}
"""The reader of one entry, by section of the file."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read of a document, and everything wrong with it, each fault in its place."""

    model: Model
    faults: tuple[Fault, ...] = ()


def model_from(document: Document, base: Path | None = None, source: str = "") -> Model:
    """The checked model of a document; raises ModelError with every fault."""
    if not isinstance(document.data, dict):
        what, cure = _no_model(document)
        raise FileError(f"{source}: {what}" if source else what, cure, document.whole)
    reading = read(document, base, source)
    if reading.faults:
        raise ModelError(reading.faults, source)
    return reading.model


def read(document: Document, base: Path | None = None, source: str = "") -> Reading:
    """The model of everything that could be read, and all faults; never raises InputError.

    ``base`` is the folder of the files the model names.
    """
    if not isinstance(document.data, dict):
        return Reading(Model(), (Fault("model", *_no_model(document), span=document.whole),))
    reader = _Reader(document, base)
    model = reader.model()
    faults = [*document.faults, *reader.faults]
    faults += [f for f in model.faults() if not reader.follows(f)]
    placed = (_with_cure(document.placed(fault), document) for fault in faults)
    return Reading(model, tuple(dict.fromkeys(placed)))


def _with_cure(fault: Fault, document: Document) -> Fault:
    """The fault with what can be done; where no name is near enough to be meant, there is still
    something to do."""
    from pliant.model.files.fixes import fixed  # only where something is wrong

    if fault.cure:
        return fixed(fault, document)
    strange = "unknown key" in fault.what or "unknown option" in fault.what
    cure = "remove it" if strange else "correct the name" if " '" in fault.what else "correct it"
    return replace(fault, cure=cure)


def _no_model(document: Document) -> tuple[str, str]:
    what = "the file is empty" if document.data is None else "the file is not a mapping"
    return what, "begin with 'pliant: 1'"


class _Reader:
    """Reads sections one after the other, noting faults and the names of what failed."""

    def __init__(self, document: Document, base: Path | None) -> None:
        self.data: dict[str, Any] = document.data
        self.base = base
        self.faults: list[Fault] = []
        self.failed: dict[str, str] = {}
        self.faulty: set[tuple[str, ...]] = set()

    def model(self) -> Model:
        """The model of everything that could be read."""
        self.header()
        sections: dict[str, dict[str, Any]] = {section: {} for section in SECTIONS}
        for key in _ENTRIES:
            self.entries(key, "events" if key == "stop" else key, sections)
        formulas = {key: self.formulas(key, *_FORMULAS[key]) for key in _FORMULAS}
        more: dict[str, Any] = {**sections, **formulas}
        return Model(
            name=self.one("name", Text(), ""),
            description=self.one("description", Text(), ""),
            gravity=self.one("gravity", Numbers(3, ("m/s^2",)), (0, 0, 0)),
            ground=self.part("ground", Ground),
            settings=self.part("simulate", Settings),
            view=self.part("view", View),
            **more,
        )

    def follows(self, fault: Fault) -> bool:
        """True if a fault only follows from an element that could not be read."""
        incomplete = ("is missing", "is not connected")
        if fault.what.endswith(incomplete) and fault.path[:2] in self.faulty:
            return True
        named = any(f"'{n}'" in fault.what or f"'{n}." in fault.what for n in self.failed)
        unread = self.failed.values()
        unheld = "no joint holds it" in fault.what and "joints" in unread
        return named or unheld or ("no bodies" in fault.what and "bodies" in unread)

    def header(self) -> None:
        version = self.data.get("pliant")
        if version is None:
            cure = curing(f"begin with 'pliant: {VERSION}'", Version(VERSION))
            self.note("the version is missing", cure, "pliant")
        elif version != VERSION or isinstance(version, bool):
            what = f"pliant: {shown(version)} is not a version this Pliant reads"
            self.note(what, curing(f"write pliant: {VERSION}", Version(VERSION)), "pliant")
        for key in self.data:
            if key not in KEYS:
                cure = otherwise(did_you_mean(key, KEYS), "remove it", Leave())
                self.note(f"unknown key '{key}'", cure, key)

    def note(self, what: str, cure: str, *path: str, who: str = "model") -> None:
        self.faults.append(Fault(who, what, cure, path=path))

    def section(self, key: str) -> dict[str, Any]:
        """The mapping under a key; empty if absent or wrong."""
        value = self.data.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            what = f"{key}: {shown(value)} stands where a mapping is expected"
            self.note(what, "write name: {...} for each", key)
            self.failed[key] = key
            return {}
        return value

    def entries(self, key: str, section: str, into: dict[str, dict[str, Any]]) -> None:
        for name, value in self.section(key).items():
            entry = el.Entry(section, SECTIONS[section], name, self.base)
            short = section in _SHORT and not isinstance(value, Mapping)
            given = {_SHORT[section]: value} if short else entry.mapping(value)
            element = None if entry.faults else _ENTRIES[key](entry, given)
            self.faults.extend(entry.faults)
            if entry.faults:
                self.faulty.add((section, name))
            if name in into[section]:
                what = "an event and a stop condition have the same name"
                cure = curing("rename one of them", Rename(legal_name(name, into[section])))
                self.note(what, cure, key, name, who=f"event '{name}'")
                continue
            if element is None or entry.partial:
                self.failed[name] = key
            self.failed |= dict.fromkeys(entry.lost, key)
            if element is not None:
                into[section][name] = element

    def formulas(self, key: str, noun: str, kind: Number) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in self.section(key).items():
            try:
                found[name] = kind.convert(value)
            except InputError as error:
                self.failed[name] = key
                self.note(error.what, error.cure, key, name, who=f"{noun} '{name}'")
        return found

    def one(self, key: str, kind: Any, default: Any) -> Any:
        """A single value."""
        value = self.data.get(key)
        try:
            return default if value is None else kind.convert(value)
        except InputError as error:
            self.note(f"{key}: {error.what}", error.cure, key)
            return default

    def part(self, key: str, cls: Callable[..., Any]) -> Any:
        """A single object with fields: the ground, the settings; bad ones are left out."""
        given = dict(self.section(key))
        known: Collection[str] = kinds_of(cls)
        for name in [k for k in given if k not in known]:
            cure = otherwise(did_you_mean(name, known), "remove it", Leave())
            self.note(f"unknown key '{name}'", cure, key, name, who=key)
            del given[name]
        try:
            return cls(**given)
        except ModelError as error:
            self.faults.extend(error.faults)
            self.failed[key] = key
            bad = {part for fault in error.faults for part in fault.path}
            return cls(**{k: v for k, v in given.items() if k not in bad})
