"""A part becomes its elements again: with free names, its parameters put in, its ports as bonds."""

from __future__ import annotations

import os
from copy import deepcopy
from pathlib import Path as File
from typing import Any

from pliant.errors import InputError
from pliant.model.files.document import Path
from pliant.model.files.text import parsed_file
from pliant.model.networks.library import COMPONENTS
from pliant.model.numbers.paths import located
from pliant.model.numbers.units import is_quantity
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.networks.drawn import Drawn, free_name
from pliant.studio.operations.networks.parts import words
from pliant.studio.operations.networks.parts.rewiring import (
    apply_changes,
    port_junction,
    repoint,
    repoint_ports,
)
from pliant.studio.operations.networks.placing import APART, kept_places
from pliant.studio.operations.registry import operation
from pliant.studio.operations.viewing import View, edited_view

_ROW = 4
"""Elements beside each other, of a sub-graph that has no places."""


@operation("graph.ungroup")
def ungroup(draft: Draft, network: str, part: str) -> None:
    """Put the elements of a part in its place. A sub-graph of the file that no other part is a copy
    of goes with it."""
    drawn = Drawn(draft, network)
    part = drawn.local(part)
    if not drawn.element(part).is_part:
        raise InputError(f"{part} is not a part", "select a part")
    made = _Ungroup(drawn, part)
    elsewhere = words.rewritten(draft, made.seen_from_outside)
    made.build()
    apply_changes(draft, drawn, elsewhere, [part])
    drawn.write()
    source = drawn_source(made.use)
    _places(drawn, made, source)
    if source and _is_unused(draft, source):
        draft.remove(("subgraphs", source), 0)
        edited_view(draft, lambda view: None)
    draft.label = f"ungroup {part}"
    draft.selection = tuple(drawn.full(n) for n in made.names.values())


def drawn_source(use: dict[str, Any]) -> str:
    """The sub-graph that a part is a copy of, if it is told by name."""
    return use["part"] if isinstance(use["part"], str) else ""


def raw_subgraph(drawn: Drawn, source: Any) -> dict[str, Any]:
    """What the file says of a sub-graph: of the model, shipped, or in a file of its own."""
    if isinstance(source, str) and drawn.draft.has("subgraphs", source):
        return deepcopy(drawn.draft.at("subgraphs", source))
    if isinstance(source, str):
        return deepcopy(parsed_file(COMPONENTS[source]).data["subgraph"])
    file = located(drawn.draft.base, source["file"])
    found: dict[str, Any] = deepcopy(parsed_file(file).data["subgraph"])
    for entry in (found.get("elements") or {}).values():
        inner = entry.get("part") if isinstance(entry, dict) else None
        if isinstance(inner, dict) and not os.path.isabs(str(inner.get("file"))):
            base = drawn.draft.base or File.cwd()
            inner["file"] = File(os.path.relpath(file.parent / inner["file"], base)).as_posix()
    return found


def _is_unused(draft: Draft, name: str) -> bool:
    """Whether a sub-graph is in the file, and nothing is a copy of it."""
    if not draft.has("subgraphs", name):
        return False
    for section in ("networks", "subgraphs"):
        graphs = draft.at(section)
        for graph in graphs.values() if isinstance(graphs, dict) else ():
            elements = graph.get("elements") if isinstance(graph, dict) else None
            for entry in elements.values() if isinstance(elements, dict) else ():
                if isinstance(entry, dict) and entry.get("part") == name:
                    return False
    return True


