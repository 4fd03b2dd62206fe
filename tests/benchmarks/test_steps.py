"""The profile of steps: its rows are complete. Nothing is asserted about times."""

import pytest
from benchmarks.steps import HEAD, METHODS, profile


@pytest.mark.parametrize("method", METHODS)
def test_a_row_tells_steps_and_arithmetic(method):
    name, told, steps, whole, arithmetic, _ = profile("pendulum", method).strip("| ").split(" | ")
    assert (name, told) == ("pendulum", method)
    assert int(steps) > 0
    assert float(whole) > 0
    assert float(arithmetic) > 0
    columns = [line.count("|") for line in HEAD.splitlines() if line.startswith("|")]
    assert columns == [7, 7]
