"""Runs that share what was laid out for them are those of fresh systems, bit for bit."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pliant as pl
from pliant.code import functions
from pliant.model.files.examples import examples
from pliant.solve.motion.repeat import Repeat

FOUR_BAR = """
pliant: 1
parameters: {a: 0.3 m, m: 2 kg, T: 0.5 N*m, w: 1 rad/s, stop: 10 rad}
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
simulate: {t_end: 0.5, every: 0.01}
"""
EVENT = FOUR_BAR + "events:\n  far: {when: A.angle - stop, stop: true}\n"
ROTOR = """
pliant: 1
parameters: {w: 200 rad/s, c: 0 N*m*s/rad}
bodies: {rotor: {rigid: {mass: 1 kg, inertia: [0.1, 0.1, 0.1]}}}
joints: {A: {revolute: {axis: z}, between: [ground, rotor], initial: {angle_rate: w}}}
forces: {brake: {actuator: -c*A.angle_rate, joint: A}}
simulate: {t_end: 1, every: 0.05}
"""

OUTPUTS = {
    "planar_slider_crank": ["slider.position"],
    "crank_rocker": ["coupler.tip.deflection", "O.angle"],
}


@pytest.fixture(autouse=True)
def machine_code(monkeypatch):
    """However few rows there are: results of interpreted functions differ by rounding."""
    monkeypatch.setattr(functions, "FEW_ROWS", 0)


@pytest.fixture
def shared(monkeypatch):
    """What repeated runs gave: None where they left it to an ordinary run."""
    found = []
    run = Repeat.run

    def counted(self, *arguments):
        found.append(run(self, *arguments))
        return found[-1]

    monkeypatch.setattr(Repeat, "run", counted)
    return found


def same(found, alone):
    assert found.time.tolist() == alone.time.tolist()
    assert [*found.series] == [*alone.series]
    for name, series in alone.series.items():
        assert np.array_equal(found.series[name].values, series.values), name
    assert found.info["end_state"] == alone.info["end_state"]
    assert found.info["energy"] == alone.info["energy"]
    assert (found.failure, found.events, found.warnings) == (
        alone.failure, alone.events, alone.warnings)  # fmt: skip
    counts = [{**r.info["statistics"]} for r in (found, alone)]
    for count in counts:
        del count["seconds"], count["compiled_seconds"]
    assert counts[0] == counts[1]
    kept = found.info["degrees_of_freedom"], found.info["params"]
    assert kept == (alone.info["degrees_of_freedom"], alone.info["params"])


def several(text, name, values):
    how = {"outputs": ["A.angle", "A.force"]}
    system = pl.System.loads(text)
    for value in (*values, *values):
        alone = pl.System.loads(text).simulate(params={name: value}, **how)
        same(system.simulate(params={name: value}, **how), alone)


@pytest.mark.parametrize(
    ("name", "values"),
    [("T", (0.5, 0.7, -0.1)), ("m", (2, 3, 1)), ("a", (0.3, 0.31, 0.25)), ("w", (0, 2, -1))],
)
def test_one_parameter_after_the_other(shared, name, values):
    """Loads, masses, lengths and initial rates: what is known of the start follows from some."""
    several(FOUR_BAR, name, values)
    assert len(shared) == 4
    assert all(data is not None for data in shared)


@pytest.mark.parametrize(
    ("example", "name", "values"),
    [("planar_slider_crank", "T", (1, 1.1)), ("crank_rocker", "V", (60, 55)),
     ("crank_rocker", "h", (0.01, 0.011))],
)  # fmt: skip
def test_examples(shared, example, name, values):
    """With states of networks, elastic coordinates and tables that follow from a parameter."""
    system = pl.System.load(examples()[example])
    for value in (*values, *values):
        alone = pl.System.load(examples()[example]).simulate(
            0.2, params={name: value}, outputs=OUTPUTS[example]
        )
        found = system.simulate(0.2, params={name: value}, outputs=OUTPUTS[example])
        same(found, alone)
    assert len(shared) == 2
    assert all(data is not None for data in shared)


def test_an_event_is_told_by_an_ordinary_run(shared):
    several(EVENT, "stop", (10, -0.9, -0.8))
    assert None in shared
    assert any(data is not None for data in shared)


def test_a_run_that_fails_is_told_by_an_ordinary_run(shared):
    text = FOUR_BAR.replace("T, joint", "T/(0.3 - t), joint")
    several(text, "T", (0.0, 0.1))
    assert shared[-1] is None


def test_turns_between_samples_are_counted(shared):
    """Some eight turns from sample to sample: angles are followed from step to step."""
    several(ROTOR, "c", (0.0, 0.1))
    assert all(data is not None for data in shared)
    system = pl.System.loads(ROTOR)
    for w in (100, 200, 300, 400):
        angle = system.simulate(params={"w": w}, outputs=["A.angle"]).values("A.angle")
        assert angle[-1] == pytest.approx(w, rel=1e-9)


def test_long_runs_are_soon_left_alone(shared):
    """More steps than are made at once: six of eight runs might try."""
    text = ROTOR.replace("-c*A.angle_rate", "1000*sin(30000*t)")
    several(text, "w", (1.0, 2.0, 3.0, 4.0))
    assert shared == [None] * len(shared)
    assert 1 <= len(shared) <= 2


def test_threads_do_not_share_what_a_run_uses():
    system = pl.System.loads(FOUR_BAR)
    torques = [0.1 * k for k in range(12)]
    alone = [
        system.simulate(params={"T": T}, outputs=["A.angle"]).values("A.angle") for T in torques
    ]

    def angle(T):
        return pl.System.simulate(system, params={"T": T}, outputs=["A.angle"]).values("A.angle")

    with ThreadPoolExecutor(4) as pool:
        for found, expected in zip(pool.map(angle, torques), alone, strict=True):
            assert np.array_equal(found, expected)


def test_results_keep_what_they_have(shared):
    """Another run does not write over the end of the one before."""
    system = pl.System.loads(FOUR_BAR)
    results = [system.simulate(params={"T": T}, outputs=["A.angle"]) for T in (0.5, 0.6, 0.7, 0.8)]
    assert len(shared) == 2
    for T, result in zip((0.5, 0.6, 0.7, 0.8), results, strict=True):
        alone = pl.System.loads(FOUR_BAR).simulate(params={"T": T}, outputs=["A.angle"])
        same(result, alone)
        assert np.array_equal(result["coupler.velocity"].values, alone["coupler.velocity"].values)
