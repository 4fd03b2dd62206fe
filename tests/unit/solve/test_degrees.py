"""Which motions have no mass: a question of physics, not of the condition of a matrix."""

import numpy as np

from pliant.solve.start.redundancy import motions_without_mass

NONE = np.zeros((0, 40))


def chain_mass(n, light=1.0):
    """Mass matrix of n links in line by their joint angles, each with its mass at its end; the last
    is ``light``."""
    reach = np.array([[max(0, i - j + 1) for j in range(n)] for i in range(n)], dtype=float)
    masses = np.ones(n)
    masses[-1] = light
    return reach.T @ (masses[:, None] * reach)


def test_a_long_chain_has_mass_everywhere_whatever_its_speeds_are_measured_in():
    """Elastic coordinates of small masses stand beside joint angles of long arms."""
    units = np.where(np.arange(40) % 2, 1e-6, 1.0)
    M = chain_mass(40, 1e-6) * np.outer(units, units)
    rows = M / np.linalg.norm(M, axis=1, keepdims=True)
    assert np.linalg.svd(rows)[1][-1] < 1e-9  # small, though nothing is without mass
    assert motions_without_mass(M, NONE).shape == (40, 0)


def test_a_link_without_mass_is_found_at_the_end_of_a_long_chain():
    z = motions_without_mass(chain_mass(40, 0.0), NONE)
    assert z.shape == (40, 1)
    assert np.abs(z[-1, 0]) > 0.99


def test_a_constraint_holds_what_has_no_mass():
    held = np.zeros((1, 40))
    held[0, -1] = 1e-8
    assert motions_without_mass(chain_mass(40, 0.0), held).shape == (40, 0)


def test_two_speeds_of_one_mass_are_one_motion_too_many():
    z = motions_without_mass(np.array([[2.0, 2.0], [2.0, 2.0]]), np.zeros((0, 2)))
    assert np.allclose(np.abs(z[:, 0]), np.sqrt(0.5))
