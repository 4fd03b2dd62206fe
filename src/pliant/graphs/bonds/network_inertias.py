"""Inertias of networks whose momentum is a law of their flow, or that change with the mechanism.

With the co-energy T*(f; s) = ∫ pᵀ df, s joint coordinates,

    p = ∂T*/∂f      e = p' = ∂p/∂f f' + ∂p/∂s s'      ∂T*/∂s acts on the joint      T = pᵀ f - T*

so that T' = eᵀ f - ∂T*/∂s s'. Of a linear one, p = M f, both energies are 1/2 fᵀ M f. The port at a
joint is a compliance in the graph, whose displacement is the coordinate: together an IC field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.graphs.bonds.laws import Compliance, Inertia, Relation, Value, matrix
from pliant.graphs.bonds.network_stores import seeing
from pliant.graphs.bonds.state import State
from pliant.spatial.ops import SymbolicOps


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

    def found(ops: SymbolicOps, state: State) -> Any:
        flow = ops.full(state.u[element])
        total: Any = ops.zeros(flow.numel())
        for name in coordinates:
            own = ops.symbol(f"{name}.own")
            p = ops.full(momentum(ops, seeing(state, name, own), flow))
            rate = ops.full(ops.jtimes(p, ops.full(own), ops.full(state[f"{name}_rate"])))
            total = total + ops.substitute([rate], ops.full(own), ops.full(state[name]))[0]
        return total

    return found


def port(element: str, law: Inertia, coordinate: str) -> Compliance:
    """What an inertia does at a joint: -∂T*/∂s taken from it."""
    coenergy = law.coenergy
    assert coenergy is not None

    def effort(ops: SymbolicOps, state: State, s: Any) -> Any:
        own = ops.symbol(f"{coordinate}.own")
        T = coenergy(ops, seeing(state, coordinate, own), ops.full(state.u[element]))
        rate = ops.full(ops.jacobian(-ops.full(T), ops.full(own)))
        return ops.substitute([rate], ops.full(own), ops.full(s))[0]

    return Compliance(effort, displacement=lambda ops, state: state[coordinate], of=element)
