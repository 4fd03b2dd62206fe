"""Where the elements of a network are drawn: on the places of the file, or by themselves."""

from __future__ import annotations

from pliant.bonds import BondGraph
from pliant.bonds.networks.tentative import graph_of, sketch
from pliant.model.model import Model
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


def drawn_places(model: Model, name: str) -> dict[str, Place]:
    """Places of the elements and parts of a network as it is drawn, in units of the grid."""
    _, found = arranged(model, name, sketch(model, name).graph)
    at = {n.removeprefix(f"{name}."): p for n, p in found.nodes.items()}
    at |= {b.name.removeprefix(f"{name}."): b.at for b in found.boxes if b.at is not None}
    return {n: (_unit(p[0]), _unit(p[1])) for n, p in at.items() if "." not in n}


def _unit(pixels: float) -> float:
    value = round(_HALF * float(pixels) / GRID) / _HALF
    return int(value) if value.is_integer() else value
