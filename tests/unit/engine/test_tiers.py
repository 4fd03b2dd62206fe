"""Quick code at once, good code later: the same results, and the good code is what is kept."""

import subprocess
import sys
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

from pliant.engine import compile_functions, tiers

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
    before = tiers.version()
    tiers.finish()
    assert tiers.version() > before
    assert tiered.object_code != quick_code
    assert tiered.address["f"] != quick_place
    assert tiered.object_code == plain.object_code
    assert np.array_equal(values(tiered), quick)
    assert np.array_equal(values(tiered), values(plain))


def test_jobs_run_in_order_and_in_the_background():
    done = []
    tiers.finish()
    for k in range(3):
        tiers.later(lambda k=k: done.append(k))
    tiers.begin()
    tiers.finish()
    assert done == [0, 1, 2]


def test_a_program_that_ends_at_once_leaves_good_code_behind(tmp_path):
    code = f"import pliant as pl; pl.load({str(PENDULUM)!r}).simulate(0.1)"
    environment = {"PLIANT_CACHE_DIR": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    kinds = {path.suffix for path in tmp_path.iterdir()}
    assert kinds == {".model", ".native", ".order"}


def test_quick_code_is_kept_at_once_and_not_made_better(monkeypatch):
    monkeypatch.setenv("PLIANT_QUICK", "1")
    before, kept = tiers.version(), []
    machine = compile_functions({"f": function()}, tiered=True)
    tiers.afterwards(lambda: kept.append(machine.object_code))
    assert kept == [machine.object_code]
    tiers.finish()
    assert tiers.version() == before
    assert kept == [machine.object_code]
