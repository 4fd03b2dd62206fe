"""Long equations: names for parameters and intermediate results; numbers stay the same."""

import casadi as ca
import numpy as np
import pytest
from tests.unit.reading.mechanisms import arm, arm_parameters, arm_runs, readable_arm
from tests.unit.reading.reading import derive_readable

from pliant.reading.algebra import (
    Evaluation,
    Space,
    TooLarge,
    definitions_of,
    definitions_text,
    name_parameters,
    text,
    written_definitions,
)
from pliant.spatial.ops import NUMERIC
from pliant.spatial.symbolic import SYMBOLIC


def reference(n, spatial):
    """The same equations by CasADi, at random numbers."""
    names = arm_parameters(n, spatial)
    symbols = {name: ca.SX.sym(name) for name in names}
    marks = ("", "'", "''")
    moving = [[ca.SX.sym(f"q{i + 1}{mark}") for i in range(n)] for mark in marks]
    rows = ca.vertcat(*arm(SYMBOLIC, symbols.__getitem__, moving, n, spatial))
    inputs = [*symbols.values(), *(x for column in moving for x in column)]
    rng = np.random.default_rng(6)
    given = {x.name(): rng.uniform(0.3, 1.2) for x in inputs}
    return given, np.array(ca.Function("f", inputs, [rows])(*given.values())).ravel()


def error(values, given, expected):
    """Relative to the largest row."""
    evaluation = Evaluation(values[0].space, NUMERIC, given)
    found = np.array([evaluation.of(v) for v in values])
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize(("n", "spatial"), [(3, False), (5, False), (3, True), (4, True)])
@pytest.mark.parametrize("limit", [None, 4])
def test_arms_agree_with_casadi(n, spatial, limit):
    given, expected = reference(n, spatial)
    space = Space(arm_runs(n, spatial), naming_limit=limit)
    rows = readable_arm(space, n, spatial)
    assert error(rows, given, expected) < 1e-13
    assert error(name_parameters(rows, arm_parameters(n, spatial)), given, expected) < 1e-13


@pytest.mark.parametrize(
    ("n", "spatial", "limit"), [(3, True, None), (6, True, None), (7, True, 8), (20, False, 2)]
)
def test_large_arms_become_readable_with_names(n, spatial, limit):
    given, expected = reference(n, spatial)
    found = derive_readable(
        lambda: Space(arm_runs(n, spatial)),
        lambda space: readable_arm(space, n, spatial),
        arm_parameters(n, spatial),
    )
    assert found.limit == limit
    assert sum(map(len, found.values)) <= 1500
    assert error(found.values, given, expected) < 1e-12


def test_what_stays_too_large_is_refused():
    with pytest.raises(TooLarge, match="at most 20 can be read"):
        derive_readable(
            lambda: Space(arm_runs(6, True)), lambda s: readable_arm(s, 6, True), total=20
        )


def test_sums_of_parameters_share_names_up_to_a_number():
    space = Space()
    m, n, k, q, r = (space.symbol(x) for x in "mnkqr")
    base = m + 2 * n + k
    first, second = name_parameters([base * q + m * r, -base * r / 3], [m, n, k])
    assert (text(first), text(second)) == ("m*r + q*p1", "-r*p1/3")
    assert definitions_text(written_definitions([first])) == "p1 = m + 2*n + k"
    assert len(definitions_of([first, second])) == 1


def test_definitions_are_listed_after_those_they_need():
    space = Space(arm_runs(6, True), naming_limit=4)
    rows = readable_arm(space, 6, True)
    known = set()
    for definition in definitions_of(rows):
        for argument in definition.arguments:
            needed = {d.symbol for d in definitions_of([argument])}
            assert needed <= known
        known.add(definition.symbol)
