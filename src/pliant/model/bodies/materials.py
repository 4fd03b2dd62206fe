"""Materials of elastic bodies."""

from __future__ import annotations

from pliant.model.fields import OptionalQuantity, number, settle
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Material:
    """An isotropic linear elastic material: E, and nu or G."""

    name: str
    E: OptionalQuantity = number("Pa", None, doc="Young's modulus", above=0)
    nu: OptionalQuantity = number("1", None, doc="Poisson's ratio", above=-1, most=0.5)
    density: OptionalQuantity = number("kg/m^3", None, doc="mass per volume", above=0)
    G: OptionalQuantity = number("Pa", None, doc="shear modulus, instead of nu", above=0)

    def __post_init__(self) -> None:
        settle(self, "materials", "material")
