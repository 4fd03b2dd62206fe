"""What the laws couple: blocks of transformers, gyrators and resistances, and their inverses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from pliant.bonds import laws
from pliant.bonds.elements import GYRATORS, STORES, TRANSFORMERS, Node
from pliant.bonds.graph import BondGraph
from pliant.errors import Fault, ModelError
from pliant.records import dataclass
from pliant.spatial.linear import cramer, number
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.symbolic import SYMBOLIC

_REGULAR = 1e8
"""Constant blocks of a larger condition number are not inverted."""


@dataclass(frozen=True, slots=True)
class Block:
    """Rows and columns of a matrix that depend on each other and on nothing else."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    invertible: bool = False


class EvaluatedLaws:
    """The laws of a graph at a state, each evaluated once."""

    def __init__(self, graph: BondGraph, state: laws.State) -> None:
        self.graph, self.state = graph, state
        self._found: dict[tuple[str, str], Any] = {}

    def matrix(self, node: Node) -> Any:
        """T of a transformer or gyrator."""
        key = (node.name, "T")
        if key not in self._found:
            assert isinstance(node.law, laws.Transformer | laws.Gyrator)
            self._found[key] = self._shaped(node, node.law.matrix, *self.shape(node))
        return self._found[key]

    def forget(self, nodes: Collection[str]) -> None:
        """Laws of elements that have seen something else."""
        self._found = {key: found for key, found in self._found.items() if key[0] not in nodes}

    def shape(self, node: Node) -> tuple[int, int]:
        """Rows (side 2) and columns (side 1) of a two-sided element."""
        return len(self.graph.ends(node.name, 2)), len(self.graph.ends(node.name, 1))

    def inverse(self, node: Node, block: Block) -> list[list[Any]]:
        """Inverse of a block of T: rows by ``block.cols``, columns by ``block.rows``."""
        key = (node.name, f"inverse {block.rows}")
        if key not in self._found:
            self._found[key] = self._inverted(node, block)
        found: list[list[Any]] = self._found[key]
        return found

    def _inverted(self, node: Node, block: Block) -> list[list[Any]]:
        law, T = node.law, self.matrix(node)
        assert isinstance(law, laws.Transformer | laws.Gyrator)
        if law.inverse is not None:
            own = T.T
            if law.inverse != laws.TRANSPOSE:
                own = self._shaped(node, law.inverse, *self.shape(node)[::-1])
            return [[own[c, r] for r in block.rows] for c in block.cols]
        ops, n = self.state.ops, len(block.rows)
        A = ops.full(ops.mat([[T[r, c] for c in block.cols] for r in block.rows]))
        columns = [cramer(ops, A, ops.const(np.eye(n)[j])) for j in range(n)]
        return [[column[i] for column in columns if column is not None] for i in range(n)]

    def _shaped(self, node: Node, value: Any, rows: int, cols: int) -> Any:
        try:
            return laws.matrix(self.state.ops, self.state, value, rows, cols)
        except ValueError as error:
            raise ModelError([Fault(node.title, str(error))]) from None

    def column(self, node: Node, value: laws.Value, size: int) -> Any:
        """A law that is a column."""
        found = laws.column(self.state.ops, self.state, value, size)
        if found.numel() != size:
            fault = Fault(node.title, f"a value of {found.numel()} components, not {size}")
            raise ModelError([fault])
        return found


def blocks_of(graph: BondGraph, state: laws.State) -> dict[str, tuple[Block, ...]]:
    """Blocks of all transformers, gyrators and resistances."""
    book = EvaluatedLaws(graph, state)
    found: dict[str, tuple[Block, ...]] = {}
    for node in graph.nodes.values():
        if node.kind in TRANSFORMERS | GYRATORS:
            T = book.matrix(node)
            found[node.name] = tuple(
                Block(*block, _invertible(book, node, *block))
                for block in connected(
                    *book.shape(node), _pattern(state, lambda f, T=T: T @ f, T.shape[1])
                )
            )
        elif node.kind == "R":
            found[node.name] = _resistance_blocks(book, node)
    return found


