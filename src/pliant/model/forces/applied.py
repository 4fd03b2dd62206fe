"""A force and a torque applied at a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.fields import STATE, Reference, Vector, Word, has, vector
from pliant.model.forces.action import Acting, Action, Load, Motion, body_axes

_AXES = Word(("world", "body"))


@dataclass(frozen=True, slots=True)
class Force(Acting):
    """A force on the origin of a frame, components in world axes or those of the frame's body."""

    kind: ClassVar[str] = "force"
    main: ClassVar[str] = "force"
    outside: ClassVar[tuple[str, ...]] = ("frame", "axes")

    name: str
    frame: str = has(Reference("frame"), doc="the frame it acts on")
    force: Vector = vector("N", scope=STATE, doc="components of the force")
    axes: str = has(_AXES, "world", "axes of the components")

    def act(self, motion: Motion) -> Action:
        """The force, in world axes."""
        ops = motion.ops
        given = ops.vec(*(motion.value(c) for c in self.force))
        F_W = body_axes(motion, self.frame) @ given if self.axes == "body" else given
        return Action(loads=(Load(self.frame, F_W, ops.zeros(3)),), outputs={"force": (F_W, "N")})


@dataclass(frozen=True, slots=True)
class Torque(Acting):
    """A torque on the body of a frame, components in world axes or those of the frame's body."""

    kind: ClassVar[str] = "torque"
    main: ClassVar[str] = "torque"
    outside: ClassVar[tuple[str, ...]] = ("frame", "axes")

    name: str
    frame: str = has(Reference("frame"), doc="the frame it acts on")
    torque: Vector = vector("N*m", scope=STATE, doc="components of the torque")
    axes: str = has(_AXES, "world", "axes of the components")

    def act(self, motion: Motion) -> Action:
        """The torque, in world axes."""
        ops = motion.ops
        given = ops.vec(*(motion.value(c) for c in self.torque))
        T_W = body_axes(motion, self.frame) @ given if self.axes == "body" else given
        return Action(
            loads=(Load(self.frame, ops.zeros(3), T_W),), outputs={"torque": (T_W, "N*m")}
        )
