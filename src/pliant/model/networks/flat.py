"""A network with its parts put in: full names, and formulas in names of the model.

Parameters of sub-graphs are replaced by their formulas, those of networks and states by their full
names (``drive.R``, ``drive.La.flow``), the own variable of a law by ``<element>.f``. An I or R that
is the number 0 on a 1-junction gives no effort and is left out.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from pliant.errors import InputError
from pliant.model.fields import Reference, kinds_of
from pliant.model.formulas import Formula
from pliant.model.frozen import FrozenDict
from pliant.model.networks import elements as el
from pliant.model.networks.entries import Entries, each, named, replaced, replaced_formula
from pliant.model.networks.kinds import ONE_PORTS
from pliant.model.networks.network import Graph, Network, structural
from pliant.model.networks.structure import MAX_DEPTH, Link, Structure, output_names, state_names
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.model.model import Model


@dataclass(frozen=True, slots=True)
class FlatElement:
    """An element by its full name; ``kind`` as in bond graphs (0 and 1 are junctions)."""

    name: str
    kind: str
    dim: int
    domain: str
    owner: str
    law: Mapping[str, Entries] = FrozenDict()
    initial: Mapping[str, Entries] = FrozenDict()
    inverse: Entries | str | None = None
    port: el.Port | None = None
    """What a 1-junction is attached to."""
    coordinates: tuple[str, ...] = ()
    """Joint coordinates that its law reads."""

    def variables(self, law: str) -> tuple[str, ...]:
        """Names of the own variables of a relation, one per component."""
        letter = ONE_PORTS[self.kind].variable(law)
        if self.dim == 1:
            return (f"{self.name}.{letter}",)
        return tuple(f"{self.name}.{letter}{k + 1}" for k in range(self.dim))


@dataclass(slots=True)
class FlatNetwork:
    """Everything in a network; ``states`` and ``outputs`` (efforts and flows that are none): full
    names that formulas may contain, each with element, quantity and component."""

    name: str
    elements: dict[str, FlatElement] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    states: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    outputs: dict[str, tuple[str, str, int]] = field(default_factory=dict)

    def attached(self, name: str) -> list[Link]:
        """Bonds at an element."""
        return [link for link in self.links if name in (link.tail, link.head)]


def flatten(model: Model, name: str) -> FlatNetwork:
    """A checked network with all its parts."""
    network = model.networks[name]
    flat = FlatNetwork(name)
    _Inclusion(model, flat, network, f"{name}.", {}).run()
    return flat


def closed_parameters(
    given: Mapping[str, Formula], own: Mapping[str, Formula | None]
) -> dict[str, Formula]:
    """Parameters by formulas that read none of themselves: ``given`` ones as they are, the others
    in terms of them."""
    closed: dict[str, Formula] = dict(given)
    waiting = {n: f for n, f in own.items() if n not in closed and f is not None}
    while waiting:
        ready = [n for n, f in waiting.items() if f.names.isdisjoint(waiting)]
        if not ready:
            raise InputError(f"parameters depend on each other: {', '.join(waiting)}")
        fresh = {n: replaced_formula(waiting.pop(n), closed) for n in ready}
        closed |= fresh
    return closed


class _Inclusion:
    """One graph on its way into the flat network."""

    def __init__(
        self, model: Model, flat: FlatNetwork, graph: Graph, prefix: str,
        parameters: Mapping[str, Formula], depth: int = 0,
    ) -> None:  # fmt: skip
        self.model, self.flat, self.graph = model, flat, graph
        self.prefix, self.depth = prefix, depth
        self.structure = Structure(model, graph)
        if depth:
            self.names = closed_parameters(parameters, graph.parameters)
        else:  # set at run time, by their full names
            fixed = structural(graph) if isinstance(graph, Network) else frozenset()
            own = graph.parameters.items()
            self.names = {n: f if f and n in fixed else named(prefix + n) for n, f in own}
        self.names = {**model.named_formulas(), **self.names}
        self.states = state_names(self.structure)
        self.outputs = output_names(self.structure)
        read = {name for e in graph.elements.values() for _, _, f, _ in el.formulas_of(e)
                for name in f.names}  # fmt: skip
        found = read & (self.states.keys() | self.outputs.keys())
        self.names |= {label: named(prefix + label) for label in found}

    def run(self) -> None:
        if self.depth > MAX_DEPTH:
            raise InputError(f"{self.prefix[:-1]}: parts are nested more than {MAX_DEPTH} deep")
        nothing = set()
        for name, element in self.graph.elements.items():
            if isinstance(element, el.SubgraphUse):
                given = {n: replaced_formula(f, self.names) for n, f in element.parameters.items()}
                inner, prefix = self.structure.parts[name], f"{self.prefix}{name}."
                _Inclusion(self.model, self.flat, inner, prefix, given, self.depth + 1).run()
            elif self._is_nothing(name, element):
                nothing.add(name)
            else:
                self._element(name, element)
        at = self.prefix
        for full, own in ((self.flat.states, self.states), (self.flat.outputs, self.outputs)):
            full |= {
                at + label: (at + element, quantity, k)
                for label, (element, quantity, k) in own.items()
                if at + element in self.flat.elements
            }
        self.flat.links += [
            Link(at + k.name, at + k.tail, at + k.head, k.dim, k.domain, k.stroke)
            for k in self.structure.links
            if nothing.isdisjoint((k.tail, k.head))
        ]

    def _is_nothing(self, name: str, element: el.Element) -> bool:
        """Whether an element gives no effort at a 1-junction, whatever its flow."""
        if not isinstance(element, el.OnePort) or element.kind not in ("I", "R"):
            return False
        main, places = ONE_PORTS[element.kind].main, self.structure.places
        if main not in element.law or len(element.on) != 1 or places[element.on[0]].common == 0:
            return False
        if len(self.structure.attached(name)) != 1:
            return False
        found = [f for _, f in each(replaced(element.law[main], self.names))]
        return all(f.is_constant and f.value == 0 for f in found)

    def _element(self, name: str, element: el.Element) -> None:
        full, owner, structure = self.prefix + name, self.prefix[:-1], self.structure
        place = structure.places.get(name)
        about: dict[str, Any] = {"dim": structure.dim(name), "domain": structure.domain(name)}
        kind: str = element.kind
        if place is not None:
            kind, about["domain"] = str(place.common), place.domain
            if isinstance(element, el.Port):
                about["port"] = element
            if isinstance(element, el.FramePort) and element.direction is not None:
                direction = tuple(replaced_formula(f, self.names) for f in element.direction)
                about["port"] = replace(element, direction=direction)
        elif isinstance(element, el.OnePort):
            about["law"] = FrozenDict({k: self._law(full, element, k) for k in element.law})
            initial = {k: replaced(v, self.names) for k, v in element.initial.items()}
            about["initial"] = FrozenDict(initial)
            about["coordinates"] = self._coordinates(about["law"])
        elif isinstance(element, el.TwoPort):
            domains = {link.domain for link in structure.attached(name)}
            about |= {"dim": 0, "domain": domains.pop() if len(domains) == 1 else ""}
            if element.matrix is not None:
                about["law"] = FrozenDict({"matrix": replaced(element.matrix, self.names)})
            inverse = element.inverse
            if inverse is not None and not isinstance(inverse, str):
                inverse = replaced(inverse, self.names)
            about["inverse"] = inverse
        self.flat.elements[full] = FlatElement(full, kind, owner=owner, **about)

    def _coordinates(self, law: Mapping[str, Entries]) -> tuple[str, ...]:
        names = {n for value in law.values() for _, f in each(value) for n in f.names if "." in n}
        found = []
        for name in sorted(names):
            joint, _, coordinate = name.partition(".")
            scalars = self.model.joints[joint].scalars if joint in self.model.joints else ()
            found += [name] if any(c.name == coordinate for c in scalars) else []
        return tuple(found)

    def _law(self, full: str, element: el.OnePort, law: str) -> Entries:
        letter = ONE_PORTS[element.kind].variable(law)
        if not letter:
            return replaced(element.law[law], self.names)
        n = self.structure.dim(full[len(self.prefix) :])
        own = [letter] if n == 1 else [f"{letter}{k + 1}" for k in range(n)]
        variables = {v: named(f"{full}.{v}") for v in own}
        return replaced(element.law[law], ChainMap(variables, self.names))


def touching(model: Model) -> Iterator[tuple[Any, str]]:
    """Everything that acts on a frame, with the frame: joints, forces, drivers, constraints, ports
    of networks."""
    groups = (model.joints, model.forces, model.drivers, model.constraints)
    elements: list[Any] = [element for group in groups for element in group.values()]
    elements += [e.port for network in model.networks
                 for e in flatten(model, network).elements.values()
                 if e.port is not None]  # fmt: skip
    for element in elements:
        for key, kind in kinds_of(element).items():
            reference = getattr(element, key)
            if isinstance(kind, Reference) and kind.to == "frame" and reference:
                yield element, str(reference)


def efforts(model: Model) -> Iterator[tuple[str, str | None]]:
    """Joint coordinates along which something acts: forces and ports of networks; None is the only
    one of its joint."""
    yield from ((f.joint, f.coordinate) for f in model.forces.values() if f.joint)
    for network in model.networks:
        for element in flatten(model, network).elements.values():
            if element.port is not None and element.port.joint:
                yield element.port.joint, element.port.coordinate
