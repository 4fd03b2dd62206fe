"""A skate, or knife edge: no velocity across the blade."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from pliant.model.constraints.held import Held, Holding, Touching
from pliant.model.fields import Reference, has
from pliant.model.forces.action import Motion
from pliant.model.joints.axis import Axis, AxisKind, unit_axis


@dataclass(frozen=True, slots=True)
class Skate(Holding):
    """The origin of a frame does not move across its blade: e.v = 0.

    e is `across`, fixed in the frame; v is the velocity of the origin as seen from the body that
    the skate runs on. Along the blade and about it the frame is free.
    """

    kind: ClassVar[str] = "skate"
    m: ClassVar[int] = 1
    pair: ClassVar[tuple[str, ...]] = ("base", "blade")

    name: str
    base: str = has(Reference("frame"), doc="a frame of what it runs on")
    blade: str = has(Reference("frame"), doc="frame of the blade")
    across: Axis = has(AxisKind(), "y", "direction in the blade's frame that is held")

    def hold(self, motion: Motion) -> Iterator[Held]:
        """One velocity, which is not the rate of a position."""
        ops = motion.ops
        base, blade = motion.frame(self.base), motion.frame(self.blade)
        e = blade.R_WP @ ops.const(unit_axis(self.across))
        touching = Touching(ops, self.base, self.blade, base, blade, blade.p_WP)

        def pushed(lam: Any) -> Any:
            return touching.loads(lam[0] * e)

        yield Held(("across",), ("m/s",), ops.vec(ops.dot(e, touching.slip)), pushed)
