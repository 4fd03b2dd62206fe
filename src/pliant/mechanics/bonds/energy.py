"""Energy of stores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.graphs.bonds import Compliance, Inertia
from pliant.graphs.bonds.elements import Node
from pliant.graphs.bonds.laws import matrix
from pliant.graphs.bonds.linear import depends
from pliant.mechanics.bonds.evaluate import Evaluation


def stored_energy(evaluation: Evaluation, node: Node, moving: Sequence[Any] = ()) -> Any:
    """1/2 fᵀ M f of an inertia, pᵀ f - T* of one with a law for its momentum; E(q) of a compliance,
    1/2 qᵀ e of one with a linear law; None where power does not come from a function of the state
    (M or the stiffness change without a bias for it), and at the port of a store that counts the
    energy elsewhere."""
    ops, law, n = evaluation.ops, node.law, node.dim
    state = evaluation.state
    if isinstance(law, Inertia):
        f = evaluation.state.u.get(node.name)
        if f is not None and law.momentum is not None and law.coenergy is not None:
            p, T = law.momentum(ops, state, f), law.coenergy(ops, state, f)
            return ops.dot(f, ops.full(p)) - ops.full(T)[0]
        M = matrix(ops, state, law.matrix, n, n)
        if f is None or (law.bias is None and _moves(evaluation, M, moving)):
            return None
        return 0.5 * ops.dot(f, M @ f)
    assert isinstance(law, Compliance)
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
    return not (isinstance(node.law, Compliance) and node.law.of)


def _moves(evaluation: Evaluation, A: Any, moving: Sequence[Any]) -> bool:
    """Whether a matrix changes with the state."""
    ops = evaluation.ops
    return any(depends(ops, ops.flat(ops.full(A)), ops.full(s)) for s in moving)
