"""Random states at which accelerations are well determined.

Closing loops from a random position may end where the constraints are nearly dependent: the last
steps of Newton's iteration go towards a singular position, to within the root of rounding. There
accelerations and reactions are as uncertain as 1/σ² of the smallest singular value σ of G, and no
two ways to compute them agree. The more loops, the more often; so states are sought nearer to the
start until G is regular: each singular value is either zero to rounding (redundant constraints) or
not small.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pliant.equations.compiled import CompiledEquations
from pliant.solve.degrees import constraint_matrix
from pliant.solve.random_state import random_state

Array = NDArray[np.float64]
_ZERO, _SMALL = 1e-10, 1e-3
"""Singular values between these parts of the largest are neither zero nor well away from it."""
_NEARER, _TRIES = 0.7, 12


def regular_state(
    compiled: CompiledEquations, p: Array, x: Array, rng: np.random.Generator, amplitude: Array
) -> Array:
    """A random consistent state near x, as ``random_state``, at which G is regular if one can be
    found."""
    for attempt in range(_TRIES):
        state = random_state(compiled, p, x, rng, _NEARER**attempt * amplitude)
        if is_regular(constraint_matrix(compiled, state, p) * amplitude):
            break
    return state


def is_regular(G: Array) -> bool:
    """Whether the rows of G are either dependent or clearly independent."""
    s = np.linalg.svd(G, compute_uv=False) if G.size else np.zeros(0)
    s = s / s.max(initial=1e-300)
    return not np.any((s > _ZERO) & (s < _SMALL))
