"""Every family of shapes converges to its limit: k shapes against k + 2, through the whole system.

Theory. A load f over the length has amplitudes f_n/β_n⁴ in normal modes, and f_n = ∫ f φ_n dx falls
with the first boundary condition of the modes that f breaks. The energy of the step from k to k + 2
is Σ f_n²/β_n⁴ over the modes between.
"""

from itertools import pairwise

import numpy as np
import pytest

import pliant as pl

ENDS = {
    "clamped-free": (pl.Fixed, None),
    "pinned-pinned": (pl.Revolute, pl.Revolute),
    "clamped-clamped": (pl.Fixed, pl.Fixed),
    "clamped-pinned": (pl.Fixed, pl.Revolute),
}
COUNTS = (4, 6, 8, 10)


def beam(support, shapes, frame="root"):
    """A beam of unit data under its weight; its tip, if held, can slide along the axis."""
    root, tip = ENDS[support]
    rod = pl.Beam("rod", 1, stiffness={"EIz": 1}, mass_per_length=1, shapes={"bending_y": shapes},
                  rotary_inertia="none", floating_frame=frame,
                  geometric_stiffness="dynamic")  # fmt: skip
    held = [] if tip is None else [
        tip("B", "rod.tip", "block"),
        pl.Prismatic("S", "ground", "block", axis="x", guess={"displacement": 1}),
    ]  # fmt: skip
    return pl.System(
        gravity=[0, -1e-3, 0],
        bodies=[rod, *([pl.RigidBody.point("block", 0)] if held else [])],
        joints=[root("A", "ground", "rod.root"), *held],
    )


def rates(values, counts=COUNTS):
    """Steps between successive values, and the powers of the count with which they fall."""
    steps = np.abs(np.diff(values))
    middle = np.array([(a + b) / 2 for a, b in pairwise(counts)])
    return steps, -np.diff(np.log(steps)) / np.diff(np.log(middle))


def tail(step, power, counts=COUNTS):
    """All steps that follow the last one, if they fall with this power."""
    middle = counts[-1] - 1
    return step * np.sum((np.arange(middle + 2, 10**5, 2) / middle) ** -float(power))


#: Support, floating frame, energy of the limit in units of (weight)², power.
HOME = {
    "clamped-free": ("clamped-free", "root", 1 / 40, 6),
    "pinned-pinned": ("pinned-pinned", "chord", 1 / 240, 6),
    "clamped-clamped": ("clamped-clamped", "root", 1 / 1440, 6),
    "clamped-pinned": ("clamped-pinned", "root", 1 / 640, 6),
    "free-free": ("pinned-pinned", "tisserand", 1 / 240, 4),
}


@pytest.mark.parametrize("family", HOME)
def test_normal_modes_under_a_uniform_load(family):
    """A uniform load does not vanish where modes are held, f_n ~ 1/β: the energy of a step falls
    as k⁻⁶. On free-free modes the supports push at the ends, f_n ~ 1: k⁻⁴.
    """
    support, frame, limit, power = HOME[family]
    name = "rod.strain_energy"
    found = [beam(support, {family: k}, frame).statics(outputs=[name]) for k in COUNTS]
    energies = np.array([r.values(name)[-1] for r in found]) / 1e-6
    steps, measured = rates(energies)
    assert np.all(np.diff(energies) > 0), "more shapes are softer"
    assert measured == pytest.approx(np.full(2, power), abs=0.5)
    assert limit - energies[-1] == pytest.approx(tail(steps[-1], power), rel=0.25)


def first_frequencies(family, options, counts):
    shapes = [{family: {"count": k, **options}} if options else {family: k} for k in counts]
    return np.array([beam("clamped-free", s).modes().omega[0] for s in shapes])


EXACT = 1.8751040687119611**2


@pytest.mark.parametrize(("family", "options", "power"), [
    ("craig-bampton", {}, 6),
    pytest.param("free-interface", {}, 2, marks=pytest.mark.slow),
    ("free-interface", {"attachments": True}, 10),
])  # fmt: skip
def test_component_modes_of_a_cantilever(family, options, power):
    """First frequency. Fixed-interface modes against inertia that does not vanish at the tip: f_n ~
    1/β, k⁻⁶. Free modes have no stiffness against the clamp's moment, f_n ~ β: k⁻²; attachment
    modes take it over, and what is left breaks the second derivative, f_n ~ β⁻³: k⁻¹⁰ at least.
    """
    counts = (4, 6, 8) if power == 10 else COUNTS
    values = first_frequencies(family, options, counts)
    steps, measured = rates(values, counts)
    assert np.all(np.diff(values) < 0)
    assert measured[-1] > power - 0.4
    assert 0 < values[-1] - EXACT < 1.25 * tail(steps[-1], power, counts)


@pytest.mark.parametrize("family", ["taylor", "polynomial"])
def test_polynomials_converge_faster_than_any_power(family):
    values = first_frequencies(family, {}, (2, 4, 6))
    _, measured = rates(values, (2, 4, 6))
    assert measured[0] > 10
    assert values[-1] == pytest.approx(EXACT, rel=1e-9)
