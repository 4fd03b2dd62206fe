"""Sparse methods on the command line: run, statics along a path, critical load."""

import json

import pytest

from pliant.cli import main

COLUMN = """
pliant: 1
name: column
bodies:
  rod:
    theory: {exact: {elements: 8, order: 1}}
    beam:
      length: 1
      mass_per_length: 1
      stiffness: {EA: 1e5, EIy: 1, EIz: 4, GJ: 1, GAy: 1e5, GAz: 1e5}
      rotary: {rhoIy: 0.001, rhoIz: 0.001}
joints:
  clamp: {fixed: {}, between: [ground, rod.root]}
forces:
  push: {force: [-1, 0, 0], at: rod.tip}
simulate: {t_end: 0.02, every: 0.01, method: sparse-alpha, step: 1 ms}
"""


@pytest.fixture
def column(tmp_path):
    path = tmp_path / "column.yaml"
    path.write_text(COLUMN)
    return str(path)


def test_run_with_the_method_of_the_model(column, tmp_path, capsys):
    assert main(["run", column, "-o", str(tmp_path / "a.csv")]) == 0
    assert "blocks, sparse-alpha: 20 steps" in capsys.readouterr().out
    assert main(["run", column, "--method", "sparse-conserving", "--step", "0.002", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["method"] == "sparse-conserving"
    assert told["statistics"]["steps"] == 10


def test_critical_load_is_named_and_drawn(column, tmp_path, capsys):
    assert main(["statics", column, "--critical", "-o", str(tmp_path / "mode.png")]) == 0
    out = capsys.readouterr().out
    assert "bifurcation at 2.47" in out
    assert "it gives way at rod:8 1," in out
    assert (tmp_path / "mode.png").stat().st_size > 10_000


def test_path(column, tmp_path, capsys):
    options = ["--path", "arc-length", "--load-steps", "20", "-o", str(tmp_path / "path.png")]
    assert main(["statics", column, *options, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["load_factor"] == 1
    assert told["limit_loads"] == []


def test_path_with_too_few_points_says_where_it_stands(column, capsys):
    assert main(["statics", column, "--path", "arc-length", "--load-steps", "3", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["samples"] == 3
    assert "the path has 3 points and its load factor is 0.06, not 1" in err
