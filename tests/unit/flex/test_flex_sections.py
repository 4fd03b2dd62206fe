"""Sections against closed forms and tabulated torsion constants."""

import numpy as np
import pytest

from pliant.errors import InputError, ModelError
from pliant.flex import Circle, ISection, Properties, Rectangle, SectionBeam, Tube
from pliant.flex.beam import Elastic, RateBeam, Rates


@pytest.mark.parametrize(
    ("ratio", "beta"),
    [(1.0, 0.1406), (1.5, 0.1958), (2.0, 0.2287), (3.0, 0.2633), (5.0, 0.2913), (10.0, 0.3123)],
)
def test_torsion_of_a_rectangle(ratio, beta):
    """J = β a b³, Timoshenko & Goodier, art. 109, table of k1 (four digits)."""
    tall, wide = Rectangle(0.1, 0.1 * ratio).values(0.3), Rectangle(0.1 * ratio, 0.1).values(0.3)
    assert tall.J / (0.1**4 * ratio) == pytest.approx(beta, abs=1.01e-4)
    assert tall.J == wide.J


def test_round_sections():
    r = 0.03
    solid, tube = Circle(r).values(0.3), Tube(r, 0.02).values(0.3)
    assert pytest.approx(np.pi * r**2) == solid.A
    assert solid.Iy == solid.Iz == pytest.approx(np.pi * r**4 / 4)
    assert pytest.approx(np.pi * r**4 / 2) == solid.J
    assert solid.ky == pytest.approx(6 * 1.3 / (7 + 1.8))
    assert tube.Iy == pytest.approx(np.pi * (r**4 - 0.02**4) / 4)
    assert Tube(r, 1e-9).values(0.3).ky == pytest.approx(solid.ky)
    assert Tube(r, r * (1 - 1e-9)).values(0.0).ky == pytest.approx(0.5)  # thin: 2(1+ν)/(4+3ν)


def test_rectangle_axes():
    s = Rectangle(width=0.2, height=0.1).values(0.0)
    assert s.Iy == pytest.approx(0.2 * 0.1**3 / 12)
    assert s.Iz == pytest.approx(0.1 * 0.2**3 / 12)
    assert s.ky == pytest.approx(5 / 6)


def test_i_section_by_adding_rectangles():
    h, b, tw, tf = 0.3, 0.15, 0.007, 0.011
    s = ISection(h, b, tw, tf).values(0.3)
    web, arm = h - 2 * tf, (h - tf) / 2
    assert pytest.approx(2 * b * tf + web * tw) == s.A
    assert s.Iy == pytest.approx(tw * web**3 / 12 + 2 * (b * tf**3 / 12 + b * tf * arm**2))
    assert s.Iz == pytest.approx(web * tw**3 / 12 + 2 * tf * b**3 / 12)
    assert pytest.approx((2 * b * tf**3 + (h - tf) * tw**3) / 3) == s.J


def test_taper_interpolates_dimensions_not_moments():
    beam = SectionBeam(2.0, (Circle(0.04), Circle(0.02)), Elastic(1.0, 1.0))
    mid = beam.rates(np.array([1.0]))
    assert mid.EIy[0] == pytest.approx(np.pi * 0.03**4 / 4)
    direct = RateBeam(2.0, (Rates(EIy=1.0), Rates(EIy=3.0))).rates(np.array([0.5]))
    assert direct.EIy[0] == pytest.approx(1.5)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Circle(-1.0),
        lambda: Tube(0.1, 0.2),
        lambda: Rectangle(0.1, 0.0),
        lambda: ISection(0.1, 0.1, 0.2, 0.01),
        lambda: Properties(1.0, -1.0, 1.0, 1.0),
        lambda: SectionBeam(1.0, (Circle(1.0), Rectangle(1.0, 1.0)), Elastic(1.0, 1.0)),
    ],
)
def test_impossible_sections_are_refused(make):
    with pytest.raises(InputError):
        make()


def test_every_fault_of_a_beam_is_reported():
    with pytest.raises(ModelError) as caught:
        SectionBeam(-1.0, (Circle(1.0),) * 3, Elastic(1.0, 1.0), (0.0, 0.9))
    assert len(caught.value.faults) == 3
