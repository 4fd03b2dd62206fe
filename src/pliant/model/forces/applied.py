"""A force and a torque applied at a frame."""

from __future__ import annotations

from typing import Any, ClassVar

from pliant.model.fields import STATE, Reference, Vec3, Vector, Word, has, vector
from pliant.model.forces.action import Acting, Action, Arrow, Load, Motion, body_axes
from pliant.records import dataclass

_AXES = Word(("world", "body"))


@dataclass(frozen=True, slots=True)
class AtFrame(Acting):
    """Something given by its components in world axes or those of the frame's body."""

    outside: ClassVar[tuple[str, ...]] = ("frame", "axes")
    is_applied: ClassVar[bool] = True
    kind: ClassVar[str]
    undrawn: ClassVar[str] = "its arrow is all there is to be seen of it"

    name: str
    frame: str = has(Reference("frame"), doc="the frame it acts on")

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        return (Arrow(self.kind, self.frame),)

    def _in_world(self, motion: Motion, components: Vec3, axes: str) -> Any:
        given = motion.ops.vec(*(motion.value(c) for c in components))
        return body_axes(motion, self.frame) @ given if axes == "body" else given


@dataclass(frozen=True, slots=True)
class Force(AtFrame):
    """A force on the origin of a frame, components in world axes or those of the frame's body.

    >>> pl.Force("push", "rod.tip", ["10*sin(6*t)", 0, 0], axes="body").axes
    'body'
    """

    kind: ClassVar[str] = "force"
    main: ClassVar[str] = "force"
    pulls: ClassVar[bool] = True

    force: Vector = vector("N", scope=STATE, doc="components of the force")
    axes: str = has(_AXES, "world", "axes of the components")

    def act(self, motion: Motion) -> Action:
        """The force, in world axes."""
        F_W, none = self._in_world(motion, self.force, self.axes), motion.ops.zeros(3)
        return Action(loads=(Load(self.frame, F_W, none),), outputs={"force": (F_W, "N")})


@dataclass(frozen=True, slots=True)
class Torque(AtFrame):
    """A torque on the body of a frame, components in world axes or those of the frame's body.

    >>> pl.Torque("drive", "rod", [0, "3 N*m", 0]).torque
    (Formula('0'), Formula('3 N*m'), Formula('0'))
    """

    kind: ClassVar[str] = "torque"
    main: ClassVar[str] = "torque"

    torque: Vector = vector("N*m", scope=STATE, doc="components of the torque")
    axes: str = has(_AXES, "world", "axes of the components")

    def act(self, motion: Motion) -> Action:
        """The torque, in world axes."""
        T_W, none = self._in_world(motion, self.torque, self.axes), motion.ops.zeros(3)
        return Action(loads=(Load(self.frame, none, T_W),), outputs={"torque": (T_W, "N*m")})
