"""What a constraint holds at zero, and what its multipliers do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from pliant.model.forces.action import Acting, FrameMotion, Load
from pliant.spatial.ops import Ops


class Holding(Acting):
    """A constraint on velocities."""

    __slots__ = ()
    belongs: ClassVar[tuple[str, str]] = ("constraints", "constraint")


@dataclass(frozen=True, slots=True)
class Held:
    """Velocities that are held at zero; ``positions`` where they are the rates of something.

    ``push``: loads of the multipliers, the first of them on what is held; their power is that of
    the multipliers on the velocities. ``outputs`` maps a quantity to (value, unit).
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    velocities: Any
    push: Callable[[Any], tuple[Load, ...]]
    positions: Any = None
    outputs: Mapping[str, tuple[Any, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Touching:
    """A point c where two bodies touch: ``a`` and ``b`` are frames on them, by name and motion."""

    ops: Ops
    a: str
    b: str
    base: FrameMotion
    mover: FrameMotion
    c: Any

    @property
    def slip(self) -> Any:
        """Velocity of the material point of b at c less that of a, world axes."""
        cross, base, mover = self.ops.cross, self.base, self.mover
        v_b = mover.v_WP + cross(mover.w_WP, self.c - mover.p_WP)
        return v_b - base.v_WP - cross(base.w_WP, self.c - base.p_WP)

    def loads(self, force: Any) -> tuple[Load, Load]:
        """A force on b at c, and its reaction on a."""
        cross = self.ops.cross
        on_b = Load(self.b, force, cross(self.c - self.mover.p_WP, force))
        return on_b, Load(self.a, -force, cross(self.c - self.base.p_WP, -force))
