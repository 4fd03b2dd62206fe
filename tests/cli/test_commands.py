"""The command line as a user meets it: exit codes, messages, files."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CRANK = str(EXAMPLES / "planar_slider_crank.yaml")
BROKEN = Path(__file__).parents[1] / "broken"


def test_run_writes_csv_netcdf_and_plot(tmp_path, capsys):
    outputs = [tmp_path / name for name in ("out.csv", "out.nc", "out.png")]
    flags = [flag for path in outputs for flag in ("-o", str(path))]
    assert (
        main(["run", CRANK, "--t-end", "0.2", "--every", "0.01", "--method", "dop853", *flags]) == 0
    )
    assert "steps" in capsys.readouterr().out
    rows = list(csv.reader(outputs[0].read_text().splitlines()))
    assert rows[0][0] == "time"
    assert "rod.B.position.x [m]" in rows[0]
    assert [float(r[0]) for r in rows[1:]] == pytest.approx(np.arange(21) * 0.01)
    loaded = pl.Result.load(outputs[1])
    column = rows[0].index("rod.B.position.x [m]")
    assert loaded.values("rod.B.position.x")[-1] == float(rows[-1][column])
    assert outputs[2].read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.csv", "out.nc", "out.png"]


def test_run_reports_chosen_observables_as_json(capsys):
    code = main(["run", CRANK, "--t-end", "0.1", "--observe", "O.angle,rod.B.position",
                 "--set", "T=2 N*m", "--json", "--method", "dop853"])  # fmt: skip
    summary = json.loads(capsys.readouterr().out)
    assert code == 0
    assert set(summary["final"]) == {"O.angle", *(f"rod.B.position.{c}" for c in "xyz")}
    assert summary["failure"] == ""


def test_check_and_verify_print_their_reports(capsys):
    assert main(["check", CRANK]) == 0
    assert "degrees of freedom: 1" in capsys.readouterr().out
    assert main(["verify", CRANK, "--states", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agree"] is True


def test_examples_are_listed_shown_and_copied(tmp_path, capsys):
    assert main(["examples"]) == 0
    assert "bricard" in capsys.readouterr().out
    assert main(["examples", "pendulum"]) == 0
    assert capsys.readouterr().out == (EXAMPLES / "pendulum.yaml").read_text()
    assert main(["examples", "--copy", str(tmp_path / "here")]) == 0
    assert (tmp_path / "here" / "bricard.yaml").exists()
    capsys.readouterr()
    assert main(["examples", "pendullum"]) == 2
    assert "did you mean 'pendulum'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        (["run", "no_such_file.yaml"], "no_such_file.yaml"),
        (["run", CRANK, "--set", "l1"], "NAME=VALUE"),
        (["run", CRANK, "--set", "l9=1"], "no parameter 'l9'"),
        (["run", CRANK, "--method", "euler"], "euler"),
        (["run", CRANK, "--constraints", "glue"], "glue"),
        (["run", CRANK, "--formulation", "newton"], "newton"),
        (["run", CRANK, "--observe", "rod.C.position"], "rod.C.position"),
        (["run", CRANK, "-o", "out.xyz"], "unknown kind of file"),
        (["run", CRANK, "-o", "no/such/folder/out.csv"], "there is no folder"),
        (["run", CRANK, "--t-end", "-1"], "not after the start"),
        (["run", CRANK, "--rtol", "0"], "not above zero"),
        (["run", CRANK, "--analysis", "kinematics"], "not driven"),
        (["check", str(BROKEN / "drivers_contradict.yaml")], "driver"),
    ],
)  # fmt: skip
def test_bad_input_gives_one_message_and_exit_code_2(arguments, phrase, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert phrase in captured.err
    assert "Traceback" not in captured.err


def test_every_broken_model_exits_with_2_through_the_real_command(capsys):
    files = [p for p in sorted(BROKEN.iterdir()) if p.suffix in (".yaml", ".json")]
    assert len(files) >= 40
    for path in files:
        assert main(["check", str(path)]) == 2, path.name
        error = capsys.readouterr().err
        assert error.startswith("pliant: "), path.name
        assert "Traceback" not in error


def test_a_run_that_cannot_finish_saves_what_it_computed_and_exits_with_1(tmp_path, capsys):
    model = tmp_path / "stuck.yaml"
    model.write_text("""
