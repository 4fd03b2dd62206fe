"""Commands that show results: of files, or of models that are run first."""

import json
from pathlib import Path

import pytest

from pliant.cli import main

MODELS = Path(__file__).parents[2] / "examples"
PENDULUM = str(MODELS / "pendulum.yaml")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two runs of the pendulum, one of another length; the first as columns, too."""
    folder = tmp_path_factory.mktemp("results")
    quiet = ["--t-end", "0.2", "--every", "0.01", "--quiet"]
    assert main(["run", PENDULUM, *quiet, "-o", f"{folder}/a.nc", "-o", f"{folder}/a.csv"]) == 0
    assert main(["run", PENDULUM, *quiet, "--set", "L=1.5", "-o", f"{folder}/b.nc"]) == 0
    return folder


def test_show_tells_first_last_least_and_largest(files, capsys):
    assert main(["show", f"{files}/a.nc", "pivot.*", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    angle = told["observables"]["pivot.angle"]
    assert angle["unit"] == "rad"
    assert angle["first"] == angle["least"] < angle["largest"] == angle["last"]
    assert told["samples"] == 21
    assert main(["show", f"{files}/a.nc"]) == 0
    assert "simple pendulum: 0 to 0.2 s, 21 samples" in capsys.readouterr().out
    assert main(["show", f"{files}/a.csv", "energy"]) == 0
    assert main(["show", f"{files}/a.nc", "nothing"]) == 2
    assert main(["show", f"{files}/a.nc", "nothing*"]) == 2
    assert main(["show", f"{files}/a.nc", "--set", "L=1"]) == 2


def test_plot_and_report_go_beside_nobody(files, capsys, tmp_path, monkeypatch):
    """Without -o they are written here, under the name of what is drawn."""
    monkeypatch.chdir(tmp_path)
    assert main(["plot", f"{files}/a.nc", "pivot.*"]) == 0
    assert main(["plot", PENDULUM, "energy", "--set", "L=0.5", "-o", "short.svg"]) == 0
    assert main(["report", f"{files}/a.nc", "--plots", "pivot.angle"]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "a.png", "short.svg"]
    assert main(["plot", f"{files}/a.nc", "-o", "a.gif"]) == 2
    assert main(["plot", "none.nc"]) == 2
    assert main(["plot", f"{files}/a.nc", "--kind", "pie"]) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.html", "a.png", "short.svg"]


def test_compare_tells_the_worst_first(files, capsys, tmp_path):
    assert main(["compare", f"{files}/a.nc", f"{files}/b.nc", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["differences"]
    sizes = [d["relative"] for d in found]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0.1
    picture = tmp_path / "both.png"
    assert main(["compare", f"{files}/a.nc", f"{files}/b.nc", "--observe", "pivot.angle",
                 "-o", str(picture)]) == 0  # fmt: skip
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["compare", f"{files}/a.nc", f"{files}/a.csv"]) == 0
    assert "0.00e+00" in capsys.readouterr().out


def test_unlike_models_are_not_compared(files, capsys):
    other = str(MODELS / "skate.yaml")
    assert main(["compare", f"{files}/a.nc", other]) == 2
    said = capsys.readouterr().err
    assert "bodies bob only in" in said
    assert "joints pivot only in" in said


def test_progress_says_percent_and_time_left(monkeypatch, capsys):
    from pliant.cli import progress

    monkeypatch.setattr(progress, "SELDOM", 0.0)
    run = progress.RunProgress(0.0, 2.0)
    run.phase("compiling")
    run.at(0.5)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "  compiling ..."
    assert said[1].startswith("  integrating  25 %, 0.5 of 2 s, ")
    assert said[1].endswith(" s left")
    quiet = progress.RunProgress(0.0, 2.0, quiet=True)
    quiet.at(1.0)
    assert capsys.readouterr().err == ""


def test_pictures_and_films_are_drawn_without_a_screen(files, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small = ["--size", "64x48", "--title", "", "--quiet"]
    assert main(["picture", f"{files}/a.nc", "--time", "100ms", "--size", "64x48"]) == 0
    assert main(["picture", PENDULUM, "--view=-y", "--forces", "-o", "start.webp"]) == 0
    assert main(["film", f"{files}/a.nc", "--to", "0.05", "--fps", "5", *small]) == 0
    assert "wrote a.gif: 26 frames, 5.2 s, at 0.01 times its speed" in capsys.readouterr().out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.gif", "a.png", "start.webp"]
    for bad in (
        ["picture", f"{files}/a.nc", "--time", "7"],
        ["picture", f"{files}/a.csv"],
        ["picture", PENDULUM, "--size", "64"],
        ["picture", PENDULUM, "--time", "soon"],
        ["film", f"{files}/a.nc", "-o", "b.avi"],
        ["film", f"{files}/a.nc", "--fps", "99"],
    ):
        assert main(bad) == 2
        assert capsys.readouterr().err.startswith("pliant: ")
    assert len(list(tmp_path.iterdir())) == 3
