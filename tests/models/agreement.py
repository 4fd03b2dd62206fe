"""How far a way of writing the equations is from the recursive formulation."""

from pliant.analysis.verify_states import pointwise


def disagreement(system, choice, states):
    """The largest relative gap at random states, and of what."""
    verdict = pointwise(system, states=states, choices=[choice]).verdicts[-1]
    assert not verdict.declined, verdict.declined
    return verdict.disagreement, verdict.observable
