"""Effort, flow and power of every bond; the balance of power at every element without power."""

from __future__ import annotations

from typing import Any

from pliant.equations.contract import Observable
from pliant.formulations.multibond.evaluate import Evaluation
from pliant.graphs.bonds import BondGraph
from pliant.graphs.bonds.elements import DOMAINS, WITHOUT_POWER, Bond


def bond_observables(evaluation: Evaluation) -> dict[str, Observable]:
    """``<bond>.effort``, ``.flow`` and ``.power`` (``.product`` where effort times flow is not a
    power); ``<element>.residual``: Σ σ eᵀ f of an element that neither stores nor dissipates.

    Power flows along the half arrow. That of a source, store or resistance belongs to it, so that
    its work is reported.
    """
    found: dict[str, Observable] = {}
    graph, ops = evaluation.graph, evaluation.ops
    for b, bond in enumerate(graph.bonds):
        e, f = _columns(evaluation, b, bond)
        domain, labels = DOMAINS[bond.domain], _labels(bond)
        found[f"{bond.name}.effort"] = Observable(e, domain.effort, bond.name, "effort", labels)
        found[f"{bond.name}.flow"] = Observable(f, domain.flow, bond.name, "rate", labels)
        power = ops.full(ops.dot(e, f))
        if domain.is_power:
            found[f"{bond.name}.power"] = Observable(power, "W", _one_port(graph, bond), "power")
        else:
            found[f"{bond.name}.product"] = Observable(power, domain.product, bond.name)
    for node in graph.nodes.values():
        if node.kind in WITHOUT_POWER:
            residual = ops.full(balance(evaluation, node.name))
            found[f"{node.name}.residual"] = Observable(residual, "W", node.name)
    return found


def _one_port(graph: BondGraph, bond: Bond) -> str:
    """The source, store or resistance at one end of a bond, if any."""
    ends = (graph.nodes[name] for name in (bond.tail, bond.head))
    return next((n.name for n in ends if n.kind not in WITHOUT_POWER), "")


def balance(evaluation: Evaluation, node: str) -> Any:
    """Power that enters an element: Σ σ eᵀ f."""
    total: Any = 0
    for effort, flow in evaluation.into(node):
        total = total + effort * flow
    return total


def _columns(evaluation: Evaluation, b: int, bond: Bond) -> tuple[Any, Any]:
    ops = evaluation.ops
    return (
        ops.full(ops.vec(*(evaluation.effort(b, k) for k in range(bond.dim)))),
        ops.full(ops.vec(*(evaluation.flow(b, k) for k in range(bond.dim)))),
    )


def _labels(bond: Bond) -> tuple[str, ...]:
    return () if bond.dim == 1 else tuple(str(k + 1) for k in range(bond.dim))
