"""Trees by name, what they cost, and what is said of bad ones."""

from pathlib import Path

import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.graphs import cheapest_tree, spanning_tree, tree_cost

EXAMPLES = Path(__file__).parents[3] / "examples"


def model(name):
    return pl.load(EXAMPLES / f"{name}.yaml").model


def test_the_flexible_slider_crank_as_the_source_counts_it():
    """S1 5.3: s, two angles of the universal joint, the crank angle; three constraints at A."""
    cost = tree_cost(spanning_tree(model("spatial_slider_crank"), ["O", "S", "B"]))
    assert cost.coordinates == ("O.angle", "S.displacement", "B.angle1", "B.angle2")
    assert cost.constraints == 3 + 1  # the last: the motor


def test_a_driver_in_the_tree_takes_its_coordinate_away():
    cost = tree_cost(spanning_tree(model("spatial_slider_crank"), ["motor", "S", "B"]))
    assert cost.coordinates == ("S.displacement", "B.angle1", "B.angle2")
    assert cost.constraints == 3


def test_bodies_and_joints_mix():
    graph = spanning_tree(model("haug_slider_crank"), ["A", "rod", "S"])
    assert [e.joint.name for e in graph.edges] == ["A", "S", "rod.free"]
    assert [j.name for j in graph.cuts] == ["B", "C"]


def test_every_fault_of_a_tree_is_reported_at_once():
    with pytest.raises(InputError) as caught:
        spanning_tree(model("haug_slider_crank"), ["A", "crank", "nothing"])
    text = str(caught.value)
    for part in ("'nothing' is no joint", "'crank' is in the tree already", "'rod' is not reached",
                 "'slider' is not reached"):  # fmt: skip
        assert part in text


def test_a_loop_is_no_tree():
    with pytest.raises(InputError, match="would close a loop"):
        spanning_tree(model("bricard"), ["J0", "J1", "J2", "J3", "J4", "J5"])


def test_the_cheapest_tree_of_the_flexible_slider_crank_cuts_the_ball_joint():
    """Seven unknown speeds become four when the spherical joint closes the loop (S1 5.3)."""
    best = cheapest_tree(model("spatial_slider_crank"))
    chosen = spanning_tree(model("spatial_slider_crank"), best)
    assert [j.name for j in chosen.cuts] == ["A"]
    joint = tree_cost(spanning_tree(model("spatial_slider_crank")))
    assert tree_cost(chosen).operations < joint.operations


def test_the_cheapest_tree_of_an_open_chain_is_the_joint_tree():
    assert cheapest_tree(model("manipulator")) == "joint"


def test_a_tree_given_by_its_edges_takes_no_cuts_besides():
    with pytest.raises(InputError, match="leaves no joint to choose"):
        spanning_tree(model("bricard"), ["J0", "J1", "J2", "J3", "J4"], cut=["J2"])
