"""What a system remembers from one run to the next is never stale."""

import json
import pickle

import numpy as np
import pytest

import pliant as pl
from pliant.errors import Interrupted, ModelError
from pliant.results.result import Info

FOUR_BAR = """
pliant: 1
parameters: {a: 0.3 m, m: 2 kg, T: 0.5 N*m, w: 1 rad/s, span: 0.2 s}
gravity: [0, 0, -9.81]
ground: {frames: {D: [0.9, 0, 0]}}
bodies:
  crank: {rod: {length: a, mass: 1 kg}, frames: {tip: [a, 0, 0]}}
  coupler: {rod: {length: 0.8, mass: m}, frames: {tip: [0.8, 0, 0]}}
  rocker: {rod: {length: 0.6, mass: 1 kg}, frames: {tip: [0.6, 0, 0]}}
joints:
  A: {revolute: {axis: y}, between: [ground, crank], initial: {angle: -60 deg, angle_rate: w}}
  B: {revolute: {axis: y}, between: [crank.tip, coupler]}
  C: {revolute: {axis: y}, between: [coupler.tip, rocker.tip]}
  D: {revolute: {axis: y}, between: [ground.D, rocker], guess: {angle: -100 deg}}
forces:
  motor: {actuator: T, joint: A}
simulate: {t_end: span, every: 0.01}
"""
OTHERS = [{"a": 0.31}, {"m": 3.0}, {"T": 0.7}, {"w": 2.0}, {"span": 0.3}, {"a": 0.3, "m": 2.5}]


@pytest.fixture(scope="module")
def system():
    made = pl.System.loads(FOUR_BAR)
    made.simulate()
    return made


@pytest.mark.parametrize("params", OTHERS, ids=str)
def test_a_run_with_other_parameters_is_that_of_a_fresh_system(system, params):
    """Lengths change the constraints, masses the mass matrix, others the loads, start and end: what
    is remembered of counts, poses, plans and checks depends on some of them."""
    found = system.simulate(params=params)
    alone = pl.System.loads(FOUR_BAR).simulate(params=params)
    assert found.time.tolist() == alone.time.tolist()
    for name, series in alone.series.items():
        assert np.array_equal(found.series[name].values, series.values), name
    assert found.info["end_state"] == alone.info["end_state"]


def test_every_sign_of_a_parameter_is_checked_again(system):
    for mass in (-1.0, -2.0):
        with pytest.raises(ModelError, match="coupler"):
            system.simulate(params={"m": mass})
    assert system.simulate(params={"m": 1.0}).completed


def test_what_is_asked_for_next_is_not_what_was_asked_before(system):
    assert [*system.simulate(outputs=["A.angle"]).series] == ["A.angle"]
    assert [*system.simulate(outputs=["B.angle"]).series] == ["B.angle"]
    assert system.simulate(t_end=0.05).time[-1] == 0.05
    assert system.simulate().time[-1] == 0.2
    options = {"alpha": 1.0}
    loose = system.simulate(constraints="baumgarte", treatment_options=options)
    options["alpha"] = 1000.0
    tight = system.simulate(constraints="baumgarte", treatment_options=options)
    assert not np.array_equal(loose.values("A.angle"), tight.values("A.angle"))


def test_an_end_state_is_made_once_and_when_it_is_asked_for():
    made = []
    info = Info({"method": "auto"}, {"end_state": lambda: made.append(1) or "here"})
    assert (len(info), [*info], made) == (2, ["method", "end_state"], [])
    assert (info["end_state"], info.get("end_state"), {**info}["end_state"]) == ("here",) * 3
    assert made == [1]
    assert "nothing" not in info
    with pytest.raises(KeyError):
        info["nothing"]


def test_an_end_state_travels(system):
    result = system.simulate()
    sent = pickle.loads(pickle.dumps(result))
    again = system.simulate(t_end=0.3, start=sent)
    assert again.time[0] == result.time[-1]
    gap = again.values("A.angle")[0] - result.values("A.angle")[-1]
    assert abs(gap) < 1e-14  # the angle of a rotation matrix: rounding


def test_angles_of_an_interrupted_run_are_those_of_its_end():
    """Its last sample lies before the end; the angle of a free rotor is w t."""
    rotor = pl.System(
        bodies=[pl.RigidBody("rotor", 1.0, inertia=(0.1, 0.1, 0.1))],
        joints=[pl.Revolute("A", "ground", "rotor", axis="z", initial={"angle_rate": 200})],
    )

    def stop(t):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        rotor.simulate(
            3, step=1e-3, every=7e-4, method="generalized-alpha", tree="absolute", progress=stop
        )
    result = caught.value.result
    end = json.loads(result.info["end_state"])
    assert result.time[-1] < end["t"] - 1e-4
    assert end["q"]["A.angle"] == pytest.approx(200 * end["t"], abs=1e-9)
