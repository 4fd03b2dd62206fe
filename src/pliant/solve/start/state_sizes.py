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

from collections.abc import Mapping

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import Block, CompiledEquations
from pliant.solve.machine.abi import Integers, Reals, call_model, entry
from pliant.solve.machine.linear import lu_factor, lu_solve

_STEPS = 200
_SHORTEST = 1e-9
"""First step over the length of the run."""
_PLACES = np.concatenate([[0.0], np.geomspace(_SHORTEST, 1.0, _STEPS)])
"""Ends of steps over the length of the run."""
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


@entry
def follow(
    address: int, x: Reals, p: Reals, y: Reals, steps: Reals, counts: Integers, table: Integers,
    A: Reals, b: Reals, pivots: Integers, size: Reals, rate: Reals,
) -> int:  # fmt: skip
    """Steps of implicit Euler while there are finite numbers; size <- max |x|, rate <- max |df/dx|.

    counts: steps, where x begins, its length n, algebraic unknowns z before it, where f and k begin
    in y, and entries of the table: place in y, place in A, and 1 if it is one of df/d(x, z).
    """
    first, n, loops = counts[1], counts[2], counts[3]
    m = n + loops
    for j in range(counts[0]):
        h = steps[j]
        x[0] += h
        call_model(address, x, p, y)
        for i in range(m * m):
            A[i] = 0.0
        for i in range(n):
            A[i * m + i] = 1.0
            b[i] = h * y[counts[4] + i]
        for i in range(loops):
            b[n + i] = -y[counts[5] + i]
        for e in range(counts[6]):
            value, place = y[table[3 * e]], table[3 * e + 1]
            A[place] += -h * value if table[3 * e + 2] == 1 else value
        if lu_factor(A, m, m, pivots) != 0:
            return 1
        lu_solve(A, m, m, pivots, b)
        total = 0.0
        for i in range(m):
            total += abs(b[i])
        if not total < 1e300:
            return 2
        for e in range(counts[6]):
            row, column = table[3 * e + 1] // m, table[3 * e + 1] % m
            if table[3 * e + 2] == 1 and column < n:
                at_here = row * n + column
                rate[at_here] = max(rate[at_here], abs(y[table[3 * e]]))
        for i in range(n):
            x[first + i] += b[i]
            size[i] = max(size[i], abs(x[first + i]))
        for i in range(loops):
            x[first - loops + i] += b[n + i]
    return 0


def state_sizes(compiled: CompiledEquations, x0: Array, p: Array, t_end: float) -> Array:
    """Sizes of x, at most one; one where nothing is known."""
    span, n, loops = max(t_end - float(x0[0]), 0.0), compiled.nx, compiled.layout.loops
    steps = np.diff(span * _PLACES)
    first, m, parts = 1 + compiled.nq + compiled.nu, n + loops, compiled.blocks["network_slopes"]
    table = compiled.remembered("table of slopes", 0, lambda: _table(parts, n, m))
    counts = np.array([len(steps), first, n, loops, parts["xdot"].offset, parts["k"].offset,
                       len(table)])  # fmt: skip
    size, rate = np.abs(x0[first : first + n]), np.zeros((n, n))
    compiled.code.require("network_slopes")
    y = np.zeros(compiled.size["network_slopes"] + 1)
    follow(compiled.address("network_slopes"), x0.copy(), np.append(p, 0.0), y,
           steps, counts, np.append(table.ravel(), 0), np.zeros(m * m), np.zeros(m),
           np.zeros(m, dtype=np.int64), size, rate)  # fmt: skip
    size = np.maximum(size, _CANCELLED * _brought(rate, size, span))
    return np.where(size > 0, np.minimum(size, 1.0), 1.0)


def _table(parts: Mapping[str, Block], n: int, m: int) -> Integers:
    """Entries of [[1 - h df/dx, -h df/dz], [dk/dx, dk/dz]]: see ``follow``."""
    rows = []
    for name, row, column in (("Fx", 0, 0), ("Fz", 0, n), ("kx", n, 0), ("kz", n, n)):
        block = parts[name]
        source = block.offset + np.arange(len(block.rows))
        place = (block.rows + row) * m + block.cols + column
        rows.append(np.stack([source, place, np.full(len(source), int(row == 0))], axis=1))
    return np.concatenate(rows).astype(np.int64)


def _brought(rate: Array, size: Array, span: float) -> Array:
    """Largest term of each rate from the other states, over how fast the state itself decays."""
    others = rate - np.diag(np.diag(rate))
    decay = np.maximum(np.diag(rate), 1 / span if span else np.inf)
    largest: Array = (others * size).max(axis=1, initial=0.0) / decay
    return largest
