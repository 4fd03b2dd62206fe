"""Deflection and rotation of frames of a segmented beam, defined as those of modal beams.

Besides the deflections of `flex.large.shape`, with the axes R_c of the chord and R_P of the
segment that carries frame P:

    P.rotation = θ,  exp([θ]x) = R_cᵀ R_P
"""

from __future__ import annotations

from dataclasses import dataclass

from pliant.flex.large.shape import BeamShape, ShapeFrame, chord_axes
from pliant.model.forces.action import Action, Motion
from pliant.spatial.turns import rotation_vector


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
            outputs[f"{name}.rotation"] = rotation_vector(motion.ops, turned)[0], "rad"
        return Action(outputs=outputs)
