"""Every example moves in every formulation as it does in the recursive one.

Two runs agree if they differ by no more than ten times the larger of their own integration errors,
|y(rtol) - y(rtol/100)|, and 1e-9 of the size of the quantity. Linear graphs, in all trees and
forms, are in test_examples_agree.
"""

from functools import cache

import numpy as np
import pytest
from tests.cross.test_examples_agree import MOTIONS, SLOW, load, motion

from pliant.formulations import FORMULATIONS
from pliant.graphs import spanning_tree

OTHERS = [name for name in FORMULATIONS if name not in ("recursive", "linear-graph")]
DENSE = {"four_bars_40": ("multibond", "natural")}
"""More than a thousand unknowns in dense matrices: too long for a run."""
CASES = [
    (name, way) for name in sorted(MOTIONS) for way in OTHERS if way not in DENSE.get(name, ())
]


@cache
def system(name):
    return load(name)


@cache
def solved(name, formulation):
    """The motion at 1e-6, and how far it is from that at 1e-8."""
    observable, t_end = MOTIONS[name]
    y, better = (
        motion(system(name), observable, t_end, rtol, formulation=formulation)
        for rtol in (1e-6, 1e-8)
    )
    return y, np.abs(y - better).max()


def marked(cases):
    """Long ones marked."""
    return [pytest.param(*c, marks=pytest.mark.slow if c[0] in SLOW else ()) for c in cases]


@pytest.mark.parametrize(("name", "way"), marked(CASES))
def test_the_same_motion_in_other_formulations(name, way):
    objections = FORMULATIONS[way].objections(spanning_tree(system(name).model))
    if objections:
        assert all(o.element and o.what for o in objections)
        return
    (ya, ea), (yb, eb) = solved(name, "recursive"), solved(name, way)
    assert np.abs(ya - yb).max() <= 10 * max(ea, eb) + 1e-9 * np.abs(ya).max()
