"""The linear graph of a system as data: nodes, edges of tree and cotree, outlines of bodies, and
what this tree and the others cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from pliant.analysis.graphs.graph import LinearGraphView, counted, listed
from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.errors import PliantError
from pliant.graphs import (
    LinearGraph,
    TreeChoice,
    TreeCost,
    cheapest_tree,
    spanning_tree,
    tree_cost,
)
from pliant.graphs.spanning_tree import GROUND
from pliant.show.graphs.linear_drawing import BODY, NODE, DrawnEdge, LinearDrawing
from pliant.show.graphs.linear_graph import legend
from pliant.studio.views.graphs.drawn import bounds, legend_data, point, points
from pliant.studio.views.graphs.owners import Owners
from pliant.study import Study


def linear_data(
    system: Study, *, tree: TreeChoice | None = None, cut: Iterable[str] = ()
) -> dict[str, Any]:
    """The graph of a system with the tree that is asked for, or that of the model."""
    choice = Choice.of(system, tree=tree, cut=cut)
    chosen = spanning_tree(system.model, choice.tree, choice.cut)
    view = LinearGraphView(system, LinearGraph.of(chosen), tree_cost(chosen), {}, full=True)
    owners = Owners(system.described, system.model.origin)
    drawing, known = view.drawing, list(trees(system))
    return {
        "kind": "linear", "title": system.described.name or "model", "caption": view.caption,
        "bounds": bounds(_corners(drawing)), "boxes": [], "nodes": [], "bonds": [],
        "vertices": _vertices(drawing, owners),
        "edges": _edges(drawing, owners), "hulls": _hulls(drawing, owners),
        "findings": [], "facts": _facts(view, known), "trees": known,
        "legend": legend_data(legend(drawing)),
    }  # fmt: skip


def trees(system: Study) -> Iterator[dict[str, Any]]:
    """The trees that can be asked for, and what each costs."""
    for name in ("joint", "absolute", "best"):
        try:
            choice = cheapest_tree(system.model) if name == "best" else name
            chosen = spanning_tree(system.model, choice)
        except PliantError as error:
            yield {"name": name, "text": str(error), "objection": str(error)}
            continue
        cost = tree_cost(chosen)
        yield {"name": name, "text": cost_text(cost), "objection": "",
               "coordinates": list(cost.coordinates), "speeds": cost.speeds,
               "constraints": cost.constraints, "operations": cost.operations}  # fmt: skip


def cost_text(cost: TreeCost) -> str:
    """3 coordinates, 2 constraint equations, about 700 operations per evaluation."""
    count, held = len(cost.coordinates), cost.constraints
    return (f"{counted(count, 'coordinate')}, {counted(held, 'constraint equation')}, about "
            f"{cost.operations} operations per evaluation")  # fmt: skip


def _facts(view: LinearGraphView, known: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    graph, cost, model = view.graph, view.cost, view.system.model
    own = [e for e in graph.edges if e.kind != "virtual work"]
    tree = view.graph.graph.tree
    told = {
        "tree": tree if isinstance(tree, str) else listed(tree),
        "nodes": str(len(graph.nodes)), "edges": str(len(own)),
        "in the tree": listed(e.name for e in graph.branches),
        "in the cotree": listed(e.name for e in own if not e.in_tree),
        "coordinates": f"{len(cost.coordinates)}: {listed(cost.coordinates)}",
        "constraint equations": str(cost.constraints),
        "cost": f"about {cost.operations} operations per evaluation",
    }  # fmt: skip
    for name, body in model.elastic.items():
        names = getattr(body, "elastic_names", ())
        if names:
            told[f"elastic coordinates of {name}"] = f"{len(names)}: {listed(names)}"
    for other in known:
        told[f"tree {other['name']}"] = other["text"]
    if model.networks:
        told["networks"] = f"{listed(model.networks)}: see the bond graph"
    return [{"label": label, "text": text} for label, text in told.items()]


def _vertices(drawing: LinearDrawing, owners: Owners) -> list[dict[str, Any]]:
    """``named``: where the name of the ground stands."""
    named = {label.owner: point(label.at) for label in drawing.labels[:1]}
    return [{"name": name, "owner": owners.frame(name), "at": point(at), "ground": name == GROUND,
             "named": named.get(name)} for name, at in drawing.nodes.items()]  # fmt: skip


def _edges(drawing: LinearDrawing, owners: Owners) -> list[dict[str, Any]]:
    places = {label.owner: label for label in drawing.labels}
    found = []
    for drawn in drawing.edges:
        edge, way = drawn.edge, drawn.way
        label = places.get(edge.name) if drawn.is_labelled else None
        found.append({
            "name": edge.name, "owner": owners.of(edge.element) or owners.of(edge.name),
            "kind": drawn.kind, "tail": edge.tail, "head": edge.head,
            "points": points(np.array([way.a, way.c, way.b])), "tree": edge.in_tree,
            "colour": drawn.colour, "sentence": _sentence(drawn),
            "label": None if label is None else {"text": label.text, "at": point(label.at)},
        })  # fmt: skip
    return found


def _sentence(drawn: DrawnEdge) -> str:
    """Its title and, in the tree, the coordinates that it brings."""
    own = drawn.edge.coordinates
    more = f", with {listed(own)}" if own and drawn.edge.in_tree else ""
    return drawn.title + more


def _hulls(drawing: LinearDrawing, owners: Owners) -> list[dict[str, Any]]:
    names = {label.owner: label for label in drawing.labels[: 1 + len(drawing.outlines)]}
    return [
        {"owner": owners.of(body) or body, "points": points(corners), "width": 2 * BODY,
         "index": k, "label": {"text": names[body].text, "at": point(names[body].at)}}
        for k, (body, corners) in enumerate(drawing.outlines.items())
    ]  # fmt: skip


def _corners(drawing: LinearDrawing) -> Array:
    found = [at + sign * (NODE + 3) for at in drawing.nodes.values() for sign in (-1, 1)]
    found += [c + sign * BODY for own in drawing.outlines.values() for c in own for sign in (-1, 1)]
    found += [p for e in drawing.edges for p in e.way.at(np.linspace(0, 1, 9))]
    found += [label.at for label in drawing.labels]
    return np.array(found)
