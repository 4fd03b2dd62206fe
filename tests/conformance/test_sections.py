"""Laws that hold for every registered section: its numbers are those of its outline."""

import numpy as np
import pytest

from pliant.model.bodies.sections import SECTIONS

SIZES = {
    "circle": {"radius": 0.03},
    "tube": {"outer": 0.03, "inner": 0.02},
    "rectangle": {"width": 0.04, "height": 0.02},
    "i": {"height": 0.1, "width": 0.06, "web": 0.005, "flange": 0.008},
    "properties": {"A": 2e-4, "Iy": 3e-9, "Iz": 5e-9, "J": 6e-9},
}
STATED = ("properties",)
"""Sections that are numbers, and are drawn as a box with the same radii of gyration."""
ROUND = 2 * (2 * np.pi / 28) ** 2 / 3
"""Relative error of second moments of a regular polygon of 28 corners: twice that of its area."""


def sized(kind, factors):
    """The section at places along a beam, its sizes larger by these factors."""
    given = SECTIONS[kind](**SIZES[kind])
    usual = {"ky": 1.0, "kz": 1.0, "y": 0.0, "z": 0.0}
    return given.sized(lambda name: np.asarray(factors) * SIZES[kind].get(name, usual.get(name)))


def moments(loops):
    """A, ∫z² dA and ∫y² dA of polygons by Green's theorem; holes run the other way round."""
    total = np.zeros(3)
    for loop in loops:
        (y, z), (y1, z1) = loop.T, np.roll(loop, -1, axis=0).T
        cross = y * z1 - y1 * z
        squares = [(cross * (a * a + a * b + b * b)).sum() / 12 for a, b in ((z, z1), (y, y1))]
        total += [cross.sum() / 2, *squares]
    return total


def test_every_kind_has_sizes():
    assert SIZES.keys() == SECTIONS.keys()


@pytest.mark.parametrize("kind", SECTIONS)
def test_numbers_are_those_of_the_outline(kind):
    own, outline = sized(kind, [1.0]), sized(kind, [1.0]).outline()
    values = own.values(0.3)
    found = moments([loop[0] for loop in outline.loops])
    expected = np.array([values.A, values.Iy, values.Iz]).ravel()
    if kind in STATED:
        found, expected = found[1:] / found[0], expected[1:] / expected[0]
    assert found == pytest.approx(expected, rel=ROUND if outline.smooth else 1e-12)


@pytest.mark.parametrize("kind", SECTIONS)
def test_stress_is_looked_at_on_the_outline(kind):
    own = sized(kind, [1.0])
    points = own.values(0.3).points
    assert points.shape[1:] == (2, 1)
    reach = np.linalg.norm(points, axis=1).max()
    assert reach == pytest.approx(own.outline().reach if kind not in STATED else 0.0, abs=1e-12)


@pytest.mark.parametrize("kind", SECTIONS)
def test_a_tapered_section_is_that_of_every_place(kind):
    """Numbers for several places at once are those of one after the other, and scale as they must:
    areas with the square, moments with the fourth power of all lengths."""
    factors = np.array([1.0, 1.5, 2.0])
    together = sized(kind, factors).values(0.3)
    for name in ("A", "Iy", "Iz", "J", "ky", "kz"):
        alone = [np.ravel(getattr(sized(kind, [f]).values(0.3), name))[0] for f in factors]
        assert np.broadcast_to(getattr(together, name), 3) == pytest.approx(alone, rel=1e-12)
    if kind not in STATED:
        assert pytest.approx(together.A[0] * factors**2, rel=1e-12) == together.A
        for moment in (together.Iy, together.Iz, together.J):
            assert moment == pytest.approx(moment[0] * factors**4, rel=1e-12)


@pytest.mark.parametrize("kind", SECTIONS)
def test_shear_and_torsion_are_bounded(kind):
    """Shear factors lie between 0 and 1; J is at most Iy + Iz, which a circle has."""
    values = sized(kind, [1.0]).values(0.3)
    for factor in (values.ky, values.kz):
        assert 0 < np.ravel(factor)[0] <= 1
    polar = np.ravel(values.Iy + values.Iz)[0]
    assert 0 < np.ravel(values.J)[0] <= polar * (1 + 1e-12)
