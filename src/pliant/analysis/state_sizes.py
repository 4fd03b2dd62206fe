"""How large the states of networks become, so that errors are judged by their own measure.

A charge of 1e-6 C or a volume of 1e-5 m^3 is a state like any other; an absolute tolerance meant
for metres and radians would not see it. So x' = f(t, x) is followed roughly from the initial state,
the mechanism at rest: implicit Euler steps that grow from the shortest time to the end of the run,

    (1 - h df/dx) d = h f(t + h, x),        x <- x + d

with the unknowns z of algebraic loops, k(t, x, z) = 0, solved for in the same step. The size of a
state is its largest value on the way. Where large terms cancel (a balanced bridge) it is not below
a small part of what any one of them would bring about.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.equations import CompiledEquations

_STEPS = 200
_SHORTEST = 1e-9
"""First step over the length of the run."""
_CANCELLED = 1e-6
"""Part of a term that may be taken for rounding."""


def absolute_tolerances(
    compiled: CompiledEquations, x0: Array, p: Array, t_end: float, rtol: float
) -> Array | None:
    """rtol times the size of every entry of [q | u | x]; None if all are of size one."""
    if not compiled.nx:
        return None
    size = np.ones(compiled.nq + compiled.nu + compiled.nx)
    size[-compiled.nx :] = state_sizes(compiled, x0, p, t_end)
    return rtol * size


def state_sizes(compiled: CompiledEquations, x0: Array, p: Array, t_end: float) -> Array:
    """Sizes of x, at most one; one where nothing is known."""
    span, n = max(t_end - float(x0[0]), 0.0), compiled.nx
    steps = np.diff(span * np.concatenate([[0.0], np.geomspace(_SHORTEST, 1.0, _STEPS)]))
    x, loops = x0.copy(), compiled.layout.loops
    first = 1 + compiled.nq + compiled.nu
    own, z = x[first : first + n], x[first - loops : first]
    size, rate = np.abs(own), np.zeros((n, n))
    for h in steps:
        x[0] += h
        y = compiled.call("V", x, p)
        f, k = (compiled.block("V", part, y).ravel() for part in ("xdot", "k"))
        slope, Fz, kx, kz = (compiled.block("V", part, y) for part in ("Fx", "Fz", "kx", "kz"))
        if not np.isfinite(y).all():
            break
        A = np.block([[np.eye(n) - h * slope, -h * Fz], [kx, kz]])
        moved = np.linalg.lstsq(A, np.concatenate([h * f, -k]), rcond=None)[0]
        if not np.isfinite(moved).all():
            break
        own += moved[:n]
        z += moved[n:]
        size, rate = np.maximum(size, np.abs(own)), np.maximum(rate, np.abs(slope))
    size = np.maximum(size, _CANCELLED * _brought(rate, size, span))
    return np.where(size > 0, np.minimum(size, 1.0), 1.0)


def _brought(rate: Array, size: Array, span: float) -> Array:
    """Largest term of each rate from the other states, over how fast the state itself decays."""
    others = rate - np.diag(np.diag(rate))
    decay = np.maximum(np.diag(rate), 1 / span if span else np.inf)
    largest: Array = (others * size).max(axis=1, initial=0.0) / decay
    return largest
