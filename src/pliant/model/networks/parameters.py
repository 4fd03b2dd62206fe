"""Parameters of networks by their full names: ``drive.R`` is the parameter R of network drive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Name
from pliant.model.named import Named
from pliant.model.networks.elements import OnePort, Part
from pliant.model.networks.entries import each, named, replaced_formula
from pliant.model.networks.network import Network


def structural(network: Network) -> frozenset[str]:
    """Parameters that are the number 0 and stand for an I, an R or a parameter of a part: elements
    that are left out (``flat``), which no run can change."""
    given = {n: f for n, f in network.parameters.items() if f is not None}
    zero = {n for n, f in given.items() if f.is_constant and f.value == 0}
    used: set[str] = set()
    for element in network.elements.values():
        if isinstance(element, OnePort) and element.kind in ("I", "R"):
            values = [f for entries in element.law.values() for _, f in each(entries)]
        else:
            values = [*element.parameters.values()] if isinstance(element, Part) else []
        used |= {f.tree.name for f in values if isinstance(f.tree, Name)}
    return frozenset(zero & used)


def local_parameters(
    networks: Mapping[str, Network], others: Mapping[str, Formula]
) -> dict[str, Formula]:
    """Those of all networks, as formulas in full names and in ``others``, the parameters of the
    model. What depends on itself or on something else is left out: validation names it."""
    found: dict[str, Formula] = {}
    for network in networks.values():
        fixed = structural(network)
        names = {n: named(f"{network.name}.{n}") for n in network.parameters if n not in fixed}
        names |= {n: f for n, f in network.parameters.items() if f is not None and n in fixed}
        waiting = {f"{network.name}.{n}": replaced_formula(f, names)
                   for n, f in network.parameters.items()
                   if f is not None and n not in fixed}  # fmt: skip
        known = {*others, *found}
        while ready := [n for n, f in waiting.items() if f.names <= known]:
            found |= {n: waiting.pop(n) for n in ready}
            known.update(ready)
    return found


def with_local(networks: Mapping[str, Network], changes: Mapping[str, Any]) -> Named[Network]:
    """Networks with other values of some parameters, by full names."""
    changed = {}
    for name, network in networks.items():
        start = f"{name}."
        own = {k.removeprefix(start): v for k, v in changes.items() if k.startswith(start)}
        changed[name] = network
        if own:
            changed[name] = replace(network, parameters={**network.parameters, **own})
    return Named(changed)
