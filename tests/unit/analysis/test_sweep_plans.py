"""Which runs a plan has, and what its words mean."""

import numpy as np
import pandas
import pytest
import xarray
from scipy.stats import qmc

import pliant as pl
from pliant.analysis.sweeps.plans import planned
from pliant.analysis.sweeps.sobol import BITS, DIMENSIONS, sobol_points
from pliant.results.sweeps.table import Varied


def columns(vary, samples=None, kind=None, seed=0):
    return {n: v.tolist() for n, v in planned(vary, samples, kind, seed).columns.items()}


def test_sobol_points_are_those_of_joe_and_kuo():
    expected = qmc.Sobol(DIMENSIONS, scramble=False, bits=BITS).random(256)
    assert np.array_equal(sobol_points(256, DIMENSIONS) / 2**BITS, expected)


@pytest.mark.parametrize("kind", ["random", "latin", "sobol"])
def test_samples_lie_in_their_ranges_and_follow_from_the_seed(kind):
    vary = {"a": "1..3", "b": "1e-3..1 log", "c": "p, q"}
    table = planned(vary, 64, kind, 3)
    a, b, c = table.columns.values()
    assert len(table) == 64
    assert (a.min() >= 1, a.max() <= 3, b.min() >= 1e-3, b.max() <= 1) == (True,) * 4
    assert set(c) == {"p", "q"}
    assert columns(vary, 64, kind, 3) == columns(vary, 64, kind, 3) != columns(vary, 64, kind, 4)
    assert 20 < np.sum(b < 10**-1.5) < 44  # half of them, on the logarithmic scale


def test_latin_hypercubes_have_a_point_in_every_part():
    for values in columns({"a": "0..1", "b": "0..1"}, 50, "latin").values():
        assert sorted(int(50 * v) for v in values) == [*range(50)]


def test_sobol_points_lie_more_evenly_than_random_ones():
    vary = {"a": "0..1", "b": "0..1"}
    spread = {
        kind: qmc.discrepancy(np.column_stack([*columns(vary, 128, kind).values()]))
        for kind in ("random", "sobol")
    }
    assert spread["sobol"] < 0.3 * spread["random"]


@pytest.mark.parametrize(
    ("vary", "samples", "expected"),
    [
        ({"a": "0..1"}, 3, {"a": [0, 0.5, 1]}),
        ({"a": "0..1:2", "b": [1, 2]}, None, {"a": [0, 0, 1, 1], "b": [1, 2, 1, 2]}),
        ({"a": "0.5..2 mm:2"}, None, {"a": [0.0005, 0.002]}),
        ({"a": "500 mm..2 m:2"}, None, {"a": [0.5, 2]}),
        ({"a": "1 N*m, 2 N*m"}, None, {"a": [1, 2]}),
        ({"a": "-1..1e1:2"}, None, {"a": [-1, 10]}),
        ({"a": "1..100 log:3"}, None, {"a": [1, 10, 100]}),
        ({"a": "1..100:3 log"}, None, {"a": [1, 10, 100]}),
        ({"a": 3, "b": "p"}, None, {"a": [3], "b": ["p"]}),
        ([{"a": 1, "b": "p"}, {"a": 2, "b": "q"}], None, {"a": [1, 2], "b": ["p", "q"]}),
        (pandas.DataFrame({"a": [1.0, 2.0]}), None, {"a": [1, 2]}),
        ({"a": pandas.Series([1, 2])}, None, {"a": [1, 2]}),
        ({"a": xarray.DataArray([1.0, 2.0])}, None, {"a": [1, 2]}),
        ({"a": (k for k in (1, 2))}, None, {"a": [1, 2]}),
    ],
)
def test_words(vary, samples, expected):
    found = columns(vary, samples)
    assert [*found] == [*expected]
    for name, values in expected.items():
        assert found[name] == pytest.approx(values) if values[0] != "p" else found[name] == values


def test_a_seed_may_be_a_number_of_numpy():
    vary = {"a": "0..1"}
    assert columns(vary, np.int64(4), "random", np.int64(3)) == columns(vary, 4, "random", 3)
    assert type(planned(vary, np.int64(4), "saltelli", np.int64(3)).base) is int


def test_lists_go_side_by_side():
    assert columns({"a": [1, 2], "b": "0..1"}, 2, "list") == {"a": [1, 2], "b": [0, 1]}


def test_plans_are_kept():
    table = planned({"a": "0..1", "b": "p, q"}, 4, "saltelli", 1)
    again = Varied.of(table.as_dict())
    assert (len(table), table.base) == (16, 4)
    assert again.as_dict() == table.as_dict()


@pytest.mark.parametrize(
    ("vary", "samples", "kind", "message"),
    [
        ({"a": "0..1", "b": "0..1"}, 100_000, "grid", "the plan has 1e[+]10 runs"),
        ({"a": "0..1"}, 10**9, "random", "the plan has 1e[+]09 runs"),
        ({"a": range(10**9)}, None, None, "the plan has 1e[+]09 runs"),
        (range(10**9), None, None, "the plan has 1e[+]09 runs"),
        ({"a": "1..1"}, 3, None, "the range '1..1' is empty"),
        ({"a": "0..1 log"}, 3, None, "logarithms need numbers above zero"),
        ({"a": "0..1:0"}, None, None, "takes no values"),
        ({"a": []}, None, None, "there are no values"),
        ({"a": "0..inf"}, 3, None, "is not finite"),
        ({"a": "0.."}, 3, None, "is no range"),
        ({"a": "0..1"}, None, None, "how many values of a"),
        ({"a": "0..1"}, 0, None, "samples: 0"),
        ({"a": "0..1"}, 2.5, None, "samples: 2.5"),
        ({"a": "0..1"}, 3, "latain", "did you mean 'latin'"),
        ({"a": [1, 2], "b": [1]}, None, "list", "a has 2, b has 1"),
        ({f"a{k}": "0..1" for k in range(60)}, 3, "sobol", "60 names are more than 40"),
        ({}, None, None, "nothing is varied"),
        ("T", None, None, "is no mapping"),
        ([{"a": 1}, {"b": 2}], None, None, "row 2 has other names"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), None, None, "'a' is varied twice"),
        (pandas.DataFrame(), None, None, "nothing is varied"),
        (pandas.DataFrame({"a": []}), None, None, "there are no values"),
        (pandas.DataFrame({"a": [1, np.nan]}), None, None, "a: value 2 of 2 is nan"),
        ({"a": [1, np.inf]}, None, None, "a: value 2 of 2 is inf"),
        ({"a": [1, 2]}, 7, None, "samples: 7 has no part in a grid"),
        ([{"a": 1}, {"a": 2}], 7, None, "samples: 7 has no part in a list"),
        ({"a": "0..1:5", "b": "0..1"}, 7, "sobol", "a: how many values it takes has no part"),
    ],
)
def test_bad_plans_get_one_message(vary, samples, kind, message):
    with pytest.raises(pl.errors.InputError, match=message):
        planned(vary, samples, kind, 0)
