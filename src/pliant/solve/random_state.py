"""Random consistent states, at which ways of writing the equations are compared."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.equations.compiled import CompiledEquations
from pliant.solve.assembly import Assembler
from pliant.solve.in_order import least_squares
from pliant.solve.loops import with_loops_closed

_ITERATIONS = 100
_LARGEST_STEP = 0.5


def random_state(
    compiled: CompiledEquations, p: Array, x: Array, rng: np.random.Generator,
    amplitude: Array | float = 1.0,
) -> Array:  # fmt: skip
    """A random consistent state near x: position and velocity constraints hold.

    ``amplitude``: how far coordinates and speeds are moved, one number per speed; closing loops
    moves them in the same proportion.
    """
    solver = Assembler(compiled, p, float(x[0]))
    q0 = x[1 : 1 + compiled.nq]
    for attempt in range(20):
        size = 0.7 * 0.8**attempt
        away = size * amplitude * rng.standard_normal(compiled.nu)
        q = _closed(solver, solver.moved(q0, away), amplitude)
        if q is not None:
            break
    else:
        q = q0
    at = solver.packed(q)
    _, b, G = solver.constraints(at)
    rows = solver.rows_without_states(at)
    u = amplitude * rng.standard_normal(compiled.nu)
    u = u - amplitude * least_squares(G[rows] * amplitude, G[rows] @ u + b[rows])
    state = solver.packed(q, u)
    first = 1 + compiled.nq + compiled.nu
    state[first : first + compiled.nx] = compiled.call("X", state, p)
    return with_loops_closed(compiled, state, p)


def _closed(solver: Assembler, q: Array, scale: Array | float) -> Array | None:
    """Gauss-Newton on the constraints alone, steps smallest as multiples of ``scale``."""
    best = np.inf
    for _ in range(_ITERATIONS):
        x = solver.packed(q)
        g, _, G = solver.constraints(x)
        size = float(np.abs(g).max(initial=0))
        if size < 1e-12 or (size < 1e-9 and size > 0.5 * best):
            return q if solver.aligned(x) else None
        best = min(best, size)
        step = -scale * least_squares(G[: solver.c.mh] * scale, g)
        length = float(np.abs(step).max(initial=0))
        q = solver.moved(q, step * min(1.0, _LARGEST_STEP / max(length, 1e-300)))
    return None
