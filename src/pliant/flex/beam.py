"""Beams: stiffness and mass per length as functions of x, from sections or given directly."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Protocol

import numpy as np

from pliant.arrays import Array
from pliant.model.bodies.sections import SectionShape, SectionValues
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """Stiffness and mass per length: floats, or arrays along the beam.

    EIy resists bending in the x-z plane (field w), EIz in the x-y plane (field v); GAy, GAz
    include the shear factors; rhoIy, rhoIz are the rotary inertias of a slice.
    """

    EA: Array | float = 0.0
    EIy: Array | float = 0.0
    EIz: Array | float = 0.0
    GJ: Array | float = 0.0
    GAy: Array | float = 0.0
    GAz: Array | float = 0.0
    rhoA: Array | float = 0.0
    rhoIy: Array | float = 0.0
    rhoIz: Array | float = 0.0


@dataclass(frozen=True, slots=True)
class Elastic:
    """An isotropic material; G follows from nu unless it is given."""

    E: float
    density: float
    nu: float = 0.3
    G: float | None = None

    @property
    def shear_modulus(self) -> float:
        return self.E / (2 * (1 + self.nu)) if self.G is None else self.G


class Beam(Protocol):
    """A straight beam along x from 0 to `length`; smooth between its stations."""

    @property
    def length(self) -> float: ...

    @property
    def stations(self) -> tuple[float, ...]:
        """Fractions of the length from 0 to 1 between which properties are smooth."""

    def rates(self, x: Array) -> Rates: ...

    def section_values(self, x: Array) -> SectionValues | None: ...


@dataclass(frozen=True, slots=True)
class SectionBeam:
    """A beam of one section, or of sections at stations with interpolated sizes, in numbers."""

    length: float
    sections: tuple[SectionShape, ...]
    material: Elastic
    stations: tuple[float, ...] = (0.0, 1.0)
    shear_factors: tuple[float, float] | None = None

    def section_values(self, x: Array) -> SectionValues:
        sections = self.sections * len(self.stations) if len(self.sections) == 1 else self.sections
        at = np.asarray(x, dtype=np.float64) / self.length
        along = sections[0].sized(
            lambda name: np.interp(at, self.stations, [getattr(s, name) for s in sections])
        )
        values = along.values(self.material.nu)
        if self.shear_factors is None:
            return values
        ky, kz = self.shear_factors
        return replace(values, ky=ky, kz=kz)

    def rates(self, x: Array) -> Rates:
        s, E, G = self.section_values(x), self.material.E, self.material.shear_modulus
        rho = self.material.density
        return Rates(
            E * s.A,
            E * s.Iy,
            E * s.Iz,
            G * s.J,
            s.ky * G * s.A,
            s.kz * G * s.A,
            rho * s.A,
            rho * s.Iy,
            rho * s.Iz,
        )


@dataclass(frozen=True, slots=True)
class RateBeam:
    """A beam with stiffness and mass per length given directly, one set or one per station."""

    length: float
    given: tuple[Rates, ...]
    stations: tuple[float, ...] = (0.0, 1.0)

    def section_values(self, x: Array) -> None:
        """No section is known, so no stress either."""

    def rates(self, x: Array) -> Rates:
        given = self.given * len(self.stations) if len(self.given) == 1 else self.given
        at = np.asarray(x, dtype=np.float64) / self.length
        names = [f.name for f in fields(Rates)]
        return Rates(
            **{n: np.interp(at, self.stations, [getattr(g, n) for g in given]) for n in names}
        )
