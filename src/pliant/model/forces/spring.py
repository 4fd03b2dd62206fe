"""A spring-damper between two frame origins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pliant.model.fields import (
    STATE,
    Number,
    Optional,
    OptionalQuantity,
    Quantity,
    Reference,
    has,
    number,
    settle,
)
from pliant.model.forces.action import Action, Motion, pull

_LAW = Optional(Number("N", STATE, frozenset({"x", "v"})))


@dataclass(frozen=True, slots=True)
class Spring:
    """Pulls two frame origins together with k*x + d*v (tension positive).

    x is the elongation (distance minus free length), v its rate. `force` is a law in x and v that
    replaces the linear one.
    """

    kind: ClassVar[str] = "spring"
    main: ClassVar[str] = ""
    outside: ClassVar[tuple[str, ...]] = ()
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end")
    stiffness: Quantity = number("N/m", 0, doc="force per elongation")
    damping: Quantity = number("N*s/m", 0, doc="force per rate of elongation")
    free_length: Quantity = number("m", 0, doc="distance without force")
    force: OptionalQuantity = has(_LAW, None, "law in x and v replacing the linear one")

    def __post_init__(self) -> None:
        settle(self, "forces", "force")

    @property
    def undefined(self) -> str:
        """Why there is no force at length 0."""
        law = "damping" if self._pulls_to_a_point(damped=True) else "a free length"
        law = law if self.force is None else "a law of its own"
        return f"its length is 0, and with {law} its direction is not defined there"

    @property
    def needs_direction(self) -> bool:
        """Whether its force is not simply k r."""
        return not self._pulls_to_a_point()

    def _pulls_to_a_point(self, damped: bool = False) -> bool:
        """Linear without free length: the force k r needs no direction."""
        laws = (self.free_length,) if damped else (self.free_length, self.damping)
        return self.force is None and all(f.is_constant and f.value == 0 for f in laws)

    def act(self, motion: Motion) -> Action:
        """Tension k x + d v along the line between the origins, or the law in x, v."""
        ops = motion.ops
        a, b = motion.frame(self.frame_a), motion.frame(self.frame_b)
        r = b.p_WP - a.p_WP
        length = ops.sqrt(ops.dot(r, r))
        if self._pulls_to_a_point():
            return self._towards_a_point(motion, r, b.v_WP - a.v_WP, length)
        direction = (r + ops.zeros(3)) / length  # all entries: 0/0 where r vanishes by structure
        v = ops.dot(direction, b.v_WP - a.v_WP)
        x = length - motion.value(self.free_length)
        potential = dissipated = None
        if self.force is not None:
            tension = motion.value(self.force, x=x, v=v)
        else:
            k = motion.value(self.stiffness)
            d = motion.value(self.damping)
            tension = k * x + d * v
            potential, dissipated = 0.5 * k * x * x, d * v * v
        return Action(
            loads=pull(ops, self.frame_a, self.frame_b, direction, tension),
            potential=potential,
            dissipated=dissipated,
            outputs={"force": (tension, "N"), "length": (length, "m"), "rate": (v, "m/s")},
        )

    def _towards_a_point(self, motion: Motion, r: Any, dv: Any, length: Any) -> Action:
        """Force k r, energy k r.r/2; the length may pass through 0, where its rate is |dv|."""
        ops, k = motion.ops, motion.value(self.stiffness)
        meets = ops.le(length, 0)
        rate = ops.dot(r, dv) / ops.where(meets, 1, length)
        rate = ops.where(meets, ops.sqrt(ops.dot(dv, dv)), rate)
        return Action(
            loads=pull(ops, self.frame_a, self.frame_b, r, k),
            potential=0.5 * k * ops.dot(r, r),
            dissipated=0 * k,
            outputs={"force": (k * length, "N"), "length": (length, "m"), "rate": (rate, "m/s")},
        )
