"""Causal evaluation: every effort and flow of a graph as an expression in the states.

Each variable is computed once, from the element that gives it, in the order of
``pliant.bonds.dependence``. With σ = +1 where the half arrow enters an element:

    I      f = σ u   or   e = (M u' + bias)       C     e = e(q)   or   f = σ dq(e)/dt
    1      f of the bond that gives it; there e = -σ Σ σ_j e_j      0     the same with e and f
    TF     f₂ = T f₁, e₁ = Tᵀ e₂                  GY    e₂ = T f₁, e₁ = Tᵀ f₂
    CN     e = -σ λ                               R     e = R f or f = R⁻¹ e (f, e into it)

Algebraic loops: tears z with K(z) = 0. If K is linear in z and small, z is solved for in place;
else it stays an unknown and K a row of the equations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from pliant.bonds import BondGraph, Causality, State, laws
from pliant.bonds.dependence import Dependence, Output, Stage
from pliant.bonds.elements import DOMAINS, GYRATORS, TRANSFORMERS, End, Node
from pliant.bonds.structure import EvaluatedLaws
from pliant.bonds.unknowns import MEASURES, Tear, Unknowns
from pliant.errors import Fault, ModelError
from pliant.spatial.linear import cramer, depends, is_zero
from pliant.spatial.ops import SymbolicOps

LARGEST_SOLVED = 4
"""Linear loops of more unknowns are left to the numerical solution."""


class Evaluation:
    """Efforts and flows of all bonds."""

    def __init__(
        self, graph: BondGraph, causality: Causality, ops: SymbolicOps, state: State,
        unknowns: Unknowns,
    ) -> None:  # fmt: skip
        self.graph, self.causality, self.ops = graph, causality, ops
        self._unknowns = unknowns
        self._dependence = Dependence(graph, causality)
        self._values: list[Any] = [None] * (2 * graph.scalars)
        reads = [r for n in graph.nodes.values() for r in n.reads if not r.state]
        if reads:  # laws see efforts and flows that were computed before
            places = {r.name: self._dependence.variable(r) for r in reads}
            state = replace(
                state, numbers=laws.WithReadings(state.numbers, laws.Computed(self._values, places))
            )
        self.state = state
        self._laws = EvaluatedLaws(graph, self.state)
        self._columns: dict[tuple[str, str], Any] = {}
        self._ends = {name: graph.ends(name) for name in graph.nodes}
        self.tears: list[Tear] = []
        for stage in self._dependence.stages:
            if stage.tears:
                self._loop(stage)
            else:
                self._compute_named(stage.variables[0])

    # --- results

    def effort(self, bond: int | str, k: int = 0) -> Any:
        """Effort of component k of a bond."""
        return self._values[2 * self.graph.scalar(self.graph.index(bond), k)]

    def flow(self, bond: int | str, k: int = 0) -> Any:
        """Flow of component k of a bond, positive along its half arrow."""
        return self._values[2 * self.graph.scalar(self.graph.index(bond), k) + 1]

    def efforts(self, bond: int | str) -> Any:
        """Efforts of all components of a bond as a column."""
        b = self.graph.index(bond)
        return self.ops.vec(*(self.effort(b, k) for k in range(self.graph.bonds[b].dim)))

    def flows(self, bond: int | str) -> Any:
        """Flows of all components of a bond as a column."""
        b = self.graph.index(bond)
        return self.ops.vec(*(self.flow(b, k) for k in range(self.graph.bonds[b].dim)))

    def into(self, node: str) -> list[tuple[Any, Any]]:
        """(effort, flow into the element) at every end of an element."""
        return [(self._e(end), self._into(end)) for end in self._ends[node]]

    def stored(self, node: Node) -> Any:
        """M u' + bias of an inertia; dq(e)/dt of a compliance whose effort is e."""
        return self._kept((node.name, "stored"), lambda: self._stored(node))

    def substituted(self, symbols: Any, values: Any) -> Evaluation:
        """The same with symbols replaced in every effort and flow."""
        own, ops = copy(self), self.ops
        keys, u, x = list(self._columns), list(self.state.u), list(self.state.x)
        parts = [*map(ops.full, self._values), *(self._columns[k] for k in keys)]
        parts += [*(self.state.u[k] for k in u), *(self.state.x[k] for k in x)]
        found = iter(ops.substitute(parts, symbols, values))
        own._values = [next(found)[0] for _ in self._values]
        own._columns = {k: next(found) for k in keys}
        states = {k: next(found) for k in u}, {k: next(found) for k in x}
        own.state = replace(self.state, u=states[0], x=states[1])
        return own

    # --- order

    def _compute_named(self, v: int) -> None:
        """A variable outside of loops, which may stand for an intermediate result: e_shaft."""
        o = self._dependence.outputs[v]
        bond = self.graph.bonds[o.end.bond]
        label = f"{'e' if o.is_effort else 'f'}_{bond.name}" + (
            f"_{o.end.k + 1}" if bond.dim > 1 else ""
        )
        self._values[v] = self.ops.named(label, self._value(o))

    def _loop(self, stage: Stage) -> None:
        outputs = [self._dependence.outputs[v] for v in stage.tears]
        tears = [self._tear(o) for o in outputs]
        sizes = [MEASURES.get(unit, (1, unit))[0] for _, unit, _ in tears]
        z = self.ops.full(self.ops.vec(*(symbol for _, _, symbol in tears)))
        self._bind(stage, _scaled(sizes, [symbol for _, _, symbol in tears]))
        K = self.ops.full(self.ops.vec(*(self._residual(o) for o in outputs)))
        solution = self._solution(stage, K, z)
        if solution is not None:
            self._bind(stage, _scaled(sizes, solution))
            return
        self.tears += [
            Tear(name, MEASURES.get(unit, (1, unit))[1], o.node.name, symbol, K[i])
            for i, (o, (name, unit, symbol)) in enumerate(zip(outputs, tears, strict=True))
        ]

    def _bind(self, stage: Stage, values: Sequence[Any]) -> None:
        """All variables of a loop for given tears."""
        members = {self._dependence.outputs[v].node.name for v in stage.variables + stage.tears}
        self._columns = {key: c for key, c in self._columns.items() if key[0] not in members}
        self._laws.forget(members)
        for v, value in zip(stage.tears, values, strict=True):
            self._values[v] = value
        for v in stage.variables:
            self._values[v] = self._value(self._dependence.outputs[v])

    def _tear(self, o: Output) -> tuple[str, str, Any]:
        """Name, unit and symbol of the unknown that stands for an output."""
        bond, what = self.graph.bonds[o.end.bond], "effort" if o.is_effort else "flow"
        name = f"{bond.name}.{what}" + (f".{o.end.k + 1}" if bond.dim > 1 else "")
        domain = DOMAINS[bond.domain]
        symbol = self._unknowns.symbols.one(name)
        return name, domain.effort if o.is_effort else domain.flow, symbol

    def _residual(self, o: Output) -> Any:
        """What is zero if the unknown is right."""
        if not o.implicit:
            return self._values[o.variable] - self._value(o)
        law, end = o.node.law, o.end
        assert isinstance(law, laws.Resistance)
        if o.is_effort:
            return self._into(end) - self._relation(o.node, law.flow, o.place, by_flow=False)
        return self._e(end) - self._relation(o.node, law.effort, o.place, by_flow=True)

    def _solution(self, stage: Stage, K: Any, z: Any) -> list[Any] | None:
        """z with K(z) = 0, if that is linear and small."""
        A = self.ops.full(self.ops.jacobian(K, z))
        if z.numel() > LARGEST_SOLVED or depends(self.ops, self.ops.flat(A), z):
            return None
        (rest,) = self.ops.substitute([K], z, self.ops.zeros(z.numel()))
        found = cramer(self.ops, A, -rest)
        if found is None:
            names = self._dependence.members(stage)
            what = "their equations are singular: efforts or flows in the loop stay undetermined"
            raise ModelError([Fault(f"algebraic loop of {', '.join(names)}", what)])
        return found

    # --- what each element gives

    def _e(self, end: End) -> Any:
        return self._values[2 * end.scalar]

    def _f(self, end: End) -> Any:
        return self._values[2 * end.scalar + 1]

    def _into(self, end: End) -> Any:
        return _signed(end.sign, self._f(end))

    def _value(self, o: Output) -> Any:
        kind = o.node.kind
        if o.node.is_junction:
            return self._junction(o)
        if kind == "SUM":
            return self._values[o.needs[0]]
        if kind in TRANSFORMERS | GYRATORS:
            return self._two_sided(o)
        if kind == "R":
            law, by_flow = o.node.law, o.needs[0] % 2 == 1
            assert isinstance(law, laws.Resistance)
            relation = law.effort if by_flow else law.flow
            found = self._relation(o.node, relation, o.place, by_flow=by_flow)
            return found if o.is_effort else _signed(o.end.sign, found)
        return self._one_port(o)

    def _one_port(self, o: Output) -> Any:
        node, law, k = o.node, o.node.law, o.place
        if isinstance(law, laws.Source):
            values = self._kept(
                (node.name, "source"), lambda: self._laws.column(node, law.value, node.dim)
            )
            return values[k]
        if node.kind == "CN":
            return _signed(-o.end.sign, self._unknowns.lam[node.name][k])
        if isinstance(law, laws.Inertia | laws.Compliance):
            return self._store(o)
        assert isinstance(law, laws.Field | laws.JunctionStructure)
        if isinstance(law, laws.JunctionStructure) and law.effort is None:
            return _signed(o.end.sign, self._relation(node, law.flow, k, by_flow=False))
        return self._relation(node, law.effort, k, by_flow=True)

    def _store(self, o: Output) -> Any:
        node, law, k = o.node, o.node.law, o.place
        integral = o.is_effort == (node.kind == "C")
        if integral and node.name in self._unknowns.a:
            own = self.state.u[node.name][k]
            return own if o.is_effort else _signed(o.end.sign, own)
        if integral:
            assert isinstance(law, laws.Compliance)
            state, x = self.state, self.state.x[node.name]
            return self._kept((node.name, "effort"), lambda: law.effort(self.ops, state, x))[k]
        taken = self._unknowns.held.get((node.name, k))
        taken = self.stored(node)[k] if taken is None else taken
        return taken if o.is_effort else _signed(o.end.sign, taken)

    def _stored(self, node: Node) -> Any:
        law, a, n = node.law, self._unknowns.a[node.name], node.dim
        state = self.state
        if isinstance(law, laws.Inertia):
            taken = laws.matrix(self.ops, state, law.matrix, n, n) @ a
            if law.bias is not None:
                taken = taken + self._laws.column(node, law.bias, n)
            return taken
        assert isinstance(law, laws.Compliance)
        effort = self.state.u[node.name]
        taken = self.ops.jtimes(self.state.x[node.name], effort, a)
        return taken if law.drift is None else taken + law.drift(self.ops, state, effort)

    def _kept(self, key: tuple[str, str], make: Callable[[], Any]) -> Any:
        """A column of an element, made once."""
        if key not in self._columns:
            self._columns[key] = self.ops.full(make())
        return self._columns[key]

    def _relation(self, node: Node, relation: Any, place: int, *, by_flow: bool) -> Any:
        """Component of a law of flows into an element, or of efforts.

        Only those of its own block are put in: the others are perhaps not known yet.
        """
        block = tuple(range(node.dim))
        if node.kind == "R":
            block = next(b.rows for b in self.causality.blocks[node.name] if place in b.rows)

        def column() -> Any:
            given = [
                (self._into(e) if by_flow else self._e(e)) if k in block else 0
                for k, e in enumerate(self._ends[node.name])
            ]
            argument = self.ops.full(self.ops.vec(*given))
            return relation(self.ops, self.state, argument)

        return self._kept((node.name, f"block {block[0]}"), column)[place]

    def _junction(self, o: Output) -> Any:
        """The common variable, or at the bond that gives it the sum of the others."""
        common_is_flow = o.node.kind == "1"
        if o.is_effort != common_is_flow:
            return self._values[o.needs[0]]
        total: Any = 0
        wanted = {n // 2 for n in o.needs}
        for end in (e for e in self._ends[o.node.name] if e.scalar in wanted):
            other = self._e(end) if o.is_effort else self._f(end)
            total = total + _signed(-o.end.sign * end.sign, other)
        return total

    def _two_sided(self, o: Output) -> Any:
        first, second = self.graph.ends(o.node.name, 1), self.graph.ends(o.node.name, 2)
        entering = o.end.sign > 0
        own = next(
            i for i, e in enumerate(first if entering else second) if e.scalar == o.end.scalar
        )
        blocks = self.causality.blocks[o.node.name]
        block = next(b for b in blocks if own in (b.cols if entering else b.rows))
        direct = o.is_effort == entering if o.node.kind in TRANSFORMERS else o.is_effort
        if direct:
            T = self._laws.matrix(o.node)
            factors = (
                [T[r, own] for r in block.rows] if entering else [T[own, c] for c in block.cols]
            )
        else:
            inverse = self._laws.inverse(o.node, block)
            if entering:
                factors = inverse[block.cols.index(own)]
            else:
                factors = [row[block.rows.index(own)] for row in inverse]
        total: Any = 0
        for factor, needed in zip(factors, o.needs, strict=True):
            if not is_zero(factor):
                total = total + factor * self._values[needed]
        return total


def _scaled(sizes: Sequence[float], values: Sequence[Any]) -> list[Any]:
    return [v if s == 1 else s * v for s, v in zip(sizes, values, strict=True)]


def _signed(sign: int, x: Any) -> Any:
    return x if sign > 0 else -x


def stored_energy(evaluation: Evaluation, node: Node, moving: Sequence[Any] = ()) -> Any:
    """1/2 fᵀ M f of an inertia, pᵀ f - T* of one with a law for its momentum; E(q) of a compliance,
    1/2 qᵀ e of one with a linear law; None where power does not come from a function of the state
    (M or the stiffness change without a bias for it), and at the port of a store that counts the
    energy elsewhere."""
    ops, law, n = evaluation.ops, node.law, node.dim
    state = evaluation.state
    if isinstance(law, laws.Inertia):
        f = evaluation.state.u.get(node.name)
        if f is not None and law.momentum is not None and law.coenergy is not None:
            p, T = law.momentum(ops, state, f), law.coenergy(ops, state, f)
            return ops.dot(f, ops.full(p)) - ops.full(T)[0]
        M = laws.matrix(ops, state, law.matrix, n, n)
        if f is None or (law.bias is None and _moves(evaluation, M, moving)):
            return None
        return 0.5 * ops.dot(f, M @ f)
    assert isinstance(law, laws.Compliance)
    if law.of:
        return None
    q = evaluation.state.x[node.name]
    if law.energy is not None:
        return ops.full(law.energy(ops, state, q))[0]
    held = ops.symbols([f"{node.name}.held.{k + 1}" for k in range(n)])
    K = ops.jacobian(ops.full(law.effort(ops, state, held)), held)
    if _moves(evaluation, K, [held, *moving]):
        return None
    return 0.5 * ops.dot(q, K @ q)


def is_counted(node: Node) -> bool:
    """Whether a store counts its energy itself."""
    return not (isinstance(node.law, laws.Compliance) and node.law.of)


def _moves(evaluation: Evaluation, A: Any, moving: Sequence[Any]) -> bool:
    """Whether a matrix changes with the state."""
    ops = evaluation.ops
    return any(depends(ops, ops.flat(ops.full(A)), ops.full(s)) for s in moving)
