"""What a beam of large rotation tells of itself, as observables: shape, forces in sections.

With x_c along the chord from the first node to the last, z_c nearest to z of the first node, and c
the point at the same fraction of the chord as frame P of the stress-free beam:

    P.deflection = R_c^T (p_P - c)
    P.deflection.tangent(F) = R_F^T (p_P - p_F) less the same of the stress-free beam, F an end

`turn` is the largest angle between the middle node of an element and another one of it.

Force and moment in the section at a frame: an element pulls its end nodes with what is transmitted
there, less the weight and inertia of itself that are counted at the node. With f, t what it exerts
on the node and (m, J) its share of mass there,

    n = ± [f + m (g - a)]        M = ± [t - (J α + w x J w)]

with + at the first node of an element and - at the last one. Sums of nodal values are integrals by
Lobatto's rule, so n and M balance the part of the beam beyond the section to the order of the mesh,
and exactly where loads act at nodes only. At a frame it is the section before it, towards the
root; at the root the one beyond.

Deflection and rotation of frames of a segmented beam are defined as those of modal beams: with the
axes R_c of the chord and R_P of the segment that carries frame P, besides the deflections

    P.rotation = θ,  exp([θ]x) = R_cᵀ R_P
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from math import pi
from typing import Any, ClassVar

from pliant.model.events import Event
from pliant.model.forces.action import Action, Motion
from pliant.model.forces.beam_element import NodeElement
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Call, Name, Number
from pliant.model.sensors.sensing import PART, Outputs, Sensing
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.turns import rotation_vector

_ENDS = ("root", "tip")
LIMIT = 0.95 * pi
"""Beyond this angle between its nodes an exact element is stopped, before its logarithm fails."""


@dataclass(frozen=True, slots=True)
class ShapeFrame:
    """A frame of the beam: its reference, its place along the axis, and where it is without stress
    as seen from the first and from the last node."""

    frame: str
    x: Formula
    seen: tuple[tuple[Formula, ...], tuple[Formula, ...]]


@dataclass(frozen=True, slots=True)
class BeamShape(Sensing):
    """Deflections of frames, turns of elements, and forces in sections."""

    kind: ClassVar[str] = "beam_shape"

    name: str
    frame_a: str
    frame_b: str
    frames: Mapping[str, ShapeFrame]
    length: Formula
    members: tuple[tuple[str, ...], ...]
    sections: Mapping[str, SectionAt] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Nothing is to be converted."""

    def sense(self, motion: Motion) -> Outputs:
        """Deflections and internal forces of each frame."""
        root, tip = motion.frame(self.frame_a), motion.frame(self.frame_b)
        chord = tip.p_WP - root.p_WP
        R_c = chord_axes(motion, chord, root.R_WP[:, 2])
        outputs = {"turn": (self._turn(motion), "rad")} if self.members else {}
        for name, own in self.frames.items():
            p = motion.frame(own.frame).p_WP
            c = root.p_WP + motion.value(own.x) / motion.value(self.length) * chord
            outputs[f"{name}.deflection"] = R_c.T @ (p - c), "m"
            for label, end, seen in zip(_ENDS, (root, tip), own.seen, strict=True):
                still = motion.ops.vec(*(motion.value(f) for f in seen))
                moved = end.R_WP.T @ (p - end.p_WP) - still
                outputs[f"{name}.deflection.tangent({label})"] = moved, "m"
        return outputs | section_outputs(motion, self.sections)

    def parts(self) -> Iterator[tuple[str, Sensing]]:
        """Frame by frame, without the turn of the elements."""
        for frame, place in self.frames.items():
            sections = {PART: self.sections[frame]} if frame in self.sections else {}
            yield frame, replace(self, frames={PART: place}, members=(), sections=sections)

    def _turn(self, motion: Motion) -> Any:
        """The largest of all elements."""
        ops, largest = motion.ops, 0.0
        for middle, node in self.turning:
            D = motion.frame(node).R_WP - motion.frame(middle).R_WP
            square = sum(ops.dot(D[:, k], D[:, k]) for k in range(3))
            largest = ops.maximum(largest, square)
        return turn_of(ops, largest)

    @property
    def turning(self) -> list[tuple[str, str]]:
        """The middle node of every element with each other one of it."""
        middle = [member[(len(member) - 1) // 2] for member in self.members]
        pairs = zip(middle, self.members, strict=True)
        return [(own, node) for own, member in pairs for node in member if node != own]


def turn_of(ops: Ops, square: Any) -> Any:
    """The angle ϑ between two frames whose rotations differ by ΔR: sin² ϑ/2 = ΔR : ΔR / 8.

    (tr R = 1 + 2 cos ϑ tells the same, but small angles to half of the digits only.)
    """
    return 2 * ops.asin(ops.sqrt(ops.minimum(0.125 * square, 1.0)))


def turn_limit(beam: str) -> Event:
    """Stops a run in which an exact element turns too far."""
    message = (
        f"beam '{beam}': the nodes of an element have turned by {LIMIT / pi * 180:.0f} degrees "
        "against each other, near the half turn that exact elements cannot pass; use more elements"
    )
    when = from_tree(Call(">", (Name(f"{beam}:shape.turn"), Number(LIMIT))))
    return Event(f"{beam}:turn", when, stop=True, message=message)


def chord_axes(motion: Motion, chord: Any, z: Any) -> Any:
    """R_Wc."""
    ops = motion.ops
    x = chord / ops.sqrt(ops.dot(chord, chord))
    z = z - ops.dot(x, z) * x
    z = z / ops.sqrt(ops.dot(z, z))
    return ops.columns([x, ops.cross(z, x), z])


@dataclass(frozen=True, slots=True)
class SectionAt:
    """The end of an element at a node: ``parts`` are the element and, where it carries them, its
    inertia and weight, and what damps it; ``share`` is mass and rotary inertia (m, Jy, Jz) lumped
    in the node; ``beyond`` acts from beyond the section on the root, its first frame."""

    node: str
    first: bool
    parts: tuple[NodeElement, ...]
    share: tuple[Formula, ...] = ()
    gravity: tuple[Formula, ...] = ()
    beyond: tuple[NodeElement, ...] = ()


def section_outputs(
    motion: Motion, sections: Mapping[str, SectionAt]
) -> dict[str, tuple[Any, str]]:
    """`internal_force` (N, Qy, Qz) and `internal_moment` (Mx, My, Mz) by frame, in section axes."""
    done: dict[str, Action] = {}
    found: dict[str, tuple[Any, str]] = {}
    for name, section in sections.items():
        for part in (*section.parts, *section.beyond):
            if part.name not in done:
                done[part.name] = part.act(motion)  # type: ignore[attr-defined]
        force, torque = _on_node(motion, section, done)
        R, sign = motion.frame(section.node).R_WP, 1.0 if section.first else -1.0
        direct, turning = _on_root(motion, section, done)
        found[f"{name}.internal_force"] = R.T @ (sign * force + direct), "N"
        found[f"{name}.internal_moment"] = R.T @ (sign * torque + turning), "N*m"
    return found


def _on_root(motion: Motion, section: SectionAt, done: Mapping[str, Action]) -> tuple[Any, Any]:
    """What acts from beyond a section on the root itself; its moment about the section."""
    ops, force, torque = motion.ops, motion.ops.zeros(3), motion.ops.zeros(3)
    for part in section.beyond:
        root = motion.frame(part.frame_a).p_WP
        for load in done[part.name].loads:
            if load.frame == part.frame_a:
                arm = root - motion.frame(section.node).p_WP
                force, torque = (
                    force + load.force,
                    torque + load.torque + ops.cross(arm, load.force),
                )
    return force, torque


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


@dataclass(frozen=True, slots=True)
class SegmentFrame(ShapeFrame):
    """``node``: the body that carries the frame."""

    node: str


@dataclass(frozen=True, slots=True)
class SegmentShape(BeamShape):
    """Deflections and rotations of frames."""

    def sense(self, motion: Motion) -> Outputs:
        """Deflections and rotations of each frame."""
        outputs = dict(BeamShape.sense(self, motion))
        root, tip = motion.frame(self.frame_a), motion.frame(self.frame_b)
        R_c = chord_axes(motion, tip.p_WP - root.p_WP, root.R_WP[:, 2])
        for name, own in self.frames.items():
            assert isinstance(own, SegmentFrame)
            turned = R_c.T @ motion.frame(own.node).R_WP
            outputs[f"{name}.rotation"] = rotation_vector(motion.ops, turned)[0], "rad"
        return outputs
