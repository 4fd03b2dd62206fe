"""The linear graph: incidence, cutsets, circuits, branch transformations."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.random_systems import CUT_KINDS, random_tree, with_loop

import pliant as pl
from pliant.graphs import LinearGraph, spanning_tree

EXAMPLES = Path(__file__).parents[3] / "examples"


def graph(name, tree="joint"):
    return LinearGraph.of(spanning_tree(pl.load(EXAMPLES / f"{name}.yaml").model, tree))


def random_graph(seed, tree):
    rng = np.random.default_rng(seed)
    system = random_tree(rng, 4, kinds=("prismatic", "cylindrical", "spherical", "revolute"))
    return LinearGraph.of(spanning_tree(with_loop(rng, system, CUT_KINDS[seed]).model, tree))


@pytest.mark.parametrize("tree", ["joint", "absolute"])
@pytest.mark.parametrize("seed", range(5))
def test_circuits_are_orthogonal_to_cutsets_and_vertices(seed, tree):
    """A B^T = 0 and Q B^T = 0: Tellegen's theorem; the tree has one edge less than nodes."""
    g = random_graph(seed, tree)
    A, Q, B = g.incidence, g.cutsets, g.circuits
    assert not (A @ B.T).any()
    assert not (Q @ B.T).any()
    assert len(g.branches) == len(g.nodes) - 1 == np.linalg.matrix_rank(A)
    assert len(Q) == len(g.branches)
    assert len(B) == len(g.chords)


def test_slider_crank_has_the_edges_of_the_source():
    """S1, figure 2: two bodies (and the massless slider), arms, joints, driving torque, and two
    dependent virtual-work elements at each joint between moving bodies."""
    g = graph("planar_slider_crank")
    kinds = [e.kind for e in g.edges]
    assert kinds.count("body") == 3
    assert {e.name for e in g.edges if e.kind == "joint"} == {"O", "A", "B"}
    assert {e.name for e in g.edges if e.element == "S" and e.kind != "virtual work"} == {
        "S.t", "S.r"}  # fmt: skip
    assert g.coordinates == ("O.angle", "A.angle", "S.displacement")
    ends = {e.head for e in g.edges if e.kind == "virtual work" and e.element == "A"}
    assert ends == {"crank.A", "rod"}


def test_branch_transformation_of_the_rod_is_equation_5():
    """r_rod = r_O + r_arm(A) + r_A: the path through crank and joint."""
    g = graph("planar_slider_crank")
    rod = next(e for e in g.edges if e.name == "rod")
    steps = [(s.edge.name, s.sign) for s in g.branch_transformation(rod)]
    assert steps == [("O", 1), ("arm.crank.A", 1), ("A", 1)]


def test_absolute_tree_takes_bodies_and_leaves_joints():
    g = graph("bricard", "absolute")
    assert all(e.in_tree == (e.kind in ("body", "arm")) for e in g.edges)
