"""Symbols of a bond graph: flows of inertias, displacements of compliances, multipliers, loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from pliant.bonds import BondGraph, Causality, Compliance, State
from pliant.bonds.elements import DOMAINS, Node
from pliant.bonds.laws import Numbers
from pliant.errors import Fault, ModelError
from pliant.mechanics.motion import RATE
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps

MEASURES = {"Pa": (1e6, "MPa"), "m^3/s": (1e-3, "l/s")}
"""Units in which unknowns of loops are of the order of one, as the speeds are among which they
stand: tolerances and ranks of constraints are those of all of them together."""


@dataclass(frozen=True, slots=True)
class Speed:
    """One entry of u: a flow of an inertia, or an effort of a compliance."""

    name: str
    unit: str
    node: Node
    place: int
    symbol: Any
    rate: Any
    is_dependent: bool


class Symbols:
    """Symbols by name, each made once."""

    def __init__(self, ops: SymbolicOps) -> None:
        self._ops = ops
        self._known: dict[str, Any] = {}

    def one(self, name: str) -> Any:
        if name not in self._known:
            self._known[name] = self._ops.symbol(name)
        return self._known[name]

    def put(self, name: str, symbol: Any) -> None:
        """A symbol that was made elsewhere."""
        self._known[name] = symbol

    def learn(self, other: Symbols) -> None:
        """All symbols that another has made."""
        self._known |= other._known

    def column(self, names: Sequence[str]) -> Any:
        return self._ops.full(self._ops.vec(*map(self.one, names)))


@dataclass(slots=True)
class Unknowns:
    """Symbols of everything a graph is solved for.

    ``promoted``: compliances whose effort stands in u. ``held``: what the dependent components of
    each store take from the graph, where that is a multiplier. ``implicit``: components in
    derivative causality that are independent all the same, because what gives them their flow
    contains their rate.
    """

    graph: BondGraph
    causality: Causality
    symbols: Symbols
    state: State
    promoted: frozenset[str]
    implicit: frozenset[tuple[str, int]] = frozenset()
    speeds: list[Speed] = field(default_factory=list)
    a: dict[str, Any] = field(default_factory=dict)
    lam: dict[str, Any] = field(default_factory=dict)
    held: dict[tuple[str, int], Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, graph: BondGraph, causality: Causality, numbers: Numbers, symbols: Symbols,
        ops: SymbolicOps, *, promoted: frozenset[str] = frozenset(),
        implicit: frozenset[tuple[str, int]] = frozenset(), multipliers: bool = False,
    ) -> Unknowns:  # fmt: skip
        """All symbols; with ``multipliers`` those of dependent stores too."""
        x: dict[str, Any] = {}
        u: dict[str, Any] = {}
        own = cls(graph, causality, symbols, State(ops, numbers, x, u), promoted, implicit)
        for node in graph.nodes.values():
            if node.kind == "I" or node.name in promoted:
                u[node.name] = own._speeds(node, multipliers)
            elif node.kind == "CN":
                own.lam[node.name] = symbols.column(_names(node, "lam"))
        for node in graph.nodes.values():
            if node.kind == "C":
                x[node.name] = own._displacement(node)
        return own

    def _speeds(self, node: Node, multipliers: bool) -> Any:
        names = _names(node, "flow" if node.kind == "I" else "effort")
        u, a = self.symbols.column(names), self.symbols.column([n + RATE for n in names])
        self.a[node.name] = a
        for k, end in enumerate(self.graph.ends(node.name)):
            domain = DOMAINS[self.graph.bonds[end.bond].domain]
            unit = domain.flow if node.kind == "I" else domain.effort
            dependent = (node.name, k) in self.causality.derivative - self.implicit
            self.speeds.append(Speed(names[k], unit, node, k, u[k], a[k], dependent))
            if dependent and multipliers:
                self.held[node.name, k] = self.symbols.one(f"lam.{names[k]}")
        return u

    def _displacement(self, node: Node) -> Any:
        """A state, an expression in coordinates, or (of a promoted one) in the effort."""
        law, ops, state = node.law, self.state.ops, self.state
        assert isinstance(law, Compliance)
        if node.name in self.promoted:
            if law.inverse is None or law.displacement is not None:
                what = ("its effort is fixed by other elements, and its law does not give "
                        "displacement from effort")  # fmt: skip
                cure = "give the inverse of its law, or put a resistance between them"
                raise ModelError([Fault(node.title, what, cure)])
            return ops.full(law.inverse(ops, state, self.state.u[node.name]))
        if law.displacement is not None:
            found = law.displacement
            return ops.full(found(ops, state) if callable(found) else found)
        return self.symbols.column(_names(node, "displacement"))

    @property
    def displacements(self) -> list[Node]:
        """Compliances whose displacement is a state x."""
        return [
            n
            for n in self.graph.nodes.values()
            if n.kind == "C"
            and n.name not in self.promoted
            and not (isinstance(n.law, Compliance) and n.law.displacement is not None)
        ]


def x_names(node: Node) -> list[str]:
    """Names of the displacements of a compliance."""
    return _names(node, "displacement")


def lam_names(node: Node) -> list[str]:
    """Names of the multipliers of a constraintor."""
    return _names(node, "lam")


def _names(node: Node, single: str) -> list[str]:
    return [f"{node.name}.{node.label(k, single)}" for k in range(node.dim)]


def promoted_from(causality: Causality) -> frozenset[str]:
    """Compliances in derivative causality."""
    nodes: Mapping[str, Node] = causality.graph.nodes
    return frozenset(n for n, _ in causality.derivative if nodes[n].kind == "C")


@dataclass(frozen=True, slots=True)
class Tear:
    """An unknown z of an algebraic loop and the equation k = 0 it comes from."""

    name: str
    unit: str
    owner: str
    symbol: Any
    residual: Any
