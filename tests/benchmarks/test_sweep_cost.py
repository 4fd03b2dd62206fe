"""What sweeps cost: how it is measured. Nothing is asserted about times."""

import pytest
from benchmarks.mechanisms import slider_crank
from benchmarks.page import Measured, page
from benchmarks.sweep_peer import CASES as CASES_BESIDE
from benchmarks.sweep_peer import Beside, beside
from benchmarks.sweeps import CASES, swept


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_last_run_is_that_of_a_system_on_its_own(case):
    found = swept(case, rounds=1, runs=4)
    assert found.difference < 1e-9
    assert "times machine code" in found.title


class Alike(Beside):
    """A peer that gives what Pliant gives, with an error."""

    def theirs(self):
        seconds, values = self.ours(slider_crank(), 1e-12)
        return seconds, 0.5 * seconds, values + 1e-5


def test_a_sweep_beside_another_program_is_no_less_exact():
    """Of all runs and samples; both ratios and the scaling are told."""
    case = CASES_BESIDE[0]
    few = Alike(case.name, case.title, 3, case.how, case.wanted, 0.1, 10)
    found = beside(few, rounds=1)
    assert found.peer_error == pytest.approx(1e-5, rel=1e-3)
    assert found.agrees
    assert found.error <= found.peer_error
    assert found.whole_ratio == pytest.approx(2 * found.ratio)
    text = page(Measured(0.3e-6, beside=[found]))
    assert "## Sweeps side by side" in text
    assert f"| {case.title} |" in text
