"""Observables of networks: effort, flow, displacement and power of every element with one port.

``<network>.<element>.flow`` goes into a store or resistance, out of a source; so does the power.
``<network>.energy`` is what its stores hold, apart from heat. States that are none of these
(momenta, components of vectors) are observables, too: a result holds the whole state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pliant.equations.contract import Observable
from pliant.equations.energy import STORED, SUPPLIED, TAKEN
from pliant.graphs.bonds.elements import DOMAINS, STORES, WITHOUT_POWER, Domain, Node
from pliant.mechanics.bonds.energy import is_counted, stored_energy
from pliant.mechanics.bonds.rows import Rows

_SOURCES = frozenset({"Se", "Sf"})


def network_observables(
    rows: Rows, network: str, nodes: Iterable[str], moving: Sequence[Any]
) -> dict[str, Observable]:
    """Those of one network; ``nodes``: its elements; ``moving``: symbols that change in time."""
    found: dict[str, Observable] = {}
    own = [rows.graph.nodes[n] for n in nodes]
    for node in own:
        if node.kind not in WITHOUT_POWER:
            found |= _element(rows, node)
    for row in rows.rates:
        if row.owner in {n.name for n in own} and row.name not in found:
            state = rows.ops.full(row.symbol)
            found[row.name] = Observable(state, row.unit, row.owner, "other")
    stores = [n for n in own if n.kind in STORES and _domain(rows, n).is_power and is_counted(n)]
    energies = [stored_energy(rows.evaluation, n, moving) for n in stores]
    if energies and all(e is not None for e in energies):
        total = rows.ops.full(sum(energies))
        found[f"{network}.energy"] = Observable(total, "J", network, "energy")
    return found


def with_total_energy(
    observables: Mapping[str, Observable], networks: Sequence[str]
) -> dict[str, Observable]:
    """``energy`` is that of the mechanics and of all networks, ``mechanical_energy`` the first."""
    found, own = dict(observables), observables["energy"]
    stored = [observables[f"{n}.energy"].expression for n in networks
              if f"{n}.energy" in observables]  # fmt: skip
    if stored:
        found["mechanical_energy"] = own
        found["energy"] = replace(own, expression=sum(stored, start=own.expression))
    return found


def _element(rows: Rows, node: Node) -> dict[str, Observable]:
    ops, domain, name = rows.ops, _domain(rows, node), node.name
    ends = rows.evaluation.into(name)
    sign = -1 if node.kind in _SOURCES else 1
    e = ops.full(ops.vec(*(effort for effort, _ in ends)))
    f = ops.full(ops.vec(*(sign * flow for _, flow in ends)))
    labels = () if node.dim == 1 else tuple(node.label(k, "") for k in range(node.dim))
    found = {
        f"{name}.effort": Observable(e, domain.effort, name, "effort", labels),
        f"{name}.flow": Observable(f, domain.flow, name, "rate", labels),
    }
    if node.kind == "C":
        q = ops.full(rows.evaluation.state.x[name])
        found[f"{name}.displacement"] = Observable(q, domain.displacement, name, "other", labels)
    if domain.is_power:
        role = SUPPLIED if node.kind in _SOURCES else STORED if node.kind in STORES else TAKEN
        power = ops.full(ops.dot(e, f))
        found[f"{name}.power"] = Observable(power, "W", name, "power", role=role)
    return found


def _domain(rows: Rows, node: Node) -> Domain:
    bond, _ = rows.graph.attached(node.name)[0]
    return DOMAINS[rows.graph.bonds[bond].domain]
