"""What calls and commands cost: how it is measured. Nothing is asserted about times."""

import subprocess
from dataclasses import replace

import pytest
from benchmarks.chains import chain
from benchmarks.overhead import CASES, Command, Overhead, Spent, command_cost, spend


def test_every_call_has_another_value():
    values = CASES[0].values(200)
    assert len(set(values)) == 200
    assert CASES[0].first not in values


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_calls_with_other_values_give_what_a_fresh_system_gives(case):
    found = spend(case, calls=2)
    assert found.difference < 1e-9
    assert found.agrees


def test_a_call_that_forgets_its_parameter_is_found_out(monkeypatch):
    """A stale number is the fault that saving work between calls would bring."""
    call = Overhead.call
    monkeypatch.setattr(Overhead, "call", lambda self, system, **params: call(self, system))
    assert not spend(replace(CASES[0], last=1.5), calls=2).agrees


def test_cpu_of_a_command_is_that_of_its_process():
    busy = "import time\nwhile time.process_time() < 0.2: pass"
    found = command_cost(Command("busy", "busy", ("-c", busy), True, 1.0), rounds=1)
    assert found == Spent("busy", "busy", found.seconds, 1.0)
    assert found.seconds >= 0.2
    with pytest.raises(subprocess.CalledProcessError):
        command_cost(Command("bad", "bad", ("-c", "raise SystemExit(3)"), False, 1.0), rounds=1)


@pytest.mark.parametrize(
    ("count", "how"),
    [(2, {}), (12, {}), (2, {"form": "embedding"}), (2, {"method": "sparse-alpha", "step": 1e-2})],
    ids=["expressions", "tree", "embedding", "blocks"],
)
def test_every_back_end_tells_its_seconds_inside_compiled_code(count, how):
    result = chain(count).simulate(0.1, every=0.05, outputs=["j0.angle"], **how).require()
    statistics = result.info["statistics"]
    assert 0 < statistics["compiled_seconds"] <= statistics["seconds"]
