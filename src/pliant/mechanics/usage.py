"""Which joints are spoken of by their coordinates."""

from __future__ import annotations

from pliant.graphs import SystemGraph
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.networks.entries import each
from pliant.model.networks.flat import flatten


def joints_with_coordinates(model: Model) -> set[str]:
    """Joints whose coordinates a force, a driver, a network or one of their formulas uses.

    Cut joints among them keep coordinates of their own, so that angles beyond one turn, springs
    and drivers work on them as on any other joint.
    """
    elements = (*model.forces.values(), *model.drivers.values())
    used = {getattr(e, "joint", "") for e in elements}
    for _, path, _, formula, _ in model.formulas():
        if path[0] in ("forces", "drivers", "constraints", "speeds"):
            used |= _owners(formula)
    for network in model.networks:
        for element in flatten(model, network).elements.values():
            used |= {getattr(element.port, "joint", "")}
            for entries in element.law.values():
                used |= {owner for _, formula in each(entries) for owner in _owners(formula)}
    return used & set(model.joints)


def _owners(formula: Formula) -> set[str]:
    """Elements that a formula speaks of."""
    return {name.partition(".")[0] for name in formula.names if "." in name}


def kept_joints(graph: SystemGraph) -> list[Joint]:
    """Cut joints that keep coordinates of their own; of those on springs only scalars are asked."""
    used = joints_with_coordinates(graph.model)
    return [j for j in graph.cuts
            if j.multi_turn or (j.name in used and (not j.springs or j.scalars))]  # fmt: skip