def _resistance_blocks(book: EvaluatedLaws, node: Node) -> tuple[Block, ...]:
    """Components of a resistance that depend on each other."""
    assert isinstance(node.law, laws.Resistance)
    relation, state = node.law.effort or node.law.flow, book.state
    if relation is None:
        fault = Fault(node.title, "has neither a matrix nor a relation of effort and flow")
        raise ModelError([fault])
    if node.dim == 1:
        return (Block((0,), (0,)),)
    pattern = _pattern(state, lambda f: relation(state.ops, state, f), node.dim)
    pairs = [(i, j) for i, j in pattern] + [(k, k) for k in range(node.dim)]
    return tuple(Block(*block) for block in connected(node.dim, node.dim, pairs))


def _pattern(state: laws.State, function: Any, size: int) -> list[tuple[int, int]]:
    """Structural non-zeros of the derivative of a function of a column."""
    f = state.ops.symbols([f"probe.{k + 1}" for k in range(size)])
    J = state.ops.jacobian(state.ops.full(function(f)), f)
    rows, cols = J.shape
    return [(i, j) for i in range(rows) for j in range(cols) if J[i, j].nnz()]


def connected(
    rows: int, cols: int, pairs: Iterable[tuple[int, int]]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Connected components of a pattern: (rows, columns) of each."""
    root = list(range(rows + cols))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for i, j in pairs:
        root[find(i)] = find(rows + j)
    groups: dict[int, list[int]] = {}
    for i in range(rows + cols):
        groups.setdefault(find(i), []).append(i)
    return [
        (tuple(i for i in g if i < rows), tuple(i - rows for i in g if i >= rows))
        for g in groups.values()
    ]


def _invertible(
    book: EvaluatedLaws, node: Node, rows: tuple[int, ...], cols: tuple[int, ...]
) -> bool:
    """A given inverse, a constant regular block, or one ratio of parameters.

    To be square is not enough: the cross product of every lever arm is square and singular.
    """
    assert isinstance(node.law, laws.Transformer | laws.Gyrator)
    if len(rows) != len(cols):
        return False
    if node.law.inverse is not None:
        return True
    T = book.matrix(node)
    entries = [[number(T[r, c]) for c in cols] for r in rows]
    flat = [x for row in entries for x in row if x is not None]
    if len(flat) == len(rows) * len(cols):
        return bool(np.linalg.cond(np.array(entries, dtype=float)) < _REGULAR)
    return len(rows) == 1 and bool(at_defaults(book.state, T[rows[0], cols[0]]))


def at_defaults(state: laws.State, entry: Any) -> float | None:
    """The number that a function of parameters alone is at their default values."""
    p = state.numbers.p
    if not p.numel():
        return number(entry)
    ops = state.ops
    (found,) = ops.substitute([ops.full(entry)], p, ops.const(state.numbers.p_default))
    return number(found[0])


class AnyNumbers:
    """A symbol for every name that is asked for: parameters are those with values, or all."""

    def __init__(self, values: Mapping[str, float] | None = None) -> None:
        self.t, self._values = SYMBOLIC.symbol("t"), values
        self._known = {name: SYMBOLIC.symbol(name) for name in values or ()} | {"t": self.t}

    def look_up(self, name: str) -> Any:
        return self._known.setdefault(name, SYMBOLIC.symbol(name))

    @property
    def p(self) -> Any:
        names = [n for n in self._known if n != "t"] if self._values is None else self._values
        return SYMBOLIC.stack([self._known[n] for n in names]) if names else SYMBOLIC.symbols(())

    @property
    def p_default(self) -> Any:
        given = self._values
        return np.ones(len(self._known) - 1) if given is None else list(given.values())


def structural_state(
    graph: BondGraph, ops: SymbolicOps = SYMBOLIC, numbers: laws.Numbers | None = None
) -> laws.State:
    """Symbols for the stores of a graph: enough to see what depends on what. ``numbers``: its
    parameters (anything by default)."""
    numbers = numbers or AnyNumbers()
    read = {r.name for n in graph.nodes.values() for r in n.reads}
    if read:
        numbers = laws.WithReadings(
            numbers, {name: ops.symbol(f"seen.{name}") for name in sorted(read)}
        )
    stores = [n for n in graph.nodes.values() if n.kind in STORES]
    made = {n.name: ops.symbols([f"state.{n.name}.{k + 1}" for k in range(n.dim)]) for n in stores}
    return laws.State(
        ops, numbers,
        x={n.name: made[n.name] for n in stores if n.kind == "C"},
        u={n.name: made[n.name] for n in stores if n.kind == "I"},
    )  # fmt: skip
