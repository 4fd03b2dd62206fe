"""Topology: spanning tree, cuts, incidence and path matrices."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.random_systems import random_tree

import pliant as pl
from pliant.errors import InputError
from pliant.graphs import spanning_tree

EXAMPLES = Path(__file__).parents[3] / "examples"


def model(name):
    return pl.load(EXAMPLES / f"{name}.yaml").model


@pytest.mark.parametrize("seed", range(5))
def test_path_matrix_is_the_inverse_of_the_incidence_matrix(seed):
    """T S = 1 with S the incidence matrix of the moving bodies; columns of S sum to zero."""
    graph = spanning_tree(random_tree(np.random.default_rng(seed), 7).model)
    S, T = graph.incidence(), graph.path()
    assert np.array_equal(T @ S[1:], np.eye(7))
    assert np.array_equal(S.sum(axis=0), np.zeros(7))


def test_path_of_a_chain_holds_every_joint_down_to_the_ground():
    graph = spanning_tree(model("bricard"), cut=["J5"])
    assert [e.outer for e in graph.edges] == ["rod1", "rod2", "rod3", "rod4", "rod5"]
    assert np.array_equal(graph.path(), -np.triu(np.ones((5, 5))))


def test_the_tree_grows_in_breadth_and_cuts_where_branches_meet():
    graph = spanning_tree(model("bricard"))
    assert [j.name for j in graph.cuts] == ["J3"]
    assert max(abs(graph.path()).sum(axis=0)) == 3


def test_marked_joints_are_cut_and_others_take_their_place():
    graph = spanning_tree(model("four_bars_2"))
    assert {j.name for j in graph.cuts} == {"C1", "C2"}
    other = spanning_tree(model("four_bars_2"), cut=["B1"])
    assert "B1" in {j.name for j in other.cuts}
    assert {e.outer for e in other.edges} == set(model("four_bars_2").bodies)


def test_an_unattached_body_gets_a_free_joint_and_absolute_means_all_of_them():
    graph = spanning_tree(model("planar_slider_crank"), "absolute")
    assert [e.joint.kind for e in graph.edges] == ["free"] * 3
    assert len(graph.cuts) == 4
    loose = pl.System(bodies=[pl.RigidBody.sphere("ball", 0.1, mass=1)]).model
    assert [e.joint.name for e in spanning_tree(loose).edges] == ["ball.free"]


def test_unknown_choices_are_refused():
    with pytest.raises(InputError, match="no joint named X"):
        spanning_tree(model("pendulum"), cut=["X"])
    with pytest.raises(InputError, match="unknown tree"):
        spanning_tree(model("pendulum"), "best")
