"""Runs of parallel joints: angles whose sums are angles, too.

Two angles of joints that follow each other on parallel axes, with nothing turning in between, only
ever appear as cos(a + b): they belong to one run of the readable algebra.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.graphs import SystemGraph
from pliant.mechanics.values import Values

_PARALLEL = 1e-12


def angle_runs(graph: SystemGraph) -> list[list[str]]:
    """Names of the angles of each run, from the ground outwards."""
    values = Values.of(graph.model)
    turned: dict[str, tuple[Array, int]] = {}
    """Axis of the last joint, in axes of the body it carries, and its run."""
    runs: list[list[str]] = []
    for edge in graph.edges:
        inner, outer = (
            _orientation(values, reference)
            for reference in (
                (edge.joint.child, edge.joint.parent)
                if edge.flipped
                else (edge.joint.parent, edge.joint.child)
            )
        )
        if inner is None or outer is None:
            continue
        before, parallel = turned.get(edge.inner), "axis1" in edge.joint.common
        if (edge.joint.welds or parallel) and before is not None:
            turned[edge.outer] = outer @ inner.T @ before[0], before[1]
        if parallel or "axis" not in edge.joint.common:
            continue
        axis = edge.joint.canonical_axes()[:, 2]
        along = inner @ axis
        if before is None or np.linalg.norm(np.cross(before[0], along)) > _PARALLEL:
            runs.append([])
            before = along, len(runs) - 1
        angle = next(c.name for c in edge.joint.scalars if c.unit == "rad")
        runs[before[1]].append(f"{edge.joint.name}.{angle}")
        turned[edge.outer] = outer @ axis, before[1]
    return runs


def _orientation(values: Values, reference: str) -> Array | None:
    """R_BP of a frame that does not move in its body."""
    body, _, frame = reference.partition(".")
    if body in values.flexible:
        return None
    R: Array = values.places(body)[frame].R
    return R
