"""Runs of a batch are those of ``simulate``, bit for bit, whatever road they take."""

import pickle

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.sweeps.batch import Batch
from pliant.analysis.sweeps.job import request_of
from pliant.code import functions
from pliant.model.files.examples import examples
from pliant.model.numbers.literals import with_literals
from pliant.results.sweeps.runs import RunsMaker, read_runs

PENDULUM = """
pliant: 1
parameters: {l: 1 m, w: 1 rad/s, stop: 0.6 rad, c: 0 N*m*s/rad}
gravity: [0, 0, -9.81]
bodies: {bob: {rigid: {mass: 1 kg, com: [0, 0, -l]}}}
joints:
  J: {revolute: {axis: y}, between: [ground, bob],
      initial: {angle: 0.2 rad, angle_rate: w}}
forces: {f: {actuator: -c*J.angle_rate, joint: J}}
events: {far: {when: J.angle - stop, stop: true}}
simulate: {t_end: 0.5, every: 0.01}
"""


@pytest.fixture(autouse=True)
def machine_code(monkeypatch):
    """However few rows there are: results of interpreted functions differ by rounding."""
    monkeypatch.setattr(functions, "FEW_ROWS", 0)


def batch(system, outputs, **how):
    """Runs of rows, of which not all have the same names."""
    ours = Batch(system, request_of(system, {"outputs": outputs, **how}))

    def run(rows):
        made = RunsMaker(ours.times, len(rows))
        for params in rows:
            try:
                ours.enter(params, made)
            except pl.PliantError as error:
                made.refused(str(error))
        return made.runs()

    return run


def same(runs, k, alone):
    kept = np.isin(alone.time, runs.times)
    for name, own in alone.series.items():
        found = runs.series[name]
        assert np.array_equal(found.values[k, : kept.sum()], own.values[kept]), name
        assert np.isnan(found.values[k, kept.sum() :]).all()
        assert np.array_equal(found.last[k], own.values[-1])
        assert (found.unit, found.labels, found.kind) == (own.unit, own.labels, own.kind)
    assert runs.end[k] == alone.time[-1]
    assert runs.warnings[k] == alone.warnings
    assert runs.failure[k] == alone.failure
    assert [n for n, _ in runs.events[k]] == [e.name for e in alone.events]


@pytest.mark.parametrize(
    ("example", "name", "values", "outputs"),
    [("planar_slider_crank", "T", (0.5, 1, 2), ["slider.position", "O.angle"]),
     ("crank_rocker", "V", (60, 55), ["O.angle", "rocker.C.position"]),
     ("crank_rocker", "h", (0.01, 0.011), ["coupler.tip.deflection"])],
)  # fmt: skip
def test_rows_are_simulations(example, name, values, outputs):
    rows = [{name: v} for v in values]
    runs = batch(pl.System.load(examples()[example]), outputs, t_end=0.1)(rows)
    for k, params in enumerate(rows):
        alone = pl.System.load(examples()[example])
        same(runs, k, alone.simulate(0.1, params=params, outputs=outputs))


def test_events_end_a_row():
    """A stop, which lies between samples; a row without one; numbers by their paths."""
    rows = [{"w": 4.0}, {"w": 0.1}, {"w": 3.0}, {"joints.J.initial.angle": 0.3}, {"w": 4.0}]
    runs = batch(pl.System.loads(PENDULUM), ["J.angle"])(rows)
    for k, params in enumerate(rows):
        alone = pl.System.loads(PENDULUM).simulate(params=params, outputs=["J.angle"])
        same(runs, k, alone)
    assert runs.series["J.angle"].last[[0, 2, 4]] == pytest.approx(0.6)
    assert runs.end[1] == 0.5


def test_bad_rows_fail_alone():
    rows = [{"l": 1.0}, {"l": float("nan")}, {"c": "1 kg"}, {"l": 2.0}]
    runs = batch(pl.System.loads(PENDULUM), ["J.angle"])(rows)
    assert runs.failure[1].startswith("parameter 'l': nan is not a finite number")
    assert [bool(f) for f in runs.failure] == [False, True, True, False]
    assert np.isnan(runs.series["J.angle"].values[1]).all()
    assert np.isfinite(runs.series["J.angle"].values[[0, 3]]).all()


