"""Force and moment in the section at a frame of a beam of large rotation.

An element pulls its end nodes with what is transmitted there, less the weight and inertia of itself
that are counted at the node. With f, t what it exerts on the node and (m, J) its share of mass
there,

    n = ± [f + m (g - a)]        M = ± [t - (J α + w x J w)]

with + at the first node of an element and - at the last one. Sums of nodal values are integrals by
Lobatto's rule, so n and M balance the part of the beam beyond the section to the order of the mesh,
and exactly where loads act at nodes only. At a frame it is the section before it, towards the
root; at the root the one beyond.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pliant.model.forces.action import Action, Motion
from pliant.model.forces.beam_element import NodeElement
from pliant.model.formulas import Formula


@dataclass(frozen=True, slots=True)
class SectionAt:
    """The end of an element at a node: ``parts`` are the element and, where it carries them, its
    inertia and weight; ``share`` is mass and rotary inertia (m, Jy, Jz) lumped in the node."""

    node: str
    first: bool
    parts: tuple[NodeElement, ...]
    share: tuple[Formula, ...] = ()
    gravity: tuple[Formula, ...] = ()


def section_outputs(
    motion: Motion, sections: Mapping[str, SectionAt]
) -> dict[str, tuple[Any, str]]:
    """`internal_force` (N, Qy, Qz) and `internal_moment` (Mx, My, Mz) by frame, in section axes."""
    done: dict[str, Action] = {}
    found: dict[str, tuple[Any, str]] = {}
    for name, section in sections.items():
        for part in section.parts:
            if part.name not in done:
                done[part.name] = part.act(motion)  # type: ignore[attr-defined]
        force, torque = _on_node(motion, section, done)
        R, sign = motion.frame(section.node).R_WP, 1.0 if section.first else -1.0
        found[f"{name}.internal_force"] = sign * (R.T @ force), "N"
        found[f"{name}.internal_moment"] = sign * (R.T @ torque), "N*m"
    return found


def _on_node(motion: Motion, section: SectionAt, done: Mapping[str, Action]) -> tuple[Any, Any]:
    """Everything an element exerts on a node, in world axes."""
    force, torque = motion.ops.zeros(3), motion.ops.zeros(3)
    for part in section.parts:
        for load in done[part.name].loads:
            if load.frame == section.node:
                force, torque = force + load.force, torque + load.torque
    if not section.share:
        return force, torque
    ops, node = motion.ops, motion.frame(section.node)
    m, Jy, Jz = (motion.value(f) for f in section.share)
    g = ops.vec(*(motion.value(f) for f in section.gravity))
    J, R = ops.vec(Jy + Jz, Jy, Jz), node.R_WP
    w, alpha = R.T @ node.w_WP, R.T @ node.alpha_WP  # type: ignore[attr-defined]
    turning = R @ (J * alpha + ops.cross(w, J * w))
    return force + m * (g - node.a_WP), torque - turning  # type: ignore[attr-defined]
