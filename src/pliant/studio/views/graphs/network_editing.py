"""What an editing canvas must know of a network beside its drawing: where in the file values and
bonds stand, what may be turned round or forced, ports of parts at the edges of their boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from pliant.model.files.document import Path
from pliant.model.files.editing.inline import Writer
from pliant.model.model import Model
from pliant.model.networks.elements import SOURCES, TWO_PORTS
from pliant.model.networks.kinds import ONE_PORTS
from pliant.model.networks.network import Graph
from pliant.model.networks.structure import Link, Structure

Data = dict[str, Any]
_STEP = 18.0
"""Pixels between ports that are joined to nothing."""


class Editing:
    """One network or sub-graph by its name; ``raw``: what the file says of it, if that is known."""

    def __init__(self, model: Model, name: str, graph: Graph, raw: Any) -> None:
        self.name, self.graph = name, graph
        self.path: Path = (graph.section, graph.name)
        self.elements: Mapping[str, Any] = _mapping(_mapping(raw).get("elements"))
        self.structure = Structure(model, graph)
        self.links = {link.name: link for link in self.structure.links}
        self.known = model.subgraphs

    def add_to(self, data: Data) -> None:
        """Say it of all nodes, bonds and boxes of a drawing."""
        ways = {bond["name"]: bond["points"] for bond in data["bonds"]}
        spots = {node["name"]: node["at"] for node in data["nodes"]}
        for node in data["nodes"]:
            node |= self._node(self._local(node["name"]))
        for bond in data["bonds"]:
            bond |= self._bond(self._local(bond["name"]))
        for box in data["boxes"]:
            local = self._local(box["name"])
            if local in self.structure.parts:
                box |= self._part(local, box, ways, spots)
        data["ports"] = [
            {"name": name, "junction": f"{self.name}.{port.junction}", "outward": port.outward}
            for name, port in getattr(self.graph, "ports", {}).items()
        ]

    def _local(self, name: str) -> str:
        return name.removeprefix(f"{self.name}.")

    def _node(self, local: str) -> Data:
        element = self.graph.elements.get(local)
        if element is None:
            return {"local": local, "inside": True, "domain": ""}
        place = self.structure.places.get(local)
        domain = place.domain if place is not None else self.structure.domain(local)
        found: Data = {"local": local, "inside": False, "domain": domain,
                       "bonded": bool(self.structure.attached(local))}  # fmt: skip
        if element.law:
            path, value = self._value(local, element.kind)
            found |= {"valuePath": list(path), "written": _text(value)}
        return found

    def _value(self, local: str, kind: str) -> tuple[Path, Any]:
        """The path of the value of an element, and what stands there."""
        path = (*self.path, "elements", local, kind)
        value = _mapping(self.elements.get(local)).get(kind)
        if isinstance(value, dict) and len(value) == 1:
            (law,) = value
            return (*path, law), value[law]
        return path, value

    def _bond(self, local: str) -> Data:
        """Where a bond stands; nothing of those inside of parts."""
        link = self.links.get(local)
        if link is None:
            return {"path": None, "reversible": False, "forcible": False}
        path, kind = self._written(link)
        about = {"bond": (True, True), "one": (False, True)}.get(kind, (False, False))
        return {"path": list(path), "local": local, "reversible": about[0], "forcible": about[1],
                "convention": self._convention(link, kind), "forcedAt": link.stroke}  # fmt: skip

    def _written(self, link: Link) -> tuple[Path, str]:
        if link.name in self.graph.bonds:
            return (*self.path, "bonds", link.name), "bond"
        own, _, place = link.name.rpartition(".")
        own = own or link.name
        start, kind = (*self.path, "elements", own), self.graph.elements[own].kind
        if kind in ONE_PORTS:
            return (*start, "on"), "one"
        if kind in TWO_PORTS:
            return (*start, "from" if link.head == own else "to"), "two"
        return (*start, "ports", place), "part"

    def _convention(self, link: Link, kind: str) -> str:
        """Why its arrow goes as it does."""
        if kind == "one":
            own = self.graph.elements[link.name.partition(".")[0]].kind
            way = "leave" if own in SOURCES else "enter"
            return f"half arrows {way} {own} elements by convention"
        if kind == "two":
            return "half arrows enter side 1 (from) and leave side 2 (to)"
        if kind == "part":
            return "the sub-graph says which way the arrow of its port goes"
        return ""

    # -- parts

    def _part(
        self, local: str, box: Data, ways: Mapping[str, Any], spots: Mapping[str, Sequence[float]]
    ) -> Data:
        """The sub-graph of a part, and its ports on the edge of its box: where a bond crosses it,
        else beside their junctions, one off the other."""
        use, subgraph = self.graph.elements[local], self.structure.parts[local]
        joined = dict(zip(_ports(use), (ends[0] for ends in use.ends), strict=True))
        x, _, width, _ = box["at"]
        start, ports = f"{self.name}.{local}", []
        crossed = {n: _crossing(ways.get(f"{start}.{n}"), box["at"]) for n in subgraph.ports}
        taken = [at for at in crossed.values() if at is not None]
        for name, port in subgraph.ports.items():
            place, at = self.structure.port(local, name), crossed[name]
            if at is None:
                at = _beside(box["at"], spots.get(f"{start}.{port.junction}"), port.outward, taken)
                taken.append(at)
            side = "left" if abs(at[0] - x) < abs(at[0] - x - width) else "right"
            ports.append({
                "name": name, "at": at, "side": side, "outward": port.outward,
                "joined": joined.get(name, ""),
                "domain": place.domain if place else "", "dim": place.dim if place else 0,
                "junction": f"{start}.{port.junction}",
            })  # fmt: skip
        return {"local": local, "of": use.title, "ports": ports,
                "path": [*self.path, "elements", local], "source": self._source(local)}  # fmt: skip

    def _source(self, local: str) -> str:
        """What a part is a copy of, for opening it: a sub-graph of the file, a file, or shipped."""
        part = _mapping(self.elements.get(local)).get("part")
        if isinstance(part, dict):
            return f"file:{part.get('file', '')}"
        if not isinstance(part, str):
            return ""
        return f"subgraphs.{part}" if part in self.known else f"shipped:{part}"


def _beside(
    box: Sequence[float], junction: Sequence[float] | None, outward: bool,
    taken: Sequence[Sequence[float]],
) -> list[float]:  # fmt: skip
    """Where a port that is joined to nothing stands: at the edge near its junction, off others."""
    x, y, width, height = box
    is_right = outward if junction is None else junction[0] >= x + width / 2
    at = [x + width if is_right else x, y + height - _STEP if junction is None else junction[1]]
    while any(abs(at[0] - p[0]) < _STEP and abs(at[1] - p[1]) < _STEP for p in taken):
        at[1] += _STEP
    return at


def _ports(use: Any) -> Sequence[str]:
    return [*use.ports]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    """As it is typed: a text without quotes, lists in brackets."""
    if value is None:
        return ""
    return value if isinstance(value, str) else Writer().flow(value)


def _crossing(way: Any, at: Sequence[float]) -> list[float] | None:
    """Where a bond crosses the edge of a box."""
    if not way:
        return None
    x, y, width, height = at
    for (ax, ay), (bx, by) in pairwise(way):
        for edge in (x, x + width):
            if (ax - edge) * (bx - edge) <= 0 and ax != bx:
                cy = ay + (by - ay) * (edge - ax) / (bx - ax)
                if y <= cy <= y + height:
                    return [round(edge, 1), round(cy, 1)]
    return None
