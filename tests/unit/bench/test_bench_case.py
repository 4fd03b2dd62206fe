"""How a benchmark chooses settings and reports."""

import pytest

from pliant.bench.case import Case, Contestant, Run, loosest, play
from pliant.bench.ours import at_loosest
from pliant.bench.page import page


def test_loosest_setting_is_not_a_lucky_one():
    errors = {1e-2: 1e-9, 1e-3: 1.0, 1e-4: 1e-5, 1e-5: 1e-6}
    chosen = loosest(lambda rtol: Run(0.0, errors[rtol]), tuple(errors), 1e-4)
    assert chosen == 1e-4


def test_page_tells_times_per_step_where_both_sides_have_steps():
    seconds = iter([3e-3, 2e-3, 4e-3])

    def peer() -> Contestant:
        return Contestant("Peer", "slowly", lambda: Run(0.1, 1e-3, steps=100))

    def pliant(allowed: float) -> Contestant:
        return Contestant("Pliant", "fast", lambda: Run(next(seconds), allowed / 2, 0.0, 50))

    outcome = play(Case("case", "a case", "a reference", 1.0, 20.0, peer, pliant), rounds=2)
    assert outcome.ratio == pytest.approx(50)
    assert outcome.reached
    assert "Per step: 1e+03 µs (100) and 40 µs (50)." in page([outcome])


def test_ours_is_got_ready_once_and_runs_at_the_chosen_setting():
    asked = []

    def build():
        def run(step: float) -> Run:
            asked.append(step)
            return Run(step, step**2)

        return run

    contestant = at_loosest(build, 1e-5, (4e-3, 2e-3, 1e-3), "step {:g}".format)
    assert contestant.setting == "step 0.002"
    assert contestant.run().seconds == 2e-3
    assert asked == [1e-3, 1e-3, 2e-3, 4e-3, 2e-3]
