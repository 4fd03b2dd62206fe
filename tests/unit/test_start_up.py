"""A program imports what it uses, and compiles what it calls: told without a clock."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pliant as pl
from pliant.late import late
from pliant.solve.machine.abi import CODE

CRANK = Path(__file__).parents[2] / "examples" / "planar_slider_crank.yaml"
SYMBOLS = {"casadi", "numba", "scipy", "sympy"}
TABLES = {"pandas", "xarray", "h5py", "h5netcdf", "matplotlib"}
RUN = f"from pliant.cli import main; main(['run', {str(CRANK)!r}])"


def program(text: str, folder: Path) -> set[str]:
    """Modules that a program has imported when it ends."""
    environment = {**os.environ, "PLIANT_CACHE_DIR": str(folder)}
    environment.pop("PLIANT_QUICK", None)
    text += "\nimport sys; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", text], env=environment, check=True,
                          capture_output=True, text=True)  # fmt: skip
    return set(done.stdout.splitlines())


def test_import_alone_imports_nothing_large(tmp_path):
    modules = program("import pliant", tmp_path)
    assert not modules & {"numpy", "yaml", "llvmlite", *SYMBOLS, *TABLES}
    modules = program("import pliant; pliant.System", tmp_path)
    assert not modules & {"yaml", "llvmlite", "pliant.solve", "pliant.flex", *SYMBOLS, *TABLES}


def test_a_command_imports_what_it_needs(tmp_path):
    program(RUN, tmp_path)
    modules = program(RUN, tmp_path)
    assert "pliant.cli.commands.run" in modules
    assert not modules & {"pliant.cli.commands.verify", *SYMBOLS, *TABLES}
    others = {
        "pliant.flex.body",
        "pliant.formulations.natural.state_map",
        "pliant.backends.blocks.transient",
    }
    assert not modules & {*others, "pliant.formulations.recursive", "numpy.ma"}
    assert not modules & {"pliant.model.registration", "importlib.metadata", "websockets"}


def test_a_first_run_that_stays_explicit_compiles_nothing_of_implicit_methods(tmp_path):
    said = program(f"{RUN}\nfrom pliant.solve.machine.abi import CODE\n"
                   "print(*(CODE._machines if CODE else ()), sep='\\n')", tmp_path)  # fmt: skip
    made = {name for name in said if name.startswith(("solve.", "backends."))}
    assert not CODE or "solve.transient.dop853.method.advance" in made
    implicit = ("solve.dense.newton", "solve.transient.radau", "solve.transient.generalized_alpha")
    assert not [name for name in made if name.startswith(implicit)]
    assert not [
        path for path in tmp_path.iterdir() if path.stem.endswith(("-residual", "-jacobians"))
    ]


def test_names_of_the_package_are_found_and_listed():
    assert {"System", "load", "Revolute", "Result", "PliantError"} <= {*pl.__all__} <= {*dir(pl)}
    for name in pl.__all__:
        assert getattr(pl, name) is not None
    assert pl.load == pl.System.load
    with pytest.raises(AttributeError, match=r"module 'pliant' has no attribute 'Revolut'"):
        _ = pl.Revolut
    everything: dict[str, object] = {}
    exec("from pliant import *", everything)
    assert {*pl.__all__} <= {*everything}


def test_late_names_are_looked_up_once():
    namespace: dict[str, object] = {"__name__": "pliant"}
    get, names = late(namespace, {"errors": ("PliantError",)})
    assert get("PliantError") is pl.PliantError is namespace["PliantError"]
    assert get("errors") is pl.errors
    assert names() == ["PliantError", "__name__", "errors"]


def test_commands_do_not_let_threads_of_numpy_turn_idly(monkeypatch, capsys):
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", "20")
    from pliant.cli import main

    assert main(["cache"]) == 0
    assert os.environ["OPENBLAS_THREAD_TIMEOUT"] == "20"
    monkeypatch.delenv("OPENBLAS_THREAD_TIMEOUT")
    assert main(["cache"]) == 0
    assert os.environ["OPENBLAS_THREAD_TIMEOUT"] == "4"


def test_a_short_command_is_not_searched_for_garbage(tmp_path):
    text = (
        "import gc, sys\n"
        f"from pliant.cli import program; sys.argv[1:] = ['run', {str(CRANK)!r}]\n"
        "before = gc.get_stats()[-1]['collections']\n"
        "code = program()\n"
        "searched = gc.get_stats()[-1]['collections'] - before\n"
        "print(f'code {code} searched {searched} left {gc.get_freeze_count() < 10_000}')"
    )
    program(RUN, tmp_path)
    assert "code 0 searched 0 left False" in program(text, tmp_path)
