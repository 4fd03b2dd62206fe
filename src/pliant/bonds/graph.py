"""Bond graphs: elements joined by vector bonds, and their faults, all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pliant.bonds import elements
from pliant.bonds.laws import Law, Permutation, Transformer, Value
from pliant.errors import Fault, ModelError


class BondGraph:
    """Elements and bonds in the order in which they were added.

    Building does not judge: ``check`` reports all faults of the finished graph at once.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.nodes: dict[str, elements.Node] = {}
        self.bonds: list[elements.Bond] = []
        self._faults: list[Fault] = []
        self._attached: dict[str, list[tuple[int, int]]] = {}
        self._first: list[int] = [0]

    # --- building

    def add(
        self, kind: elements.Kind, name: str, law: Law | None = None, dim: int = 1, *,
        owner: str = "", priority: int = 0, domain: str = "", labels: Iterable[str] = (),
        start: Value | None = None, on: str | None = None, reads: Iterable[elements.Reading] = (),
        called: str = "",
    ) -> elements.Node:  # fmt: skip
        """A new element; ``on``: the junction it is bonded to, arrows leaving sources and entering
        the others."""
        size = 0 if kind in elements.TWO_SIDED else dim
        node = elements.Node(name, kind, size, law, owner, priority, domain, tuple(labels), start,
                    reads=tuple(reads), called=called)  # fmt: skip
        self._insert(node)
        if on is not None:
            ends = (name, on) if kind in ("Se", "Sf") else (on, name)
            self.bond(*ends, dim, name=name)
        return node

    def _insert(self, node: elements.Node) -> None:
        if node.name in self.nodes:
            what = f"the name is taken by {self.nodes[node.name].title}"
            self._faults.append(Fault(node.title, what, "rename one of them"))
            return
        self.nodes[node.name] = node

    def one(self, name: str, dim: int = 1, **options: Any) -> elements.Node:
        """A junction of common flow."""
        return self.add("1", name, None, dim, **options)

    def zero(self, name: str, dim: int = 1, **options: Any) -> elements.Node:
        """A junction of common effort."""
        return self.add("0", name, None, dim, **options)

    def bond(
        self, tail: str | elements.Node, head: str | elements.Node, dim: int | None = None, *,
        name: str = "", domain: str = "",
    ) -> elements.Bond:  # fmt: skip
        """A half arrow from tail to head, ``<tail>_<head>`` unless named; dimension and domain
        default to those of its ends."""
        ends = [end.name if isinstance(end, elements.Node) else end for end in (tail, head)]
        known = [self.nodes[end] for end in ends if end in self.nodes]
        if dim is None:
            dim = next((n.dim for n in known if n.is_junction), 0)
            dim = dim or next((n.dim for n in known if n.dim), 1)
        domain = domain or next((n.domain for n in known if n.domain), "")
        bond = elements.Bond(name or f"{ends[0]}_{ends[1]}", ends[0], ends[1], dim, domain)
        for end, sign in zip(ends, (-1, 1), strict=True):
            self._attached.setdefault(end, []).append((len(self.bonds), sign))
        self.bonds.append(bond)
        self._first.append(self._first[-1] + dim)
        return bond

    def transformer(
        self, name: str, tail: str, head: str, law: Transformer, shape: tuple[int, int] = (1, 1),
        **options: Any,
    ) -> elements.Node:  # fmt: skip
        """tail -> TF -> head with f_head = T f_tail; shape of T: (dim of head, dim of tail)."""
        node = self.add("TF", name, law, 0, **options)
        self.bond(tail, name, shape[1], name=f"{name}.1")
        self.bond(name, head, shape[0], name=f"{name}.2")
        return node

    def absorb(self, other: BondGraph) -> None:
        """All elements and bonds of another graph, under their own names."""
        for node in other.nodes.values():
            self._insert(node)
        for b in other.bonds:
            self.bond(b.tail, b.head, b.dim, name=b.name, domain=b.domain)
        self._faults += other._faults

    # --- questions

    @property
    def scalars(self) -> int:
        """Components of all bonds."""
        return self._first[-1]

    def index(self, bond: str | elements.Bond | int) -> int:
        """Where a bond stands among ``bonds``."""
        if isinstance(bond, int):
            return bond
        wanted = bond if isinstance(bond, str) else bond.name
        return next(i for i, b in enumerate(self.bonds) if b.name == wanted)

    def scalar(self, bond: int, k: int = 0) -> int:
        """Number of component k of a bond, among all components."""
        return self._first[bond] + k

    def bond_of(self, scalar: int) -> int:
        """The bond that a component belongs to."""
        return bisect_right(self._first, scalar) - 1

    def attached(self, node: str) -> list[tuple[int, int]]:
        """Bonds at an element as (index, σ), in the order of attachment."""
        return self._attached.get(node, [])

    def ends(self, node: str, side: int | None = None) -> list[elements.End]:
        """Components of all bonds at an element; ``side`` 1: where arrows enter, 2: where they
        leave."""
        wanted = {None: (1, -1), 1: (1,), 2: (-1,)}[side]
        return [
            elements.End(b, k, self._first[b] + k, sign)
            for b, sign in self.attached(node)
            if sign in wanted
            for k in range(self.bonds[b].dim)
        ]

    def stacked(self, node: elements.Node) -> list[tuple[elements.End, elements.End]]:
        """The ends of sides 1 and 2 of a SUM that are the same component."""
        first, second = self.ends(node.name, 1), self.ends(node.name, 2)
        if isinstance(node.law, Permutation) and node.law.order:
            first = [first[k] for k in node.law.order]
        return list(zip(first, second, strict=True))

    def check(self) -> None:
        """Raise a ModelError with every fault."""
        faults = [*self._faults, *faults_of(self)]
        if faults:
            raise ModelError(faults, self.name)


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
        if bond.domain not in elements.DOMAINS:
            yield Fault(
                what, f"unknown domain '{bond.domain}'", f"known: {_listed(elements.DOMAINS)}"
            )


def _kind_faults(node: elements.Node) -> Iterator[Fault]:
    if node.kind not in elements.KINDS:
        yield Fault(
            f"element '{node.name}'",
            f"unknown kind '{node.kind}'",
            f"known: {_listed(elements.KINDS)}",
        )
        return
    wanted = elements.LAWS.get(node.kind, ())
    if wanted and not isinstance(node.law, wanted):
        yield Fault(node.title, f"needs a law of type {wanted[0].__name__}")
    if not wanted and node.law is not None and node.kind != "SUM":
        yield Fault(node.title, "takes no law")
    if node.labels and len(node.labels) != node.dim:
        yield Fault(node.title, f"{len(node.labels)} labels for {node.dim} components")


def _connection_faults(graph: BondGraph, node: elements.Node) -> Iterator[Fault]:
    attached = graph.attached(node.name)
    if not attached:
        yield Fault(node.title, "is not connected", "bond it to a junction, or leave it out")
    elif node.kind in elements.TWO_SIDED:
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


def _side_faults(graph: BondGraph, node: elements.Node) -> Iterator[Fault]:
    sides = {side: len(graph.ends(node.name, side)) for side in (1, 2)}
    if not sides[1]:
        yield Fault(node.title, "no half arrow enters it: two arrows leave", "turn one round")
    elif not sides[2]:
        yield Fault(node.title, "no half arrow leaves it: two arrows enter", "turn one round")
    elif node.kind == "SUM" and sides[1] != sides[2]:
        yield Fault(node.title, f"{sides[1]} components enter, {sides[2]} leave")


def _listed(names: object) -> str:
    return ", ".join(name for name in names if name)  # type: ignore[attr-defined]
