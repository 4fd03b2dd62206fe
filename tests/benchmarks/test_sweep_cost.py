"""What sweeps cost: how it is measured. Nothing is asserted about times."""

from dataclasses import replace

import pytest
from benchmarks.__main__ import main
from benchmarks.mechanisms import slider_crank
from benchmarks.page import HEAD, Measured, page
from benchmarks.sweep_peer import CASES as CASES_BESIDE
from benchmarks.sweep_peer import Beside, beside
from benchmarks.sweeps import CASES, Swept, swept


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_last_run_is_that_of_a_system_on_its_own(case):
    found = swept(case, rounds=1, runs=4)
    assert found.agrees
    assert found.seconds > found.compiled > found.steps > 0
    assert f"{found.ratio:.2f} times compiled integrations" in str(found)


def test_parts_of_a_page_are_written_anew_and_say_where():
    first = [Swept(case, 1.0, 0.8, 0.2, 0.0) for case in CASES]
    growth, other = "## Growth\n\nas it was\n", "## Something else\n\nof the page\n"
    old = page(Measured(0.3e-6, swept=first)).rstrip("\n") + f"\n\n{growth}\n{other}"
    again = Measured(0.2e-6, swept=[replace(one, seconds=1.5) for one in first])
    new = page(again, old)
    assert new.startswith(HEAD)
    assert new.count("## Sweeps") == 1
    assert "| **1.88** |" in new
    assert "| **1.25** |" not in new
    assert growth in new
    assert new.endswith(other)
    assert page(again, new) == new
    before, part = new.split("## Sweeps")
    assert "Rigid kernel: 0.300" in before
    assert "Rigid kernel: 0.200" in part


def test_parts_of_a_page_are_measured_as_a_whole(tmp_path, capsys):
    written = tmp_path / "page.md"
    written.write_text("# Benchmarks\n", encoding="utf-8")
    assert main([CASES[0].name, "-o", str(written)]) == 2
    assert f"needs also {CASES[1].name}" in capsys.readouterr().err
    assert written.read_text(encoding="utf-8") == "# Benchmarks\n"


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
