"""Causal strokes and what they imply, with a trail to take assignments back.

A stroke stands at the end of a bond that receives the effort; the other end receives the flow.
Every scalar component of a bond has its own.

    0-junction   exactly one stroke at the junction (that bond gives the effort)
    1-junction   exactly one stroke away from it (that bond gives the flow)
    TF, SUM      flow goes through from side 1 to side 2, or (with an inverse) back
    GY           both strokes away (flows in, efforts out), or (with an inverse) both at it

A junction keeps count of its free bonds, so that the whole assignment costs a number of operations
linear in the number of scalar bonds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from pliant.bonds.elements import GYRATORS, JUNCTIONS, TRANSFORMERS, Node
from pliant.bonds.graph import BondGraph
from pliant.bonds.structure import Block
from pliant.records import dataclass

TAIL, HEAD, FREE = 0, 1, -1


@dataclass(frozen=True, slots=True)
class Clash:
    """Two demands that exclude each other.

    element: where they meet. what: ``twice`` (given by two), ``nobody`` (given by none) or
    ``inverse`` (a block would have to run backwards). by: the elements where the demands come from.
    bonds: over which the demands meet, by index.
    """

    element: str
    component: int
    what: str
    by: tuple[str, ...]
    bonds: tuple[int, ...] = ()


@dataclass(slots=True)
class _Cell:
    """One component of a junction, or one block of a two-sided element."""

    node: Node
    component: int
    ends: list[tuple[int, int, bool]]
    """(scalar, which end of the bond is here, flip): at == direct ^ flip in a block."""
    invertible: bool = True
    free: int = 0
    hit: int = FREE
    """Junctions: the scalar that gives the common variable."""


@dataclass(frozen=True, slots=True)
class _Cause:
    element: str
    trigger: tuple[int, ...] = ()
    """Scalars that this stroke follows from; none if the element itself asked for it."""
    is_last: bool = False
    """The last free bond of a junction, which has to give the common variable."""


@dataclass(slots=True)
class Strokes:
    """Strokes of all scalar bonds."""

    graph: BondGraph
    stroke: list[int]
    work: int = 0
    """Visits of ends so far."""
    _cells: list[_Cell] = field(default_factory=list)
    _at: list[list[tuple[int, int, bool]]] = field(default_factory=list)
    """Per scalar: (cell, end of the bond at it, flip)."""
    _cause: dict[int, _Cause] = field(default_factory=dict)
    _trail: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, graph: BondGraph, blocks: Mapping[str, tuple[Block, ...]]) -> Strokes:
        """All free."""
        own = cls(graph, [FREE] * graph.scalars)
        own._at = [[] for _ in range(graph.scalars)]
        for node in graph.nodes.values():
            for cell in _cells(graph, node, blocks):
                cell.free = len(cell.ends)
                for scalar, end, flip in cell.ends:
                    own._at[scalar].append((len(own._cells), end, flip))
                own._cells.append(cell)
        return own

    def is_free(self, scalar: int) -> bool:
        return self.stroke[scalar] == FREE

    def put_lonely(self) -> list[Clash]:
        """The only bond of a junction gives the common variable."""
        found = []
        for cell in self._cells:
            if cell.node.is_junction and len(cell.ends) == 1:
                ((scalar, end, _),) = cell.ends
                found.append(self.put([(scalar, _end(end, cell.node.kind == "0"))], cell.node.name))
        return [clash for clash in found if clash is not None]

    def put(self, wanted: Iterable[tuple[int, int]], element: str) -> Clash | None:
        """Set strokes (scalar, end) and all that follows; on a clash nothing is changed."""
        mark = len(self._trail)
        queue = [(scalar, end, _Cause(element)) for scalar, end in wanted]
        while queue:
            scalar, end, cause = queue.pop()
            self.work += 1
            clash: Clash | None = None
            if self.stroke[scalar] == FREE:
                clash = self._set(scalar, end, cause, queue)
            elif self.stroke[scalar] != end:
                clash = self._contradiction(scalar, cause)
            if clash is not None:
                self._undo(mark)
                return clash
        return None

    def _set(
        self, scalar: int, end: int, cause: _Cause, queue: list[tuple[int, int, _Cause]]
    ) -> Clash | None:
        self.stroke[scalar] = end
        self._cause[scalar] = cause
        self._trail.append(scalar)
        places = [(self._cells[c], here, flip) for c, here, flip in self._at[scalar]]
        for cell, _, _ in places:
            cell.free -= 1
        for cell, here, flip in places:
            at = end == here
            follow = self._junction if cell.node.is_junction else self._block
            clash = follow(cell, scalar, at, flip, queue)
            if clash is not None:
                return clash
        return None

    def _junction(
        self, cell: _Cell, scalar: int, at: bool, flip: bool,
        queue: list[tuple[int, int, _Cause]],
    ) -> Clash | None:  # fmt: skip
        special = cell.node.kind == "0"
        if at == special:
            if cell.hit != FREE:
                by = self.origins(cell.hit) + self.origins(scalar)
                return self._clash(cell, "twice", by, (cell.hit, scalar))
            cell.hit = scalar
            cause = _Cause(cell.node.name, (scalar,))
            queue += [(s, _end(e, not special), cause) for s, e, _ in self._free(cell)]
        elif cell.hit == FREE and cell.free <= 1:
            others = tuple(s for s, _, _ in cell.ends if self.stroke[s] != FREE)
            self.work += len(cell.ends)
            if not cell.free:
                by = tuple(name for s in others for name in self.origins(s))
                return self._clash(cell, "nobody", by, others)
            cause = _Cause(cell.node.name, others, is_last=True)
            queue += [(s, _end(e, special), cause) for s, e, _ in self._free(cell)]
        return None

    def _block(
        self, cell: _Cell, scalar: int, at: bool, flip: bool,
        queue: list[tuple[int, int, _Cause]],
    ) -> Clash | None:  # fmt: skip
        direct = at ^ flip
        if not direct and not cell.invertible:
            return self._clash(cell, "inverse", self.origins(scalar), (scalar,))
        if cell.free + 1 == len(cell.ends):
            self.work += len(cell.ends)
            cause = _Cause(cell.node.name, (scalar,))
            queue += [(s, _end(e, direct ^ own), cause) for s, e, own in cell.ends if s != scalar]
        return None

    def _free(self, cell: _Cell) -> list[tuple[int, int, bool]]:
        self.work += len(cell.ends)
        return [own for own in cell.ends if self.stroke[own[0]] == FREE]

    def _contradiction(self, scalar: int, cause: _Cause) -> Clash:
        """A stroke is wanted at both ends of a bond."""
        old = self._cause[scalar]
        met = [c.element for c in (old, cause) if c.element in self.graph.nodes]
        place = next((e for e in met if self.graph.nodes[e].is_junction), met[0] if met else "")
        what = "twice"
        for own in (old, cause):
            if own.is_last:
                place, what = own.element, "nobody"
        asked = tuple(name for s in cause.trigger for name in self.origins(s)) or (cause.element,)
        component = next((self._cells[c].component for c, _, _ in self._at[scalar]), 0)
        over = self._bonds((scalar, *old.trigger, *cause.trigger))
        return Clash(place, component, what, _unique(self.origins(scalar) + asked), over)

    def _clash(self, cell: _Cell, what: str, by: Iterable[str], scalars: tuple[int, ...]) -> Clash:
        return Clash(cell.node.name, cell.component, what, _unique(by), self._bonds(scalars))

    def _bonds(self, scalars: Iterable[int]) -> tuple[int, ...]:
        """The bonds of components, each once."""
        return tuple(dict.fromkeys(self.graph.bond_of(s) for s in scalars))

    def origins(self, scalar: int) -> tuple[str, ...]:
        """Elements whose own causality a stroke follows from."""
        found: dict[str, None] = {}
        seen, waiting = {scalar}, [scalar]
        while waiting:
            cause = self._cause[waiting.pop()]
            if not cause.trigger:
                found[cause.element] = None
            fresh = [s for s in cause.trigger if s not in seen]
            seen.update(fresh)
            waiting += fresh
        return tuple(found)

    def _undo(self, mark: int) -> None:
        while len(self._trail) > mark:
            scalar = self._trail.pop()
            self.work += 1
            self.stroke[scalar] = FREE
            del self._cause[scalar]
            for c, _, _ in self._at[scalar]:
                cell = self._cells[c]
                cell.free += 1
                if cell.hit == scalar:
                    cell.hit = FREE


def _cells(
    graph: BondGraph, node: Node, blocks: Mapping[str, tuple[Block, ...]]
) -> Iterable[_Cell]:
    if node.kind in JUNCTIONS:
        per: list[list[tuple[int, int, bool]]] = [[] for _ in range(node.dim)]
        for end in graph.ends(node.name):
            per[end.k].append((end.scalar, HEAD if end.sign > 0 else TAIL, False))
        yield from (_Cell(node, k, ends) for k, ends in enumerate(per))
    elif node.kind == "SUM":
        for k, (one, two) in enumerate(graph.stacked(node)):
            yield _Cell(node, k, [(one.scalar, HEAD, True), (two.scalar, TAIL, False)])
    elif node.kind in TRANSFORMERS | GYRATORS:
        first, second = graph.ends(node.name, 1), graph.ends(node.name, 2)
        back = node.kind in GYRATORS
        for block in blocks[node.name]:
            ends = [(first[c].scalar, HEAD, True) for c in block.cols]
            ends += [(second[r].scalar, TAIL, back) for r in block.rows]
            yield _Cell(node, min(block.rows + block.cols), ends, block.invertible)


def direct_ends(graph: BondGraph, node: Node, block: Block) -> list[tuple[int, int]]:
    """Strokes of a transformer or gyrator block whose flows enter at side 1 (and, of a gyrator, at
    side 2)."""
    first, second = graph.ends(node.name, 1), graph.ends(node.name, 2)
    away = HEAD if node.kind in GYRATORS else TAIL
    return [(first[c].scalar, TAIL) for c in block.cols] + [
        (second[r].scalar, away) for r in block.rows
    ]


def _end(here: int, at: bool) -> int:
    return here if at else 1 - here


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
