"""Multibond graphs of mechanical models: the same motion; what they decline, by name."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import CapabilityError

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
    assert e.form == "mixed"
    assert (e.residual.numel(), e.u.numel(), e.cv.numel()) == (1, 7, 6)


@pytest.mark.parametrize("verb", ["statics", "modes"])
def test_what_the_mixed_form_cannot_do_is_said(verb):
    system = pl.load(EXAMPLES / "pendulum.yaml")
    with pytest.raises(CapabilityError, match="use recursive or linear-graph"):
        getattr(system, verb)(formulation="multibond")
