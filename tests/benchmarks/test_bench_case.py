"""How a benchmark chooses settings, judges and reports; its command."""

from dataclasses import dataclass

import numpy as np
import pytest
from benchmarks.case import Row, Run, loosest, middle, play
from benchmarks.derivation import CASES, Derived
from benchmarks.page import Measured, page

from benchmarks import __main__ as command


def test_loosest_setting_is_not_a_lucky_one():
    errors = {1e-2: 1e-9, 1e-3: 1.0, 1e-4: 1e-5, 1e-5: 1e-6}
    assert loosest(errors.__getitem__, tuple(errors), 1e-4) == 1e-4


def test_medians_are_taken_of_each_time_on_its_own():
    runs = [Run(a, b, np.zeros(1), 5) for a, b in ((1.0, 0.9), (7.0, 0.1), (2.0, 0.3))]
    assert middle(runs)[:2] == (2.0, 0.3)


@dataclass(frozen=True, kw_only=True)
class Given(Row):
    """A row whose programs give these errors in these times."""

    error: float
    peer_error: float

    def ours(self, system, setting):
        return Run(4e-3, 2e-3, np.array([1 + setting * self.error]), 50)

    def theirs(self):
        return Run(0.1, 0.1, np.array([1 - self.peer_error]), 100)


def played(error=1e-4, peer_error=2e-4, wanted=40.0):
    row = Given(
        name="given", title="a row", program="Peer", how_theirs="slowly", wanted=wanted,
        exact=lambda: np.ones(1), reference="itself", agreement=1e-3, system=lambda: None,
        settings=(1.0, 2.0, 4.0), words="setting {:g}", error=error, peer_error=peer_error,
    )  # fmt: skip
    return play(row, rounds=2)


def test_both_ratios_are_told():
    outcome = played()
    assert outcome.setting == 2.0
    assert (outcome.ratio, outcome.loop_ratio) == (pytest.approx(25), pytest.approx(50))
    assert outcome.reached
    text = page(Measured(0.3e-6, [outcome]))
    assert "| a row | 100 | 4 | **25** | 2 | **50** | 40 | 2.0e-04 | 2.0e-04 | yes |" in text
    assert "Peer (slowly) against Pliant (setting 2); errors against: itself" in text
    assert "Per step: 1e+03 µs (100) and 40 µs (50)." in text


@pytest.mark.parametrize(
    "wrong",
    [{"wanted": 60.0}, {"peer_error": 2e-3}, {"error": 1e-3}],
    ids=["slow", "another number", "inaccurate"],
)
def test_a_row_is_not_reached_if_slow_inaccurate_or_with_another_number(wrong):
    outcome = played(**wrong)
    assert not outcome.reached
    assert outcome.agrees == ("peer_error" not in wrong)
    assert ("| NO |" in page(Measured(0.15e-6, [outcome]))) == ("peer_error" in wrong)


def test_absolute_aims_are_scaled_by_the_rigid_kernel():
    slow = Derived(CASES[0], 1.5 * CASES[0].aim, 6, 100)
    assert not Measured(0.15e-6, derived=[slow]).reached
    assert Measured(0.30e-6, derived=[slow]).reached
    text = page(Measured(0.30e-6, derived=[slow]))
    assert "Rigid kernel: 0.300 µs per body" in text
    assert "here they are 2.00 times as long" in text
    assert "| 6 | 100 | 3.00 | 2 | 4 |" in text


def test_a_missing_program_is_one_message(monkeypatch, capsys):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main([]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.startswith("benchmarks: Exudyn and Pinocchio not installed: `make bench`")
    assert command.main(["forward_dynamics_7"]) == 2
    assert capsys.readouterr().err.startswith("benchmarks: Pinocchio not installed")


def test_an_unknown_case_and_a_page_that_cannot_be_written_are_refused(capsys, tmp_path):
    assert command.main(["chain_8"]) == 2
    assert "no benchmark 'chain_8'" in capsys.readouterr().err
    assert command.main([CASES[0].name, "-o", str(tmp_path / "none" / "page.md")]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert "there is no folder" in said.err


def test_names_of_rows_are_unique():
    rows = (*command.PEERS, *command.ALONE)
    assert len({r.name for r in rows}) == len(rows)


def test_a_case_without_peer_runs_and_is_written(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.chains.KERNEL", 20)
    file = tmp_path / "page.md"
    assert command.main([CASES[0].name, "--rounds", "1", "-o", str(file)]) in (0, 1)
    said = capsys.readouterr().out
    assert "µs per body" in said
    assert f"[1/1] {CASES[0].name} ..." in said
    assert "## Derivation" in file.read_text()
