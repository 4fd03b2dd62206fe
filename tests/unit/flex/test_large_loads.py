"""Dead and follower loads on beams of large rotation, and rotation of a whole model."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pliant as pl

DATA = Path(__file__).parents[2] / "published" / "data" / "B7b_elastica_tipforce.csv"
STIFFNESS = {"EA": 4800.0, "GAy": 1538.461538461538, "GAz": 1e3, "GJ": 1.0, "EIy": 1.0, "EIz": 1.0}
GIVEN = {"mass_per_length": 1.0, "rotary": {"rhoIy": 1e-3, "rhoIz": 1e-3}}
CUBIC = {"exact": {"elements": 4, "order": 3}}


def rod(theory, **more):
    return pl.Beam("rod", 1, theory=theory, **{"stiffness": STIFFNESS, **GIVEN, **more})


def tip_at_rest(theory, load):
    s = pl.System(bodies=[rod(theory)], joints=[pl.Fixed("weld", "ground", "rod.root")],
                  forces=[load])  # fmt: skip
    return s.statics(outputs=["rod.tip.position"])["rod.tip.position"].values[-1]


def followed(P):
    """Tip under a force across the tip section: seen from there, shape and load are an initial
    value problem. x' = (1 + N/EA) t + Q/GA n, ϑ' = P (x_tip - x) / EI, from the tip on."""
    EA, GA, EI = (STIFFNESS[k] for k in ("EA", "GAy", "EIz"))

    def rates(_, state):
        x, _, theta = state
        t, n = (np.cos(theta), np.sin(theta)), (-np.sin(theta), np.cos(theta))
        N, Q = P * t[1], P * n[1]
        slope = [(1 + N / EA) * a + Q / GA * b for a, b in zip(t, n, strict=True)]
        return [*slope, P * -x / EI]

    x, y, theta = solve_ivp(rates, (0, -1), [0, 0, 0], rtol=1e-12, atol=1e-14).y[:, -1]
    c, s = np.cos(theta), np.sin(theta)
    return np.array([-c * x - s * y, s * x - c * y, 0])


@pytest.mark.slow
@pytest.mark.parametrize("P", [2.0, 8.0])
def test_a_force_that_follows_the_tip(P):
    """Sixth order: four elements of order three come within 1e-5 of the length."""
    tip = tip_at_rest(CUBIC, pl.Force("push", "rod.tip", [0, P, 0], axes="body"))
    assert np.allclose(tip, followed(P), rtol=0, atol=1e-5)


def test_a_force_that_keeps_its_direction():
    """B7b at P L²/EI = 4 (with stretch and shear, certified 1e-12)."""
    tip = tip_at_rest(CUBIC, pl.Force("push", "rod.tip", [0, 4.0, 0]))
    dead = np.loadtxt(DATA, delimiter=",", skiprows=1)
    row = dead[dead[:, 0] == 4.0][0]
    assert np.allclose(tip, [row[6], row[7], 0], rtol=0, atol=1e-5)
    assert np.linalg.norm(tip - followed(4.0)) > 0.1


def test_a_moment_that_follows_the_tip_rolls_the_beam_up():
    """M = π EI/L about an axis in the section: half a circle, whatever plane it is in."""
    turned = np.pi * np.array([0, np.sin(0.3), np.cos(0.3)])
    tip = tip_at_rest(CUBIC, pl.Torque("bend", "rod.tip", list(turned), axes="body"))
    rise = 2 / np.pi
    assert np.allclose(tip, [0, rise * np.cos(0.3), -rise * np.sin(0.3)], rtol=0, atol=1e-8)


@pytest.mark.parametrize(("axes", "turns"), [("world", 0), ("body", 1)])
def test_work_of_a_load_over_a_turn(axes, turns):
    """A dead load gives back what it took, a follower load does 2π P L; to the part by which the
    beam is bent, P L²/3EI."""
    stiff = {k: 1e3 * v for k, v in STIFFNESS.items()}
    beam = rod({"exact": {"elements": 1, "order": 1}}, stiffness=stiff, damping={"stiffness": 0.01})
    psi = "2*pi*piecewise(t < 1, t**3*(10 - 15*t + 6*t**2), 1)"
    s = pl.System(
        bodies=[beam],
        joints=[pl.Revolute("hub", "ground", "rod.root", axis="z")],
        drivers=[pl.JointDriver("drive", "hub", motion=psi)],
        forces=[pl.Force("push", "rod.tip", [0, 0.2, 0], axes=axes)],
    )
    r = s.simulate(1.5, every=0.5, method="radau", outputs=["push.work"])
    assert r["push.work"].values[-1] == pytest.approx(turns * 2 * np.pi * 0.2, abs=2e-3 * 0.2)


@pytest.mark.parametrize("theory", ["exact", "large-rotation"])
def test_a_model_turned_by_any_angle_has_no_strain(theory):
    """A curved and twisted beam on a hub, placed at the angle."""
    beam = rod({theory: {"elements": 2}}, curvature=[0.5, 0.3, 1.0])
    hub = pl.Revolute("hub", "ground", "rod.root", axis=[1, 2, -1], initial={"angle": "a"})
    s = pl.System(parameters={"a": 0.0}, bodies=[beam], joints=[hub])
    for angle in (0.3, 2.0, np.pi, 5.0):
        r = s.simulate(1e-3, every=1e-3, outputs=["rod.strain_energy", "rod.tip.velocity"],
                       params={"a": angle})  # fmt: skip
        assert r["rod.strain_energy"].values[0] < 1e-24
        assert np.abs(r["rod.tip.velocity"].values).max() < 1e-9