class _Ungroup:
    """A part on its way into the graph around it."""

    def __init__(self, drawn: Drawn, part: str) -> None:
        self.drawn, self.part = drawn, part
        self.use = deepcopy(drawn.entry(part))
        if part not in drawn.structure.parts:
            raise InputError(f"the sub-graph of part '{part}' cannot be read", "repair it first")
        self.raw = raw_subgraph(drawn, self.use["part"])
        self.elements: dict[str, Any] = self.raw.get("elements") or {}
        self.names = self._named(self.elements)
        self.lifted: dict[str, str] = {}
        """Quantities of parameters that stand in larger formulas: as parameters of the graph."""
        self.values = self._values()
        self.merged: dict[str, str] = {}
        """Junctions outside that took the name of the one inside they continued."""

    def _named(self, wanted: dict[str, Any]) -> dict[str, str]:
        """New names of elements: their own, or with that of the part."""
        parameters = self.drawn.data.get("parameters")
        taken = {*self.drawn.elements, *self.drawn.bonds} - {self.part}
        taken |= {*parameters} if isinstance(parameters, dict) else set()
        found = {}
        for name in wanted:
            found[name] = name if name not in taken else free_name(f"{self.part}_{name}", taken)
            taken.add(found[name])
        return found

    def _values(self) -> dict[str, Any]:
        """What each parameter stands for, in names of the graph around."""
        own = self.raw.get("parameters") or {}
        given = self.use.get("with") or {}
        found = {n: given[n] for n in own if n in given}
        waiting = {n: v for n, v in own.items() if n not in given}
        missing = [n for n, v in waiting.items() if v is None]
        if missing:
            raise InputError(f"parameter {missing[0]} of {self.part} is not given",
                             "give it a value first")  # fmt: skip
        while waiting:
            ready = [n for n, v in waiting.items() if not {*words.words_of(v)} & {*waiting}]
            if not ready:
                raise InputError(f"parameters of {self.part} depend on each other",
                                 "repair the sub-graph first")  # fmt: skip
            for name in ready:
                found[name] = self._put(waiting.pop(name), found)
        return found

    # -- names in formulas

    def _put(self, value: Any, known: dict[str, Any]) -> Any:
        """A value of the sub-graph in names of the graph around."""
        if isinstance(value, dict):
            return {k: self._put(v, known) for k, v in value.items()}
        if isinstance(value, list):
            return [self._put(v, known) for v in value]
        if isinstance(value, str) and value.strip() in known:
            return known[value.strip()]
        return words.with_formulas(value, lambda word: self._word(word, known))

    def _word(self, word: str, known: dict[str, Any]) -> str:
        first, *rest = word.split(".")
        if rest:
            return ".".join([self.names.get(first, first), *rest])
        if words.is_own_variable(word):
            return word
        if word in known:
            return self._inside_formula(word, known[word])
        parameters = self.drawn.data.get("parameters")
        if isinstance(parameters, dict) and word in parameters and self._is_of_model(word):
            raise InputError(f"{self.part} reads parameter {word} of the model, "
                             f"{self.drawn.name} has one of its own",
                             "rename one of them first")  # fmt: skip
        return word

    def _is_of_model(self, word: str) -> bool:
        return word in self.drawn.model.parameters or word in self.drawn.model.signals

    def _inside_formula(self, name: str, value: Any) -> str:
        """What stands for a parameter within a formula; a quantity becomes a parameter."""
        if not isinstance(value, str):
            return words.bracketed(repr(value))
        if not is_quantity(value.strip()):
            return words.bracketed(value)
        if name not in self.lifted:
            wanted = f"{self.part}_{name}"
            taken = {*self.drawn.model.parameters, *self.names.values(), *self.lifted.values()}
            self.lifted[name] = self.drawn.free(free_name(wanted, taken))
        return self.lifted[name]

    def seen_from_outside(self, parts: list[str], meant: tuple[Path, ...]) -> list[str]:
        """A name of something in the part, anywhere in the file."""
        own = (*self.drawn.path, "elements", self.part)
        for k, path in enumerate(meant):
            if path == own and len(parts) > k + 1 and parts[k + 1] in self.names:
                return [*parts[:k], self.names[parts[k + 1]], *parts[k + 2 :]]
        return parts

    # -- elements and bonds

    def build(self) -> None:
        """Its elements, bonds and ports in the graph around."""
        drawn, made = self.drawn, {}
        for name, entry in self.elements.items():
            made[self.names[name]] = self._element(entry)
        items = drawn.data["elements"].items()
        drawn.data["elements"] = dict(
            pair for n, e in items for pair in (made.items() if n == self.part else [(n, e)])
        )
        for name, bond in (self.raw.get("bonds") or {}).items():
            ends = {k: self.names.get(str(v), v) if k != "dim" else v for k, v in bond.items()}
            drawn.add("bonds", drawn.free(name), ends)
        joined = self.use.get("ports") or {}
        for name, port in (self.raw.get("ports") or {}).items():
            if name in joined:
                self._bond(port, str(joined[name]))
        if self.lifted:
            own = drawn.data.get("parameters") or {}
            more = {new: self.values[old] for old, new in self.lifted.items()}
            drawn.data = _with_parameters(drawn.data, {**own, **more})
        drawn.changed()

    def _element(self, entry: dict[str, Any]) -> dict[str, Any]:
        found = {k: deepcopy(v) if k in words.NAMES else self._put(v, self.values)
                 for k, v in entry.items()}  # fmt: skip
        repoint(found, lambda j: self.names.get(j, j))
        domain = self.raw.get("domain") or ""
        if "junction" in found and domain and domain != self.drawn.domain:
            found.setdefault("domain", domain)
        return found

    def _bond(self, port: Any, outer: str) -> None:
        """A port as a bond; a junction inside that only continued the one outside goes into it."""
        own = port_junction(port)
        if own not in self.elements:
            return
        inner = self.names[own]
        outer = self.merged.get(outer, outer)
        if self._continues(own, inner, outer):
            self._merge(own, inner, outer)
            return
        outward = isinstance(port, dict) and bool(port.get("outward"))
        a, b = (inner, outer) if outward else (outer, inner)
        self.drawn.add("bonds", self.drawn.free(f"{a}_{b}"), {"from": a, "to": b})

    def _continues(self, own: str, inner: str, outer: str) -> bool:
        """Whether two junctions are alike, in name, kind, dimension and domain."""
        self.drawn.changed()
        places = self.drawn.structure.places
        a, b = places.get(inner), places.get(outer)
        return a is not None and a == b and _stem(own) == _stem(outer)

    def _merge(self, own: str, inner: str, outer: str) -> None:
        """Everything on the inner junction onto the outer one, which takes its name if it can."""
        data = self.drawn.data
        del data["elements"][inner]
        self._renamed(inner, outer)
        plain = set(data["elements"][outer]) <= {"junction", "dim", "domain"}
        kept = outer
        if plain and own != outer and own not in {*data["elements"], *self.drawn.bonds}:
            data["elements"] = {own if n == outer else n: e for n, e in data["elements"].items()}
            self._renamed(outer, own)
            self.merged[outer] = kept = own
        self.names[own] = kept
        self.drawn.changed()

    def _renamed(self, old: str, new: str) -> None:
        """Another junction in everything that is bonded to one."""
        data = self.drawn.data
        for entry in data["elements"].values():
            if isinstance(entry, dict):
                repoint(entry, lambda j: new if j == old else j)
        for bond in (data.get("bonds") or {}).values():
            bond |= {k: new for k in ("from", "to", "stroke") if bond.get(k) == old}
        repoint_ports(data, lambda j: new if j == old else j)


