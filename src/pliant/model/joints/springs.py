"""Stiff springs in place of an ideal joint: the oldest stand-in for a constraint. Source: S0 7.

0 = residual(X_FM)   becomes   F = -C (k s + d Cᵀ V_FM)   on the child

with s the displacements and angles by which the joint is missed.
"""

from __future__ import annotations

from dataclasses import dataclass

from pliant.model.fields import OptionalQuantity, Quantity, number, settle


@dataclass(frozen=True, slots=True)
class JointSprings:
    """Stiffness and damping of what a joint would hold: per metre and per radian."""

    stiffness: OptionalQuantity = number("N/m", None, doc="of translations the joint prevents")
    rotational_stiffness: OptionalQuantity = number(
        "N*m/rad", None, doc="of rotations the joint prevents"
    )
    damping: Quantity = number("N*s/m", 0, doc="of these translations")
    rotational_damping: Quantity = number("N*m*s/rad", 0, doc="of these rotations")

    def __post_init__(self) -> None:
        settle(self, "springs", "springs")
