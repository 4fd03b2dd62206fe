"""Who needs whom: the variables of a causal bond graph in the order of computation.

Variable 2 s is the effort of scalar component s, 2 s + 1 its flow. Each is given by one element and
needs others there. Strongly connected components (Tarjan) come out in an order in which each needs
only earlier ones; one of several variables, or one that needs itself, is an algebraic loop. A loop
is cut at tear variables: z, found from as many equations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pliant.bonds.causality import Causality
from pliant.bonds.elements import GYRATORS, TRANSFORMERS, End, Node, Reading, gives_flow
from pliant.bonds.graph import BondGraph
from pliant.bonds.laws import Resistance
from pliant.bonds.structure import Block
from pliant.records import dataclass


def effort_of(end: End) -> int:
    """Number of the effort at an end."""
    return 2 * end.scalar


def flow_of(end: End) -> int:
    """Number of the flow at an end."""
    return 2 * end.scalar + 1


@dataclass(frozen=True, slots=True)
class Output:
    """A variable that an element gives at component ``place`` of its ends."""

    node: Node
    place: int
    end: End
    is_effort: bool
    needs: tuple[int, ...]
    implicit: bool = False
    """Given by a relation that is not solved for it."""
    reads: tuple[int, ...] = ()
    """What its law reads of other elements."""

    @property
    def asks(self) -> tuple[int, ...]:
        """All variables that must be known before."""
        return (*self.needs, *self.reads)

    @property
    def variable(self) -> int:
        return effort_of(self.end) if self.is_effort else flow_of(self.end)


@dataclass(frozen=True, slots=True)
class Stage:
    """Variables to be computed in this order; of a loop, once the ``tears`` are known."""

    variables: tuple[int, ...]
    tears: tuple[int, ...] = ()


def _asks(o: Output) -> bool:
    """Whether the law of an element says what it gives: not of an inertia that is integral."""
    return o.node.kind != "I" or o.is_effort


class Dependence:
    """Outputs of all elements, in stages."""

    def __init__(self, graph: BondGraph, causality: Causality) -> None:
        self.graph, self.causality = graph, causality
        found: list[Output] = []
        for node in graph.nodes.values():
            reads = tuple(self.variable(r) for r in node.reads if not r.state)
            found += [replace(o, reads=reads) if reads and _asks(o) else o
                      for o in self._outputs(node)]  # fmt: skip
        self.outputs = sorted(found, key=lambda o: o.variable)
        needs = [o.asks for o in self.outputs]
        self.stages = [
            Stage(tuple(group)) if len(group) == 1 and group[0] not in needs[group[0]]
            else self._torn(group)
            for group in components(range(len(needs)), needs.__getitem__)
        ]  # fmt: skip

    @property
    def loops(self) -> list[Stage]:
        """Stages with tears."""
        return [s for s in self.stages if s.tears]

    def members(self, stage: Stage) -> list[str]:
        """Elements other than junctions that a loop goes through, resistances alone if any."""
        names = {self.outputs[v].node.name for v in stage.variables + stage.tears}
        ordered = [n for n in self.graph.nodes.values() if n.name in names]
        for kinds in ({"R", "MR"}, {"R", "MR", "EJS"} | TRANSFORMERS | GYRATORS):
            chosen = [n.name for n in ordered if n.kind in kinds]
            if chosen:
                return chosen
        return [n.name for n in ordered]

    def givers(self, store: str, component: int) -> list[str]:
        """Stores and sources from which the flow of an inertia (effort of a compliance) follows."""
        end = self.graph.ends(store)[component]
        start = flow_of(end) if self.graph.nodes[store].kind == "I" else effort_of(end)
        found = self.roots(start)
        return [name for name in self.graph.nodes if name in found and name != store]

    def roots(self, variable: int) -> set[str]:
        """Elements that a variable follows from and that ask nothing themselves."""
        return {o.node.name for o in self.behind(variable) if not o.asks}

    def behind(self, variable: int) -> list[Output]:
        """All that a variable follows from, itself the first."""
        seen, waiting, found = {variable}, [variable], []
        while waiting:
            output = self.outputs[waiting.pop()]
            found.append(output)
            fresh = [v for v in output.asks if v not in seen]
            seen.update(fresh)
            waiting += fresh
        return found

    def variable(self, reading: Reading) -> int:
        """Number of what a law reads."""
        end = self.graph.ends(reading.element)[reading.place]
        return effort_of(end) if reading.quantity == "effort" else flow_of(end)

    # --- outputs and needs of each kind

    def _outputs(self, node: Node) -> Iterable[Output]:
        ends = self.graph.ends(node.name)
        if node.is_junction:
            return self._junction(node, ends)
        if node.kind == "SUM":
            return self._sum(node)
        if node.kind in TRANSFORMERS | GYRATORS:
            return self._two_sided(node)
        if node.kind == "R":
            blocks = self.causality.blocks[node.name]
            return [o for block in blocks for o in self._resistance_block(node, ends, block)]
        asked = effort_of if gives_flow(node) else flow_of
        needs = tuple(map(asked, ends)) if node.kind in ("MR", "EJS") else ()
        return [
            Output(node, k, e, self.causality.gives_effort(e), needs) for k, e in enumerate(ends)
        ]

    def _junction(self, node: Node, ends: Sequence[End]) -> Iterable[Output]:
        """1: every bond has the flow of one; that one's effort is the sum of the others'."""
        own, other = (effort_of, flow_of) if node.kind == "0" else (flow_of, effort_of)
        per: list[list[tuple[int, End]]] = [[] for _ in range(node.dim)]
        for i, e in enumerate(ends):
            per[e.k].append((i, e))
        for here in per:
            (source,) = [e for _, e in here if self.causality.gives_effort(e) == (node.kind == "1")]
            for i, e in here:
                if e is source:
                    needs = tuple(other(o) for _, o in here if o is not e)
                else:
                    needs = (own(source),)
                yield Output(node, i, e, self.causality.gives_effort(e), needs)

    def _sum(self, node: Node) -> Iterable[Output]:
        place = {e.scalar: i for i, e in enumerate(self.graph.ends(node.name))}
        for pair in self.graph.stacked(node):
            for e, other in (pair, pair[::-1]):
                effort = self.causality.gives_effort(e)
                needs = (effort_of(other) if effort else flow_of(other),)
                yield Output(node, place[e.scalar], e, effort, needs)

    def _two_sided(self, node: Node) -> Iterable[Output]:
        first, second = self.graph.ends(node.name, 1), self.graph.ends(node.name, 2)
        place = {e.scalar: i for i, e in enumerate(self.graph.ends(node.name))}
        turns = node.kind in GYRATORS
        for block in self.causality.blocks[node.name]:
            ones, twos = [first[c] for c in block.cols], [second[r] for r in block.rows]
            for e, others in [(e, twos) for e in ones] + [(e, ones) for e in twos]:
                effort = self.causality.gives_effort(e)
                ask = effort_of if effort != turns else flow_of
                yield Output(node, place[e.scalar], e, effort, tuple(map(ask, others)))

    def _resistance_block(self, node: Node, ends: Sequence[End], block: Block) -> Iterable[Output]:
        """Explicit where the law gives what is asked for; else the law holds implicitly."""
        assert isinstance(node.law, Resistance)
        efforts_out = [self.causality.gives_effort(ends[k]) for k in block.rows]
        by_flow = node.law.effort is not None and not (
            node.law.flow is not None and not any(efforts_out)
        )
        ask, give = (flow_of, effort_of) if by_flow else (effort_of, flow_of)
        arguments = tuple(ask(ends[k]) for k in block.rows)
        for k, out in zip(block.rows, efforts_out, strict=True):
            implicit = out != by_flow
            needs = (*arguments, give(ends[k])) if implicit else arguments
            yield Output(node, k, ends[k], out, needs, implicit)

    # --- order

    def _torn(self, group: Sequence[int]) -> Stage:
        """Tears first at implicit relations, then at resistances, until no loop is left."""
        tears = [v for v in group if self.outputs[v].implicit]
        while True:
            inside = set(group) - set(tears)

            def needs(v: int, inside: set[int] = inside) -> list[int]:
                return [n for n in self.outputs[v].asks if n in inside]

            parts = components(sorted(inside), needs)
            loop = next((p for p in parts if len(p) > 1), None)
            if loop is None:
                return Stage(tuple(v for p in parts for v in p), tuple(tears))
            asked = Counter(n for v in loop for n in self.outputs[v].asks)
            dissipates = {v for v in loop if self.outputs[v].node.kind in ("R", "MR")}
            worth = {v: (v in dissipates, asked[v]) for v in loop}
            tears.append(max(sorted(loop), key=worth.__getitem__))


def components(vertices: Iterable[int], needs: Callable[[int], Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each after those it needs (Tarjan, without recursion)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    place: dict[int, int] = {}
    found: list[list[int]] = []
    for root in vertices:
        path = [] if root in number else [(root, iter(needs(root)))]
        while path:
            v, rest = path[-1]
            if v not in number:
                number[v] = low[v] = len(number)
                place[v] = len(stack)
                stack.append(v)
            for w in rest:
                if w not in number:
                    path.append((w, iter(needs(w))))
                    break
                if w in place:
                    low[v] = min(low[v], number[w])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[v])
                if low[v] == number[v]:
                    group = stack[place[v] :]
                    found.append(sorted(group))
                    del stack[place[v] :]
                    for w in group:
                        del place[w]
    return found
