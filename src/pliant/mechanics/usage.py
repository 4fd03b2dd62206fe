"""Which joints are spoken of by their coordinates."""

from __future__ import annotations

from pliant.graphs import SystemGraph
from pliant.model.joints import Joint
from pliant.model.model import Model


def joints_with_coordinates(model: Model) -> set[str]:
    """Joints whose coordinates a force, a driver or one of their formulas uses.

    Cut joints among them keep coordinates of their own, so that angles beyond one turn, springs
    and drivers work on them as on any other joint.
    """
    elements = (*model.forces.values(), *model.drivers.values())
    used = {getattr(e, "joint", "") for e in elements}
    for _, path, _, formula, _ in model.formulas():
        if path[0] in ("forces", "drivers"):
            used |= {name.partition(".")[0] for name in formula.names if "." in name}
    return used & set(model.joints)


def kept_joints(graph: SystemGraph) -> list[Joint]:
    """Cut joints that keep coordinates of their own."""
    used = joints_with_coordinates(graph.model)
    return [j for j in graph.cuts if j.multi_turn or j.name in used]
