"""Beams for the tests, and what they swing and buckle at."""

import numpy as np

from pliant.flex.beam import Elastic, SectionBeam
from pliant.flex.body import ModalBeam
from pliant.flex.numerics import symmetric_modes
from pliant.model.bodies import BeamShapes, Functions, Rectangle, Tube


def sized(section):
    """A section given by numbers, in numbers."""
    return section.sized(lambda name: getattr(section, name).value)


STEEL = Elastic(E=2.0e11, density=7800.0, nu=0.3)
TAPERED = SectionBeam(
    1.7,
    (sized(Rectangle(0.30, 0.20)), sized(Rectangle(0.22, 0.26)), sized(Rectangle(0.10, 0.14))),
    STEEL,
    (0.0, 0.35, 1.0),
)
UNIFORM = SectionBeam(1.3, (sized(Rectangle(0.12, 0.08)),), STEEL)
PIPE = SectionBeam(2.0, (sized(Tube(0.05, 0.04)),), STEEL)


def frequencies(data):
    """Natural frequencies (rad/s) with B held: K φ = ω² M φ."""
    return np.sqrt(np.clip(symmetric_modes(data.K, data.M)[0], 0.0, None))


def end_load(data):
    """What a unit compressive axial force between the ends takes from K: H(l) - H(0)."""
    return data.geometry.H_breaks[-1] - data.geometry.H_breaks[0]


def critical_loads(K, G):
    """P > 0 with det(K - P G) = 0, K positive definite, smallest first."""
    inverse, _ = symmetric_modes(G, K)
    return np.sort(1.0 / inverse[inverse > 1e-12 * np.abs(inverse).max()])


def body(family, count=3, beam=TAPERED, **options):
    """All four fields of one family; component families get room for their static modes."""
    bending = count + 2 if family in ("craig-bampton", "free-interface") else count
    extra = {"elements": 12} if bending > count else {}
    return ModalBeam(
        beam,
        BeamShapes(
            Functions(bending, family, **extra),
            Functions(bending, family, **extra),
            Functions(2, family, **extra),
            Functions(2, family, **extra),
        ),
        **options,
    )
