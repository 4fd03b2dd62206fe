"""The joint between segments: its coordinates, their rates and the efforts along them."""

from itertools import combinations

import numpy as np
import pytest

from pliant.flex.segments.hinge import SegmentJoint
from pliant.spatial.ops import NUMERIC

SOME = [c for n in range(4) for c in combinations(range(3), n)]
CHOICES = [(moves, turns) for moves in SOME for turns in SOME if moves or turns]


@pytest.mark.parametrize(("moves", "turns"), CHOICES)
def test_efforts_along_coordinates_are_wrenches_of_their_rates(moves, turns):
    """E = rates_of where the joint holds: whatever the rest of the joint transmits is its reaction,
    in a tree, as a cut joint and in blocks. E of three angles is the basis dual to H."""
    joint = SegmentJoint("j", "a", "b", moves=moves, turns=turns)
    q = np.random.default_rng(len(moves) + 4 * len(turns)).uniform(-1.2, 1.2, joint.nu)
    X = joint.pose(NUMERIC, q)
    assert joint.coordinates_of(NUMERIC, X) == pytest.approx(q, abs=1e-14)
    assert joint.rates_of(NUMERIC, X) == pytest.approx(joint.effort(NUMERIC, q), abs=1e-14)
