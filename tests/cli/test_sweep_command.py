"""``pliant sweep``: the words of its options, its files, its exit codes."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import xarray

from pliant.cli import main

MODEL = """
pliant: 1
name: pendulum
parameters: {l: 1 m, w: 1 rad/s}
gravity: [0, 0, -9.81]
bodies: {bob: {rigid: {mass: 1 kg, com: [0, 0, -l]}, frames: {tip: [0, 0, -l]}}}
joints: {J: {revolute: {axis: y}, between: [ground, bob], initial: {angle_rate: w}}}
simulate: {t_end: 0.5, every: 0.05}
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pendulum.yaml").write_text(MODEL)
    return "pendulum.yaml"


def test_a_sweep_is_kept_and_told(model, tmp_path, capsys):
    words = ["sweep", model, "--vary", "w=0.5 rad/s..2 rad/s", "--samples", "4", "--observe",
             "J.angle,bob.tip.velocity", "--store", "kept", "--best", "max bob tip speed", "-o",
             "runs.csv", "-o", "runs.nc", "-o", "runs.png"]  # fmt: skip
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "4 runs over w (grid), 0 failed" in told
    assert "max bob tip speed: 2 m/s in run 3 (w = 2)" in told
    with (tmp_path / "runs.csv").open() as stream:
        rows = [*csv.DictReader(stream)]
    assert [float(row["w"]) for row in rows] == [0.5, 1, 1.5, 2]
    with xarray.open_dataset(tmp_path / "runs.nc") as data:
        assert data["J.angle"].dims == ("w", "time")
        assert np.array_equal(data["J.angle"].values[:, -1], [float(r["J.angle"]) for r in rows])
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "kept").iterdir()}
    assert main([*words[:-6], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["runs"], found["best"][0]["params"]) == (4, {"w": 2.0})
    assert before == {p: p.stat().st_mtime_ns for p in (tmp_path / "kept").iterdir()}


def test_sobol_indices_are_told(model, capsys):
    words = ["sweep", model, "--vary", "w=0.5..2", "--vary", "l=1..1.1", "--plan", "saltelli"]
    how = ["--samples", "16", "--observe", "J.angle", "--sobol", "last J.angle"]
    assert main([*words, *how]) == 0
    assert "Sobol indices of last J.angle" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing is varied; write for example --vary"),
        (["--vary", "w"], "--vary w: not NAME=VALUES"),
        (["--vary", "w=1,2", "--vary", "w=3"], "'w' is varied twice"),
        (["--vary", "v=1,2"], "nothing is named 'v' that can be varied"),
        (["--vary", "w=1..2", "--samples", "1000000000"], "the plan has 1e+09 runs"),
        (["--vary", "w=1,2", "--workers", "0"], "workers: 0 is no number of processes"),
        (["--vary", "w=1,2", "--store", "none/kept"], "cannot write none/kept"),
        (["--vary", "w=1,2", "--observe", "J.angel"], "nothing is named 'J.angel'"),
    ],
)
def test_bad_words_end_in_one_message(model, capsys, words, message):
    assert main(["sweep", model, *words]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.startswith("pliant: ")
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--best", "max J.angel"], "did you mean 'J.angle'"),
        (["--best", "max bob.tip.speed", "--observe", "J.angle"], "no observable 'bob.tip.speed'"),
        (["--best", "max"], "names no observable"),
        (["--sobol", "last J.angle"], "a sweep with the plan 'grid' has no Sobol indices"),
    ],
)
def test_wishes_that_nothing_meets_are_refused_before_a_run(
    model, tmp_path, capsys, monkeypatch, more, message
):
    monkeypatch.setattr("pliant.analysis.sweeps.sweep.paced", None)  # nothing is computed
    words = ["sweep", model, "--vary", "w=1..2:3", "--store", "kept", "-o", "runs.csv", *more]
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == [model]


def test_a_work_may_be_wished_for(model, capsys):
    """Works follow from powers: a system does not list them, its runs tell them."""
    Path(model).write_text(
        MODEL + "forces: {drag: {joint_spring: {damping: 1 N*m*s/rad}, joint: J}}\n"
    )
    assert main(["sweep", model, "--vary", "w=1..2:2", "--best", "min last drag.work"]) == 0
    assert "min last drag.work: -" in capsys.readouterr().out


def test_no_run_at_all_is_no_success(model, capsys):
    assert main(["sweep", model, "--vary", "bodies.bob.mass=-1,-2", "--observe", "J.angle"]) == 1
    assert "2 failed" in capsys.readouterr().out
