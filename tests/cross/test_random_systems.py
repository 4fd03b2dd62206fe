"""One model, any coordinates, one answer: random trees and loops at random consistent states."""

import numpy as np
import pytest
from tests.models.random_systems import CUT_KINDS, TREE_KINDS, random_tree, with_loop


@pytest.mark.parametrize("seed", range(6))
def test_joint_and_absolute_coordinates_agree_on_random_trees(seed):
    report = random_tree(np.random.default_rng(seed), 4).verify(states=3, seed=seed)
    assert report.agree, str(report)


@pytest.mark.parametrize("kind", TREE_KINDS)
def test_every_joint_in_the_tree_agrees_with_itself_cut(kind):
    rng = np.random.default_rng(len(kind))
    report = random_tree(rng, 2, kinds=(kind, "revolute")).verify(states=3)
    assert report.agree, str(report)


@pytest.mark.parametrize("kind", CUT_KINDS)
def test_every_joint_closes_a_loop(kind):
    rng = np.random.default_rng(11 + len(kind))
    free = ("spherical", "universal", "cylindrical", "planar")
    system = with_loop(rng, random_tree(rng, 3, kinds=free), kind)
    report = system.verify(states=3)
    assert report.agree, str(report)
