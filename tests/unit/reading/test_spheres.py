"""Unit quaternions in normal form: e0² = 1 - e1² - e2² - e3²."""

from __future__ import annotations

import numpy as np
import pytest

from pliant.model.joints.rotational import ROTATION_SETS
from pliant.reading.algebra import Evaluation, Space, readable_ops
from pliant.spatial.ops import NUMERIC

NAMES = ("e0", "e1", "e2", "e3")


@pytest.fixture
def space() -> Space:
    made = Space()
    made.sphere(NAMES)
    return made


def test_squares_add_up_to_one(space):
    e = [space.symbol(n) for n in NAMES]
    assert sum(x * x for x in e) == 1
    assert sum(x * x for x in e) ** 3 == 1
    assert e[0] ** 2 == 1 - e[1] ** 2 - e[2] ** 2 - e[3] ** 2
    assert e[0] * e[1] * e[0] == e[1] - e[1] ** 3 - e[1] * (e[2] ** 2 + e[3] ** 2)


def test_a_rotation_times_its_transpose_is_the_unit_matrix(space):
    """By normal form alone, with == as the proof."""
    ops = readable_ops(space)
    R = ROTATION_SETS["quaternion"].matrix(ops, ops.vec(*(space.symbol(n) for n in NAMES)))
    for product in (R @ R.T, R.T @ R):
        assert all(product[i, j] == float(i == j) for i in range(3) for j in range(3))


def test_values_at_unit_quaternions_stay(space):
    e = [space.symbol(n) for n in NAMES]
    q = np.array([0.5, -0.1, 0.7, 0.2])
    q /= np.linalg.norm(q)
    value = (e[0] + 2 * e[1]) ** 4 * e[0] - e[2] * e[0] ** 3
    expected = (q[0] + 2 * q[1]) ** 4 * q[0] - q[2] * q[0] ** 3
    found = Evaluation(space, NUMERIC, dict(zip(NAMES, q, strict=True))).of(value)
    assert float(found) == pytest.approx(expected, rel=1e-14)


def test_other_symbols_keep_their_squares(space):
    x = space.symbol("x")
    assert len(x * x * space.symbol("e1") ** 2) == 1
