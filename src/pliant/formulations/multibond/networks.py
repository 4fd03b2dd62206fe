"""Networks in the multibond graph of a system: their bonds join those of joints and frames.

    joint     1:u -> TF (which coordinate) -> 1-junction of the attachment
    frame     1:v or 1:w in body axes -> TF R_WB, or dᵀ R_WB along a direction d -> 1-junction
    elastic   1:E of a body -> TF 1 -> 1-junction

A store of a network whose rate follows from accelerations (a rotor behind a gear) is a dependent
store as those of bodies are; all others are states x.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.bonds import TRANSPOSE, BondGraph, Transformer
from pliant.bonds.causality import Forced
from pliant.bonds.elements import Node
from pliant.bonds.networks.equations import Network, action, attached_direction, network_observables
from pliant.bonds.networks.graph import Attachment
from pliant.bonds.rows import BondEquations, dependent_flows
from pliant.bonds.states import Change, change_in_time, with_momenta, with_states
from pliant.bonds.unknowns import Symbols
from pliant.errors import CapabilityError
from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.equations import Equations
from pliant.formulations.multibond.bodies import STORES, add_frame, constant
from pliant.mechanics.motion import RATE, SystemMotion
from pliant.model.forces.action import Action
from pliant.observe.catalogue import SymbolicObservable


def add_networks(graph: BondGraph, skeleton: TreeDerivation, symbols: Symbols) -> None:
    """The bonds of all networks; ``symbols`` learns those of their stores."""
    for network in skeleton.networks:
        graph.absorb(network.bonds.graph)
        for a in network.bonds.attachments:
            _attach(graph, skeleton.motion, a, network.name)
        symbols.learn(network.rows.unknowns.symbols)


def store_flows(symbols: Symbols, bodies: Iterable[str]) -> list[tuple[Any, Any]]:
    """Flows of the stores of bodies and their rates."""
    names = [f"{body}.{store}" for body in bodies for store in STORES]
    return [(symbols.one(n), symbols.one(n + RATE)) for n in names]


def forced_strokes(networks: Iterable[Network]) -> Forced:
    """Strokes that the user wants."""
    return {bond: end for n in networks for bond, end in n.bonds.forced.items()}


def _attach(graph: BondGraph, motion: SystemMotion, a: Attachment, owner: str) -> None:
    if a.joint:
        n = motion.joints[a.joint].joint.nu
        pick = np.zeros((1, n))
        pick[0, motion.coordinate_index(a.joint, a.coordinate)] = 1.0
        graph.transformer(_transformer(a), f"{a.joint}.u", a.junction, Transformer(pick), (1, n),
                          owner=owner)  # fmt: skip
        return
    if a.away_from:
        _attach_line(graph, motion, a, owner)
        return
    if a.body:
        graph.transformer(_transformer(a), f"{a.body}.E", a.junction, Transformer(np.eye(a.dim)),
                          (a.dim, a.dim), owner=owner)  # fmt: skip
        return
    body, _ = motion.placement(a.frame)
    w, v = add_frame(graph, motion, a.frame)
    R_WB, direction = motion.bodies[body].X_WB.R, attached_direction(motion, a)
    law = Transformer(constant(R_WB), TRANSPOSE)
    if direction is not None:
        law = Transformer(constant(motion.ops.full(direction).T @ R_WB))
    graph.transformer(_transformer(a), w if a.rotation else v, a.junction, law, (a.dim, 3),
                      owner=owner)  # fmt: skip


def _attach_line(graph: BondGraph, motion: SystemMotion, a: Attachment, owner: str) -> None:
    """f = e . v_frame - e . v_other: a 0-junction adds the flows of both ends."""
    both = f"{a.junction}.0"
    graph.zero(both, 1, owner=owner, domain="translation")
    direction = motion.ops.full(attached_direction(motion, a))
    ends = ((a.frame, direction, _transformer(a)),
            (a.away_from, -direction, f"{_transformer(a)}b"))  # fmt: skip
    for frame, e, name in ends:
        v, R_WB = add_frame(graph, motion, frame)[1], motion.bodies[motion.placement(frame)[0]]
        law = Transformer(constant(e.T @ R_WB.X_WB.R))
        graph.transformer(name, v, both, law, (1, 3), owner=owner)
    graph.bond(both, a.junction, 1)


def _transformer(a: Attachment) -> str:
    return f"{a.junction}.TF"


def with_network_states(rows: BondEquations, skeleton: TreeDerivation) -> BondEquations:
    """The rows of a system, stores of networks as states where their rates can be solved for."""
    if not skeleton.networks:
        return rows
    time, new = change_in_time(skeleton.values), skeleton.unknowns
    change = Change([*time.symbols, *new.q], [*time.rates, *new.qdot])
    own = {name for n in skeleton.networks for name in n.bonds.graph.nodes}

    def of_network(node: Node) -> bool:
        return node.name in own

    rows = with_states(rows, change, of_network)
    mechanics = [s for s in rows.speeds if not of_network(s.node)]
    speeds, rates = [s.symbol for s in mechanics], [s.rate for s in mechanics]
    moving = replace(change, speeds=speeds, accelerations=rates)
    return with_momenta(rows, moving, of_network)


def network_rates(e: Equations, rows: BondEquations) -> Any:
    """x' of the contract, those of networks from the graph."""
    own = {r.name: r.expression for r in rows.rates}
    known = {s.name for s in e.layout.x}
    if not own.keys() <= known:
        names = ", ".join(sorted(own.keys() - known))
        raise CapabilityError(f"multibond: {names} would be states here and nowhere else")
    return rows.column(own.get(s.name, e.f[k]) for k, s in enumerate(e.layout.x))


def network_actions(rows: BondEquations, skeleton: TreeDerivation) -> dict[str, Action]:
    """What the networks do to the mechanics, from the bonds that join them."""

    def effort(a: Attachment) -> Any:
        return rows.ops.full(rows.evaluation.efforts(f"{_transformer(a)}.2"))

    return {n.name: action(skeleton.motion, n.bonds.attachments, effort)
            for n in skeleton.networks if n.bonds.attachments}  # fmt: skip


def observables_of_networks(
    e: Equations, rows: BondEquations, skeleton: TreeDerivation
) -> dict[str, SymbolicObservable]:
    """Efforts, flows and powers of the elements of networks, from the graph of the system."""
    found: dict[str, SymbolicObservable] = {}
    for n in skeleton.networks:
        found |= network_observables(rows, n.bonds, [e.t, e.q, e.u, e.x])
    return found


def flows_of_networks(rows: BondEquations, known: Mapping[str, Any]) -> dict[str, Any]:
    """Flows of stores that move with the mechanics, from speeds that are ``known`` by name."""
    speeds = [s for s in rows.speeds if s.name in known]
    symbols = rows.column(s.symbol for s in speeds)
    values = rows.column(known[s.name] for s in speeds)
    shares = {n: share for n, share in dependent_flows(rows).items() if n not in known}
    if not shares:
        return {}
    found = rows.ops.substitute([rows.column(shares.values())], symbols, values)[0]
    return {name: found[k] for k, name in enumerate(shares)}
