"""Any constraint that is linear in velocities, as a formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.constraints.held import Holding
from pliant.model.fields import STATE, Number, Quantity, has


@dataclass(frozen=True, slots=True)
class VelocityConstraint(Holding):
    """A formula, linear in rates of joints and velocities of frames, is held at zero.

    sum_k c_k(q, t) v_k + b(q, t) = 0; its multiplier acts with c_k on each velocity v_k.
    """

    kind: ClassVar[str] = "velocity"
    main: ClassVar[str] = "formula"
    m: ClassVar[int] = 1

    name: str
    formula: Quantity = has(Number("", STATE), doc="what is held at zero")
