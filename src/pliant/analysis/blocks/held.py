"""Whether a system stands before anything is applied: what can move freely has no load path."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.solve.sparse.buckling import smallest_eigenvalue
from pliant.solve.sparse.matrix import SingularBlockError
from pliant.solve.sparse.statics import Statics

_LEAST = 1e-14
"""Of the largest stiffness; below is rounding. A slender beam of 10 000 elements has 1e-13."""
_ITERATIONS = 10
_NAMED = 3


def require_held(statics: Statics, q: Array) -> None:
    """Raise SingularBlockError, with the blocks that move most, if something has no stiffness."""
    system = statics.system
    system.set_header(load=0.0)
    system.tangent(q)
    weights = statics.weights[: system.n][statics.motion]
    largest = float((system.matrix.diagonal()[statics.motion] / weights**2).max())
    mu, mode = smallest_eigenvalue(statics, q, 0.0, iterations=_ITERATIONS)
    if abs(mu) > _LEAST * largest:
        return
    bodies = [b for b, shape in enumerate(system.shapes) if not shape.algebraic]
    moved = {b: float(np.abs(mode[system.increments[b] :][: system.shapes[b].n]).max())
             for b in bodies}  # fmt: skip
    most = sorted(moved, key=moved.__getitem__, reverse=True)[:_NAMED]
    raise SingularBlockError([system.names[b] for b in most])
