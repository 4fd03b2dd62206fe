"""Networks: every fault of their elements, bonds, parts and formulas.

Each network and sub-graph is checked by itself, once; networks with their parts put in are looked
at only if that finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pliant.errors import Fault, InputError
from pliant.model.model import Model
from pliant.model.networks.elements import Part
from pliant.model.networks.library import COMPONENTS, subgraph_of
from pliant.model.networks.network import Graph, Subgraph, parts_of
from pliant.model.networks.structure import MAX_DEPTH, MAX_ELEMENTS
from pliant.model.validation.context import Context
from pliant.model.validation.network_formulas import formula_faults
from pliant.model.validation.network_laws import law_faults
from pliant.model.validation.network_numbers import network_number_faults
from pliant.model.validation.network_structure import View, structure_faults


def network_faults(context: Context) -> Iterator[Fault]:
    """Everything wrong with networks and sub-graphs."""
    model = context.model
    views = [*_views(model)]
    nested = _nesting(views)
    yield from nested
    found = list(nested)
    for view in views if not nested else ():
        for check in (structure_faults, law_faults, formula_faults):
            found += (fresh := list(check(context, view)))
            yield from fresh
    if not found and not context.parameter_faults:
        yield from network_number_faults(context)


def _views(model: Model) -> Iterator[View]:
    """Networks, sub-graphs of the model, and those in files that are used."""
    graphs: list[Graph] = [*model.networks.values(), *model.subgraphs.values()]
    for graph in graphs:
        yield View(model, graph)
    for path, subgraph in _files(model).items():
        yield View(model, subgraph, Path(path).name)


def _files(model: Model) -> dict[str, Subgraph]:
    """Sub-graphs of files, also of files that files name; shipped ones have no faults."""
    found: dict[str, Subgraph] = {}
    waiting: list[Graph] = [*model.networks.values(), *model.subgraphs.values()]
    while waiting:
        for _, part in parts_of(waiting.pop()):
            if part.file and part.file not in found and not _is_shipped(part):
                try:
                    found[part.file] = subgraph_of(model, part)
                except InputError:
                    continue
                waiting.append(found[part.file])
    return found


def _is_shipped(part: Part) -> bool:
    return Path(part.file).parent == COMPONENTS


# --- parts within parts


@dataclass(slots=True)
class _Sizes:
    """Elements of sub-graphs with their parts, and a way from a sub-graph back to itself."""

    model: Model
    known: dict[str, int]
    cycle: list[str]
    deepest: int = 0

    def of(self, graph: Graph, trail: tuple[str, ...]) -> int:
        total = len(graph.elements)
        self.deepest = max(self.deepest, len(trail))
        for _, part in parts_of(graph):
            title = part.title
            if title in trail:
                self.cycle = self.cycle or [*trail[trail.index(title) :], title]
                continue
            if title not in self.known:
                try:
                    inner = subgraph_of(self.model, part)
                except InputError:
                    continue
                self.known[title] = self.of(inner, (*trail, title))
            total += self.known[title]
        return total


def _nesting(views: list[View]) -> list[Fault]:
    """Sub-graphs that contain themselves, each circle once; networks without end."""
    faults: list[Fault] = []
    circles: set[frozenset[str]] = set()
    for view in sorted(views, key=lambda v: not v.is_subgraph):
        sizes = _Sizes(view.model, {}, [])
        own = (view.graph.name,) if view.is_subgraph and not view.file else ()
        total = sizes.of(view.graph, own)
        if sizes.cycle:
            if frozenset(sizes.cycle) not in circles:
                way = " -> ".join(Path(title).name for title in sizes.cycle)
                what = f"a sub-graph is part of itself: {way}"
                faults.append(view.own_fault(what, "break the circle"))
            circles.add(frozenset(sizes.cycle))
        elif total > MAX_ELEMENTS:
            faults.append(view.own_fault(f"it has {total} elements", f"at most {MAX_ELEMENTS}"))
        elif sizes.deepest > MAX_DEPTH:
            what = f"parts are nested {sizes.deepest} deep"
            faults.append(view.own_fault(what, f"at most {MAX_DEPTH}"))
    return faults
