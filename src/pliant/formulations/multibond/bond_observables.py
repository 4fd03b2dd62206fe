"""Effort, flow and power of every bond; energy of every store; the balance at every junction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pliant.equations.contract import Further, Maker, Observable
from pliant.graphs.bonds import BondGraph
from pliant.graphs.bonds.elements import DOMAINS, STORES, WITHOUT_POWER, Bond, Node
from pliant.graphs.bonds.linear import is_zero
from pliant.mechanics.bonds.energy import stored_energy
from pliant.mechanics.bonds.evaluate import Evaluation
from pliant.mechanics.inertia import BodyInertia
from pliant.mechanics.motion import SystemMotion
from pliant.model.forces.action import Action


def bond_observables(evaluation: Evaluation, moving: Sequence[Any] = ()) -> Further:
    """``<bond>.effort``, ``.flow`` and ``.power`` (``.product`` where effort times flow is not a
    power); ``<store>.energy`` where the state alone determines it; ``<element>.residual``: Σ σ eᵀ f
    of an element that neither stores nor dissipates.

    Power flows along the half arrow. That of a source, store or resistance belongs to it, so that
    its work is reported. ``moving``: symbols of time, coordinates, speeds and other states.
    """

    def makers() -> dict[str, Maker]:
        found: dict[str, Maker] = {}
        for b, bond in enumerate(evaluation.graph.bonds):
            found |= _of_bond(evaluation, b, bond)
        for node in evaluation.graph.nodes.values():
            found |= _of_node(evaluation, node, moving)
        return found

    return Further(makers)


def potentials(
    motion: SystemMotion, inertias: Mapping[str, BodyInertia], actions: Mapping[str, Action]
) -> Further:
    """Energies of sources that have one: ``<body>.g.energy``, -m g · p_c, what lifting the mass
    centre has taken; ``<spring>.energy``, ``<spring>.energy.heat``, the power it dissipates;
    ``<element>.energy.kinetic`` of an element of inertia."""
    gravity = motion.values.vector(motion.model.gravity)

    def lifted(name: str, inertia: BodyInertia) -> Observable:
        X = motion.bodies[name].X_WB
        value = -motion.ops.dot(gravity, inertia.mass * X.p + X.R @ inertia.mc)
        return Observable(motion.ops.full(value), "J", name, "energy")

    def of_action(name: str, value: Any, unit: str = "J") -> Observable:
        return Observable(motion.ops.full(value), unit, name, "energy")

    def makers() -> dict[str, Maker]:
        found: dict[str, Maker] = {f"{n}.g.energy": partial(lifted, n, I)
                                   for n, I in inertias.items()}  # fmt: skip
        for name, action in actions.items():
            if action.potential is not None:
                found[f"{name}.energy"] = partial(of_action, name, action.potential)
            if action.dissipated is not None:
                found[f"{name}.energy.heat"] = partial(of_action, name, action.dissipated, "W")
            if action.kinetic is not None:
                found[f"{name}.energy.kinetic"] = partial(of_action, name, action.kinetic)
        return found

    return Further(makers)


def _of_bond(evaluation: Evaluation, b: int, bond: Bond) -> dict[str, Maker]:
    graph, ops, domain = evaluation.graph, evaluation.ops, DOMAINS[bond.domain]
    labels = () if bond.dim == 1 else tuple(str(k + 1) for k in range(bond.dim))

    def column(give: Callable[[int, int], Any]) -> Any:
        return ops.full(ops.vec(*(give(b, k) for k in range(bond.dim))))

    def effort() -> Observable:
        return Observable(column(evaluation.effort), domain.effort, bond.name, "effort", labels)

    def flow() -> Observable:
        return Observable(column(evaluation.flow), domain.flow, bond.name, "rate", labels)

    def power() -> Observable:
        value = ops.full(ops.dot(column(evaluation.effort), column(evaluation.flow)))
        if domain.is_power:
            return Observable(value, "W", _one_port(graph, bond), "power")
        return Observable(value, domain.product, bond.name)

    last = "power" if domain.is_power else "product"
    return {f"{bond.name}.{k}": v for k, v in (("effort", effort), ("flow", flow), (last, power))}


def _one_port(graph: BondGraph, bond: Bond) -> str:
    """The source, store or resistance at one end of a bond, if any."""
    ends = (graph.nodes[name] for name in (bond.tail, bond.head))
    return next((n.name for n in ends if n.kind not in WITHOUT_POWER), "")


def _of_node(evaluation: Evaluation, node: Node, moving: Sequence[Any]) -> dict[str, Maker]:
    if node.kind in WITHOUT_POWER:
        return {f"{node.name}.residual": partial(_residual, evaluation, node)}
    energy = stored_energy(evaluation, node, moving) if node.kind in STORES else None
    if energy is None or is_zero(energy):
        return {}
    value = evaluation.ops.full(energy)
    return {f"{node.name}.energy": lambda: Observable(value, "J", node.name, "energy")}


def _residual(evaluation: Evaluation, node: Node) -> Observable:
    return Observable(evaluation.ops.full(balance(evaluation, node.name)), "W", node.name)


def balance(evaluation: Evaluation, node: str) -> Any:
    """Power that enters an element: Σ σ eᵀ f."""
    total: Any = 0
    for effort, flow in evaluation.into(node):
        total = total + effort * flow
    return total
