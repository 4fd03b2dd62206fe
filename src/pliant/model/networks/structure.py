"""How the elements of one network or sub-graph are joined: junctions, bonds, dimensions, states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pliant.errors import InputError
from pliant.model.networks import elements
from pliant.model.networks.library import subgraph_of
from pliant.model.networks.network import Graph, Subgraph, parts_of
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.model.model import Model

MAX_DEPTH = 20
"""Parts within parts."""
MAX_ELEMENTS = 20_000
"""Elements of a network with its parts."""


@dataclass(frozen=True, slots=True)
class Place:
    """A junction that bonds are attached to."""

    common: int
    dim: int
    domain: str


@dataclass(frozen=True, slots=True)
class Link:
    """A half arrow with the names of its ends; ``stroke``: the end that receives the effort, if the
    user says so."""

    name: str
    tail: str
    head: str
    dim: int
    domain: str
    stroke: str = ""


class Structure:
    """Junctions and bonds of a graph, by the names used in it; names in parts follow a dot.

    What cannot be found is left out here: validation names it.
    """

    def __init__(self, model: Model, graph: Graph) -> None:
        self.model, self.graph = model, graph
        self.parts: dict[str, Subgraph] = {}
        for name, part in parts_of(graph):
            try:
                self.parts[name] = subgraph_of(model, part)
            except InputError:
                continue
        own = ((n, self._place(e)) for n, e in graph.elements.items())
        self.places: dict[str, Place] = {n: p for n, p in own if p is not None}
        self.links: tuple[Link, ...] = tuple(self._links())
        self._attached: dict[str, list[Link]] = {}
        for link in self.links:
            for end in dict.fromkeys((link.tail, link.head)):
                self._attached.setdefault(end, []).append(link)

    def _place(self, element: elements.Element) -> Place | None:
        if isinstance(element, elements.Junction):
            return Place(element.common, element.dim, element.domain or self.graph.domain)
        if isinstance(element, elements.JointPort):
            return Place(1, 1, self._joint_domain(element))
        if isinstance(element, elements.FramePort):
            along = element.direction is not None or element.away_from
            dim = 1 if along else 3
            return Place(1, dim, "rotation" if element.rotation else "translation")
        if isinstance(element, elements.ElasticPort):
            body = self.model.bodies.get(element.body)
            return Place(1, max(len(body.elastic_names) if body else 0, 1), "")
        return None

    def _joint_domain(self, port: elements.JointPort) -> str:
        joint = self.model.joints.get(port.joint)
        scalars = () if joint is None else joint.scalars
        for c in scalars:
            if port.coordinate == c.name or (port.coordinate is None and len(scalars) == 1):
                return "rotation" if c.unit == "rad" else "translation"
        return ""

    def port(self, part: str, port: str) -> Place | None:
        """The junction of a part that a port stands for."""
        subgraph = self.parts.get(part)
        if subgraph is None or port not in subgraph.ports:
            return None
        junction = subgraph.elements.get(subgraph.ports[port].junction)
        if not isinstance(junction, elements.Junction):
            return None
        return Place(junction.common, junction.dim, junction.domain or subgraph.domain)

    # --- bonds

    def _links(self) -> Iterator[Link]:
        for name, element in self.graph.elements.items():
            if isinstance(element, elements.OnePort):
                yield from self._one_port(name, element)
            elif isinstance(element, elements.TwoPort):
                yield from self._two_port(name, element)
            elif isinstance(element, elements.SubgraphUse):
                yield from self._part(name, element)
        for name, bond in self.graph.bonds.items():
            ends = [self.places.get(end) for end in (bond.tail, bond.head)]
            known = next((p for p in ends if p is not None), Place(1, 1, self.graph.domain))
            stroke = {bond.tail: "tail", bond.head: "head"}.get(bond.stroke, "")
            dim = bond.dim or known.dim
            yield Link(name, bond.tail, bond.head, dim, known.domain, stroke)

    def _one_port(self, name: str, element: elements.OnePort) -> Iterator[Link]:
        """Arrows leave sources and enter the others."""
        source = element.kind in elements.SOURCES
        stroke = ""
        if element.stroke:
            stroke = "tail" if (element.stroke == "element") == source else "head"
        for k, junction in enumerate(element.on):
            place = self.places.get(junction)
            if place is not None:
                own = name if len(element.on) == 1 else f"{name}.{k + 1}"
                ends = (name, junction) if source else (junction, name)
                yield Link(own, *ends, place.dim, element.domain or place.domain, stroke)

    def _two_port(self, name: str, element: elements.TwoPort) -> Iterator[Link]:
        ends = [(tail, name) for tail in element.tails] + [(name, head) for head in element.heads]
        for k, (tail, head) in enumerate(ends):
            place = self.places.get(head if tail == name else tail)
            if place is not None:
                yield Link(f"{name}.{k + 1}", tail, head, place.dim, place.domain)

    def _part(self, name: str, element: elements.SubgraphUse) -> Iterator[Link]:
        subgraph = self.parts.get(name)
        for port, junction in element.ports.items():
            place, inner = self.places.get(junction), self.port(name, port)
            if subgraph is None or place is None or inner is None:
                continue
            ends = (f"{name}.{subgraph.ports[port].junction}", junction)
            tail, head = ends if subgraph.ports[port].outward else ends[::-1]
            yield Link(f"{name}.{port}", tail, head, place.dim, place.domain or inner.domain)

    # --- questions

    def dim(self, name: str) -> int:
        """Components of an element: those of a junction, or of all bonds of another."""
        if name in self.places:
            return self.places[name].dim
        return sum(link.dim for link in self.attached(name))

    def attached(self, name: str) -> list[Link]:
        """Bonds at an element, in the order of attachment."""
        return self._attached.get(name, [])

    def side_dim(self, name: str, side: int) -> int:
        """Components that enter (side 1) or leave (side 2) an element."""
        ends = ((link, link.head if side == 1 else link.tail) for link in self.attached(name))
        return sum(link.dim for link, end in ends if end == name)

    def domain(self, name: str) -> str:
        """The domain of an element: its own, or that of the junction it is on."""
        element = self.graph.elements.get(name)
        own = element.domain if isinstance(element, elements.OnePort) else ""
        return own or next((link.domain for link in self.attached(name) if link.domain), "")


def state_names(structure: Structure) -> dict[str, tuple[str, str, int]]:
    """Names of states that formulas of a graph may read: element, quantity, component.

    `La.flow`, `C1.displacement`, `C1.effort`; of vector elements `La.flow2`; of parts
    `motor.inductance.flow`.
    """
    return _names(structure, elements.STATES)


def output_names(structure: Structure) -> dict[str, tuple[str, str, int]]:
    """The same of efforts and flows that are no states: `supply.flow`, `La.effort`."""
    states = state_names(structure)
    return {k: v for k, v in _names(structure, elements.OUTPUTS).items() if k not in states}


def _names(
    structure: Structure, quantities: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, str, int]]:
    """Quantities of elements, by their kinds, of a graph and its parts."""
    found: dict[str, tuple[str, str, int]] = {}
    known: dict[str, Structure] = {}
    waiting: list[tuple[str, Structure, tuple[str, ...]]] = [("", structure, ())]
    for _ in range(MAX_ELEMENTS):
        if not waiting:
            break
        prefix, own, trail = waiting.pop()
        for name, element in own.graph.elements.items():
            for quantity in quantities.get(element.kind, ()):
                n = own.dim(name)
                for k in range(n):
                    label = f"{prefix}{name}.{quantity}" + (f"{k + 1}" if n > 1 else "")
                    found[label] = (prefix + name, quantity, k)
        for name, part in parts_of(own.graph):
            if name in own.parts and part.title not in trail:
                if part.title not in known:
                    known[part.title] = Structure(own.model, own.parts[name])
                waiting.append((f"{prefix}{name}.", known[part.title], (*trail, part.title)))
    return found
