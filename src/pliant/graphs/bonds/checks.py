"""Faults of a bond graph, all at once, by the names of its elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pliant.errors import Fault
from pliant.graphs.bonds.elements import DOMAINS, KINDS, LAWS, TWO_SIDED, Node

if TYPE_CHECKING:
    from pliant.graphs.bonds.graph import BondGraph


def faults_of(graph: BondGraph) -> Iterator[Fault]:
    """Everything wrong with elements and bonds, apart from causality."""
    yield from _bond_faults(graph)
    for node in graph.nodes.values():
        yield from _kind_faults(node)
        yield from _connection_faults(graph, node)


def _bond_faults(graph: BondGraph) -> Iterator[Fault]:
    for name, count in Counter(b.name for b in graph.bonds).items():
        if count > 1:
            yield Fault(f"bond '{name}'", f"{count} bonds have this name", "name them")
    for bond in graph.bonds:
        what = f"bond '{bond.name}'"
        for end in dict.fromkeys((bond.tail, bond.head)):
            if end not in graph.nodes:
                yield Fault(what, f"there is no element '{end}'", "add it, or correct the name")
        if bond.tail == bond.head:
            yield Fault(what, f"joins '{bond.tail}' to itself")
        if bond.dim < 1:
            yield Fault(what, "has no components", "give its dimension")
        if bond.domain not in DOMAINS:
            yield Fault(what, f"unknown domain '{bond.domain}'", f"known: {_listed(DOMAINS)}")


def _kind_faults(node: Node) -> Iterator[Fault]:
    if node.kind not in KINDS:
        yield Fault(
            f"element '{node.name}'", f"unknown kind '{node.kind}'", f"known: {_listed(KINDS)}"
        )
        return
    wanted = LAWS.get(node.kind, ())
    if wanted and not isinstance(node.law, wanted):
        yield Fault(node.title, f"needs a law of type {wanted[0].__name__}")
    if not wanted and node.law is not None:
        yield Fault(node.title, "takes no law")
    if node.labels and len(node.labels) != node.dim:
        yield Fault(node.title, f"{len(node.labels)} labels for {node.dim} components")


def _connection_faults(graph: BondGraph, node: Node) -> Iterator[Fault]:
    attached = graph.attached(node.name)
    if not attached:
        yield Fault(node.title, "is not connected", "bond it to a junction, or leave it out")
    elif node.kind in TWO_SIDED:
        yield from _side_faults(graph, node)
    elif node.is_junction:
        for b, _ in attached:
            bond = graph.bonds[b]
            if bond.dim != node.dim:
                what = f"has {bond.dim} components; {node.title} has {node.dim}"
                yield Fault(f"bond '{bond.name}'", what)
    else:
        total = sum(graph.bonds[b].dim for b, _ in attached)
        if total != node.dim:
            names = ", ".join(graph.bonds[b].name for b, _ in attached)
            what = f"has {node.dim} components; its bonds ({names}) have {total}"
            yield Fault(node.title, what)


def _side_faults(graph: BondGraph, node: Node) -> Iterator[Fault]:
    sides = {side: len(graph.ends(node.name, side)) for side in (1, 2)}
    if not sides[1]:
        yield Fault(node.title, "no half arrow enters it: two arrows leave", "turn one round")
    elif not sides[2]:
        yield Fault(node.title, "no half arrow leaves it: two arrows enter", "turn one round")
    elif node.kind == "SUM" and sides[1] != sides[2]:
        yield Fault(node.title, f"{sides[1]} components enter, {sides[2]} leave")


def _listed(names: object) -> str:
    return ", ".join(name for name in names if name)  # type: ignore[attr-defined]
