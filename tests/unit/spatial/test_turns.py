"""Angles of large rotations: exact up to half a turn, with exact rates."""

import numpy as np
import pytest

from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import axis_angle, bryant123
from pliant.spatial.turns import MEASURES, axis_tilt, rotation_vector

ANGLES = [0.0, 1e-9, 1e-5, 9e-5, 2e-4, 0.02, 0.03, 0.0317, 0.19, 0.21, *np.radians([5, 60, 90]),
          *np.radians([120, 170, 179])]  # fmt: skip


def turned(rng, angle):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    return axis, axis_angle(NUMERIC, axis, angle)


@pytest.mark.parametrize("angle", ANGLES)
def test_rotation_vector_is_angle_times_axis(angle):
    axis, R = turned(np.random.default_rng(1), angle)
    error = np.abs(rotation_vector(NUMERIC, R)[0] - angle * axis).max()
    assert error < 1e-15 + 1e-14 / max(1e-2, np.pi - angle)  # sines lose digits near half a turn


@pytest.mark.parametrize("angle", ANGLES)
def test_tilt_is_the_angle_between_the_axes(angle):
    rng = np.random.default_rng(2)
    across = np.array([*rng.normal(size=2), 0])
    across /= np.linalg.norm(across)
    R = axis_angle(NUMERIC, across, angle) @ axis_angle(NUMERIC, np.array([0, 0, 1.0]), 0.7)
    expected = angle * np.array([across[1], -across[0]])
    assert np.abs(axis_tilt(NUMERIC, R)[0] - expected).max() < 1e-13


@pytest.mark.parametrize("angles", [(0.3, -0.4, 1.0), (3.0, 1.2, -3.0), (0, 0, 0)])
def test_bryant_angles_are_those_of_the_rotation(angles):
    R = bryant123(NUMERIC, np.array(angles))
    assert np.allclose(MEASURES["bryant123"](NUMERIC, R)[0], angles, atol=1e-14)


@pytest.mark.parametrize("measure", [*MEASURES.values(), axis_tilt])
@pytest.mark.parametrize("angle", ANGLES[1:])
def test_rates_are_those_of_differences(measure, angle):
    """Central differences: their error is h² times third derivatives, as 1/(π - angle)³."""
    rng = np.random.default_rng(3)
    _, R = turned(rng, angle)
    w, h = rng.normal(size=3), 1e-5
    size = np.linalg.norm(w)
    ends = [measure(NUMERIC, axis_angle(NUMERIC, w / size, s * h * size) @ R)[0] for s in (1, -1)]
    rate = (ends[0] - ends[1]) / (2 * h)
    assert np.abs(measure(NUMERIC, R)[1] @ w - rate).max() < 1e-9 + 10 * h**2 / (np.pi - angle) ** 3
