"""Quick code at once, good code later: the same results; what there is at the end is kept."""

import os
import subprocess
import sys
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

from pliant.code import background
from pliant.code.llvm.machine import Machine, compile_functions

PENDULUM = Path(__file__).parents[3] / "examples" / "pendulum.yaml"


@pytest.fixture(autouse=True)
def good_code(monkeypatch):
    """Not as in other tests, which are content with quick code."""
    monkeypatch.delenv("PLIANT_QUICK")


def function():
    x, p = ca.SX.sym("x", 3), ca.SX.sym("p", 2)
    value = ca.vertcat(ca.sin(x[0]) * p[0] + x[1] ** 2 / (1 + p[1] ** 2), ca.dot(x, x))
    return ca.Function("f", [x, p], [value])


def values(machine):
    x, p, y = np.array([0.3, -1.2, 2.0]), np.array([0.7, 1.5]), np.zeros(2)
    machine.call("f", x, p, y)
    return y


def test_both_tiers_compute_the_same():
    plain = compile_functions({"f": function()})
    tiered = compile_functions({"f": function()}, tiered=True)
    quick_code, quick_place, quick = tiered.object_code, tiered.address["f"], values(tiered)
    before = background.version()
    background.finish()
    assert background.version() > before
    assert tiered.object_code != quick_code
    assert tiered.address["f"] != quick_place
    assert tiered.object_code == plain.object_code
    assert np.array_equal(values(tiered), quick)
    assert np.array_equal(values(tiered), values(plain))


def test_jobs_run_in_order_and_in_the_background():
    done = []
    background.finish()
    for k in range(3):
        background.later(lambda k=k: done.append(k))
    background.begin()
    background.finish()
    assert done == [0, 1, 2]


def program(folder, *lines):
    """Run a program that keeps its code in a folder; what it prints, and what is kept."""
    environment = {**os.environ, "PLIANT_CACHE_DIR": str(folder), "PATH": ""}
    text = "\n".join(("import sys, pliant as pl", f"system = pl.load({str(PENDULUM)!r})", *lines))
    done = subprocess.run([sys.executable, "-c", text], check=True, env=environment,
                          capture_output=True, text=True)  # fmt: skip
    return done.stdout.strip(), {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_program_ends_without_making_good_code_and_leaves_it_to_one_that_runs_longer(tmp_path):
    _, first = program(tmp_path, "system.simulate(0.1)")
    assert {Path(name).suffix for name in first} == {".model", ".native", ".order", ".stamp"}
    known, second = program(tmp_path, "system.simulate(0.1)", "print('casadi' in sys.modules)")
    assert (known, second) == ("False", first)  # quick code is found again, and left as it is
    longer = "from pliant.code import background", "system.simulate(0.1)", "background.finish()"
    _, third = program(tmp_path, *longer)
    assert third.keys() == first.keys()
    better = {name for name in first if third[name] != first[name]}
    assert all(len(third[name]) < len(first[name]) for name in better)
    assert max(first, key=lambda name: len(first[name])) in better  # the integrator
    assert any(name.endswith(".model") for name in better)
    assert program(tmp_path, *longer) == ("", third)


def test_good_code_of_a_later_program_is_that_of_a_first_one():
    plain, tiered = (compile_functions({"f": function()}, tiered=tiered) for tiered in (0, 1))
    assert (plain.unfinished, tiered.unfinished) == (False, True)
    again = Machine.read(tiered.blob, ("f",))
    assert again.object_code == tiered.object_code != plain.object_code
    background.finish()
    assert not again.unfinished
    assert again.blob == tiered.blob == plain.blob


def test_what_is_no_machine_code_is_refused():
    for blob in (b"", b"damaged", b"pliant damaged code of a machine"):
        with pytest.raises(ValueError, match=r"machine code|invalid literal"):
            Machine.read(blob, ("f",))


def test_a_program_that_ends_does_only_what_must_be_done(monkeypatch):
    background.finish()
    done = []
    background.later(lambda: done.append("better"))
    background.afterwards(lambda: done.append("kept"))
    monkeypatch.setattr(background, "_closing", True)
    background.close()
    assert done == ["kept"]


def test_quick_code_is_kept_at_once_and_not_made_better(monkeypatch):
    monkeypatch.setenv("PLIANT_QUICK", "1")
    before, kept = background.version(), []
    machine = compile_functions({"f": function()}, tiered=True)
    background.afterwards(lambda: kept.append(machine.object_code))
    assert kept == [machine.object_code]
    background.finish()
    assert background.version() == before
    assert kept == [machine.object_code]
