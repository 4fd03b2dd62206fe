"""Stability of a beam under axial load against closed forms (Timoshenko and Gere)."""

import numpy as np
import pytest
from tests.unit.flex.beams import critical_loads, end_load

from pliant.flex.beam import RateBeam, Rates
from pliant.flex.body import ModalBeam, beam_data
from pliant.flex.buckling import Place, Support, column
from pliant.flex.fields import FloatingFrame
from pliant.model.bodies import BeamShapes, Functions

EI, LENGTH, MASS = 10.0, 2.0, 1.5
EULER = np.pi**2 * EI / LENGTH**2
CLAMPED, PINNED = np.eye(4), np.eye(4)[2:]
PLACES = {"root": Place(0.0), "tip": Place(LENGTH)}
END_FORCE, WEIGHT = (0.0, -1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 1.0)


def body(family="polynomial", count=8, frame=("at", 0.0), stiffness=EI, **options):
    shapes = BeamShapes(bending_y=Functions(count, family), bending_z=Functions(count, family))
    rates = Rates(EIy=stiffness, EIz=EI, GAy=400.0, GAz=400.0, rhoA=MASS, rhoIy=1e-3, rhoIz=1e-3)
    return beam_data(ModalBeam(RateBeam(LENGTH, (rates,)), shapes, frame=FloatingFrame(*frame),
                              **options))  # fmt: skip


def critical(data, root, tip, load=END_FORCE, places=PLACES):
    """Factor of the load at which the margin is zero."""
    supports = [Support(places[end], rows)
                for end, rows in (("root", root), ("tip", tip)) if rows is not None]  # fmt: skip
    beam = column(data.geometry, places, ("root", "tip"), supports)
    found = 1.0 / (1.0 - beam.margins(1e6 * np.array([load]))[0]) * 1e6
    assert abs(beam.margins(found * np.array([load]))[0]) < 1e-9
    return found


CASES = [
    ("pinned", "pinned", PINNED, PINNED, END_FORCE, EULER),
    ("clamped", "free", CLAMPED, None, END_FORCE, EULER / 4),
    ("clamped", "pinned", CLAMPED, PINNED, END_FORCE, 4.493409457909064**2 * EI / LENGTH**2),
    ("clamped", "clamped", CLAMPED, CLAMPED, END_FORCE, 4 * EULER),
    ("clamped", "guided", CLAMPED, CLAMPED[:2], END_FORCE, EULER),
    ("clamped", "its weight", CLAMPED, None, WEIGHT, 7.8373474 * EI / LENGTH**3 / MASS),
]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c[0]}-{c[1]}")
def test_critical_loads(case):
    """Eight polynomials: the error of Ritz' method is below 1e-5."""
    *_, root, tip, load, expected = case
    assert critical(body(), root, tip, load) == pytest.approx(expected, rel=1e-5)


def test_the_force_that_acts_at_one_end_only_is_carried_by_the_other():
    """N follows from what acts beyond a section."""
    supports = [Support(PLACES["root"], CLAMPED)]
    beam = column(body().geometry, PLACES, ("root", "tip"), supports)
    assert beam.largest_compression(np.array([5.0, -3.0, 0, 0])) == pytest.approx(-3)
    weight = beam.largest_compression(np.array([0.0, 0.0, 2.0, 2.0]))
    assert weight == pytest.approx(-2 * MASS * LENGTH, rel=1e-2)
    spin = beam.largest_compression(np.array([0.0, 0.0, 0.0, -LENGTH * 9.0]))
    assert spin == pytest.approx(0, abs=0.1)
    assert np.all(beam.margins(np.array([[0, 0, 0, -1e9], [0, 1e9, 0, 0]])) > 0)


def test_the_weaker_plane_buckles():
    assert critical(body(stiffness=EI / 3), PINNED, PINNED) == pytest.approx(EULER / 3, rel=1e-5)


@pytest.mark.parametrize("frame", [("at", 0.3), ("chord",), ("mass-centre",), ("buckens",)])
@pytest.mark.parametrize("case", CASES[:3], ids=lambda c: f"{c[0]}-{c[1]}")
def test_the_floating_frame_does_not_matter(frame, case):
    *_, root, tip, load, _ = case
    here, there = (critical(body(frame=f), root, tip, load) for f in (frame, ("at", 0.0)))
    assert here == pytest.approx(there, rel=1e-9)


def test_a_load_on_a_rigid_arm():
    """tan(k l) = 1/(k c) for an arm of length c on the tip of a cantilever, P = EI k²."""
    arm = 0.7
    low, high = 1e-6, np.pi / 2 / LENGTH
    for _ in range(80):
        k = (low + high) / 2
        low, high = (k, high) if np.tan(k * LENGTH) < 1 / (k * arm) else (low, k)
    places = {**PLACES, "load": Place(LENGTH, arm)}
    found = critical(body(), CLAMPED, None, (0.0, 0.0, -1.0, 0.0, 0.0), places)
    assert found == pytest.approx(EI * k**2, rel=1e-6)


def test_a_support_on_a_rigid_arm():
    """A beam pinned at the far ends of rigid arms a: k a tan(k l / 2) = 1 for the half of it."""
    arm = 0.5
    low, high = 1e-6, np.pi / LENGTH
    for _ in range(80):
        k = (low + high) / 2
        low, high = (k, high) if k * arm * np.tan(k * LENGTH / 2) < 1 else (low, k)
    places = {"root": Place(0.0, -arm), "tip": Place(LENGTH, arm)}
    found = critical(body(), PINNED, PINNED, (1.0, -1.0, 0.0, 0.0), places)
    assert found == pytest.approx(EI * k**2, rel=1e-6)


def test_shear_counts():
    """The same as the critical loads of the body itself, held at its pins."""
    data = body("pinned-pinned", 2, ("chord",), theory="timoshenko")
    own = critical_loads(data.K, end_load(data))[0]
    assert critical(data, PINNED, PINNED) == pytest.approx(own, rel=1e-9)
    assert critical(data, PINNED, PINNED) < 0.99 * EULER


def test_rigid_motion_is_not_buckling():
    """Under its weight a rod on a pin falls over; it buckles at more than three times the load."""
    pin = critical(body(), PINNED, None, WEIGHT) * MASS * LENGTH**3 / EI
    assert pin > 3 * 7.837


def test_supports_may_leave_nothing_to_bend():
    beam = column(body(count=1, family="clamped-free").geometry, PLACES, ("root", "tip"),
                  [Support(PLACES["root"], CLAMPED), Support(PLACES["tip"], CLAMPED)])  # fmt: skip
    assert np.all(np.isinf(beam.margins(np.array([END_FORCE]))))
