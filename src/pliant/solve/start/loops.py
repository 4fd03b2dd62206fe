"""The unknowns of algebraic loops: z with k(t, q, u, x, z) = 0.

Damped Newton iteration, each step halved until |k| becomes smaller; from the z there is, and if
that leads nowhere (∂k/∂z may vanish there, as that of a cubic law does; an exponential may
overflow) from other sizes.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.errors import AssemblyError

_ITERATIONS = 300
_SHORTEST = 1e-9
"""Smallest part of a step that is tried."""
_SETTLED = 1e-9
"""A step of this part of z that brings nothing more is rounding."""
_SIZES = (1e-2, 1.0, 1e2, 1e4, 1e6)


def with_loops_closed(compiled: CompiledEquations, x: Array, p: Array) -> Array:
    """x with the unknowns of algebraic loops that belong to the rest of it."""
    c, n = compiled, compiled.layout.loops
    if not n:
        return x
    x, end = x.copy(), 1 + c.nq + c.nu
    others = [np.full(n, sign * size) for size in _SIZES for sign in (1, -1)]
    for start in (x[end - n : end].copy(), *others):
        x[end - n : end] = start
        with np.errstate(all="ignore"):
            found = _newton(c, x, p, slice(end - n, end))
        if found:
            return x
    names = ", ".join(dict.fromkeys(f"'{s.owner}'" for s in c.layout.u[-n:]))
    raise AssemblyError(
        f"algebraic loop of {names}: no efforts and flows at t = {x[0]:g} s satisfy the laws of "
        "its elements; check that the laws can be met together, or put a small store (I or C) "
        "between the elements"
    )


def _newton(c: CompiledEquations, x: Array, p: Array, own: slice) -> bool:
    """Whether the iteration has found a solution; it is in x."""
    k, slopes = _equations(c, x, p)
    for _ in range(_ITERATIONS):
        if not (np.isfinite(k).all() and np.isfinite(slopes).all()):
            return False
        step, before = -np.linalg.lstsq(slopes, k, rcond=1e-15)[0], x[own].copy()
        size = float(np.linalg.norm(k))
        if np.linalg.norm(k + slopes @ step) > 0.5 * size:
            return False
        settled = float(np.abs(step).max()) <= _SETTLED * max(1.0, float(np.abs(before).max()))
        part = 1.0
        while part > _SHORTEST:
            x[own] = before + part * step
            k, slopes = _equations(c, x, p)
            if np.linalg.norm(k) < size:
                break
            part = 0.0 if settled else part / 2
        else:
            x[own] = before
            return settled
    return False


def _equations(c: CompiledEquations, x: Array, p: Array) -> tuple[Array, Array]:
    """k and ∂k/∂z."""
    y = c.call("constraints", x, p)
    return c.block("constraints", "k", y)[:, 0], c.block("constraints", "kz", y)
