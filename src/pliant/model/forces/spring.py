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
    Word,
    has,
    number,
)
from pliant.model.forces.action import Action, Motion, Symbol, pull
from pliant.model.forces.between import OnLine
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.records import dataclass

_NOTHING = 1e-300
_LAW = Optional(Number("N", STATE, frozenset({"x", "v"})))


SIDES = ("both", "tension", "compression")
_SIGNS = dict(zip(SIDES, (0, 1, -1), strict=True))


def one_sided(ops: Any, force: Any, x: Any, sign: int) -> Any:
    """A force that acts for sign * x > 0 only, and never against that: the whole force for sign 0.
    Conditions, so that steps end where it sets in and where it lets go."""
    if not sign:
        return force
    return sign * ops.where(ops.lt(0, sign * x), ops.maximum(sign * force, 0), 0)


def spring_law(ops: Any, k: Any, d: Any, x: Any, v: Any, sign: int = 0) -> tuple[Any, Any, Any]:
    """k x + d v, one-sided if it has a sign, with the potential and the power that becomes heat: of
    a spring that lets go, what is left in it."""
    force = one_sided(ops, k * x + d * v, x, sign)
    if not sign:
        return force, 0.5 * k * x * x, d * v * v
    held = ops.where(ops.lt(0, sign * x), x, 0)
    return force, 0.5 * k * held * held, (force - k * held) * v


def spring_symbol(stiffness: Formula, damping: Formula, law: Formula | None) -> str:
    """A spring, a damper or both."""
    if damping.is_zero:
        return "spring"
    return "damper" if stiffness.is_zero and law is None else "spring_damper"


@dataclass(frozen=True, slots=True)
class Spring(OnLine):
    """Pulls two frame origins together with k*x + d*v (tension positive).

    x is the elongation (distance minus free length), v its rate. `force` is a law in x and v that
    replaces the linear one. A cable acts in tension only, a stop in compression only: one that is
    slack (x on the other side of 0) has no force, and it neither pushes nor sticks on the way back.

    >>> pl.Spring("spring", "ground", "box", stiffness="2 kN/m", free_length="20 cm").acts
    'both'
    """

    kind: ClassVar[str] = "spring"

    stiffness: Quantity = number("N/m", 0, doc="force per elongation", usual=0)
    damping: Quantity = number("N*s/m", 0, doc="force per rate of elongation", usual=0)
    free_length: Quantity = number("m", 0, doc="distance without force", usual=0)
    force: OptionalQuantity = has(_LAW, None, "law in x and v replacing the linear one")
    acts: str = has(Word(SIDES), "both", "in which sense it acts")

    @property
    def switches(self) -> bool:
        return self.acts != "both"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        kind = spring_symbol(self.stiffness, self.damping, self.force)
        return (Symbol(kind, self.frame_a, self.frame_b),)

    def variables(self, joints: Mapping[str, Any]) -> dict[str, Formula]:
        length, rate = (from_tree(Name(f"{self.name}.{q}")) for q in ("length", "rate"))
        return {"x": length - self.free_length, "v": rate}

    def undefined_at_zero(self, number: Callable[[Formula], float]) -> str:
        """Without a law, free length and damping the force is k r; a slack cable has none."""
        if self.acts == "tension" and number(self.free_length) > 0:
            return ""
        law = "a law of its own" if self.force is not None else ""
        law = law or ("a free length" if number(self.free_length) else "")
        law = law or ("damping" if number(self.damping) else "")
        return law and f"its length is 0, and with {law} its direction is not defined there"

    def act(self, motion: Motion) -> Action:
        """Tension k x + d v along the line between the origins, or the law in x, v."""
        ops = motion.ops
        a, b = motion.frame(self.frame_a), motion.frame(self.frame_b)
        r = b.p_WP - a.p_WP
        laws = (self.free_length, self.damping)
        linear = self.force is None and self.acts == "both"
        if linear and not any(f.is_constant and f.value != 0 for f in laws):
            return self._through_zero(motion, r, b.v_WP - a.v_WP)
        rr = ops.dot(r, r)
        meets = ops.below(rr, _NOTHING) if self.acts == "tension" else None
        away = ops.sqrt(rr if meets is None else ops.where(meets, 1, rr))
        length = away if meets is None else ops.where(meets, 0, away)
        direction = (r + ops.zeros(3)) / away  # all entries: 0/0 where r vanishes by structure
        v = ops.dot(direction, b.v_WP - a.v_WP)
        x = length - motion.value(self.free_length)
        potential = dissipated = None
        if self.force is not None:
            tension = one_sided(ops, motion.value(self.force, x=x, v=v), x, _SIGNS[self.acts])
        else:
            k = motion.value(self.stiffness)
            d = motion.value(self.damping)
            tension, potential, dissipated = spring_law(ops, k, d, x, v, _SIGNS[self.acts])
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
