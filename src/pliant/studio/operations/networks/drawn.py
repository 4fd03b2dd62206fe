"""A network or sub-graph while an operation changes it: what it says, how it is joined, and writing
back only what has become different."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from functools import cached_property
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.files.document import Path
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.networks import elements as el
from pliant.model.networks.kinds import DOMAINS
from pliant.model.networks.library import with_file
from pliant.model.networks.network import (
    Graph,
    Network,
    Subgraph,
    bond_from,
    element_from,
    port_from,
)
from pliant.model.networks.structure import Link, Structure
from pliant.model.validation.references import LEGAL, LETTERS
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.writing import written

SUBGRAPHS = "subgraphs."


def graph_path(draft: Draft, name: str) -> Path:
    """Where a network (``drive``) or sub-graph (``subgraphs.motor``) stands."""
    section, own = "networks", name
    if name.startswith(SUBGRAPHS):
        section, own = "subgraphs", name.removeprefix(SUBGRAPHS)
    if draft.has(section, own):
        return section, own
    noun = "network" if section == "networks" else "sub-graph"
    known = draft.at(section)
    names = [*known] if isinstance(known, dict) else []
    cure = did_you_mean(own, names) or f"add a {noun} first"
    raise UnknownName(f"there is no {noun} '{own}'", cure)


class Drawn:
    """``data``: the mapping of the file, to be changed; ``write`` puts it into the draft."""

    def __init__(self, draft: Draft, name: str) -> None:
        self.draft, self.name = draft, name
        self.path = graph_path(draft, name)
        self.model = draft.model
        found = draft.at(*self.path)
        if found is not None and not isinstance(found, dict):
            raise InputError(f"{name} cannot be read", "repair its text first")
        self.data: dict[str, Any] = deepcopy(found or {})
        self.was_block = bool(found)
        for key in ("elements", "bonds", "ports"):
            self._mapping(key)

    def _mapping(self, key: str) -> dict[str, Any]:
        found = self.data.get(key)
        if found is not None and not isinstance(found, dict):
            raise InputError(f"{key} of {self.name} cannot be read", "repair its text first")
        return found or {}

    @property
    def key(self) -> str:
        """Its own name, by which ``view`` knows it."""
        return self.path[1]

    @property
    def is_subgraph(self) -> bool:
        return self.path[0] == "subgraphs"

    @property
    def domain(self) -> str:
        """The domain of its junctions, unless they say otherwise."""
        found = self.data.get("domain")
        return found if found in DOMAINS else ""

    @property
    def elements(self) -> dict[str, Any]:
        """Entries of the file by name; read only."""
        return self._mapping("elements")

    @property
    def bonds(self) -> dict[str, Any]:
        """Entries of ``bonds``; read only."""
        return self._mapping("bonds")

    def full(self, local: str) -> str:
        """The name in the scheme of all views."""
        return f"{self.name}.{local}"

    def local(self, name: str) -> str:
        """A name as it is used in the network, given so or in full."""
        short = name.removeprefix(f"{self.name}.")
        return name if name in self.elements or name in self.bonds else short

    def entry(self, name: str) -> dict[str, Any]:
        """What the file says of an element, to be changed (then call ``changed``)."""
        if name not in self.elements:
            cure = did_you_mean(name, self.elements) or "add it first"
            raise UnknownName(f"there is no element '{self.full(name)}'", cure)
        found = self.data["elements"][name]
        if not isinstance(found, dict):
            raise InputError(f"element '{self.full(name)}' cannot be read", "repair its text first")
        return found

    # -- changes

    def changed(self) -> None:
        """What was known of its structure is so no longer."""
        for known in ("graph", "structure", "links"):
            self.__dict__.pop(known, None)

    def add(self, section: str, name: str, entry: dict[str, Any]) -> None:
        """A new element, bond or port."""
        if self.data.get(section) is None:
            self.data[section] = {}
        self.data[section][name] = entry
        self.changed()

    def drop(self, section: str, name: str) -> None:
        """Without an element, bond or port; nor the section, if nothing is left of bonds."""
        del self.data[section][name]
        if not self.data[section] and section != "elements":
            del self.data[section]
        self.changed()

    def say(self, name: str, key: str, value: Any, after: Iterable[str] = ()) -> None:
        """A field of an element, behind those that are named; None: it is left out."""
        entry = self.entry(name)
        if value is None:
            entry.pop(key, None)
        elif key in entry:
            entry[key] = value
        else:
            keys, behind = [*entry], [k for k in after if k in entry]
            place = 1 + max((keys.index(k) for k in behind), default=0)
            items = [*entry.items()]
            entry.clear()
            entry.update([*items[:place], (key, value), *items[place:]])
        self.changed()

    def free(self, wanted: str, more: Iterable[str] = ()) -> str:
        """A name that nothing in the graph has: this one, or with a number."""
        parameters = self.data.get("parameters")
        taken = {*self.elements, *self.bonds, *self._mapping("ports"), *more}
        taken |= {*parameters} if isinstance(parameters, dict) else set()
        return free_name(wanted, taken)

    def name_for(self, name: str, otherwise: str) -> str:
        """The name that is given, if it can be one, or a free one."""
        if not name:
            return self.free(otherwise)
        if not LEGAL.fullmatch(name):
            raise InputError(f"'{name}' is not a legal name", LETTERS)
        if name in self.elements or name in self.bonds:
            raise InputError(f"there is '{name}' in {self.name} already", "choose another name")
        return name

    # -- structure

    @cached_property
    def graph(self) -> Graph:
        """What can be read of it."""
        elements, base = {}, self.draft.base
        for name, entry in self.elements.items():
            try:
                made, faults = element_from(with_file(entry, base))
            except InputError:
                continue
            if made is not None and not faults:
                elements[str(name)] = made
        made_bonds = ((str(n), bond_from(b)) for n, b in self.bonds.items())
        bonds = {n: bond for n, (bond, faults) in made_bonds if not faults}
        about: dict[str, Any] = {"bonds": FrozenDict(bonds), "domain": self.domain}
        if not self.is_subgraph:
            return Network(self.key, FrozenDict(elements), **about)
        made_ports = ((str(n), port_from(p)) for n, p in self._mapping("ports").items())
        ports = {n: port for n, (port, faults) in made_ports if not faults}
        return Subgraph(self.key, FrozenDict(elements), ports=FrozenDict(ports), **about)

    @cached_property
    def structure(self) -> Structure:
        """Junctions, bonds, dimensions and domains."""
        return Structure(self.model, self.graph)

    @cached_property
    def links(self) -> dict[str, Link]:
        """Bonds by name."""
        return {link.name: link for link in self.structure.links}

    def element(self, name: str) -> el.Element:
        """What could be read of an element; raises InputError."""
        self.entry(name)
        if name not in self.graph.elements:
            what = f"element '{self.full(name)}' cannot be read"
            raise InputError(what, "repair its text first")
        return self.graph.elements[name]

    # -- the text

    def write(self) -> None:
        """Put what is different into the draft. What is new and large has lines of its own."""
        draft, path = self.draft, self.path
        found = draft.at(*path)
        old = found if isinstance(found, dict) else {}
        was = {key: bool(old.get(key)) for key in ("elements", "bonds")}
        written(draft, path, old, self.data)
        if not self.was_block:
            draft.open(path)
            self.was_block = True
        if not was["elements"] and self.elements:
            draft.open((*path, "elements"))
        draft.open_long((*path, "bonds"))


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that is not taken: this one, or one with the next number."""
    taken = {*taken}
    if wanted not in taken:
        return wanted
    stem = wanted.rstrip("0123456789") or wanted
    number = int(wanted[len(stem) :] or 1)
    while f"{stem}{number}" in taken or (number == 1 and stem == wanted):
        number += 1
    return f"{stem}{number}"
