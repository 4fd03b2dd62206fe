"""Multibond graphs of mechanical models: the same motion, modes and equilibria."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = {
    "pendulum": ("pivot.angle", 2.0),
    "planar_slider_crank": ("slider.position.x", 1.0),
    "haug_slider_crank": ("slider.position.x", 0.5),
    "rotating_beam": ("blade.mid.deflection.y", 1.0),
}


@pytest.mark.parametrize("choice", [{}, {"tree": "absolute"}, {"form": "embedding"}])
@pytest.mark.parametrize("name", CASES)
def test_same_motion_from_the_graph(name, choice):
    """Runs at rtol 1e-9 differ by their integration error only."""
    observable, t_end = CASES[name]
    system = pl.load(EXAMPLES / f"{name}.yaml")
    how = {"every": t_end / 20, "rtol": 1e-9, "outputs": [observable]}
    expected = system.simulate(t_end, **how).require().values(observable)
    found = system.simulate(t_end, formulation="multibond", **choice, **how).require()
    assert np.abs(found.values(observable) - expected).max() <= 1e-6 * np.abs(expected).max()


def test_a_tree_has_no_multipliers_and_a_rectangular_mass_matrix():
    """Mixed causality, S0 (8.42) and (8.45): one row for the pendulum, seven flows."""
    e = pl.load(EXAMPLES / "pendulum.yaml").equations("multibond").equations
    assert e.written.form == "mixed"
    assert (e.residual.numel(), e.u.numel(), e.cv.numel()) == (1, 7, 6)


@pytest.mark.parametrize(("name", "at"), [("rotating_beam", "rest"), ("spinning_blade", "steady"),
                                          ("manipulator", "rest")])  # fmt: skip
def test_modes_of_the_mixed_form(name, at):
    """Dependent speeds and accelerations are eliminated: the frequencies of recursive."""
    system = pl.load(EXAMPLES / f"{name}.yaml")
    expected, found = (system.modes(6, at=at, formulation=f).frequencies
                       for f in ("recursive", "multibond"))  # fmt: skip
    assert np.abs(np.array(found) - expected).max() <= 1e-9 * np.abs(expected).max()


def test_statics_of_the_mixed_form():
    """A sagging chain on a spherical joint and a pin, held by a spring."""
    arms = [pl.RigidBody.rod(f"arm{k}", 1.0, mass=k, frames={"end": [1, 0, 0]}) for k in (1, 2)]
    joints = [pl.Spherical("ball", "ground", "arm1"),
              pl.Revolute("pin", "arm1.end", "arm2", axis="y")]  # fmt: skip
    spring = pl.Spring("spring", "ground.hook", "arm2.end", stiffness=200.0, free_length=0.5)
    system = pl.System(gravity=(0, 0, -9.81), bodies=arms, joints=joints, forces=[spring],
                       ground=pl.Ground(frames={"hook": [2, 0, 1]}))  # fmt: skip
    how = {"outputs": ["arm2.end.position", "ball.force", "spring.energy"]}
    expected, found = (system.statics(formulation=f, **how) for f in ("recursive", "multibond"))
    for name in how["outputs"]:
        wanted = expected.values(name)
        assert np.abs(found.values(name) - wanted).max() <= 1e-9 * np.abs(wanted).max()


def test_a_driver_in_the_tree():
    """Its coordinate is a known function of time, its torque what the row of the joint says."""
    system = pl.load(EXAMPLES / "rotating_beam.yaml")
    tree = list(system.model.drivers)
    how = {"every": 0.1, "rtol": 1e-9, "outputs": ["spin.torque", "blade.mid.deflection.y"]}
    expected = system.simulate(1.0, **how).require()
    found = system.simulate(1.0, formulation="multibond", tree=tree, **how).require()
    for name in how["outputs"]:
        wanted = expected.values(name)
        assert np.abs(found.values(name) - wanted).max() <= 1e-6 * np.abs(wanted).max()


def test_what_depends_is_said_by_body_and_kind_of_motion():
    """Rotation of a flexible body is told from its deformation, which stays independent."""
    text = pl.load(EXAMPLES / "rotating_beam.yaml").graph("bond").summary()
    assert "blade: translation is dependent" in text
    assert "blade: rotation is dependent" in text
    assert "3 states fewer" in text
