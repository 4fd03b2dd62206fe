"""Sections against closed forms and tabulated torsion constants."""

import numpy as np
import pytest
from tests.unit.flex.beams import sized

from pliant.flex.beam import Elastic, RateBeam, Rates, SectionBeam
from pliant.model import Beam, Material, Model
from pliant.model.bodies import Circle, ISection, Properties, Rectangle, Tube
from pliant.model.validation import faults_of


@pytest.mark.parametrize(
    ("ratio", "beta"),
    [(1.0, 0.1406), (1.5, 0.1958), (2.0, 0.2287), (3.0, 0.2633), (5.0, 0.2913), (10.0, 0.3123)],
)
def test_torsion_of_a_rectangle(ratio, beta):
    """J = β a b³, Timoshenko & Goodier, art. 109, table of k1 (four digits)."""
    tall, wide = (
        sized(Rectangle(0.1, 0.1 * ratio)).values(0.3),
        sized(Rectangle(0.1 * ratio, 0.1)).values(0.3),
    )
    assert tall.J / (0.1**4 * ratio) == pytest.approx(beta, abs=1.01e-4)
    assert tall.J == wide.J


def test_round_sections():
    r = 0.03
    solid, tube = sized(Circle(r)).values(0.3), sized(Tube(r, 0.02)).values(0.3)
    assert pytest.approx(np.pi * r**2) == solid.A
    assert solid.Iy == solid.Iz == pytest.approx(np.pi * r**4 / 4)
    assert pytest.approx(np.pi * r**4 / 2) == solid.J
    assert solid.ky == pytest.approx(6 * 1.3 / (7 + 1.8))
    assert tube.Iy == pytest.approx(np.pi * (r**4 - 0.02**4) / 4)
    assert sized(Tube(r, 1e-9)).values(0.3).ky == pytest.approx(solid.ky)
    assert sized(Tube(r, r * (1 - 1e-9))).values(0.0).ky == pytest.approx(
        0.5
    )  # thin: 2(1+ν)/(4+3ν)


def test_rectangle_axes():
    s = sized(Rectangle(width=0.2, height=0.1)).values(0.0)
    assert s.Iy == pytest.approx(0.2 * 0.1**3 / 12)
    assert s.Iz == pytest.approx(0.1 * 0.2**3 / 12)
    assert s.ky == pytest.approx(5 / 6)


def test_i_section_by_adding_rectangles():
    h, b, tw, tf = 0.3, 0.15, 0.007, 0.011
    s = sized(ISection(h, b, tw, tf)).values(0.3)
    web, arm = h - 2 * tf, (h - tf) / 2
    assert pytest.approx(2 * b * tf + web * tw) == s.A
    assert s.Iy == pytest.approx(tw * web**3 / 12 + 2 * (b * tf**3 / 12 + b * tf * arm**2))
    assert s.Iz == pytest.approx(web * tw**3 / 12 + 2 * tf * b**3 / 12)
    assert pytest.approx((2 * b * tf**3 + (h - tf) * tw**3) / 3) == s.J


def test_taper_interpolates_dimensions_not_moments():
    beam = SectionBeam(2.0, (sized(Circle(0.04)), sized(Circle(0.02))), Elastic(1.0, 1.0))
    mid = beam.rates(np.array([1.0]))
    assert mid.EIy[0] == pytest.approx(np.pi * 0.03**4 / 4)
    direct = RateBeam(2.0, (Rates(EIy=1.0), Rates(EIy=3.0))).rates(np.array([0.5]))
    assert direct.EIy[0] == pytest.approx(1.5)


def faults(**section):
    steel = Material("steel", 200e9, 0.3, 7850)
    return faults_of(Model(bodies=[Beam("b", 1, material="steel", **section)], materials=[steel]))


@pytest.mark.parametrize(
    "section",
    [
        Circle(-1.0),
        Tube(0.1, 0.2),
        Rectangle(0.1, 0.0),
        ISection(0.1, 0.1, 0.2, 0.01),
        Properties(1.0, -1.0, 1.0, 1.0),
    ],
)
def test_impossible_sections_are_refused(section):
    (fault,) = faults(section=section)
    assert fault.what.startswith("section: ")


def test_every_fault_of_a_beam_is_reported():
    stations = {0: Circle(1.0), 0.9: Rectangle(1.0, 1.0)}
    assert [f.what for f in faults(sections=stations)] == [
        "sections: stations 0, 0.9",
        "sections: circle and rectangle cannot be interpolated",
    ]
