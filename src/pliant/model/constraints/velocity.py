"""Any constraint that is linear in velocities, as a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.fields import STATE, Number, Quantity, has, settle


@dataclass(frozen=True, slots=True)
class VelocityConstraint:
    """A formula, linear in rates of joints and velocities of frames, is held at zero.

    sum_k c_k(q, t) v_k + b(q, t) = 0; its multiplier acts with c_k on each velocity v_k.
    """

    kind: ClassVar[str] = "velocity"
    main: ClassVar[str] = "formula"
    outside: ClassVar[tuple[str, ...]] = ()
    m: ClassVar[int] = 1
    pair: ClassVar[tuple[str, ...]] = ()

    name: str
    formula: Quantity = has(Number("", STATE), doc="what is held at zero")

    def __post_init__(self) -> None:
        settle(self, "constraints", "constraint")
