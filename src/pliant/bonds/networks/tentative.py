"""A network that may be faulty: what can be said of its elements, bonds and causality all the same.

Elements whose junctions are missing stand alone, bonds to nowhere are left out. Causality is
assigned to what is sound; strokes are told only where that succeeds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import cast

from pliant.bonds import laws
from pliant.bonds.causality import Causality, assign
from pliant.bonds.elements import Kind, Node
from pliant.bonds.graph import BondGraph
from pliant.bonds.networks.graph import NetworkBonds, networks_bonds
from pliant.bonds.structure import AnyNumbers, structural_state
from pliant.errors import InputError, PliantError
from pliant.model.formulas import Formula
from pliant.model.formulas.formula import from_tree
from pliant.model.formulas.tree import Number
from pliant.model.frozen import FrozenDict
from pliant.model.model import Model
from pliant.model.networks import elements as el
from pliant.model.networks.entries import Entries, named, replaced, replaced_formula
from pliant.model.networks.flat import closed_parameters
from pliant.model.networks.network import Graph, Network, NetworkBond, Subgraph, parts_of
from pliant.model.networks.structure import MAX_DEPTH, Structure
from pliant.records import dataclass

SUBGRAPHS = "subgraphs."
"""Begins the names of sub-graphs that are looked at by themselves."""
_AT = " at "
"""In the names of the sources that stand for the mechanics."""


@dataclass(slots=True)
class Sketch:
    """Elements and bonds as far as they can be read; ``elements``: what the user said of each;
    ``laws``: their formulas in names of the model; ``forced``: bonds whose strokes the user
    wants."""

    graph: BondGraph
    elements: dict[str, el.Element] = field(default_factory=dict)
    laws: dict[str, Mapping[str, Entries]] = field(default_factory=dict)
    domains: dict[str, str] = field(default_factory=dict)
    forced: set[str] = field(default_factory=set)


def graph_of(model: Model, name: str) -> Graph:
    """A network (``drive``) or sub-graph (``subgraphs.motor``); raises KeyError."""
    own = name.removeprefix(SUBGRAPHS)
    return model.networks[name] if own == name else model.subgraphs[own]


def sketch(model: Model, name: str) -> Sketch:
    """One network or sub-graph with its parts, faulty or not."""
    found, network = Sketch(BondGraph(name)), graph_of(model, name)
    names = {n: named(f"{name}.{n}") for n in network.parameters}
    _include(found, model, network, f"{name}.", names, ())
    return found


def _include(
    found: Sketch, model: Model, graph: Graph, prefix: str, names: Mapping[str, Formula],
    trail: tuple[str, ...],
) -> None:  # fmt: skip
    """A graph and its parts; ``names``: its parameters in names of the model; ``trail``: the
    sub-graphs that it is in."""
    structure, parts = Structure(model, graph), {}
    for name, part in parts_of(graph):
        if name in structure.parts and len(trail) < MAX_DEPTH and part.title not in trail:
            parts[name] = (part, structure.parts[name])
    for name, element in graph.elements.items():
        if name in parts:
            part, inner = parts[name]
            own = _part_names(part, inner, names)
            _include(found, model, inner, f"{prefix}{name}.", own, (*trail, part.title))
        else:
            _add(found, structure, prefix, name, element)
            found.laws[prefix + name] = {k: replaced(v, names) for k, v in element.law.items()}
    for link in structure.links:
        tail, head = prefix + link.tail, prefix + link.head
        if tail in found.graph.nodes and head in found.graph.nodes and tail != head:
            found.graph.bond(tail, head, max(link.dim, 1), name=prefix + link.name,
                             domain=link.domain)  # fmt: skip
            found.forced |= {prefix + link.name} if link.stroke else set()


def _part_names(
    part: el.SubgraphUse, inner: Subgraph, names: Mapping[str, Formula]
) -> dict[str, Formula]:
    """Parameters of a sub-graph in names of the model."""
    given = {n: replaced_formula(f, names) for n, f in part.parameters.items()}
    try:
        return closed_parameters(given, inner.parameters)
    except InputError:
        return given


def _add(found: Sketch, structure: Structure, prefix: str, name: str, element: el.Element) -> None:
    place = structure.places.get(name)
    kind = str(place.common) if place is not None else element.kind
    full, domain = prefix + name, place.domain if place else structure.domain(name)
    found.graph.add(cast(Kind, kind), full, None, structure.dim(name) or 1, owner=prefix[:-1],
                    domain=domain)  # fmt: skip
    found.elements[full], found.domains[full] = element, domain


def tentative_causality(model: Model, name: str, faulty: Collection[str] = ()) -> Causality | None:
    """Causality of a network, or of what is left without ``faulty`` elements and those that hang on
    nothing; None if that says nothing either."""
    whole = _as_network(name, graph_of(model, name))
    first = model if name in model.networks else _with(model, whole)
    for attempt in range(2):
        tried = first if not attempt else _with(model, _sound(model, whole, set(faulty)))
        try:
            (own,) = (b for b in networks_bonds(tried) if b.name == name)
            return _assigned(own, AnyNumbers(tried.parameter_values()))
        except (PliantError, LookupError, ValueError, TypeError, AttributeError):
            continue
    return None


def _as_network(name: str, graph: Graph) -> Network:
    """A sub-graph by itself: parameters that must be given are any numbers."""
    if isinstance(graph, Network):
        return graph
    given = {n: f if f is not None else from_tree(Number(1.0)) for n, f in graph.parameters.items()}
    return Network(name, graph.elements, bonds=graph.bonds, domain=graph.domain,
                   parameters=FrozenDict(given))  # fmt: skip


def _assigned(bonds: NetworkBonds, numbers: laws.Numbers) -> Causality:
    """The mechanics gives the flow where the network is attached."""
    graph = bonds.graph
    for a in bonds.attachments:
        zero = laws.Source([0.0] * a.dim if a.dim > 1 else 0.0)
        graph.add("Sf", f"{a.mover}{_AT}{a.junction}", zero, a.dim, on=a.junction)
    return assign(graph, bonds.forced, structural_state(graph, numbers=numbers))


def is_stand_in(node: Node) -> bool:
    """Whether an element stands for the mechanics at an attachment."""
    return _AT in node.name


def _with(model: Model, network: Network) -> Model:
    return model.with_(networks={network.name: network})


def _sound(model: Model, network: Network, faulty: set[str]) -> Network:
    """Without what is faulty, unbonded, or bonded to what is left out."""
    while True:
        kept = {n: e for n, e in network.elements.items() if n not in faulty}
        network = replace(network, elements=FrozenDict(kept), bonds=_bonds(network, kept))
        structure = Structure(model, network)
        faulty = {n for n, e in kept.items() if not _is_bonded(structure, n, e)}
        if not faulty:
            return network


def _bonds(network: Network, kept: Mapping[str, el.Element]) -> FrozenDict[NetworkBond]:
    return FrozenDict({n: b for n, b in network.bonds.items()
                       if {b.tail, b.head} <= kept.keys()})  # fmt: skip


def _is_bonded(structure: Structure, name: str, element: el.Element) -> bool:
    if name in structure.places:
        return bool(structure.attached(name))
    if element.is_part and name not in structure.parts:
        return False
    return all(own and all(j in structure.places for j in own) for own in element.ends)