pliant: 1
bodies: {mass: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
joints: {slide: {prismatic: {axis: x}, between: [ground, mass]}}
forces: {push: {actuator: 1/(1 - t), joint: slide}}
simulate: {t_end: 2, every: 0.1}
""")
    code = main(["run", str(model), "-o", str(tmp_path / "out.csv"), "--method", "dop853"])
    assert code == 1
    assert "stopped early" in capsys.readouterr().err
    rows = list(csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    assert 0.9 <= float(rows[-1][0]) <= 1.0001


def test_the_installed_command_answers():
    done = subprocess.run(
        [sys.executable, "-m", "pliant", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("pliant ")


def test_import_is_light():
    heavy = ["casadi", "numba", "scipy", "xarray", "matplotlib", "sympy", "yaml"]
    code = f"import sys, pliant; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


PENDULUM = str(EXAMPLES / "pendulum.yaml")


def test_modes_are_printed_and_written(tmp_path, capsys):
    outputs = [tmp_path / f"modes.{kind}" for kind in ("csv", "png", "html")]
    flags = [flag for path in outputs for flag in ("-o", str(path))]
    assert main(["modes", PENDULUM, "--at", "equilibrium", "--count", "1", *flags]) == 0
    assert "pivot: angle" in capsys.readouterr().out
    assert all(path.stat().st_size > 100 for path in outputs)
    assert main(["modes", PENDULUM, "--at", "equilibrium", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["modes"]
    assert found[0]["frequency"] == pytest.approx(0.498485, rel=1e-4)
    assert main(["modes", PENDULUM, "-o", str(tmp_path / "modes.xls")]) == 2
    assert main(["modes", PENDULUM, "--count", "0"]) == 2


def test_statics_is_printed_and_written(tmp_path, capsys):
    assert main(["statics", PENDULUM, "-o", str(tmp_path / "rest.csv")]) == 0
    assert "stable equilibrium" in capsys.readouterr().out
    assert main(["run", PENDULUM, "--analysis", "statics", "--load-steps", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["stability"] == "stable"
    assert main(["statics", CRANK]) == 1
    assert "no equilibrium" in capsys.readouterr().err


def test_run_can_start_in_equilibrium(capsys):
    assert main(["run", PENDULUM, "--t-end", "0.2", "--start", "equilibrium", "--json"]) == 0
    final = json.loads(capsys.readouterr().out)["final"]
    assert abs(final["bob.angular_velocity.z"]) < 1e-9


DRIVEN = """
pliant: 1
bodies: {arm: {rod: {length: 1 m, mass: 2 kg}}}
joints: {pin: {revolute: {axis: z}, between: [ground, arm]}}
drivers: {turn: {joint: pin, angle: 2*t}}
"""


@pytest.fixture
def driven(tmp_path):
    path = tmp_path / "driven.yaml"
    path.write_text(DRIVEN)
    return str(path)


@pytest.mark.parametrize("analysis", ["inverse", "kinematics"])
def test_every_analysis_is_written_as_asked(driven, capsys, analysis):
    assert main(["run", driven, "--analysis", analysis, "--t-end", "500ms", "--json",
                 "--formulation", "natural", "--tree", "absolute"]) == 0  # fmt: skip
    said = json.loads(capsys.readouterr().out)
    assert said["formulation"] == "natural"
    assert said["t_end"] == 0.5
    assert main(["run", driven, "--analysis", analysis, "--formulation", "nobody"]) == 2
    assert "unknown formulation 'nobody'" in capsys.readouterr().err
    assert main(["run", driven, "--analysis", analysis, "--t-end", "1", "--rtol", "1e-3"]) == 2
    assert f"--rtol: not for --analysis {analysis}" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "fault"), [("5 kg", "wrong unit"), ("soon", "'soon'"),
                                              ("-1 s", "not above zero")])  # fmt: skip
def test_times_that_are_none_are_refused(driven, capsys, given, fault):
    assert main(["run", driven, "--t-end", "1", f"--every={given}"]) == 2
    assert fault in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_done_and_exits_with_130(driven, tmp_path):
    """The signal comes while a long run writes its progress."""
    out = tmp_path / "part.csv"
    code = (
        "import signal, sys\n"
        "from pliant.cli.progress import RunProgress\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from pliant.cli import main\n"
        "RunProgress.at = lambda self, t: t > 1 and signal.raise_signal(signal.SIGINT)\n"
        f"sys.exit(main(['run', {CRANK!r}, '--t-end', '500', '--every', '10ms', "
        f"'-o', {str(out)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert "interrupted by the user" in done.stderr
    assert len(out.read_text().splitlines()) > 100
