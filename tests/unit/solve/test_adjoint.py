"""What is asked of a motion, carried backward over intervals: the series against elimination."""

import numpy as np
import pytest

from pliant.solve.variation import adjoint
from pliant.solve.variation.collocation import STAGES

COUNT, COLUMNS, HALF = 7, 3, 4


def intervals(seed=1):
    """A of q' = u and any u', where its rows may differ from zero, what is asked, and w."""
    rng = np.random.default_rng(seed)
    n = 2 * HALF
    A = np.zeros((COUNT, STAGES, n, n))
    A[:, :, range(HALF), range(HALF, n)] = 1.0
    A[:, :, HALF:] = rng.normal(size=(COUNT, STAGES, HALF, n))
    reach = np.array([(HALF + k, HALF + k + 1) for k in range(HALF)] + [(0, n)] * HALF)
    asked, w = rng.normal(size=(COUNT, COLUMNS, STAGES, n)), rng.normal(size=(COLUMNS, n))
    return A, reach, asked, w


def one_by_one(A, h, asked, w):
    """The same by elimination."""
    X = asked.copy()
    for k in reversed(range(COUNT)):
        X[k, :, -1] += w
        X[k] = adjoint.eliminated(A[k], h[k], X[k])
        w = X[k].sum(axis=1)
    return X, w


@pytest.mark.parametrize("stiff", [[], [0], [COUNT - 1], [2, 4], [*range(COUNT)]])
def test_series_and_elimination_agree(stiff):
    A, reach, asked, w = intervals()
    h = np.full(COUNT, 0.05)
    h[stiff] = 1e3
    X, found = asked.copy(), w.copy()
    found = adjoint.carried_back(A, reach, h, X, found)
    expected, begin = one_by_one(A, h, asked, w)
    np.testing.assert_allclose(X, expected, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found, begin, rtol=1e-11, atol=1e-12)


def test_what_is_found_solves_the_equations_of_the_stages():
    A, reach, asked, w = intervals()
    X = asked.copy()
    adjoint.carried_back(A, reach, np.full(COUNT, 0.05), X, w)
    last = X[-1, 0]
    left = last - 0.05 * np.einsum("ij,jab,ia->jb", adjoint.WEIGHTS, A[-1], last)
    left[-1] -= w[0]
    np.testing.assert_allclose(left, asked[-1, 0], rtol=0, atol=1e-14)


def test_a_small_column_is_found_as_well_beside_a_large_one():
    """Each to its own rounding, whatever units the others have."""
    A, reach, asked, w = intervals()
    h, size = np.full(COUNT, 0.05), 2.0 ** np.array([40, 0, -40])
    X, scaled = asked.copy(), asked * size[:, None, None]
    found = adjoint.carried_back(A, reach, h, X, w)
    together = adjoint.carried_back(A, reach, h, scaled, w * size[:, None])
    np.testing.assert_array_equal(together / size[:, None], found)


def test_what_is_no_number_stays_none():
    A, reach, asked, w = intervals()
    asked[3, 1] = np.nan
    found = adjoint.carried_back(A, reach, np.full(COUNT, 0.05), asked, w)
    assert np.isnan(found[1]).all()
    assert np.isfinite(found[[0, 2]]).all()
