"""The embedding form where its independent coordinates become dependent: the run goes on.

A crank-rocker turns its crank fully; its rocker has two dead points in each turn, at which the
crank moves and the rocker does not. Nothing drives it but a constant torque.
"""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.embedded_run import size_of_J
from pliant.backends.expressions.partition import partition
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state

CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.6, 0.5, 0.6
REACH = CRANK + COUPLER
DEAD = np.arccos((REACH**2 + GROUND**2 - ROCKER**2) / (2 * REACH * GROUND))
"""Angle of the crank at the outer dead point of the rocker: crank and coupler in one line."""
OBSERVABLES = ("O.angle", "C.angle", "D.angle", "coupler.acceleration", "A.force", "motor.power",
               "motor.work")  # fmt: skip


def rod(name, length):
    return pl.RigidBody.rod(name, length, mass=1.0, frames={"tip": [length, 0, 0]})


def crank_rocker(angle=1.0):
    """Cut at C, whose angle is counted by turns."""
    return pl.System(
        gravity=[0, -9.81, 0],
        ground=pl.Ground(frames={"D": [GROUND, 0, 0]}),
        bodies=[rod("crank", CRANK), rod("coupler", COUPLER), rod("rocker", ROCKER)],
        joints=[
            pl.Revolute("O", "ground", "crank", initial={"angle": angle, "angle_rate": 12.0}),
            pl.Revolute("A", "crank.tip", "coupler"),
            pl.Revolute("D", "ground.D", "rocker", guess={"angle": 1.5}),
            pl.Revolute("C", "coupler.tip", "rocker.tip"),
        ],
        forces=[pl.Actuator("motor", "O", effort=0.3)],
        events=[pl.Event("top", "crank.tip.position.y", "rising")],
    )


def run(system, rtol, **choice):
    result = system.simulate(2.0, every=0.01, rtol=rtol, method="dop853", **choice).require()
    return result, {name: result.values(name) for name in OBSERVABLES}


def largest_gaps(first, second):
    return {n: np.abs(first[n] - second[n]).max() / np.abs(first[n]).max() for n in OBSERVABLES}


@pytest.mark.parametrize("formulation", ["recursive", "linear-graph"])
@pytest.mark.parametrize("angle", [1.0, DEAD], ids=["start", "start at the dead point"])
def test_a_run_goes_on_where_the_rocker_stands_still(formulation, angle):
    """Two runs differ by no more than ten times their own integration errors."""
    system = crank_rocker(angle)
    how = {"formulation": formulation, "form": "embedding", "independent": ["D.angle"]}
    (expected, y), (_, better) = (run(system, rtol) for rtol in (1e-7, 1e-9))
    (got, z), (_, better_z) = (run(system, rtol, **how) for rtol in (1e-7, 1e-9))
    assert y["O.angle"][-1] > 4 * np.pi
    assert any("chosen anew" in remark for remark in got.warnings)
    own = [largest_gaps(y, better), largest_gaps(z, better_z)]
    for name, gap in largest_gaps(y, z).items():
        assert gap <= 10 * max(errors[name] for errors in own) + 1e-9, name
    assert np.array_equal(got.time, expected.time)
    times = [[e.time for e in r.events if e.name == "top"] for r in (expected, got)]
    assert len(times[0]) == len(times[1]) >= 2
    assert np.allclose(*times, atol=1e-5)


def test_fixed_steps_that_fall_on_a_dead_point():
    """Steps cannot shrink there. The error of a run is that of the recursive one."""
    system, how = crank_rocker(DEAD), {"step": 1e-4, "every": 0.1, "outputs": ["O.angle"]}
    exact = system.simulate(2.0, rtol=1e-11, every=0.1, outputs=["O.angle"]).values("O.angle")
    plain = system.simulate(2.0, **how).require().values("O.angle")
    got = system.simulate(2.0, form="embedding", independent=["D.angle"], **how).require()
    error = np.abs(plain - exact).max()
    assert np.abs(got.values("O.angle") - exact).max() <= 2 * error


def test_a_run_that_stays_away_from_dead_points_keeps_its_coordinates():
    system = crank_rocker()
    result, _ = run(system, 1e-6, form="embedding", independent=["O.angle"])
    assert result.warnings == ()


def test_size_of_the_transformation_is_the_ratio_of_speeds():
    """With one degree of freedom J holds the speeds for an independent speed of one."""
    system = crank_rocker()
    choice = Choice(form="embedding", independent=("O.angle",))
    prepared = prepare(system, choice)
    state = initial_state(system, prepared, None, 0.0)
    c = prepared.compiled
    u = state.x[1 + c.nq : 1 + c.nq + c.nu]
    O = [s.name for s in c.layout.u].index("O.angle_rate")
    others = np.delete(u, O) / u[O]
    size = size_of_J(prepared, partition(system, choice), state.x, state.p)
    assert size == pytest.approx(np.linalg.norm(others), rel=1e-9)
