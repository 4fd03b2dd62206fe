"""What gradients cost: how it is measured. Nothing is asserted about times."""

from benchmarks.gradients import CASES, Gradient, cost


def test_a_gradient_is_that_which_is_carried_forward():
    few = Gradient("few", "a chain of 2 links", 2, 24, 0.1)
    assert len(few.numbers) == 24
    found = cost(few, rounds=1)
    assert found.difference < 1e-9
    assert "runs (aim 6)" in found.title
    assert found.aim > 0


def test_the_case_has_as_many_parameters_as_it_says():
    assert [len(case.numbers) for case in CASES] == [200]
