"""A selection becomes a sub-graph: what it needs of its surroundings comes in by ports and by
parameters, and a part stands in its place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pliant.errors import InputError
from pliant.model.files.document import Path
from pliant.model.networks.kinds import ONE_PORTS
from pliant.model.networks.library import COMPONENTS
from pliant.model.validation.references import LEGAL, LETTERS
from pliant.registry import offered
from pliant.studio.operations.draft import Draft, Question
from pliant.studio.operations.networks.drawn import Drawn, free_name
from pliant.studio.operations.networks.parts import words
from pliant.studio.operations.networks.parts.rewiring import (
    apply_changes,
    port_junction,
    repoint,
    repoint_ports,
)
from pliant.studio.operations.networks.placing import kept_places, nearest_free
from pliant.studio.operations.registry import operation
from pliant.studio.operations.viewing import View, edited_view


@operation("graph.group")
def group(
    draft: Draft, network: str, names: list[str], name: str = "", ports: list[str] | None = None
) -> None:
    """Make a sub-graph of some elements, with ports where bonds were cut, and a part in their
    place. Attachments to joints and frames stay outside.

    ``ports``: junctions that get a port although nothing outside is bonded to them.
    """
    drawn = Drawn(draft, network)
    chosen = {drawn.local(n) for n in names}
    inside = [n for n in drawn.elements if n in chosen and not drawn.element(n).mover]
    if not inside:
        raise InputError("nothing is selected that can be in a sub-graph",
                         "select elements of the network")  # fmt: skip
    name = _subgraph_name(draft, name)
    part = drawn.free(name.replace("-", "_"))
    made = _Group(drawn, inside, part)
    made.build()
    _extra_ports(made, ports)
    elsewhere = words.rewritten(draft, made.seen_from_outside)
    first = inside[0]
    drawn.data["elements"] = {
        part if n == first else n: made.use(name) if n == first else entry
        for n, entry in drawn.data["elements"].items()
        if n == first or n not in inside
    }
    drawn.changed()
    apply_changes(draft, drawn, elsewhere, inside)
    drawn.write()
    draft.insert(("subgraphs",), name, made.subgraph())
    draft.open(("subgraphs", name))
    draft.open(("subgraphs", name, "elements"))
    _places(drawn, made, name)
    draft.label = f"group {len(inside)} element{'s' * (len(inside) > 1)} as {name}"
    draft.selection = (drawn.full(part),)


def _subgraph_name(draft: Draft, name: str) -> str:
    offered()
    known = draft.at("subgraphs")
    taken = {*COMPONENTS, *(known if isinstance(known, dict) else ())}
    if not name:
        return free_name("group1", taken)
    if not LEGAL.fullmatch(name.replace("-", "_")):
        raise InputError(f"'{name}' is not a legal name", LETTERS)
    if name in taken:
        raise InputError(f"there is a sub-graph '{name}' already", "choose another name")
    return name


class _Group:
    """A sub-graph that is being made of elements of a graph."""

    def __init__(self, drawn: Drawn, inside: list[str], part: str) -> None:
        self.drawn, self.part = drawn, part
        self.inside = dict.fromkeys(inside)
        self.elements = {n: deepcopy(drawn.entry(n)) for n in inside}
        self.bonds: dict[str, Any] = {}
        self.ports: dict[str, tuple[str, bool, str]] = {}
        """Inner junction, whether the arrow leaves, outer junction (empty: joined to nothing)."""
        self.given: dict[str, str] = {}
        """Parameters that come from outside."""
        own = drawn.data.get("parameters")
        self.parameters: set[str] = {*own} if isinstance(own, dict) else set()
        self.places = dict(drawn.structure.places)
        self.links = drawn.structure.links

    def build(self) -> None:
        """Bonds within go along, those that were cut become ports."""
        self._entering()
        self._leaving()
        self._between()
        self.elements = {n: words.with_words(e, self._seen_from_inside)
                         for n, e in self.elements.items()}  # fmt: skip

    def use(self, name: str) -> dict[str, Any]:
        """The part."""
        ports = {p: outer for p, (_, _, outer) in self.ports.items() if outer}
        given = {"with": self.given} if self.given else {}
        return {"part": name, **given, **({"ports": ports} if ports else {})}

    def subgraph(self) -> dict[str, Any]:
        """Its entry in the file."""
        found: dict[str, Any] = {}
        if self.drawn.domain:
            found["domain"] = self.drawn.domain
        if self.given:
            found["parameters"] = dict.fromkeys(self.given)
        found["elements"] = self.elements
        if self.bonds:
            found["bonds"] = self.bonds
        if self.ports:
            found["ports"] = {p: {"junction": inner, "outward": True} if outward else inner
                              for p, (inner, outward, _) in self.ports.items()}  # fmt: skip
        return found

    # -- cut bonds

    def _entering(self) -> None:
        """Elements inside on junctions outside get a junction of their own, of the same kind."""
        made: dict[str, str] = {}

        def inner(junction: str) -> str:
            if junction in self.inside or junction not in self.places:
                return junction
            if junction not in made:
                made[junction] = self._new_inner(junction)
                self._port(made[junction], junction, outward=not self._enters(junction, True))
            return made[junction]

        for name in self.inside:
            repoint(self.elements[name], inner)

    def _leaving(self) -> None:
        """Elements outside on junctions inside get one outside, of the same kind."""
        made: dict[str, str] = {}

        def outer(junction: str) -> str:
            if junction not in self.inside:
                return junction
            if junction not in made:
                made[junction] = self._new_outer(junction)
                self._port(junction, made[junction], outward=self._enters(junction, False))
            return made[junction]

        for name in [n for n in self.drawn.elements if n not in self.inside]:
            if name in self.drawn.graph.elements:
                repoint(self.drawn.data["elements"][name], outer)
        repoint_ports(self.drawn.data, outer)
        self.drawn.changed()

    def _enters(self, junction: str, inside: bool) -> bool:
        """Whether the first half arrow between a junction and elements inside, or outside, enters
        these."""
        for link in self.links:
            if link.tail == junction and (link.head.partition(".")[0] in self.inside) == inside:
                return True
            if link.head == junction and (link.tail.partition(".")[0] in self.inside) == inside:
                return False
        ports = (self.drawn.data.get("ports") or {}).values()
        return all(isinstance(p, dict) and bool(p.get("outward")) for p in ports
                   if port_junction(p) == junction)  # fmt: skip

    def _between(self) -> None:
        """Entries of ``bonds``."""
        drawn = self.drawn
        for name, bond in [*drawn.bonds.items()]:
            ends = [str(bond.get("from")), str(bond.get("to"))]
            within = [end in self.inside for end in ends]
            if not any(within):
                continue
            del drawn.data["bonds"][name]
            if all(within):
                self.bonds[name] = deepcopy(bond)
                continue
            if bond.get("stroke"):
                raise InputError(f"the stroke of bond {name} is forced, which a port's cannot be",
                                 "release it, or group what is at both its ends")  # fmt: skip
            outward = within[0]
            inner, outer = ends if outward else ends[::-1]
            if inner not in self.places:
                inner = self._extended(inner, outer, outward, self.elements, self.bonds)
            if outer not in self.places:
                bonds = drawn.data["bonds"]
                outer = self._extended(outer, inner, not outward, drawn.data["elements"], bonds)
            self._port(inner, outer, outward)
        if not drawn.data.get("bonds"):
            drawn.data.pop("bonds", None)
        drawn.changed()

    def _extended(
        self, end: str, other: str, leaves: bool, elements: dict[str, Any], bonds: dict[str, Any]
    ) -> str:
        """A junction at the end of a bond that had none there."""
        place = self.places.get(other)
        entry: dict[str, Any] = {"junction": 1}
        if place is not None and place.dim > 1:
            entry["dim"] = place.dim
        if place is not None and place.domain and place.domain != self.drawn.domain:
            entry["domain"] = place.domain
        made = free_name("j1", {*elements, *bonds})
        elements[made] = entry
        bonds[free_name(f"{end}_{made}", {*elements, *bonds})] = (
            {"from": end, "to": made} if leaves else {"from": made, "to": end})  # fmt: skip
        return made

    def _like(self, junction: str) -> dict[str, Any]:
        place = self.places[junction]
        entry: dict[str, Any] = {"junction": place.common}
        if place.dim > 1:
            entry["dim"] = place.dim
        if place.domain and place.domain != self.drawn.domain:
            entry["domain"] = place.domain
        return entry

    def _new_inner(self, junction: str) -> str:
        name = free_name(junction, {*self.elements, *self.drawn.bonds})
        self.elements[name] = self._like(junction)
        return name

    def _new_outer(self, junction: str) -> str:
        name = self.drawn.free(junction, (self.part,))
        self.drawn.data["elements"][name] = self._like(junction)
        return name

    def _port(self, inner: str, outer: str, outward: bool) -> None:
        single = {n for n, e in self.elements.items() if any(k in ONE_PORTS for k in e)}
        name = free_name(inner, {*self.ports, *single})
        self.ports[name] = (inner, outward, outer)

    def open_at(self, junction: str) -> None:
        """A port that nothing is joined to yet."""
        if junction not in self.inside or junction not in self.places:
            raise InputError(f"'{junction}' is no junction of the selection", "name one of them")
        self._port(junction, "", outward=False)

    # -- names in formulas

    def _seen_from_inside(self, word: str) -> str:
        """A name in a formula that goes along."""
        first, *rest = word.split(".")
        if not rest:
            if first in self.parameters and not words.is_own_variable(first):
                self.given[first] = first
            return word
        if first in self.drawn.elements:
            if first in self.inside:
                return word
            own = next((n for n, text in self.given.items() if text == word), "")
            if not own:
                own = free_name(word.replace(".", "_"), {*self.given, *self.parameters,
                                                         *self.drawn.model.parameters})  # fmt: skip
                self.given[own] = word
            return own
        if first == self.drawn.name and rest[0] in self.inside:
            return ".".join([first, self.part, *rest])
        return word

    def seen_from_outside(self, parts: list[str], meant: tuple[Path, ...]) -> list[str]:
        """A name in a formula elsewhere in the file."""
        found = list(parts)
        for k in reversed(range(min(len(meant), len(parts)))):
            path = meant[k]
            if path[:3] == (*self.drawn.path, "elements") and path[3] in self.inside:
                found.insert(k, self.part)
        return found


def _extra_ports(made: _Group, ports: list[str] | None) -> None:
    """Where nothing was cut it is asked for a junction with a port."""
    junctions = [n for n in made.inside if n in made.places]
    if made.ports or not junctions:
        for junction in ports or ():
            made.open_at(made.drawn.local(junction))
        return
    if ports is None:
        choices = [("No port", {"ports": list[str]()})]
        choices = [(f"Port {n}", {"ports": [n]}) for n in reversed(junctions)] + choices
        what = "No bond leads out of the selection. At which junction shall it have a port?"
        raise Question(what, choices, tuple(made.drawn.full(n) for n in junctions))
    for junction in ports:
        made.open_at(made.drawn.local(junction))


def _places(drawn: Drawn, made: _Group, name: str) -> None:
    """The elements keep their places in the sub-graph, the part stands in their middle."""
    kept = kept_places(drawn)
    own = {n: [*at] for n, at in kept.items() if n in made.inside}
    if not own:
        return
    rest = {n: at for n, at in kept.items() if n not in own}
    x, y = (round(sum(at[k] for at in own.values()) / len(own)) for k in (0, 1))

    def change(view: View) -> None:
        there = {n: at for n, at in view["places"][drawn.key].items() if n not in own}
        view["places"][drawn.key] = {**there, made.part: [*nearest_free((x, y), rest)]}
        view["places"][name] = own

    edited_view(drawn.draft, change)
