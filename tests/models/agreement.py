"""How far a way of writing the equations is from the recursive formulation."""

from pliant.analysis.verification.states import pointwise
from pliant.backends.choose import TREE
from pliant.formulations import FORMULATIONS


def disagreement(system, choice, states):
    """The largest relative gap at random states, and of what."""
    verdict = pointwise(system, states=states, choices=[choice]).verdicts[-1]
    assert not verdict.declined, verdict.declined
    return verdict.disagreement, verdict.observable


def of_formulations(ways):
    """Those that are formulations, not other back ends."""
    return [w for w in ways if w.formulation in FORMULATIONS and w.variant != TREE]