def _stem(name: str) -> str:
    """A name without the number that made it a free one."""
    return name.rstrip("0123456789")


def _with_parameters(data: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """The mapping of a graph with parameters before its elements."""
    rest = {k: v for k, v in data.items() if k != "parameters"}
    items = [*rest.items()]
    at = next((k for k, (key, _) in enumerate(items) if key == "elements"), len(items))
    return dict([*items[:at], ("parameters", parameters), *items[at:]])


def _places(drawn: Drawn, made: _Ungroup, source: str) -> None:
    """The elements about the place of the part, as they stood in the sub-graph."""
    kept = kept_places(drawn)
    if made.part not in kept:
        return
    x, y = kept[made.part]
    drawn_there = kept_places(drawn, source) if source else {}
    inner = {n: at for n, at in drawn_there.items() if n in made.names}
    if not inner:
        inner = {n: (APART * (k % _ROW), APART * (k // _ROW)) for k, n in enumerate(made.names)}
    left, top = (round(sum(at[k] for at in inner.values()) / len(inner)) for k in (0, 1))
    new = {made.names[n]: [x + a - left, y + b - top] for n, (a, b) in inner.items()}

    def change(view: View) -> None:
        there = {n: at for n, at in view["places"][drawn.key].items() if n != made.part}
        view["places"][drawn.key] = {**there, **new}

    edited_view(drawn.draft, change)
