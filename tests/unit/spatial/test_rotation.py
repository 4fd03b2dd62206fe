"""Rotations: parametrisations, their kinematics, and their charts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.model.joints.rotational import ROTATION_SETS
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import axis_angle, rot_x, rot_y, rot_z, skew, to_quaternion, vee

angle = st.floats(-3.1, 3.1)


def test_a_positive_turn_about_z_takes_x_to_y():
    assert np.allclose(rot_z(NUMERIC, np.pi / 2) @ [1, 0, 0], [0, 1, 0])
    assert np.allclose(rot_x(NUMERIC, np.pi / 2) @ [0, 1, 0], [0, 0, 1])
    assert np.allclose(rot_y(NUMERIC, np.pi / 2) @ [0, 0, 1], [1, 0, 0])


def test_rodrigues_about_an_axis_is_the_elementary_rotation():
    for axis, turn in (((1, 0, 0), rot_x), ((0, 1, 0), rot_y), ((0, 0, 1), rot_z)):
        assert np.allclose(axis_angle(NUMERIC, np.array(axis), 0.7), turn(NUMERIC, 0.7))


@pytest.mark.parametrize("name", ROTATION_SETS)
@given(a=angle, b=angle, c=angle)
def test_every_rotation_is_recovered_from_its_coordinates(name, a, b, c):
    kind = ROTATION_SETS[name]
    R = rot_z(NUMERIC, a) @ rot_x(NUMERIC, b) @ rot_z(NUMERIC, c)
    again = kind.matrix(NUMERIC, kind.of_matrix(R))
    assert np.allclose(again, R, atol=1e-11)


@pytest.mark.parametrize("name", ROTATION_SETS)
def test_rate_follows_the_angular_velocity_in_moving_axes(name):
    """R' = R [w]x by central differences of second order."""
    kind = ROTATION_SETS[name]
    rng = np.random.default_rng(3)
    q = kind.of_matrix(rot_z(NUMERIC, 0.3) @ rot_x(NUMERIC, 1.1) @ rot_z(NUMERIC, -0.4))
    w = rng.standard_normal(3)
    rate, h = kind.rate(NUMERIC, q, w), 1e-6
    R_dot = (kind.matrix(NUMERIC, q + h * rate) - kind.matrix(NUMERIC, q - h * rate)) / (2 * h)
    R = kind.matrix(NUMERIC, q)
    assert np.allclose(R_dot, R @ skew(NUMERIC, w), atol=1e-9)
    assert np.allclose(kind.speed(NUMERIC, q, rate), w, atol=1e-13)


@pytest.mark.parametrize("name", ["euler313", "bryant123"])
def test_a_new_chart_keeps_the_rotation_and_is_regular(name):
    kind = ROTATION_SETS[name]
    R = rot_z(NUMERIC, 0.8)
    chart = kind.chart_for(R)
    middle = np.array(kind.middle)
    assert np.allclose(chart @ kind.matrix(NUMERIC, middle), R, atol=1e-15)
    assert np.all(np.isfinite(kind.rate(NUMERIC, middle, np.ones(3))))


def test_quaternion_of_half_a_turn_is_unit_and_exact():
    for turn in (rot_x, rot_y, rot_z):
        quat = to_quaternion(turn(NUMERIC, np.pi))
        assert np.isclose(np.linalg.norm(quat), 1.0)
        assert np.isclose(np.abs(quat).max(), 1.0)


def test_vee_inverts_skew():
    v = np.array([0.3, -1.0, 2.0])
    assert np.allclose(vee(NUMERIC, skew(NUMERIC, v)), v)
