"""Where the elements of parts stand: as in the drawing of the sub-graph they are copies of."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.model.model import Model
from pliant.model.networks.library import places_in
from pliant.model.networks.network import Graph, parts_of
from pliant.model.networks.structure import MAX_DEPTH, Structure
from pliant.show.bonds.arranged import Place

Places = Mapping[str, Mapping[str, Place]]


def places_of(model: Model, graphs: Mapping[str, Graph]) -> Places:
    """Places of networks by their names, and of their parts by full names (``drive.motor``)."""
    found: dict[str, Mapping[str, Place]] = {}
    for name, graph in graphs.items():
        found[name] = model.view.places.get(graph.name, {})
        _parts(model, name, graph, found, ())
    return {name: own for name, own in found.items() if own}


def _parts(
    model: Model, name: str, graph: Graph, found: dict[str, Mapping[str, Place]],
    trail: tuple[str, ...],
) -> None:  # fmt: skip
    inner = Structure(model, graph).parts if any(parts_of(graph)) else {}
    for part, use in parts_of(graph):
        if part in inner and use.title not in trail and len(trail) < MAX_DEPTH:
            full = f"{name}.{part}"
            found[full] = places_in(model, use)
            _parts(model, full, inner[part], found, (*trail, use.title))
