"""Energy of stores in networks, and what one does that changes with the mechanism.

A compliance whose law changes with joint coordinates s holds an energy E(q; s), an inertia has a
co-energy T*(f; s) = ∫ pᵀ df:

    e = ∂E/∂q                                   -∂E/∂s acts on the joint     E' = eᵀ q' + ∂E/∂s s'
    p = ∂T*/∂f    e = p' = ∂p/∂f f' + ∂p/∂s s'   ∂T*/∂s acts on the joint     T = pᵀ f - T*

so that T' = eᵀ f - ∂T*/∂s s'. Of a linear inertia, p = M f, both energies are 1/2 fᵀ M f. Such a
store stands on two domains: its port at a joint is a compliance in the graph, too, whose
displacement is the coordinate (of an inertia together an IC field).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.bonds.laws import Compliance, Inertia, Relation, State, Value, WithReadings, matrix
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
    return replace(law, drift=lambda ops, state, e: _change(ops, state, inverse, e, coordinates))


def linear_momentum(M: Value, n: int) -> Relation:
    """p = M f."""
    return lambda ops, state, f: matrix(ops, state, M, n, n) @ f


def non_linear(
    element: str, momentum: Relation, coenergy: Relation, coordinates: Sequence[str]
) -> Inertia:
    """e = ∂p/∂f f' + ∂p/∂s s'."""

    def slopes(ops: SymbolicOps, state: State) -> Any:
        flow = ops.full(state.u[element])
        own = ops.symbols([f"{element}.own.{k + 1}" for k in range(flow.numel())])
        A = ops.jacobian(ops.full(momentum(ops, state, own)), own)
        return ops.substitute([ops.full(A)], own, flow)[0]

    return Inertia(slopes, drift(element, momentum, coordinates), momentum, coenergy)


def drift(element: str, momentum: Relation, coordinates: Sequence[str]) -> Value | None:
    """∂p/∂s s' at the flow of the element; None if nothing moves."""
    if not coordinates:
        return None
    return lambda ops, state: _change(ops, state, momentum, ops.full(state.u[element]), coordinates)


def _change(
    ops: SymbolicOps, state: State, law: Relation, argument: Any, coordinates: Sequence[str]
) -> Any:
    """∂law/∂s s' at an argument."""
    total: Any = ops.zeros(argument.numel())
    for name in coordinates:
        own = ops.symbol(f"{name}.own")
        value = ops.full(law(ops, _seeing(state, name, own), argument))
        rate = ops.full(ops.jtimes(value, ops.full(own), ops.full(state[f"{name}_rate"])))
        total = total + ops.substitute([rate], ops.full(own), ops.full(state[name]))[0]
    return total


def port(element: str, law: Compliance | Inertia, coordinate: str) -> Compliance:
    """What a store does at a joint: ∂E/∂s, or -∂T*/∂s, taken from it."""
    energy = law.coenergy if isinstance(law, Inertia) else law.energy
    assert energy is not None

    def effort(ops: SymbolicOps, state: State, s: Any) -> Any:
        own = ops.symbol(f"{coordinate}.own")
        seen = _seeing(state, coordinate, own)
        if isinstance(law, Inertia):
            E = -ops.full(energy(ops, seen, ops.full(state.u[element])))
        else:
            E = ops.full(energy(ops, seen, state.x[element]))
        rate = ops.full(ops.jacobian(E, ops.full(own)))
        return ops.substitute([rate], ops.full(own), ops.full(s))[0]

    return Compliance(effort, displacement=lambda ops, state: state[coordinate], of=element)


def _seeing(state: State, name: str, value: Any) -> State:
    """The state with another value of a coordinate."""
    return replace(state, numbers=WithReadings(state.numbers, {name: value}))
