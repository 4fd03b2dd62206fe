"""Every example in every form: pointwise to 1e-9, and the same motion.

Two runs agree if they differ by no more than ten times the larger of their own integration errors,
|y(rtol) - y(rtol/100)|, and 1e-9 of the size of the quantity.
"""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.choice import Choice
from pliant.analysis.prepare import initial_state, parameters, prepare
from pliant.analysis.verify import _FUNCTIONS, AGREEMENT, Known, _observed, _scales, _worst
from pliant.solve.assembly import random_state
from pliant.solve.degrees import unique_reactions

EXAMPLES = {p.stem: p for p in (Path(__file__).parents[2] / "examples").glob("*.yaml")}
LARGE = ("four_bars_40", "stewart_platform")
MIXED = {
    "bricard": ["J0", "rod2", "J5", "J4", "rod3"],
    "column": ["foot", "head"],
    "crank_rocker": ["O", "A", "charge", "rocker"],
    "four_bars_2": ["A0", "coupler1", "A1", "coupler2", "A2"],
    "haug_slider_crank": ["A", "rod", "S"],
    "planar_slider_crank": ["O", "rod", "S"],
    "slider_crank_equations": ["alpha1", "rod", "s"],
    "spatial_slider_crank": ["O", "rod", "S"],
    "stewart_platform": ["platform", *(f"{joint}{i}" for joint in "UP" for i in range(1, 7))],
}
MOTIONS = {
    "bricard": ("J2.angle", 0.5),
    "column": ("column.mid.deflection.y", 0.2),
    "crank_rocker": ("coupler.mid.deflection.y", 0.03),
    "four_bars_2": ("bar0.B.position.x", 0.5),
    "haug_slider_crank": ("S.displacement", 0.5),
    "manipulator": ("payload.tip.position.z", 0.5),
    "pendulating_rotor": ("nutation.angle", 0.5),
    "pendulum": ("pivot.angle", 1.0),
    "planar_slider_crank": ("S.displacement", 0.5),
    "rotating_beam": ("blade.tip.deflection.y", 1.0),
    "slider_crank_equations": ("s.displacement", 0.2),
    "spinning_blade": ("blade.tip.position.x", 0.2),
    "spatial_slider_crank": ("rod.mid.position.y", 0.005),
}
SLOW = ("manipulator", "spatial_slider_crank")
"""Long to compile in every form."""
WAYS = {
    "joint": {"tree": "joint"},
    "absolute": {"tree": "absolute"},
    "embedding": {"tree": "joint", "form": "embedding"},
    "mixed": {},
}


def each(names):
    """Names as parameters of a test, long ones marked."""
    return [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in sorted(names)]


def load(name):
    return pl.load(EXAMPLES[name])


def test_every_example_is_compared():
    assert set(MOTIONS) | set(LARGE) == set(EXAMPLES)


@pytest.mark.parametrize("name", each(MOTIONS))
def test_all_forms_agree_at_random_states(name):
    report = load(name).verify(states=5)
    assert report.agree, str(report)
    assert sum(v.formulation == "linear-graph" and not v.declined for v in report.verdicts) == 4


@pytest.mark.slow
def test_all_forms_of_the_stewart_platform_agree():
    report = load("stewart_platform").verify(states=3)
    assert report.agree, str(report)


def disagreement(system, choice, states, size=1.0):
    """The largest gap to the recursive formulation at random states: (gap, observable)."""
    first = prepare(system, functions=_FUNCTIONS)
    target = prepare(system, choice, functions=_FUNCTIONS)
    start = initial_state(system, first, None, 0.0)
    rng, names = np.random.default_rng(0), list(first.compiled.observed)
    amplitude = np.full(first.compiled.nu, size)
    for _, u, n in first.compiled.elastic.values():
        amplitude[u : u + n] = 1e-3
    worst = []
    for _ in range(states):
        x = random_state(first.compiled, start.p, start.x, rng, amplitude)
        y = _observed(first, x, start.p)
        scales = _scales(first, x, start.p, y, names)
        known = Known(x, y, scales, unique_reactions(first.compiled, x, start.p))
        own = parameters(system, target, None)
        worst.append(_worst(first, start.p, target, own, known, None))
    return max(worst)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["augmented", "embedding"])
def test_forty_four_bars_agree_near_their_start(form):
    """All forty loops at once are regular only near where they start."""
    choice = Choice("linear-graph", form=form)
    gap, what = disagreement(load("four_bars_40"), choice, states=2, size=0.1)
    assert gap <= AGREEMENT, what


@pytest.mark.parametrize("name", each(MIXED))
def test_mixed_trees_agree_at_random_states(name):
    """Some bodies by joints, others by their own position and orientation."""
    choice = Choice("linear-graph", tuple(MIXED[name]))
    gap, what = disagreement(load(name), choice, states=3)
    assert gap <= AGREEMENT, what


def motion(system, observable, t_end, rtol, **choice):
    result = system.simulate(
        t_end, every=t_end / 20, rtol=rtol, method="dop853", outputs=[observable], **choice
    )
    return result.require().values(observable)


def same_motion(name, way):
    observable, t_end = MOTIONS[name]
    how = {"formulation": "linear-graph", **WAYS[way]}
    how |= {"tree": MIXED[name]} if way == "mixed" else {}
    system = load(name)

    def solved(**choice):
        y, better = (motion(system, observable, t_end, rtol, **choice) for rtol in (1e-6, 1e-8))
        return y, np.abs(y - better).max()

    (ya, ea), (yb, eb) = solved(formulation="recursive"), solved(**how)
    assert np.abs(ya - yb).max() <= 10 * max(ea, eb) + 1e-9 * np.abs(ya).max()


@pytest.mark.parametrize("way", [way for way in WAYS if way != "mixed"])
@pytest.mark.parametrize("name", each(MOTIONS))
def test_the_same_motion(name, way):
    same_motion(name, way)


@pytest.mark.parametrize("name", each([name for name in MOTIONS if name in MIXED]))
def test_the_same_motion_in_mixed_coordinates(name):
    same_motion(name, "mixed")
