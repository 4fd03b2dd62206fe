"""Where the elements of a network are drawn: on the places of the file, or by themselves."""

from __future__ import annotations

from pliant.bonds import BondGraph
from pliant.bonds.networks.tentative import graph_of, sketch
from pliant.model.model import Model
from pliant.model.networks.network import Graph, parts_of
from pliant.model.networks.structure import MAX_DEPTH, Structure
from pliant.show.bonds.arranged import Arranged
from pliant.show.bonds.by_hand import GRID
from pliant.show.bonds.groups import Grid, Group
from pliant.show.bonds.part_places import places_of
from pliant.show.bonds.places import in_columns

Place = tuple[float, float]
_HALF = 2
"""Parts of a unit to which places are told."""


def arranged(model: Model, name: str, graph: BondGraph) -> tuple[Grid, Arranged]:
    """A network or sub-graph as the only group of a drawing."""
    group = Group(name, "network", {n.removeprefix(f"{name}."): n for n in graph.nodes})
    places = places_of(model, {name: graph_of(model, name)})
    grid = Grid({name: group}, graph, {name: 0}, places=places)
    grid.owner = dict.fromkeys(graph.nodes, name)
    return grid, in_columns(grid, group, {}).around(name)


def copy_of(model: Model, subgraph: str) -> str:
    """The full name of the first part that is a copy of a sub-graph; empty if there is none."""
    graphs: list[tuple[str, Graph, int]] = [(n, g, 0) for n, g in model.networks.items()]
    while graphs:
        name, graph, depth = graphs.pop(0)
        for part, use in parts_of(graph):
            if not use.file and use.part == subgraph:
                return f"{name}.{part}"
            if depth < MAX_DEPTH and not use.file and use.part in model.subgraphs:
                graphs.append((f"{name}.{part}", model.subgraphs[use.part], depth + 1))
    return ""


def without_folded(model: Model, name: str, graph: BondGraph) -> BondGraph:
    """The graph without what is inside of parts that are folded, but for the junctions of their
    ports."""
    network = graph_of(model, name)
    parts, hidden = Structure(model, network).parts, set[str]()
    for part, subgraph in parts.items():
        if f"{name}.{part}" in model.view.folded:
            start = f"{name}.{part}."
            ports = {start + port.junction for port in subgraph.ports.values()}
            ports = ports or {next((n for n in graph.nodes if n.startswith(start)), "")}
            hidden |= {n for n in graph.nodes if n.startswith(start) and n not in ports}
    if not hidden:
        return graph
    found = BondGraph(graph.name)
    for node in graph.nodes.values():
        if node.name not in hidden:
            found.add(node.kind, node.name, None, node.dim, owner=node.owner, domain=node.domain)
    for bond in graph.bonds:
        if hidden.isdisjoint((bond.tail, bond.head)):
            found.bond(bond.tail, bond.head, bond.dim, name=bond.name, domain=bond.domain)
    return found


def drawn_places(model: Model, name: str) -> dict[str, Place]:
    """Places of the elements and parts of a network as it is drawn, in units of the grid."""
    graph = without_folded(model, name, sketch(model, name).graph)
    _, found = arranged(model, name, graph)
    at = {n.removeprefix(f"{name}."): p for n, p in found.nodes.items()}
    at |= {b.name.removeprefix(f"{name}."): b.at for b in found.boxes if b.at is not None}
    return {n: (_unit(p[0]), _unit(p[1])) for n, p in at.items() if "." not in n}


def _unit(pixels: float) -> float:
    value = round(_HALF * float(pixels) / GRID) / _HALF
    return int(value) if value.is_integer() else value
