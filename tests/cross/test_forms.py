"""Forms of the equations: trees, embedding, drivers in the tree; one motion."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.random_systems import random_tree, with_loop

import pliant as pl
from pliant.analysis.verification.states import FUNCTIONS, _observed
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.partition import partition
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state, parameters, same_motion_in
from pliant.errors import CapabilityError, InputError
from pliant.formulations.forms import speeds_named
from pliant.graphs import spanning_tree
from pliant.solve.start.random_state import random_state

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name):
    return pl.load(EXAMPLES / f"{name}.yaml")


@pytest.mark.parametrize("form", ["augmented", "embedding"])
def test_a_driver_in_the_tree_gives_the_same_torque(form):
    """S1 5.2: the torque of a driver follows from its own row, with or without multipliers."""
    system = load("pendulating_rotor")
    driver = next(iter(system.model.drivers))
    names = [f"{driver}.torque", f"{driver}.power"]
    joints = [j for j in system.model.joints if j != system.model.drivers[driver].joint]
    expected = system.simulate(0.3, every=0.01, rtol=1e-10, outputs=names).require()
    got = system.simulate(0.3, every=0.01, rtol=1e-10, outputs=names, tree=[driver, *joints],
                          formulation="linear-graph", form=form).require()  # fmt: skip
    assert got.info["degrees_of_freedom"] == expected.info["degrees_of_freedom"]
    for name in names:
        scale = np.abs(expected.values(name)).max()
        assert np.abs(got.values(name) - expected.values(name)).max() <= 1e-8 * scale


def test_the_embedding_form_has_a_row_for_each_degree_of_freedom():
    e = derive(load("planar_slider_crank"), Choice("linear-graph", form="embedding"))
    assert (e.residual.numel(), e.u.numel()) == (1, 3)


def test_named_independent_coordinates_are_kept():
    system = load("planar_slider_crank")
    layout = prepare(system).compiled.layout
    for name in ("O.angle", "A.angle", "S.displacement"):
        choice = Choice("linear-graph", form="embedding", independent=(name,))
        (kept,) = speeds_named(layout, [name])
        assert kept not in partition(system, choice).dependent


def test_too_many_independent_coordinates_are_refused():
    with pytest.raises(CapabilityError, match="depend on each other"):
        load("planar_slider_crank").simulate(
            0.01, form="embedding", independent=["O.angle", "A.angle"]
        )


def test_a_driven_coordinate_is_not_independent():
    """The driver is named, with what is left: here nothing."""
    turn = pl.JointDriver("turn", "O", motion="3*t + pi/4")
    system = pl.System(load("planar_slider_crank").model, drivers=[turn])
    fault = r"O\.angle is given by driver 'turn', with no degrees of freedom left; leave it out"
    with pytest.raises(CapabilityError, match=fault):
        system.simulate(0.01, form="embedding", independent=["O.angle"])
    with pytest.raises(CapabilityError, match=r"S\.displacement is given by driver 'turn'"):
        system.equations(form="embedding", independent=["S.displacement"])
    system.simulate(0.01, form="embedding").require()


def test_beside_a_driver_other_coordinates_may_be_independent():
    """T1 and T2 of the rotor drive precession and spin; the nutation is free."""
    rotor = load("pendulating_rotor")
    fault = r"precession\.angle is given by driver 'T1', with 1 degree of freedom left"
    with pytest.raises(CapabilityError, match=fault):
        rotor.simulate(0.01, form="embedding", independent=["precession.angle"])
    rotor.simulate(0.01, form="embedding", independent=["nutation.angle"]).require()


def test_a_coordinate_that_joints_hold_is_not_independent():
    """The slider of a slider-crank keeps the universal joint on its rod from leaving the plane."""
    rods = [pl.RigidBody.rod(n, 1.0, mass=1.0, frames={"tip": [1, 0, 0]}) for n in ("a", "b")]
    joints = [
        pl.Revolute("O", "ground", "a", initial={"angle": 0.5}),
        pl.Universal("U", "a.tip", "b", axis="z", axis2="y", guess={"angle1": -1.0}),
        pl.Prismatic("S", "ground", "slider", axis="x", guess={"displacement": 1.5}),
        pl.Spherical("P", "slider", "b.tip", cut=True),
    ]
    slider = pl.RigidBody.box("slider", [0.1, 0.1, 0.1], mass=1.0)
    system = pl.System(bodies=[*rods, slider], joints=joints)
    fault = r"U\.angle2 cannot move: the joints hold it"
    with pytest.raises(CapabilityError, match=fault):
        system.simulate(0.01, form="embedding", independent=["U.angle2"])


@pytest.mark.parametrize("name", ["rotating_beam", "manipulator"])
def test_order_zero_leaves_no_motion_of_elastic_coordinates(name):
    with pytest.raises(InputError, match=r"neither inertia nor stiffness.*; use 1 or more"):
        load(name).simulate(0.01, truncate=0)
    with pytest.raises(InputError, match="neither inertia nor stiffness"):
        load(name).source("c", truncate=0)


def test_order_zero_of_rigid_bodies_changes_nothing():
    y, z = (load("pendulum").simulate(0.1, truncate=n).values("pivot.angle") for n in (None, 0))
    assert np.array_equal(y, z)


def test_unknown_names_are_refused_with_what_is_known():
    with pytest.raises(InputError, match=r"nothing is named O\.angel"):
        load("planar_slider_crank").simulate(0.01, form="embedding", independent=["O.angel"])
    with pytest.raises(InputError, match="unknown form"):
        load("planar_slider_crank").simulate(0.01, form="embeding")


@pytest.mark.parametrize("seed", range(4))
def test_mixed_trees_of_random_loops_agree(seed):
    """Half of the bodies absolute, the others on their joints: pointwise, to 1e-9."""
    rng = np.random.default_rng(seed)
    system = with_loop(rng, random_tree(rng, 4, kinds=("spherical", "universal", "cylindrical")),
                       "spherical")  # fmt: skip
    bodies = list(system.model.bodies)
    edges = spanning_tree(system.model).edges
    mixed = tuple(e.outer if k % 2 else e.joint.name for k, e in enumerate(edges))
    first = prepare(system, functions=FUNCTIONS, interpret=True)
    start = initial_state(system, first, None, 0.0)
    x = random_state(first.compiled, start.p, start.x, rng)
    expected = _observed(first, x, start.p)
    target = prepare(system, Choice("linear-graph", mixed), functions=FUNCTIONS, interpret=True)
    p = parameters(system, target, None)
    got = _observed(target, same_motion_in(first, x, start.p, target, p), p)
    for body in bodies:
        name = f"{body}.acceleration"
        scale = max(np.abs(expected[f"{b}.acceleration"]).max() for b in bodies)
        assert np.abs(got[name] - expected[name]).max() <= 1e-9 * scale
