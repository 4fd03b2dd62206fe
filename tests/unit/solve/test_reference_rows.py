"""Rows for a fixed order of elimination: states that ran away on the way to a closed loop."""

from types import SimpleNamespace

import numpy as np

from pliant.solve.start.reference_rows import rows_and_states


def test_states_that_ran_away_are_not_asked():
    """Rows of 1e200 and NaN overflow in norms; warnings are errors here."""
    wild = iter([1e200, np.nan, 1e-3, 1e5])
    G = np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0]])
    dynamics = SimpleNamespace(
        nq=3, nu=3, p=np.zeros(0), rank=lambda x: (2, 0),
        consistent=lambda x: np.r_[x[:1], next(wild) * np.ones(6)],
        source=SimpleNamespace(call=lambda name, x, p: x,
                               block=lambda name, part, x: G * (1 + x[1])),
    )  # fmt: skip
    rows, states = rows_and_states(dynamics, np.zeros(7))
    assert len(rows) == 2
    assert states[:, 1].tolist() == [0.0, 1e-3]
