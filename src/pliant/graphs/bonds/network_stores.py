"""Energy of compliances in networks, and what one does that changes with the mechanism.

A compliance whose law changes with joint coordinates s holds an energy E(q; s):

    e = ∂E/∂q           -∂E/∂s acts on the joint           E' = eᵀ q' + ∂E/∂s s'

It is a store on two domains. Its port at a joint is a compliance in the graph, too, whose
displacement is the coordinate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.graphs.bonds.laws import Compliance, Relation
from pliant.graphs.bonds.state import Seen, State
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


def moving(law: Compliance, coordinates: Sequence[str]) -> Compliance:
    """A law that changes with coordinates: where its effort e is given, q' has ∂q(e; s)/∂s s'."""
    inverse = law.inverse
    if inverse is None or not coordinates:
        return law

    def drift(ops: SymbolicOps, state: State, e: Any) -> Any:
        total: Any = ops.zeros(e.numel())
        for name in coordinates:
            own = ops.symbol(f"{name}.own")
            q = ops.full(inverse(ops, seeing(state, name, own), e))
            rate = ops.full(ops.jtimes(q, ops.full(own), ops.full(state[f"{name}_rate"])))
            total = total + ops.substitute([rate], ops.full(own), ops.full(state[name]))[0]
        return total

    return replace(law, drift=drift)


def port(element: str, law: Compliance, coordinate: str) -> Compliance:
    """What a compliance does at a joint: ∂E/∂s taken from it."""
    energy = law.energy
    assert energy is not None

    def effort(ops: SymbolicOps, state: State, s: Any) -> Any:
        own = ops.symbol(f"{coordinate}.own")
        E = energy(ops, seeing(state, coordinate, own), state.x[element])
        rate = ops.full(ops.jacobian(ops.full(E), ops.full(own)))
        return ops.substitute([rate], ops.full(own), ops.full(s))[0]

    return Compliance(effort, displacement=lambda ops, state: state[coordinate], of=element)


def seeing(state: State, name: str, value: Any) -> State:
    """The state with another value of a coordinate."""
    return replace(state, numbers=Seen(state.numbers, {name: value}))
