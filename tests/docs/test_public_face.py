"""Every public name: an example in its help, which is run, and read by type checkers as strictly as
they can."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pliant as pl

ROOT = Path(__file__).parents[2]
USED = ROOT / "tests" / "docs" / "user_program.py"
PYRIGHT = ROOT / "web" / "node_modules" / "pyright" / "index.js"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PUBLIC = {n: getattr(pl, n) for n in pl.__all__ if callable(getattr(pl, n))}
VERBS = {f"System.{n}": getattr(pl.System, n) for n in (
    "simulate", "statics", "modes", "check", "verify", "kinematics", "graph", "equations",
)}  # fmt: skip


def examples_of(thing: object) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")


@pytest.mark.usefixtures("registries")
@pytest.mark.parametrize("name", [*PUBLIC, *VERBS])
def test_help_ends_with_an_example_that_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    own = examples_of({**PUBLIC, **VERBS}[name])
    assert own, f"{name} has no example"
    test = doctest.DocTest(own, {"pl": pl}, name, None, None, None)
    doctest.DocTestRunner(optionflags=FLAGS).run(test)
    assert capsys.readouterr().out == ""


def program() -> str:
    """All examples, each in a function of its own, and the program of a user."""
    parts = ["import pliant as pl\n"]
    for name, thing in {**PUBLIC, **VERBS}.items():
        lines = "".join(
            f"    {line}\n" for e in examples_of(thing) for line in e.source.splitlines()
        )
        parts.append(f"def of_{name.replace('.', '_')}() -> None:\n{lines}")
    return "\n\n".join(parts)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("user")
    (folder / "examples_of_help.py").write_text(program(), encoding="utf-8")
    shutil.copy(USED, folder)
    return folder


def checked(*words: str, folder: Path) -> str:
    """What a checker says, which finds the package as it is here."""
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src"), "PYTHONPATH": ""}
    ended = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    return ended.stdout + ended.stderr


def mypy(folder: Path, *files: str) -> str:
    kept = ROOT / ".pytest_cache" / "mypy"
    return checked(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
                   "--cache-dir", str(kept), *files, folder=folder)  # fmt: skip


def test_mypy_has_nothing_to_say(programs: Path) -> None:
    said = mypy(programs, ".")
    assert "Success" in said, said


def test_pyright_has_nothing_to_say(programs: Path) -> None:
    assert PYRIGHT.is_file(), "pyright is not installed; run: cd web && npm ci"
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")],
                "reportUnusedExpression": False, "reportUnusedVariable": False}  # fmt: skip
    (programs / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    said = checked("node", str(PYRIGHT), "--pythonpath", sys.executable, folder=programs)
    assert "0 errors" in said, said


def test_checkers_do_complain_of_a_wrong_argument(tmp_path: Path) -> None:
    wrong = "import pliant as pl\n\npl.System(body=[])\npl.Revolute('a', 'b', 'c', axs='y')\n"
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    said = mypy(tmp_path, "wrong.py")
    assert said.count(": error:") == 2, said


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pl.System(body=[]), "System: there is no argument 'body'; did you mean 'bodies'?"),
        (lambda: pl.Model(bodis=[]), "Model: there is no argument 'bodis'; did you mean 'bodies'?"),
        (lambda: pl.Revolute("a", "b", "c", axs="y"), "Revolute: .*'axs'; did you mean 'axis'?"),
        (lambda: pl.RigidBody.rod("a", 1, mas=2), "rod: .*'mas'; did you mean 'mass'?"),
        (lambda: pendulum().simulate(tend=1), "simulate: .*'tend'; did you mean 't_end'?"),
        (lambda: pendulum().statics(lod_steps=1), "did you mean 'load_steps'?"),
        (lambda: pendulum().picture(vew="x"), "picture: .*'vew'; did you mean 'view'?"),
        (lambda: pendulum().simulate(t_end=0.1).plot("pivot.angle", titel="x"), "mean 'title'?"),
        (lambda: pendulum().simulate(t_end=0.1).report("a.html", plot=[]), "mean 'plots'?"),
        (lambda: pl.formula(3, quite=1), "quite"),
    ],
)
def test_an_argument_that_is_not_there_is_named(call, words: str) -> None:
    with pytest.raises(TypeError, match=words.replace("?", r"\?")):
        call()


def pendulum() -> pl.System:
    return pl.load(ROOT / "examples" / "pendulum.yaml")


def test_what_stands_in_a_wrong_place_is_named() -> None:
    pin = pl.Revolute("pin", "ground", "rod")
    with pytest.raises(pl.PliantError, match=r"'pin': it is a joint, .* give it to joints"):
        pl.System(bodies=[pin])
    with pytest.raises(pl.PliantError, match="Revolute is no model; name the sections"):
        pl.System(pin)
    with pytest.raises(pl.PliantError, match="loads: int is no text"):
        pl.loads(3)
    with pytest.raises(pl.PliantError, match="modes: count 'a'"):
        pendulum().modes("a")


def test_help_shows_arguments_as_they_are() -> None:
    assert "unknown" not in str(inspect.signature(pl.Revolute))
    assert [*inspect.signature(pl.Circle).parameters] == ["radius"]
