"""``pliant sensitivities`` and ``pliant fit``: options, files, exit codes, messages."""

import csv
import json

import numpy as np
import pytest
import xarray

from pliant.cli import main

MODEL = """
pliant: 1
name: block on a spring
parameters: {m: 2 kg, k: 50 N/m, idle: 1}
bodies: {block: {rigid: {mass: m}}}
joints: {S: {prismatic: {axis: x}, between: [ground, block], initial: {displacement: 0.1}}}
forces: {spring: {joint_spring: {stiffness: k}, joint: S}}
simulate: {t_end: 1, every: 0.05, rtol: 1e-9}
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "block.yaml").write_text(MODEL)
    return "block.yaml"


def test_sensitivities_are_told_and_written(model, tmp_path, capsys):
    """x = 0.1 cos(5 t): ∂x/∂k = -0.1 t sin(5 t) / (2 · 5 · m)."""
    words = ["sensitivities", model, "--of", "last S.displacement", "--to", "k,m", "--to",
             "S.displacement"]  # fmt: skip
    assert main([*words, "-o", "table.csv", "-o", "all.nc", "-o", "bars.png"]) == 0
    told = capsys.readouterr().out
    assert "last S.displacement by k" in told
    assert "wrote table.csv" in told
    slope = -0.1 * np.sin(5) / 20
    assert "m/(N/m)" in told
    with (tmp_path / "table.csv").open() as stream:
        rows = {row["parameter"]: float(row["derivative"]) for row in csv.DictReader(stream)}
    assert rows["k"] == pytest.approx(slope, rel=1e-8)
    assert rows["m"] == pytest.approx(-slope * 25, rel=1e-8)
    assert rows["S.displacement"] == pytest.approx(np.cos(5), rel=1e-8)
    with xarray.open_dataset(tmp_path / "all.nc") as data:
        assert data["gradient"].sel(parameter="k").item() == rows["k"]
    assert (tmp_path / "bars.png").stat().st_size > 1000
    assert main([*words, "--json", "--method", "adjoint", "--set", "k=40"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["method"] == "adjoint"
    assert found["at"]["k"] == 40
    assert [row["parameter"] for row in found["derivatives"]] == ["k", "m", "S.displacement"]


def test_curves_are_drawn_and_what_does_nothing_is_said(model, tmp_path, capsys):
    words = ["--of", "S.displacement", "--to", "k,idle", "-o", "curves.svg", "--relative"]
    assert main(["sensitivities", model, *words]) == 0
    assert "nothing that is asked for depends on idle" in capsys.readouterr().out
    assert (tmp_path / "curves.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--to", "k"], ["--of: not given"]),
        ([], ["--of and --to: not given"]),
        (
            ["--of", "S.displacment", "--to", "kk,mm,m"],
            ["3 faults", "'kk'", "'mm'", "displacement"],
        ),
        (["--of", "S.displacement", "--to", "k", "-o", "x.doc"], ["unknown kind of file"]),
        (["--of", "S.displacement", "--to", "k", "--method", "adjont"], ["did you mean 'adjoint'"]),
        (["--of", "S.displacement", "--to", "k", "--t-end", "-1"], ["end time"]),
    ],
)
def test_bad_sensitivities_get_one_message(model, tmp_path, capsys, words, messages):
    assert main(["sensitivities", model, *words]) == 2
    told = capsys.readouterr().err
    assert all(message in told for message in messages), told
    assert [p.name for p in tmp_path.iterdir()] == ["block.yaml"]


@pytest.fixture
def data(model, tmp_path):
    t = np.linspace(0, 1, 21)
    table = np.column_stack([t, 100 * 0.1 * np.cos(np.sqrt(42 / 2) * t)])
    np.savetxt(tmp_path / "data.csv", table, delimiter=",", comments="",
               header="time,S.displacement [cm]")  # fmt: skip
    return "data.csv"


def test_a_fit_is_told_and_drawn(model, data, tmp_path, capsys):
    words = ["fit", model, data, "--parameters", "k=45", "--bounds", "k=10 N/m..100 N/m"]
    assert main([*words, "-o", "fit.png"]) == 0
    told = capsys.readouterr().out
    assert "k  42 N/m" in told
    assert "wrote fit.png" in told
    assert main([*words, "--json", "--quiet", "--deviations", "S.displacement=1 mm"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["params"]["k"] == pytest.approx(42, rel=1e-6)
    assert found["differences"] == {}  # slopes are exact


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        ([], ["nothing is looked for"]),
        (["--parameters", "k="], ["not NAME or NAME=START"]),
        (["--parameters", "k,k"], ["'k' is given twice"]),
        (["--parameters", "k", "--bounds", "k"], ["--bounds k: not NAME=VALUE"]),
        (["--parameters", "kk,m", "--bounds", "m=3..1", "--bounds", "x=1..2", "--observe", "S.dis"],
         ["4 faults", "did you mean 'k'", "is empty", "'x' is not among", "'S.dis'"]),
        (["--parameters", "k", "--deviations", "S.displacement=-1"], ["is not above zero"]),
    ],
)  # fmt: skip
def test_bad_fits_get_one_message(model, data, capsys, words, messages):
    assert main(["fit", model, data, *words]) == 2
    told = capsys.readouterr().err
    assert all(message in told for message in messages), told
    assert "Traceback" not in told
