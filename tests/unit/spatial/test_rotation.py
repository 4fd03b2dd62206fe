"""Rotations: parametrisations and their kinematics."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.model.joints.rotational import ROTATION_SETS
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import axis_angle, rot_x, rot_y, rot_z, skew, to_quaternion, vee
from pliant.spatial.symbolic import SYMBOLIC

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
    again = kind.matrix(NUMERIC, kind.of_matrix(NUMERIC, R))
    assert np.allclose(again, R, atol=1e-11)


@pytest.mark.parametrize("name", ROTATION_SETS)
def test_rate_follows_the_angular_velocity_in_moving_axes(name):
    """R' = R [w]x by central differences of second order."""
    kind = ROTATION_SETS[name]
    rng = np.random.default_rng(3)
    R = rot_z(NUMERIC, 0.3) @ rot_x(NUMERIC, 1.1) @ rot_z(NUMERIC, -0.4)
    q = np.array(kind.of_matrix(NUMERIC, R))
    w = rng.standard_normal(3)
    rate, h = kind.rate(NUMERIC, q, w), 1e-6
    R_dot = (kind.matrix(NUMERIC, q + h * rate) - kind.matrix(NUMERIC, q - h * rate)) / (2 * h)
    assert np.allclose(R_dot, R @ skew(NUMERIC, w), atol=1e-9)
    assert np.allclose(kind.speed(NUMERIC, q, rate), w, atol=1e-13)


@pytest.mark.parametrize(
    ("name", "second"), [("euler313", 0.0), ("euler313", np.pi), ("bryant123", np.pi / 2)]
)
def test_at_the_singular_pose_the_first_angle_tells_the_whole_turn(name, second):
    kind = ROTATION_SETS[name]
    R = kind.matrix(NUMERIC, (0.3, second, 0.5))
    angles = kind.of_matrix(NUMERIC, R)
    assert angles[1:] == pytest.approx((second, 0.0), abs=1e-7)
    assert np.allclose(kind.matrix(NUMERIC, angles), R, atol=1e-15)


@pytest.mark.parametrize("name", ["euler313", "bryant123"])
@pytest.mark.parametrize("second", [0.0, 0.4])
def test_angles_of_symbols_numbers_and_many_rotations_agree(name, second):
    kind = ROTATION_SETS[name]
    R = kind.matrix(NUMERIC, (0.3, second, 0.5))
    expected = np.array(kind.of_matrix(NUMERIC, R))
    symbol = ca.SX.sym("R", 3, 3)
    found = ca.Function("angles", [symbol], list(kind.of_matrix(SYMBOLIC, symbol)))(R)
    assert np.array(found).ravel() == pytest.approx(expected, abs=1e-15)
    many = np.array(kind.of_matrix(NUMERIC, np.stack([R, R], axis=2)))
    assert np.array_equal(many, np.stack([expected, expected], axis=1))


def test_quaternion_of_half_a_turn_is_unit_and_exact():
    for turn in (rot_x, rot_y, rot_z):
        quat = to_quaternion(turn(NUMERIC, np.pi))
        assert np.isclose(np.linalg.norm(quat), 1.0)
        assert np.isclose(np.abs(quat).max(), 1.0)


def test_vee_inverts_skew():
    v = np.array([0.3, -1.0, 2.0])
    assert np.allclose(vee(NUMERIC, skew(NUMERIC, v)), v)