def test_runs_are_kept_in_a_file(tmp_path):
    system = pl.System.loads(PENDULUM)
    runs = batch(system, ["J.angle", "bob.position"])([{"w": 4.0}, {"l": -float("inf")}])
    (tmp_path / "runs.nc").write_bytes(runs.content())
    found = read_runs(tmp_path / "runs.nc")
    assert (found.failure, found.warnings, found.events) == (
        runs.failure, runs.warnings, runs.events)  # fmt: skip
    for name, own in runs.series.items():
        assert np.array_equal(found.series[name].values, own.values, equal_nan=True)
        assert found.series[name].labels == own.labels


SHAPES = """
pliant: 1
parameters: {r: 80 mm}
gravity: [0, -9.81, 0]
bodies:
  crank: {box: {size: [r, 20 mm, 10 mm], mass: 0.6 kg}, frames: {shaft: [-r/2, 0, 0]}}
  bob: {rigid: {mass: 1, com: [0, -0.1, 0], inertia: [0.01, 0.01, 0.01]}}
joints:
  O: {revolute: {axis: z}, between: [ground, crank.shaft], initial: {angle: 0}}
  P: {revolute: {axis: z}, between: [crank, bob], initial: {angle: 10 deg}}
simulate: {t_end: 0.05, every: 0.01}
"""
"""Numbers that are worked into formulas (mass beside r), exact ones and zeros."""


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("bodies.crank.mass", [0.7, 1.0, 0.5]),
        ("bodies.crank.size[2]", [0.021, 0.03]),
        ("bodies.bob.mass", [1.1, 0.9, 1.0]),
        ("bodies.bob.com[2]", [-0.2, -1.0, 0.1]),
        ("joints.O.initial.angle", [0.3, 0.0, -0.3]),
        ("gravity[2]", [-1.62, -9.0]),
    ],
)
def test_numbers_by_path_are_simulations(path, values):
    """Whether they are plain numbers, in formulas, or structure; and those of a model in which they
    are written."""
    runs = batch(pl.System.loads(SHAPES), ["bob.position", "crank.position"])(
        [{path: v} for v in values]
    )
    assert not any(runs.failure)
    for k, value in enumerate(values):
        alone = pl.System.loads(SHAPES).simulate(
            params={path: value}, outputs=["bob.position", "crank.position"]
        )
        same(runs, k, alone)
        written = pl.System(with_literals(pl.System.loads(SHAPES).described, {path: value}))
        other = written.simulate(outputs=["bob.position"]).values("bob.position")
        assert runs.series["bob.position"].values[k] == pytest.approx(other, rel=1e-9, abs=1e-12)


def test_code_is_not_made_again_for_other_numbers(monkeypatch):
    """Numbers by path are parameters of one system, also where they stand inside formulas."""
    system = pl.System.loads(SHAPES)
    paths = {"bodies.crank.mass": 0.7, "bodies.bob.mass": 1.1}
    run = batch(system, ["bob.position"])
    run([paths])

    def refused(*_):
        raise AssertionError("another system was made")

    monkeypatch.setattr(type(system), "with_numbers", refused)
    monkeypatch.setattr("pliant.backends.expressions.prepare.code_of", refused)
    runs = run([{path: 1.01 * value for path, value in paths.items()}, paths])
    assert not any(runs.failure)


def test_a_freed_study_travels():
    freed = pl.System.loads(SHAPES).freed(["bodies.crank.mass"])
    copy = pickle.loads(pickle.dumps(freed))
    params = freed.given({"bodies.crank.mass": 0.8})
    assert copy.code_numbers(params) == freed.code_numbers(params)
    assert copy.structure_text == freed.structure_text
    assert "bodies.crank.mass" in copy.worded(f"parameter '{freed.aliases['bodies.crank.mass']}'")


def test_bad_numbers_by_path_are_told_by_it():
    path = "bodies.bob.mass"
    runs = batch(pl.System.loads(SHAPES), ["bob.position"])([{path: -1.0}, {path: 1.2}])
    assert "bob" in runs.failure[0]
    assert "by_path" not in runs.failure[0]
    assert not runs.failure[1]
