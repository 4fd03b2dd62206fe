"""Laws of networks that no element can have, found by trying them at random points.

C      ∂e/∂q = (∂e/∂q)ᵀ: else the work depends on the way         e(q(e)) = e
I      ∂p/∂f = (∂p/∂f)ᵀ, M = Mᵀ, and positive at the start        R: e(f(e)) = e
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.errors import Fault
from pliant.graphs.bonds import laws
from pliant.graphs.bonds.elements import Node
from pliant.graphs.bonds.graph import BondGraph
from pliant.graphs.bonds.structure import structural_state
from pliant.model.networks.flat import FlatElement
from pliant.spatial.symbolic import SYMBOLIC

_SAME = 1e-6
"""Relative difference below which two values are one: laws are given with rounded numbers."""
_SIZES = (1e-6, 1e-3, 1.0, 1e3)
"""Of the arguments that are tried, in SI units; those at which a law has no value say nothing."""


def law_faults(
    elements: Iterable[FlatElement], graph: BondGraph, numbers: laws.Numbers
) -> Iterator[Fault]:
    """Everything of the kind, by the names of the elements."""
    state = structural_state(graph, numbers=numbers)
    for e in elements:
        for what, cure in _wrong(e, graph.nodes[e.name], state):
            yield Fault(f"element '{e.name}'", f"{e.kind}: {what}", cure)


def _wrong(e: FlatElement, node: Node, state: laws.State) -> Iterator[tuple[str, str]]:
    law = node.law
    if isinstance(law, laws.Compliance):
        if (
            e.dim > 1
            and "energy" not in e.law
            and not _is_symmetric(_slopes(law.effort), e.dim, state)
        ):
            what = "its law has no energy: the derivative of effort by displacement is unsymmetric"
            yield what, "give energy, or a symmetric stiffness"
        inverse = law.inverse if "displacement" in e.law else None
        if inverse and not _are_inverse(law.effort, inverse, e.dim, state):
            yield "effort and displacement contradict each other", "let one be the inverse"
    if isinstance(law, laws.Inertia):
        yield from _wrong_inertia(e, law, node.start, state)
    if isinstance(law, laws.Resistance):
        there, back = law.effort_of_flow, law.flow_of_effort
        if there and back and not _are_inverse(there, back, e.dim, state):
            yield "effort and flow contradict each other", "let one be the inverse, or keep one"


Tried = Callable[[laws.State, Any], Any]


def _wrong_inertia(
    e: FlatElement, law: laws.Inertia, start: laws.Value | None, state: laws.State
) -> Iterator[tuple[str, str]]:
    if law.momentum is None:
        n = e.dim
        if n > 1 and not _is_symmetric(
            lambda s, f: laws.matrix(SYMBOLIC, s, law.matrix, n, n), n, state
        ):
            yield "its matrix is not symmetric", "give a symmetric one"
        return
    slopes = _slopes(law.momentum)
    if e.dim > 1 and "momentum" in e.law and not _is_symmetric(slopes, e.dim, state):
        what = "its law has no energy: the derivative of momentum by flow is unsymmetric"
        yield what, "give coenergy"
        return
    A = None if e.coordinates else _at_start(slopes, start, e.dim, state)
    if A is not None and not (np.isfinite(A).all() and np.linalg.eigvalsh(A).min() > 0):
        what = "at the start its momentum does not grow with its flow"
        yield what, "let the derivative of momentum by flow be positive, or start at another flow"


def _slopes(law: laws.Relation) -> Tried:
    def found(state: laws.State, argument: Any) -> Any:
        return SYMBOLIC.jacobian(SYMBOLIC.full(law(SYMBOLIC, state, argument)), argument)

    return found


def _is_symmetric(tried: Tried, n: int, state: laws.State) -> bool:
    return all(_same(A, A.T) for A in _values(tried, n, state))


def _are_inverse(there: laws.Relation, back: laws.Relation, n: int, state: laws.State) -> bool:
    """e(q(e(q))) = e(q), which is true also of laws that are flat somewhere."""

    def both(state: laws.State, argument: Any) -> Any:
        first = SYMBOLIC.full(there(SYMBOLIC, state, argument))
        again = there(SYMBOLIC, state, SYMBOLIC.full(back(SYMBOLIC, state, first)))
        return SYMBOLIC.columns([first, SYMBOLIC.full(again)])

    return all(_same(v[:, 0], v[:, 1]) for v in _values(both, n, state))


def _at_start(tried: Tried, start: laws.Value | None, n: int, state: laws.State) -> Array:
    """At the initial value of the store, with the values of parameters."""
    argument, p = ca.SX.sym("argument", n), state.numbers.p
    given = SYMBOLIC.full(laws.column(SYMBOLIC, state, 0.0 if start is None else start, n))
    law = ca.Function("law", [argument, p], [SYMBOLIC.full(tried(state, argument))])
    values = ca.DM(state.numbers.p_default)
    return np.asarray(law(ca.Function("start", [p], [given])(values), values))


def _same(a: Array, b: Array) -> bool:
    return bool(np.abs(a - b).max() <= _SAME * np.abs(a).max())


def _values(tried: Tried, n: int, state: laws.State) -> Iterator[Array]:
    """At random arguments of several sizes; parameters have their values, other states are of the
    order of one."""
    argument, chance = ca.SX.sym("argument", n), np.random.default_rng(1)
    expression, p = SYMBOLIC.full(tried(state, argument)), state.numbers.p
    expression = ca.substitute(expression, p, ca.DM(state.numbers.p_default))
    others = [s for s in ca.symvar(expression) if "argument" not in s.name()]
    at = ca.Function("law", [argument, ca.vertcat(*others)], [expression])
    for size in _SIZES:
        point = size * chance.uniform(0.2, 1.0, n) * chance.choice([-1.0, 1.0], n)
        value = np.asarray(at(point, chance.uniform(0.5, 1.5, len(others))))
        if np.isfinite(value).all():
            yield value
