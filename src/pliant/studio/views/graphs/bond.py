"""The generated multibond graph of a system as data: boxes, elements, bonds with strokes, and what
causality says."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

from pliant.analysis.graphs.bond_graph import BondGraphView
from pliant.backends.choice import Choice
from pliant.bonds import Bond, diagnose
from pliant.bonds.elements import STORES
from pliant.graphs import TreeChoice, spanning_tree
from pliant.model.networks.flat import FlatNetwork, flatten
from pliant.show.bonds.by_hand import GRID
from pliant.show.bonds.drawing import Box, Strokes, Symbol
from pliant.show.bonds.groups import Group
from pliant.studio.views.graphs import drawn
from pliant.studio.views.graphs.causality import causality_of
from pliant.studio.views.graphs.meaning import of_generated, of_kind
from pliant.studio.views.graphs.network_words import law_of, value_of
from pliant.studio.views.graphs.owners import Owners
from pliant.studio.views.graphs.quantities import entries_text, formula_text, quantity_text
from pliant.study import Study

OPEN = 120
"""Elements up to which all boxes are open unless it is said which."""


def bond_data(
    system: Study, *, tree: TreeChoice | None = None, cut: Iterable[str] = (),
    open: Collection[str] | str | None = (),
) -> dict[str, Any]:  # fmt: skip
    """The graph of a system with the tree that is asked for, or that of the model.

    ``open``: names of the boxes whose elements are drawn, "all" or "none"; if nothing is said, all
    of a small graph and none of a large one, without those that the file says are folded.
    """
    choice = Choice.of(system, tree=tree, cut=cut)
    view = BondGraphView.of(spanning_tree(system.model, choice.tree, choice.cut))
    words = _Words(system, view)
    opened = _opened(view, words.owners, open)
    drawing = view.drawing(opened)
    teller = drawn.Teller(words.element, words.owner, words.box, words.forced)
    return {
        "kind": "bond", "title": system.described.name or "model", "caption": view.caption,
        **drawn.bond_drawing_data(drawing, teller), "grid": GRID,
        "findings": drawn.findings_data(words.findings), "facts": words.facts(),
    }  # fmt: skip


def _opened(
    view: BondGraphView, owners: Owners, wanted: Collection[str] | str | None
) -> frozenset[str]:
    groups = frozenset(view.grid.groups)
    if wanted == "all":
        return groups
    if wanted == "none":
        return frozenset()
    if wanted:
        return frozenset(g for g in groups if g in wanted or owners.of(g) in wanted)
    if len(view.bonds.graph.nodes) > OPEN:
        return frozenset()
    folded = owners.model.view.folded
    return frozenset(g for g in groups if owners.of(g) not in folded)


class _Words:
    """What is said of the elements of a graph."""

    def __init__(self, system: Study, view: BondGraphView) -> None:
        self.system, self.view, self.graph = system, view, view.bonds.graph
        self.owners = Owners(system.described, system.model.origin)
        self.values = system.values().parameters
        self.ends = Strokes.of(view.bonds.causality).ends
        self.networks: dict[str, FlatNetwork] = {
            name: flatten(system.model, name) for name in system.model.networks
        }
        self.locals = {full: (local, group) for group in view.grid.groups.values()
                       for local, full in group.nodes.items()}  # fmt: skip

    @cached_property
    def forced(self) -> frozenset[str]:
        """Bonds whose strokes the user wants."""
        links = (link for flat in self.networks.values() for link in flat.links)
        return frozenset(link.name for link in links if link.stroke)

    @cached_property
    def findings(self) -> list[Any]:
        return diagnose(self.view.bonds.causality)

    def owner(self, bond: Bond) -> str:
        """The element that a bond belongs to."""
        return self.owners.of(bond.name) or self.owners.of(bond.head)

    def box(self, box: Box) -> dict[str, Any]:
        """``placed``: the user put it where it is."""
        return {"owner": self.owners.of(box.name) or box.name, "sentence": box.title,
                "placed": box.name in self.view.grid.boxes}  # fmt: skip

    def element(self, symbol: Symbol) -> drawn.About:
        """Kind and name, what it is, value, where it is bonded, causality."""
        node = symbol.node
        local, group = self.locals[node.name]
        value, law, what = self._said(symbol, local, group)
        short, words = causality_of(node, self.graph, self.ends)
        on = self._junctions(symbol, group)
        name = "" if local == node.word else f" {local}" if local else ""
        name += "" if group.kind == "network" else f" of {group.name}"
        parts = [f"{node.word}{name}", what, value, on, words]
        sentence = ", ".join(p for p in parts if p)
        return drawn.About(self.owners.of(node.name), value, short, sentence, law)

    def _said(self, symbol: Symbol, local: str, group: Group) -> tuple[str, str, str]:
        """Value, law, what it is."""
        node = symbol.node
        flat = self.networks.get(group.name)
        own = flat.elements.get(node.name) if flat is not None else None
        if own is not None:
            value = value_of(own.kind, own.law, own.domain, self.values)
            what = of_kind(node.kind)[0] if node.is_junction or not value else ""
            return value, law_of(own.kind, own.law, own.name), what
        what, law = of_generated(node, local, group.kind)
        return self._body_value(local, group), law, what

    def _body_value(self, local: str, group: Group) -> str:
        """Mass and moments of inertia of rigid bodies."""
        body = self.system.model.rigid.get(group.name)
        if body is None:
            return ""
        if local == "m":
            return formula_text(body.mass, self.values, "kg")
        if local == "xi.M" and body.inertia_about == "com":
            moments = body.inertia if any(not f.is_zero for f in body.inertia[3:]) else (
                body.inertia[:3])  # fmt: skip
            return entries_text(tuple(moments), self.values, "kg*m^2")
        if local == "g":
            g = self.system.values().vector(self.system.model.gravity)
            size = float((g @ g) ** 0.5) * body.mass.number(self.values)
            return quantity_text(size, "N")
        return ""

    def _junctions(self, symbol: Symbol, group: Group) -> str:
        """On which junctions a one-port is."""
        node = symbol.node
        if node.is_junction or not node.dim:
            return ""
        names = []
        for b, sign in self.graph.attached(node.name):
            bond = self.graph.bonds[b]
            other = bond.tail if sign > 0 else bond.head
            names.append(other.removeprefix(f"{group.name}."))
        return f"on {', '.join(names)}" if names else ""

    def facts(self) -> list[dict[str, str]]:
        """Counts, states, dependent stores, loops, size of M."""
        bonds, causality = self.view.bonds, self.view.bonds.causality
        stores = sum(n.dim for n in self.graph.nodes.values() if n.kind in STORES)
        dependent = len(causality.derivative)
        loops = sum(f.kind == "loop" for f in self.findings)
        told = {
            "elements": str(len(self.graph.nodes)),
            "bonds": f"{len(self.graph.bonds)} with {self.graph.scalars} components",
            "coordinates": str(len(bonds.coordinates)),
            "stores": f"{stores - dependent} components independent, {dependent} dependent",
            "algebraic loops": str(loops) if loops else "none",
        }
        if not causality.conflicts:
            told["equations"] = self.view.size
        return [{"label": label, "text": text} for label, text in told.items()]
