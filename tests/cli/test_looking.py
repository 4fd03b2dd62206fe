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

    for pause in ("FIRST", "SELDOM"):
        monkeypatch.setattr(progress, pause, 0.0)
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


def test_progress_stays_on_one_line_of_a_narrow_terminal(monkeypatch, capsys):
    from pliant.cli import progress

    monkeypatch.setattr(progress, "SOON", 0.0)
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "20")
    progress.Line()("  integrating 100 %, 10 of 10 s, 0 s left")
    assert capsys.readouterr().err == "\r  integrating 100 %"


def test_every_file_that_is_asked_for_is_written(files, tmp_path):
    """Or refused, where one is all that a command writes."""
    one, two = str(tmp_path / "one.png"), str(tmp_path / "two.svg")
    assert main(["plot", f"{files}/a.nc", "-o", one, "-o", two]) == 0
    assert main(["compare", f"{files}/a.nc", f"{files}/a.nc", "-o", one, "-o", two]) == 0
    assert len(list(tmp_path.iterdir())) == 2
    for command in ("report", "film", "equations"):
        with pytest.raises(SystemExit) as ended:
            main([command, f"{files}/a.nc", "-o", one, "-o", two])
        assert ended.value.code == 2


def test_pictures_of_a_beam_ask_for_it(files, capsys, tmp_path):
    """Shapes and diagrams are of one beam, at instants that may be chosen."""
    assert main(["plot", f"{files}/a.nc", "--kind", "diagram"]) == 2
    assert main(["plot", f"{files}/a.nc", "--kind", "shape"]) == 2
    assert main(["plot", f"{files}/a.nc", "--time", "1"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "pliant: plot: kind 'diagram' draws one body; name it"
    assert said[2].startswith("pliant: --time: for --kind shape and diagram only")
    blade = [str(MODELS / "rotating_beam.yaml"), "blade"]
    given = ["--kind", "diagram", "--time", "100ms,0.2", "-o", str(tmp_path / "blade.png")]
    assert main(["plot", *blade, *given]) == 0


def test_what_a_command_has_no_use_for_is_refused(files, capsys, tmp_path):
    target = str(tmp_path / "x.xyz")
    assert main(["run", PENDULUM, "--load-steps", "3"]) == 2
    assert main(["equations", PENDULUM, "-o", target]) == 2
    assert main(["verify", PENDULUM, "--states", "0"]) == 2
    assert main(["audit", PENDULUM, "--from", "50kg"]) == 2
    (tmp_path / "cut.csv").write_text("time,pivot.an", encoding="utf-8")
    assert main(["show", str(tmp_path / "cut.csv")]) == 2
    said = capsys.readouterr().err
    for words in ("--load-steps: not for --analysis transient", "x.xyz: unknown kind of file",
                  "verify: 0 states", "--from", "cut.csv: it has no samples"):  # fmt: skip
        assert words in said
    assert not (tmp_path / "x.xyz").exists()


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
