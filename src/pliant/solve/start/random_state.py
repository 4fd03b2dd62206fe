"""Random consistent states, at which ways of writing the equations are compared.

Closing loops from a random position may end where the constraints are nearly dependent: the last
steps of Newton's iteration go towards a singular position, to within the root of rounding. There
accelerations and reactions are as uncertain as 1/σ² of the smallest singular value σ of G, and no
two ways to compute them agree. The more loops, the more often; so states are sought nearer to the
start until G is regular: each singular value is either zero to rounding (redundant constraints) or
not small.

Where bodies without mass can turn on the spot (a cylinder of no length), the motion that is free
has no inertia. So the mass along the free motions, Zᵀ M Z with G Z = 0, must not be much smaller
than at the start.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.solve.start.assembly import Assembler
from pliant.solve.start.in_order import least_squares
from pliant.solve.start.loops import with_loops_closed
from pliant.solve.start.redundancy import constraint_matrix

_ITERATIONS = 100
_LARGEST_STEP = 0.5
_ZERO, _SMALL = 1e-10, 1e-3
"""Singular values between these parts of the largest are neither zero nor well away from it."""
_LIGHT = 1e-3
"""Of the smallest mass at the start: what a state may have."""
_NEARER, _TRIES = 0.7, 12
_SLIP = 1e-10
"""Of the speeds: what constraints may leave over."""


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
    state[first : first + compiled.nx] = compiled.call("start_states", state, p)
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


def with_velocities_held(compiled: CompiledEquations, x: Array, p: Array) -> Array:
    """x with velocities that constraints hold which read states of networks (ratios that vary)."""
    rows, columns = (n - compiled.layout.loops for n in (compiled.m, compiled.nu))
    y = compiled.call("constraints", x, p)
    cv, G = (compiled.block("constraints", name, y)[:rows] for name in ("cv", "G"))
    x, u = x.copy(), slice(1 + compiled.nq, 1 + compiled.nq + columns)
    if np.abs(cv).max(initial=0.0) > _SLIP * np.abs(x[u]).max(initial=0.0):
        x[u] -= least_squares(G[:, :columns], cv)
    return x


def regular_state(
    compiled: CompiledEquations, p: Array, x: Array, rng: np.random.Generator, amplitude: Array
) -> Array:
    """A random consistent state near x, as ``random_state``, at which G is regular if one can be
    found."""
    least = _LIGHT * _lightest(compiled, p, x, amplitude)
    for attempt in range(_TRIES):
        state = random_state(compiled, p, x, rng, _NEARER**attempt * amplitude)
        regular = is_regular(constraint_matrix(compiled, state, p) * amplitude)
        if regular and _lightest(compiled, p, state, amplitude) >= least:
            break
    return state


def _lightest(compiled: CompiledEquations, p: Array, x: Array, amplitude: Array) -> float:
    """The smallest mass along the free motions, of the largest along any coordinate."""
    y = compiled.call("explicit", x, p)
    M, G = (compiled.block("explicit", k, y) * amplitude for k in ("M", "G"))
    if M.shape[0] != M.shape[1]:
        return 1.0
    _, s, Vt = np.linalg.svd(G) if G.size else (None, np.zeros(0), np.eye(len(M)))
    Z = Vt[int(np.sum(s > _ZERO * s.max(initial=0.0))) :].T
    M = amplitude[:, None] * M
    masses, largest = np.linalg.eigvalsh(Z.T @ M @ Z), float(np.diag(M).max(initial=0.0))
    return float(masses[0]) / largest if len(masses) and largest > 0 else 1.0


def is_regular(G: Array) -> bool:
    """Whether the rows of G are either dependent or clearly independent."""
    s = np.linalg.svd(G, compute_uv=False) if G.size else np.zeros(0)
    s = s / s.max(initial=1e-300)
    return not np.any((s > _ZERO) & (s < _SMALL))
