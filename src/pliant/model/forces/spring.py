"""A spring-damper between two frame origins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
)
from pliant.model.forces.action import Acting, Action, Arrow, Motion, pull
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.records import dataclass

_NOTHING = 1e-300
_LAW = Optional(Number("N", STATE, frozenset({"x", "v"})))


@dataclass(frozen=True, slots=True)
class Spring(Acting):
    """Pulls two frame origins together with k*x + d*v (tension positive).

    x is the elongation (distance minus free length), v its rate. `force` is a law in x and v that
    replaces the linear one.
    """

    kind: ClassVar[str] = "spring"
    pulls: ClassVar[bool] = True
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end")
    stiffness: Quantity = number("N/m", 0, doc="force per elongation", usual=0)
    damping: Quantity = number("N*s/m", 0, doc="force per rate of elongation", usual=0)
    free_length: Quantity = number("m", 0, doc="distance without force", usual=0)
    force: OptionalQuantity = has(_LAW, None, "law in x and v replacing the linear one")

    @property
    def line(self) -> tuple[str, ...]:
        return self.frame_a, self.frame_b

    @property
    def symbols(self) -> tuple[tuple[str, str, str], ...]:
        return ((self.kind, self.frame_a, self.frame_b),)

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        ends = self.frame_a, self.frame_b
        return tuple(Arrow("force", *pair) for pair in (ends, ends[::-1]))

    def variables(self, joints: Mapping[str, Any]) -> dict[str, Formula]:
        length, rate = (from_tree(Name(f"{self.name}.{q}")) for q in ("length", "rate"))
        return {"x": length - self.free_length, "v": rate}

    def undefined_at_zero(self, number: Callable[[Formula], float]) -> str:
        """Without a law, free length and damping the force is k r."""
        law = "a law of its own" if self.force is not None else ""
        law = law or ("a free length" if number(self.free_length) else "")
        law = law or ("damping" if number(self.damping) else "")
        return law and f"its length is 0, and with {law} its direction is not defined there"

    def act(self, motion: Motion) -> Action:
        """Tension k x + d v along the line between the origins, or the law in x, v."""
        ops = motion.ops
        a, b = motion.frame(self.frame_a), motion.frame(self.frame_b)
        r = b.p_WP - a.p_WP
        length = ops.sqrt(ops.dot(r, r))
        laws = (self.free_length, self.damping)
        if self.force is None and not any(f.is_constant and f.value != 0 for f in laws):
            return self._through_zero(motion, r, b.v_WP - a.v_WP)
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

    def _through_zero(self, motion: Motion, r: Any, dv: Any) -> Action:
        """k r + (d v - k l) e: where l = d = 0 the length may pass through 0; its rate is |dv|."""
        ops, k = motion.ops, motion.value(self.stiffness)
        free, d = motion.value(self.free_length), motion.value(self.damping)
        rr = ops.dot(r, r)
        meets = ops.below(rr + ops.abs(free) + ops.abs(d), _NOTHING)
        away = ops.sqrt(ops.where(meets, 1, rr))
        direction = (r + ops.zeros(3)) / away
        length, along = ops.where(meets, 0, away), ops.dot(direction, dv)
        rate = ops.where(meets, ops.sqrt(ops.dot(dv, dv)), along)
        x = length - free
        force = k * r + (d * along - k * free) * direction
        return Action(
            loads=pull(ops, self.frame_a, self.frame_b, force, 1),
            potential=0.5 * k * x * x,
            dissipated=d * along * along,
            outputs={"force": (k * x + d * rate, "N"), "length": (length, "m"),
                     "rate": (rate, "m/s")},
        )  # fmt: skip
