"""The size of M that is counted from the causality is that of the equations."""

from pathlib import Path

import pytest

import pliant as pl
from pliant.formulations.multibond.formulation import _Derivation
from pliant.graphs import spanning_tree
from pliant.spatial.symbolic import SYMBOLIC

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("tree", ["joint", "absolute"])
@pytest.mark.parametrize("name", ["pendulum", "planar_slider_crank", "rotating_beam", "bricard",
                                  "skate", "crank_rocker", "two_link_chain"])  # fmt: skip
def test_counting_gives_what_the_equations_have(name, tree):
    model = pl.load(EXAMPLES / f"{name}.yaml").model
    d = _Derivation(spanning_tree(model, tree), SYMBOLIC)
    rows = d._rows(bool(d.skeleton.rows))
    assert d.sizes() == (len(rows.dynamic), len(rows.speeds), len(rows.dependent))
