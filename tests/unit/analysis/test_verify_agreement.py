"""The criterion of agreement, the balance of energy and refinement ladders, on made-up series."""

from types import SimpleNamespace

import numpy as np
import pytest

from pliant.analysis.verification.agreement import Pair, difference, gaps
from pliant.analysis.verification.refine import coarsest, parts_of, with_parts
from pliant.analysis.verification.verify import _balance, missing_energy
from pliant.model.bodies.theories import BEAM_THEORIES, Theory, TheoryKind
from pliant.results.compare import scales_of
from pliant.results.result import Result, Series

TIME = np.linspace(0, 1, 11)


def result(**series):
    return Result(TIME, series)


def pair(values, error, kind="position", unit="m", **options):
    """A motion whose own error is ``error`` at all times."""
    return Pair(result(y=Series(values + error, unit, kind=kind, **options)),
                result(y=Series(values, unit, kind=kind, **options)))  # fmt: skip


def excess(a, b):
    scales = scales_of([a.result, b.result])
    found = gaps(a, b, scales, ["y"])
    return found[0] if found else None


def test_a_difference_of_ten_errors_agrees_and_more_does_not():
    a = pair(np.cos(TIME), 1e-6)
    assert excess(a, pair(np.cos(TIME) + 9.9e-6, 1e-7)).excess < 1
    beyond = excess(a, pair(np.cos(TIME) + 12e-6, 1e-7))
    assert beyond.excess > 1
    assert beyond.difference == pytest.approx(11.1e-6, rel=1e-6)


def test_the_larger_error_counts():
    assert excess(pair(TIME, 1e-9), pair(TIME + 5e-6, 1e-6)).excess < 1


def test_rounding_is_measured_by_the_largest_value_of_the_kind():
    a, b = pair(1e3 * TIME, 0.0), pair(1e3 * TIME + 0.9e-6, 0.0)
    assert excess(a, b).excess == pytest.approx(0.9, rel=1e-6)


def test_the_largest_error_of_the_run_counts():
    """Both tolerances may begin with the same steps, which says nothing about their error."""
    late = Pair(result(y=Series(np.where(TIME > 0.5, 1e-3, 0.0), "m", kind="position")),
                result(y=Series(0 * TIME, "m", kind="position")))  # fmt: skip
    assert excess(late, pair(np.where(TIME < 0.5, 5e-3, 0.0), 0.0)).excess < 1
    assert excess(late, pair(np.where(TIME < 0.5, 5e-2, 0.0), 0.0)).time < 0.5


def test_turns_and_signs_of_quaternions_are_no_disagreement():
    angle = pair(TIME, 0.0, "coordinate", "rad"), pair(TIME + 2 * np.pi, 0.0, "coordinate", "rad")
    assert excess(*angle).excess < 1e-5
    q = np.stack([np.cos(TIME), np.sin(TIME), 0 * TIME, 0 * TIME], axis=1)
    a, b = (pair(s * q, 0.0, "rotation", "1", labels=tuple("wxyz")) for s in (1, -1))
    assert excess(a, b).excess == 0


def test_components_that_are_not_unique_are_left_out():
    force = np.stack([TIME, TIME], axis=1)
    other = force + np.array([0.0, 5.0])
    options = {"labels": ("x", "y"), "unique": (True, False)}
    a, b = (pair(v, 0.0, "reaction", "N", **options) for v in (force, other))
    assert excess(a, b).excess == 0
    options["unique"] = (False, False)
    a, b = (pair(v, 0.0, "reaction", "N", **options) for v in (force, other))
    assert excess(a, b) is None


def test_what_is_no_number_disagrees():
    broken = TIME.copy()
    broken[3] = np.nan
    assert excess(pair(TIME, 0.0), pair(broken, 0.0)).excess == np.inf


def test_runs_are_compared_as_far_as_both_went():
    short = Pair(*(Result(TIME[:6], {"y": Series(TIME[:6], "m", kind="position")})
                   for _ in range(2)))  # fmt: skip
    curve = difference(pair(TIME, 0.0), short, "y", {("position", "m"): 1.0})
    assert len(curve.time) == 6
    assert not curve.difference.any()


def test_energy_is_balanced_with_the_work_of_every_element():
    """E = T + V; a spring counts by its work, what is inside of a network does not."""
    model = SimpleNamespace(networks={"net": None})
    energy, work = 3 + np.sin(TIME), -0.2 * TIME
    spring = 0.5 * TIME**2
    r = result(**{
        "kinetic_energy": Series(energy - spring, "J", kind="energy"),
        "potential_energy": Series(spring, "J", kind="energy"),
        "spring.energy": Series(spring, "J", kind="energy"),
        "spring.work": Series(-spring, "J", kind="work"),
        "drag.work": Series(work, "J", kind="work"),
        "net.work": Series(np.sin(TIME) - work, "J", kind="work"),
        "net.energy": Series(99 * TIME, "J", kind="energy"),
        "net.inside.work": Series(7 * TIME, "J", kind="work"),
    })  # fmt: skip
    assert np.abs(missing_energy(model, r)).max() < 1e-14


@pytest.mark.parametrize(("off", "kept"), [(5e-6, True), (5e-5, False)])
def test_energies_are_as_exact_as_places_are(off, kept):
    """Where little moves high above the ground, V is off by rtol of V."""
    made = {
        "kinetic_energy": Series(0 * TIME, "J", kind="energy"),
        "potential_energy": Series(1e3 + off * TIME, "J", kind="energy"),
        "energy": Series(1e3 + off * TIME, "J", kind="energy"),
        "kinetic_energy_rate": Series(0 * TIME, "W", kind="power"),
    }
    runs = (Result(TIME, made, {"rtol": rtol}) for rtol in (1e-6, 1e-8))
    assert _balance(SimpleNamespace(networks={}), Pair(*runs))[2] is kept


def test_ladders_go_through_the_count_of_the_model():
    exact = Theory("exact", 8, 2)
    assert coarsest(exact) == 2
    assert coarsest(Theory("exact", 6, 2)) == 3
    assert coarsest(Theory("exact", 5, 2)) == 5
    assert parts_of(with_parts(exact, 4)) == 4
    unequal = TheoryKind(BEAM_THEORIES).convert({"segments": {"lengths": [1, 2, 1, 1]}})
    assert coarsest(unequal) == 4
    assert with_parts(unequal, 8).segments.lengths == (1, 1, 2, 2, 1, 1, 1, 1)
