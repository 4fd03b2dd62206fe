"""What a model is before any motion: counts, findings of causality, and who can write it down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.analysis.check import CheckReport, check
from pliant.analysis.graphs.bond_graph import BondGraphView
from pliant.backends.choose import usual_back_end
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.run import Expressions
from pliant.bonds.causality import Causality
from pliant.bonds.diagnosis import Finding, diagnose
from pliant.bonds.elements import STORES
from pliant.code import background
from pliant.errors import PliantError
from pliant.formulations import FORMULATIONS
from pliant.graphs import SystemGraph, cheapest_tree, spanning_tree
from pliant.graphs.spanning_tree import tree_cost
from pliant.observe.catalogue import Quantity
from pliant.studio.work.process.plain import plain
from pliant.study import Study

LARGE = 60
"""Bodies above which the multibond graph is not written only to be counted."""


def process_data(system: Study, params: Mapping[str, Any]) -> dict[str, Any]:
    """``line``: all of it in one; ``check``: what ``pliant check`` finds; ``findings`` of the
    multibond graph; ``formulations``, each with what it objects to."""
    system, named = system.with_numbers(params)
    with background.quickly():  # a few states: nothing is compiled
        prepare(system, functions=STATES, interpret=True)
        report = check(system, named)
    graph = spanning_tree(system.model)
    causality = None
    if len(system.model.bodies) <= LARGE:
        causality = BondGraphView.of(graph).bonds.causality
    findings = [] if causality is None else diagnose(causality)
    return {
        "line": _line(report, causality, findings),
        "check": plain(report.as_dict()),
        "text": str(report),
        "findings": [plain({"kind": f.kind, "text": f.text, "elements": f.elements})
                     for f in findings],
        "formulations": [_formulation(graph, name) for name in FORMULATIONS],
    }  # fmt: skip


def _line(report: CheckReport, causality: Causality | None, findings: list[Finding]) -> str:
    """``1 degree of freedom, 2 states of networks, 1 dependent store, no algebraic loop``."""
    if report.failure:
        return f"cannot be assembled: {report.failure}"
    parts = [_count(report.freedom, "degree of freedom", "degrees of freedom")]
    states = sum(map(len, report.networks.values()))
    parts += [_count(states, "state of networks", "states of networks")] if states else []
    if causality is not None:
        stores = {store for store, _ in causality.derivative}
        any_store = any(n.kind in STORES for n in causality.graph.nodes.values())
        if any_store:
            parts.append(_count(len(stores), "dependent store", "dependent stores"))
        loops = sum(f.kind == "loop" for f in findings)
        parts.append(_count(loops, "algebraic loop", "algebraic loops"))
        conflicts = sum(f.kind == "conflict" for f in findings)
        parts += [_count(conflicts, "conflict", "conflicts")] if conflicts else []
    return ", ".join(parts)


def _count(n: int, one: str, many: str) -> str:
    return f"{n or 'no'} {one if n in (0, 1) else many}"


def _formulation(graph: SystemGraph, name: str) -> dict[str, Any]:
    found = FORMULATIONS[name].objections(graph)
    return {"name": name, "objections": [
        {"element": o.element, "what": o.what, "cure": o.cure} for o in found
    ]}  # fmt: skip


def observables_data(system: Study) -> dict[str, Any]:
    """Every observable of a run with its unit, components and kind, before anything is compiled."""
    own = usual_back_end(system).back_end
    if isinstance(own, Expressions):
        from pliant.backends.choice import Choice

        told = derive(system, Choice.of(system).augmented, free=True).told
        known: Mapping[str, Quantity] = {n: o.told for n, o in told.observables.items()}
    else:
        known = own.known(system)
    listed = []
    for name, q in known.items():
        listed.append(_observable(name, q.unit, q.labels, q.kind))
        if q.is_element_power:
            listed.append(_observable(f"{name.removesuffix('power')}work", "J", (), "work"))
    return {"observables": listed}


def _observable(name: str, unit: str, labels: tuple[str, ...], kind: str) -> dict[str, Any]:
    return {"name": name, "unit": unit, "labels": list(labels), "kind": kind}


def trees_data(system: Study) -> dict[str, Any]:
    """Choices of coordinates: the tree of joints, absolute coordinates, the cheapest of all."""
    model = system.model
    found: list[dict[str, Any]] = []
    for name in ("joint", "absolute", "best"):
        try:
            tree = cheapest_tree(model) if name == "best" else name
            graph = spanning_tree(model, tree)
        except PliantError as error:
            found.append({"name": name, "objection": str(error)})
            continue
        cost = tree_cost(graph)
        found.append({
            "name": name, "objection": "", "tree": tree if isinstance(tree, str) else list(tree),
            "coordinates": list(cost.coordinates), "speeds": cost.speeds,
            "constraints": cost.constraints, "operations": cost.operations,
            "cut": [joint.name for joint in graph.cuts],
        })  # fmt: skip
    return {"trees": found}
