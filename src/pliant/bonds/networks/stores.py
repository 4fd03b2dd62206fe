"""Energy of stores in networks, and what one does that changes with the motion of others.

A compliance whose law changes with joint coordinates s holds an energy E(q; s), an inertia has a
co-energy T*(f; s) = ∫ pᵀ df:

    e = ∂E/∂q                                   -∂E/∂s acts on the joint     E' = eᵀ q' + ∂E/∂s s'
    p = ∂T*/∂f    e = p' = ∂p/∂f f' + ∂p/∂s s'   ∂T*/∂s acts on the joint     T = pᵀ f - T*

so that T' = eᵀ f - ∂T*/∂s s'. Of a linear inertia, p = M f, both energies are 1/2 fᵀ M f. Such a
store stands on two domains: its port at a joint is a compliance in the graph, too, whose
displacement is the coordinate. Where s is the displacement of a compliance of the network, no port
is needed: -∂T*/∂s belongs to the effort of that compliance. Both are an IC field.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.bonds.laws import Compliance, Inertia, Relation, State, Value, WithReadings, matrix
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps

_POINTS = 12
"""Of the Gauss quadrature of a law along its displacement: exact for polynomials to degree 22."""


def work(effort: Relation) -> Relation:
    """E(q) = ∫₀¹ e(θ q)ᵀ q dθ of a law without an energy of its own."""
    places, weights = np.polynomial.legendre.leggauss(_POINTS)

    def energy(ops: SymbolicOps, state: State, q: Any) -> Any:
        total: Any = 0
        for place, weight in zip((places + 1) / 2, weights / 2, strict=True):
            total = total + float(weight) * ops.dot(effort(ops, state, float(place) * q), q)
        return ops.vec(total)

    return energy


def linear(effort: Relation) -> Relation:
    """E = 1/2 e(q)ᵀ q."""
    return lambda ops, state, q: ops.vec(0.5 * ops.dot(effort(ops, state, q), q))


def slope(energy: Relation, element: str) -> Relation:
    """e = ∂E/∂q."""

    def effort(ops: SymbolicOps, state: State, q: Any) -> Any:
        own = ops.symbols([f"{element}.own.{k + 1}" for k in range(q.numel())])
        gradient = ops.gradient(ops.full(energy(ops, state, own))[0], own)
        return ops.substitute([ops.full(gradient)], own, ops.full(q))[0]

    return effort


@dataclass(frozen=True, slots=True)
class Coordinate:
    """What the law of a store changes with: a joint coordinate, or a component of the displacement
    of a compliance, whose flow is read by the name ``rate``."""

    name: str
    rate: str
    of: str = ""
    place: int = 0

    def value(self, state: State) -> Any:
        return state.x[self.of][self.place] if self.of else state[self.name]

    def seen(self, state: State, value: Any) -> State:
        """The state with another value of it."""
        if not self.of:
            return replace(state, numbers=WithReadings(state.numbers, {self.name: value}))
        old = state.x[self.of]
        parts = [value if k == self.place else old[k] for k in range(old.numel())]
        return replace(state, x={**state.x, self.of: state.ops.full(state.ops.vec(*parts))})


def moving(law: Compliance, coordinates: Sequence[Coordinate]) -> Compliance:
    """A law that changes with coordinates: where its effort e is given, q' has ∂q(e; s)/∂s s'."""
    inverse = law.inverse
    if inverse is None or not coordinates:
        return law
    return replace(law, drift=lambda ops, state, e: _change(ops, state, inverse, e, coordinates))


def linear_momentum(M: Value, n: int) -> Relation:
    """p = M f."""
    return lambda ops, state, f: matrix(ops, state, M, n, n) @ f


def non_linear(
    element: str, momentum: Relation, coenergy: Relation, coordinates: Sequence[Coordinate]
) -> Inertia:
    """e = ∂p/∂f f' + ∂p/∂s s'."""

    def slopes(ops: SymbolicOps, state: State) -> Any:
        flow = ops.full(state.u[element])
        own = ops.symbols([f"{element}.own.{k + 1}" for k in range(flow.numel())])
        A = ops.jacobian(ops.full(momentum(ops, state, own)), own)
        return ops.substitute([ops.full(A)], own, flow)[0]

    return Inertia(slopes, drift(element, momentum, coordinates), momentum, coenergy)


def drift(element: str, momentum: Relation, coordinates: Sequence[Coordinate]) -> Value | None:
    """∂p/∂s s' at the flow of the element; None if nothing moves."""
    if not coordinates:
        return None
    return lambda ops, state: _change(ops, state, momentum, ops.full(state.u[element]), coordinates)


def _change(
    ops: SymbolicOps, state: State, law: Relation, argument: Any, coordinates: Sequence[Coordinate]
) -> Any:
    """∂law/∂s s' at an argument."""
    total: Any = ops.zeros(argument.numel())
    for s in coordinates:
        own = ops.symbol(f"{s.name}.own")
        value = ops.full(law(ops, s.seen(state, own), argument))
        rate = ops.full(ops.jtimes(value, ops.full(own), ops.full(state[s.rate])))
        total = total + ops.substitute([rate], ops.full(own), ops.full(s.value(state)))[0]
    return total


def port(element: str, law: Compliance | Inertia, coordinate: Coordinate) -> Compliance:
    """What a store does at a joint: ∂E/∂s, or -∂T*/∂s, taken from it."""
    energy = law.coenergy if isinstance(law, Inertia) else law.energy
    assert energy is not None

    def effort(ops: SymbolicOps, state: State, s: Any) -> Any:
        own = ops.symbol(f"{coordinate.name}.own")
        seen = coordinate.seen(state, own)
        if isinstance(law, Inertia):
            E = -ops.full(energy(ops, seen, ops.full(state.u[element])))
        else:
            E = ops.full(energy(ops, seen, state.x[element]))
        rate = ops.full(ops.jacobian(E, ops.full(own)))
        return ops.substitute([rate], ops.full(own), ops.full(s))[0]

    return Compliance(effort, displacement=lambda ops, state: state[coordinate.name], of=element)


def coupled(own: Compliance, element: str, law: Inertia, coordinate: Coordinate) -> Compliance:
    """A compliance with the effort -∂T*/∂s of an inertia that changes with its displacement. Its
    effort alone no longer says what that is."""
    back = port(element, law, coordinate)

    def effort(ops: SymbolicOps, state: State, q: Any) -> Any:
        n, k = q.numel(), coordinate.place
        here = replace(state, x={**state.x, coordinate.of: q})
        added = ops.full(back.effort(ops, here, q[k]))[0]
        return own.effort(ops, state, q) + ops.vec(*(added if i == k else 0 for i in range(n)))

    return replace(own, effort=effort, inverse=None)
