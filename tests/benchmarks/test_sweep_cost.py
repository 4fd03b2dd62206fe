"""What sweeps cost: how it is measured. Nothing is asserted about times."""

import pytest
from benchmarks.sweeps import CASES, swept


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_last_run_is_that_of_a_system_on_its_own(case):
    found = swept(case, rounds=1, runs=4)
    assert found.difference < 1e-9
    assert "times machine code" in found.title
