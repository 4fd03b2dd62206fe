"""Small dense linear algebra and the rank decision, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from pliant.solve.machine import linear
from pliant.solve.start import rank

# Internal functions, as plain Python.
lu_factor, lu_solve, orthonormal_rows, keep_rows, pivoted_rows = (
    getattr(function, "py_func", function)
    for function in (
        linear.lu_factor, linear.lu_solve, linear.orthonormal_rows, rank.keep_rows,
        rank.pivoted_rows,
    )
)  # fmt: skip
update_scales = getattr(rank.update_scales, "py_func", rank.update_scales)


def decide(
    G: np.ndarray, active: np.ndarray | None = None, threshold: float = 1e-9, terms: float = 0.0
):
    """Rank, kept rows and pivots of a fresh decision."""
    m, n = G.shape
    scale, largest, W, pivots = np.ones(m), np.zeros(m), np.zeros(m * n), np.zeros(m)
    active = np.ones(m, dtype=np.int64) if active is None else active
    order, place = np.zeros(m, dtype=np.int64), np.full(m, -1, dtype=np.int64)
    flat = G.ravel().copy()
    update_scales(flat, m, n, np.full(m, terms), scale, largest)
    r = pivoted_rows(flat, m, n, scale, active, threshold, 10.0, W, order, pivots)
    changed = keep_rows(r, m, order, active, place)
    return r, np.flatnonzero(place >= 0), pivots[:r], changed


@pytest.mark.parametrize("kind", [float, complex])
def test_lu_solves_and_reports_a_singular_matrix(kind: type) -> None:
    random = np.random.default_rng(1)
    A = random.normal(size=(7, 7)) + (1j * random.normal(size=(7, 7)) if kind is complex else 0)
    A = A.astype(np.complex128 if kind is complex else np.float64)
    b, pivots, flat = A @ np.arange(7.0), np.zeros(7, dtype=np.int64), A.ravel().copy()
    assert lu_factor(flat, 7, 7, pivots) == 0
    lu_solve(flat, 7, 7, pivots, b)
    assert b == pytest.approx(np.arange(7.0), abs=1e-12)
    A[:, 3] = 0.0
    assert lu_factor(A.ravel().copy(), 7, 7, pivots) == 1


def test_orthonormal_rows_reproduce_the_matrix() -> None:
    A = np.random.default_rng(2).normal(size=(3, 6))
    Q, L = A.ravel().copy(), np.zeros(9)
    orthonormal_rows(Q, 3, 6, L)
    Q, L = Q.reshape(3, 6), L.reshape(3, 3)
    assert pytest.approx(np.eye(3), abs=1e-14) == Q @ Q.T
    assert pytest.approx(A, abs=1e-14) == L @ Q


def test_dependent_rows_are_dropped_whatever_their_units() -> None:
    random = np.random.default_rng(4)
    G = random.normal(size=(4, 6))
    G = np.vstack([G, G[0] - 2 * G[2]])
    r, kept, pivots, _ = decide(np.diag([1.0, 20.0, 0.05, 3.0, 7.0]) @ G)
    assert (r, len(kept)) == (4, 4)
    assert np.all(pivots > 1e-3)


def test_rows_that_are_zero_up_to_rounding_do_not_count() -> None:
    G = np.random.default_rng(5).normal(size=(3, 5))
    G[1] *= 1e-17
    assert decide(G)[0] == 2


def test_hysteresis_keeps_the_active_row_of_two_nearly_equal_ones() -> None:
    G = np.array([[1.0, 0, 0], [1.0, 1e-12, 0], [0, 0, 1.0]])
    active = np.array([0, 1, 1], dtype=np.int64)
    r, kept, _, _ = decide(G, active)
    assert r == 2
    assert list(kept) == [1, 2]


def test_rows_that_are_rounding_of_their_terms_have_no_rank() -> None:
    rounding = np.random.default_rng(4).normal(scale=1e-16, size=(5, 2))
    assert decide(rounding, terms=1.0)[0] == 0
    assert decide(np.vstack([rounding, [[1e-6, 0.0]]]), terms=1.0)[0] == 1
    assert decide(rounding)[0] == 2, "rows of unknown terms, such as laws, can have any size"


def test_rows_that_are_zero_have_a_finite_scale() -> None:
    scale = np.zeros(3)
    update_scales(np.zeros(6), 3, 2, np.zeros(3), scale, np.zeros(3))
    assert np.all(scale == 1.0)
