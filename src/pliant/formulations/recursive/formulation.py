"""The recursive formulation: relative coordinates on a tree, cut joints closed by multipliers."""

from __future__ import annotations

from typing import Any

from pliant.equations.contract import Equations
from pliant.formulations.recursive.backward import Transmitted, gather
from pliant.formulations.recursive.forward import Link, advance
from pliant.graphs import SystemGraph
from pliant.mechanics.skeleton import Skeleton
from pliant.mechanics.unknowns import column
from pliant.spatial.ops import SymbolicOps

NAME = "recursive"


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """Equations in the coordinates of the tree joints; O(n) residual. Source: S4.

    Forward recursion of motion, backward recursion of forces; cut joints act by multipliers.
    """
    skeleton = Skeleton.of(graph, ops)
    links = _forward(skeleton)
    skeleton.close()
    passed = gather(skeleton.motion, links, skeleton.wrenches)
    equations = skeleton.equations(NAME, _residual(skeleton, passed))
    if not observe:
        return equations
    return skeleton.observed(equations, {n: (t.torque, t.force) for n, t in passed.items()})


def _forward(skeleton: Skeleton) -> list[Link]:
    links = []
    for edge in skeleton.graph.edges:
        new = skeleton.unknowns.joint(edge.joint)
        body, link = advance(skeleton.motion, edge, new.state, new.qdot, new.udot)
        skeleton.motion.bodies[edge.outer] = body
        links.append(link)
    return links


def _residual(skeleton: Skeleton, passed: dict[str, Transmitted]) -> Any:
    """Rows in the order of u: transmitted minus effort (a kept cut joint transmits nothing), then
    the elastic forces."""
    parts = []
    for name in skeleton.motion.joints:
        own = skeleton.joint_efforts(name)
        parts.append(passed[name].row - own if name in passed else -own)
    return column(skeleton.motion.ops, [*parts, *skeleton.elastic_rows()])
