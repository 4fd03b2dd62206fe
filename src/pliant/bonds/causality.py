"""Sequential assignment of causality, one stroke per scalar component of a bond.

    1  fixed      sources, constraintors, EJS and MR as their laws say, transformers without inverse
    2  forced     the user's strokes
    3  stores     by priority, each component: integral if it goes through, else derivative
    4  R          each block, effort out if it can
    5  the rest

Every free choice in 4 and 5 is an algebraic loop. Nothing is raised: conflicts are part of the
answer, and ``diagnosis`` puts them into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from pliant.bonds.elements import GYRATORS, STORES, TRANSFORMERS, End, Node, gives_flow
from pliant.bonds.graph import BondGraph
from pliant.bonds.laws import Resistance, State
from pliant.bonds.propagation import HEAD, TAIL, Clash, Strokes, direct_ends
from pliant.bonds.structure import Block, blocks_of, structural_state
from pliant.errors import InputError
from pliant.records import dataclass

StrokeEnd = Literal["tail", "head"]
Forced = Mapping[str | tuple[str, int], StrokeEnd]
"""Strokes the user wants, by bond or by (bond, component)."""
_ONE_WAY = frozenset({"Se", "Sf", "CN", "EJS", "MR"})
_FORCED = "the forced stroke of "


@dataclass(frozen=True, slots=True)
class Refusal:
    """A component of a store that could not be integral: who determines it instead."""

    store: str
    component: int
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Causality:
    """Strokes of a graph and what they say about it."""

    graph: BondGraph
    strokes: tuple[int, ...]
    """Per scalar component: ``HEAD`` or ``TAIL``, the end that receives the effort."""
    blocks: Mapping[str, tuple[Block, ...]]
    refused: tuple[Refusal, ...] = ()
    """Store components in derivative causality."""
    choices: tuple[tuple[str, int], ...] = ()
    """Free choices: resistance or bond, component."""
    conflicts: tuple[Clash, ...] = ()
    work: int = 0
    derivative: frozenset[tuple[str, int]] = field(default=frozenset())
    """(store, component) in derivative causality."""

    def stroke(self, bond: int | str, k: int = 0) -> StrokeEnd:
        """Which end of a bond receives the effort."""
        scalar = self.graph.scalar(self.graph.index(bond), k)
        return "head" if self.strokes[scalar] == HEAD else "tail"

    def gives_effort(self, end: End) -> bool:
        """Whether an element gives the effort at one of its ends (the bond gives it the flow)."""
        return (self.strokes[end.scalar] == HEAD) != (end.sign > 0)


def assign(graph: BondGraph, forced: Forced | None = None, state: State | None = None) -> Causality:
    """The causality of a graph.

    ``state``: symbols the laws may read, from which it is seen what they couple; needed if laws
    read coordinates of a configuration.
    """
    graph.check()
    blocks = blocks_of(graph, state or structural_state(graph))
    return _Assignment(graph, blocks).run(forced or {})


class _Assignment:
    """The phases, in order."""

    def __init__(self, graph: BondGraph, blocks: Mapping[str, tuple[Block, ...]]) -> None:
        self.graph, self.blocks = graph, blocks
        self.strokes = Strokes.of(graph, blocks)
        self.conflicts: list[Clash] = []
        self.refused: list[Refusal] = []
        self.choices: list[tuple[str, int]] = []

    def run(self, forced: Forced) -> Causality:
        nodes = self.graph.nodes.values()
        self._fixed()
        self._forced(forced)
        for store in sorted((n for n in nodes if n.kind in STORES), key=lambda n: -n.priority):
            self._store(store)
        for resistance in (n for n in nodes if n.kind == "R"):
            self._resistance(resistance)
        for b, bond in enumerate(self.graph.bonds):
            for k in range(bond.dim):
                scalar = self.graph.scalar(b, k)
                if self.strokes.is_free(scalar):
                    self.choices.append((bond.name, k))
                    self._either([(scalar, HEAD)], bond.name)
        derivative = frozenset((r.store, r.component) for r in self.refused)
        return Causality(
            self.graph, tuple(self.strokes.stroke), self.blocks, tuple(self.refused),
            tuple(self.choices), tuple(self.conflicts), self.strokes.work, derivative,
        )  # fmt: skip

    def _demand(self, wanted: list[tuple[int, int]], element: str) -> None:
        clash = self.strokes.put(wanted, element)
        if clash is not None:
            self.conflicts.append(clash)

    def _fixed(self) -> None:
        for node in self.graph.nodes.values():
            if node.kind in _ONE_WAY:
                out = not gives_flow(node)
                for end in self.graph.ends(node.name):
                    self._demand([_given(end, effort=out)], node.name)
            elif node.kind in TRANSFORMERS | GYRATORS:
                for block in self.blocks[node.name]:
                    if not block.invertible:
                        self._demand(direct_ends(self.graph, node, block), node.name)
        self.conflicts += self.strokes.put_lonely()

    def _forced(self, forced: Forced) -> None:
        for place, end in forced.items():
            name, k = place if isinstance(place, tuple) else (place, None)
            bond = next((i for i, b in enumerate(self.graph.bonds) if b.name == name), None)
            if bond is None or (k is not None and k >= self.graph.bonds[bond].dim):
                raise InputError(
                    f"forced stroke: there is no bond '{name}' with component {k or 0}"
                )
            for j in range(self.graph.bonds[bond].dim) if k is None else (k,):
                wanted = [(self.graph.scalar(bond, j), HEAD if end == "head" else TAIL)]
                self._demand(wanted, f"{_FORCED}{name}")

    def _store(self, node: Node) -> None:
        """Integral: an inertia gives the flow, a compliance the effort."""
        out = node.kind == "C"
        for k, end in enumerate(self.graph.ends(node.name)):
            scalar, wanted = _given(end, effort=out)
            by: tuple[str, ...] = ()
            if self.strokes.is_free(scalar):
                clash = self.strokes.put([(scalar, wanted)], node.name)
                if clash is not None:
                    by = tuple(name for name in clash.by if name != node.name)
                    self._demand([(scalar, 1 - wanted)], node.name)
            elif self.strokes.stroke[scalar] != wanted:
                by = self.strokes.origins(scalar)
            if self.strokes.stroke[scalar] == 1 - wanted:
                self.refused.append(Refusal(node.name, k, by))

    def _resistance(self, node: Node) -> None:
        """A block as one, effort out if the law says so or says both."""
        assert isinstance(node.law, Resistance)
        ends = self.graph.ends(node.name)
        effort = node.law.effort is not None
        for block in self.blocks[node.name]:
            free = [k for k in block.rows if self.strokes.is_free(ends[k].scalar)]
            if not free:
                continue
            self.choices.append((node.name, free[0]))
            ways = ([_given(ends[k], effort=way) for k in free] for way in (effort, not effort))
            if any(self.strokes.put(wanted, node.name) is None for wanted in ways):
                continue
            for k in free:
                if self.strokes.is_free(ends[k].scalar):
                    self._either([_given(ends[k], effort=effort)], node.name)

    def _either(self, wanted: list[tuple[int, int]], element: str) -> None:
        """One way or the other."""
        if self.strokes.put(wanted, element) is not None:
            self._demand([(scalar, 1 - end) for scalar, end in wanted], element)


def _given(end: End, *, effort: bool) -> tuple[int, int]:
    """The stroke with which an element gives its effort (or its flow) at one end."""
    here = HEAD if end.sign > 0 else TAIL
    return end.scalar, 1 - here if effort else here
