"""Two thousand damaged files, forty mechanisms of extreme numbers and a hundred of every kind; any
number of other ones by hand
(``python -m tests.fuzz --cases 10000 --first 5000``)."""

from functools import cache

import pytest
from tests.fuzz import every_kind, files, mechanisms

CASES = {
    "model_file": 900, "modes_file": 400, "mesh_file": 350, "signal_file": 250, "result_file": 75,
    "result_contents": 25,
}  # fmt: skip


def test_two_thousand_cases():
    assert sum(CASES.values()) == 2000
    assert set(CASES) | {"model_run"} == set(files.TARGETS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_damaged_models_run_or_say_why_not(part):
    seeds = range(part, 40, 5)
    faults = [fault for seed in seeds if (fault := files.judged("model_run", seed)) is not None]
    assert not faults


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("target", CASES)
def test_damaged_files_are_read_or_refused(target, part):
    share = range(part, CASES[target], 4)
    faults = [fault for seed in share if (fault := files.judged(target, seed)) is not None]
    assert not faults


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_extreme_mechanisms_keep_energy_or_say_why_they_stop(part):
    seeds = range(part, 40, 10)
    faults = [fault for seed in seeds if (fault := mechanisms.judged(seed)) is not None]
    assert not faults


@cache
def of_every_kind(seed):
    """The fault of a case, and the kinds it holds."""
    kinds = set()
    return every_kind.judged(seed, kinds), frozenset(kinds)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_mechanisms_of_every_kind_keep_energy_and_momentum_and_agree(part):
    faults = [of_every_kind(seed)[0] for seed in range(part, len(every_kind.FEATURES), 10)]
    assert not [fault for fault in faults if fault is not None]


@pytest.mark.slow
def test_every_registered_kind_occurs_in_a_mechanism():
    held = frozenset().union(*(of_every_kind(seed)[1] for seed in range(len(every_kind.FEATURES))))
    missing = every_kind.registered() - held
    assert not missing, f"no way in tests/fuzz/kinds.py: {sorted(map(str, missing))}"
