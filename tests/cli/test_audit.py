"""pliant audit: the table, JSON, a picture, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pliant.cli import main

MODEL = str(Path(__file__).parents[2] / "examples" / "planar_slider_crank.yaml")


def test_audit_prints_a_table_and_writes_a_picture(tmp_path, capsys):
    picture = tmp_path / "energy.svg"
    code = main(["audit", MODEL, "--t-end", "0.2", "--every", "0.01", "-o", str(picture)])
    out = capsys.readouterr().out
    assert code == 0
    assert "supplied by sources" in out
    assert "  motor" in out
    assert picture.read_text(encoding="utf-8").count("<path") > 4


def test_audit_as_json(capsys):
    assert main(["audit", MODEL, "--t-end", "0.2", "--from", "0.1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["start"], data["end"]) == (0.1, 0.2)
    assert data["supplied"] == pytest.approx(data["stored"], rel=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--to", "3"], "outside of the run"), (["-o", "energy.csv"], "unknown kind of file"),
     (["--rtol", "0"], "not above zero")],
)  # fmt: skip
def test_audit_refuses(arguments, message, capsys):
    assert main(["audit", MODEL, "--t-end", "0.1", *arguments]) == 2
    assert message in capsys.readouterr().err
