"""Which way energy went: between domains, and between the bodies, joints and networks."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.analysis.energy_book import Book
from pliant.arrays import Array
from pliant.graphs.bonds.elements import DOMAINS, TWO_SIDED, Bond, Node
from pliant.graphs.bonds.laws import Compliance
from pliant.graphs.spanning_tree import GROUND
from pliant.results.power_audit import Exchange, Transfer

_MECHANICAL = frozenset({"translation", "rotation"})


def exchanges(book: Book) -> list[Exchange]:
    """Transformers and gyrators between two domains, but for those inside of the mechanics; stores
    that have ports in two."""
    graph, found = book.series.graph, []
    for node in graph.nodes.values():
        if node.kind not in TWO_SIDED:
            continue
        sides = {sign: b for b, sign in graph.attached(node.name)}
        if set(sides) != {1, -1}:
            continue
        source, target = (graph.bonds[sides[sign]].domain for sign in (1, -1))
        same = source == target or not (source and target)
        if same or (_mechanical(book, node) and {source, target} <= _MECHANICAL):
            continue
        found.append(_exchange(book, node.name, source, target, book.series.power(sides[1])))
    return [*found, *_by_stores(book)]


def _by_stores(book: Book) -> Iterator[Exchange]:
    """Compliances that change with the mechanism give to it at their ports."""
    nodes = book.series.graph.nodes
    for node in nodes.values():
        if isinstance(node.law, Compliance) and node.law.of:
            source, target = book.domain(nodes[node.law.of]), book.domain(node)
            if source and source != target:
                yield _exchange(book, node.law.of, source, target, -book.series.into(node.name))


def _exchange(book: Book, name: str, source: str, target: str, power: Array) -> Exchange:
    """In the direction that the energy went."""
    energy, error = book.quadrature(power)
    ends = (source, target) if energy >= 0 else (target, source)
    return Exchange(name, *ends, abs(energy), error)


def _mechanical(book: Book, node: Node) -> bool:
    element = book.names.element(node)
    return element == GROUND or book.names.section(element) in ("bodies", "joints", "drivers")


def transfers(book: Book) -> list[Transfer]:
    """Net energy through the bonds between groups, in the direction it went."""
    net: dict[tuple[str, str], float] = {}
    graph = book.series.graph
    for b, bond in enumerate(graph.bonds):
        tail, head = (_group(book, graph.nodes[end]) for end in (bond.tail, bond.head))
        if tail == head:
            continue
        energy = _energy(book, b, bond)
        key = (tail, head) if tail < head else (head, tail)
        net[key] = net.get(key, 0.0) + (energy if key[0] == tail else -energy)
    return list(_directed(net))


def _directed(net: dict[tuple[str, str], float]) -> Iterator[Transfer]:
    for (a, b), energy in net.items():
        if energy > 0:
            yield Transfer(a, b, energy)
        elif energy < 0:
            yield Transfer(b, a, -energy)


def _group(book: Book, node: Node) -> str:
    return book.names.group(node, book.domain(node))


def _energy(book: Book, b: int, bond: Bond) -> float:
    """Energy along the half arrow; heat in the thermal domain."""
    if DOMAINS[bond.domain].is_power:
        return book.quadrature(book.series.power(b))[0]
    return book.quadrature(book.series.flow[b][:, 0])[0]
