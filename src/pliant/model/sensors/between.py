"""Sensors that look from one frame at another one."""

from __future__ import annotations

from typing import ClassVar

from pliant.model.fields import Reference, has
from pliant.model.forces.action import Motion
from pliant.model.sensors.sensing import Outputs, Sensing
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class DistanceSensor(Sensing):
    """How far the origins of two frames are apart, and how fast that grows.

    >>> pl.DistanceSensor("gap", "ground", "rod.tip").frame_b
    'rod.tip'
    """

    kind: ClassVar[str] = "distance"
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end")

    def sense(self, motion: Motion) -> Outputs:
        """d = |r| with r = p_B - p_A, d' = r . (v_B - v_A) / d; where d = 0, d' = |v_B - v_A|, at
        which they part."""
        ops, a, b = motion.ops, motion.frame(self.frame_a), motion.frame(self.frame_b)
        r, v = b.p_WP - a.p_WP, b.v_WP - a.v_WP
        distance, apart = ops.sqrt(ops.dot(r, r)), ops.dot(r, r) > 0
        rate = ops.dot(r, v) / ops.where(apart, distance, 1.0)
        rate = ops.where(apart, rate, ops.sqrt(ops.dot(v, v)))
        return {"distance": (distance, "m"), "rate": (rate, "m/s")}


@dataclass(frozen=True, slots=True)
class MotionSensor(Sensing):
    """How a frame moves as seen from another one that moves itself, in the axes of that.

    >>> pl.MotionSensor("seen", "carriage", "rod.tip").frame_a
    'carriage'
    """

    kind: ClassVar[str] = "motion"
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="from where it is seen; its axes")
    frame_b: str = has(Reference("frame"), doc="what is seen")

    def sense(self, motion: Motion) -> Outputs:
        """With r = p_B - p_A: position Rᵀ r, its rate Rᵀ (v_B - v_A - w_A x r), angular velocity
        Rᵀ (w_B - w_A), R the orientation of A."""
        ops, a, b = motion.ops, motion.frame(self.frame_a), motion.frame(self.frame_b)
        r, R = b.p_WP - a.p_WP, a.R_WP
        return {
            "position": (R.T @ r, "m"),
            "velocity": (R.T @ (b.v_WP - a.v_WP - ops.cross(a.w_WP, r)), "m/s"),
            "angular_velocity": (R.T @ (b.w_WP - a.w_WP), "rad/s"),
        }
