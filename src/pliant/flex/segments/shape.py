"""Deflection and rotation of frames of a segmented beam, defined as those of modal beams.

Besides the deflections of `flex.large.shape`, with the axes R_c of the chord and R_P of the
segment that carries frame P:

    P.rotation = θ,  exp([θ]x) = R_cᵀ R_P
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pliant.flex.large.shape import BeamShape, ShapeFrame, chord_axes
from pliant.model.forces.action import Action, Motion
from pliant.spatial.rotation import vee


@dataclass(frozen=True, slots=True)
class SegmentFrame(ShapeFrame):
    """``node``: the body that carries the frame."""

    node: str


@dataclass(frozen=True, slots=True)
class SegmentShape(BeamShape):
    """An element that exerts nothing: it tells deflections and rotations of frames."""

    def act(self, motion: Motion) -> Action:
        """No loads; deflections and rotations of each frame."""
        outputs = dict(BeamShape.act(self, motion).outputs)
        del outputs["turn"]
        root, tip = motion.frame(self.frame_a), motion.frame(self.frame_b)
        R_c = chord_axes(motion, tip.p_WP - root.p_WP, root.R_WP[:, 2])
        for name, own in self.frames.items():
            assert isinstance(own, SegmentFrame)
            turned = R_c.T @ motion.frame(own.node).R_WP
            outputs[f"{name}.rotation"] = _rotation_vector(motion, turned), "rad"
        return Action(outputs=outputs)


def _rotation_vector(motion: Motion, R: Any) -> Any:
    """θ of R = exp([θ]x), |θ| up to a quarter turn: axis sine times angle over sine."""
    ops, s = motion.ops, vee(motion.ops, R)
    square = ops.dot(s, s)
    size = ops.sqrt(square + 1e-300)
    small = ops.lt(square, 1e-8)
    ratio = ops.where(small, 1 + square / 6, ops.asin(ops.minimum(size, 1.0)) / size)
    return ratio * s
