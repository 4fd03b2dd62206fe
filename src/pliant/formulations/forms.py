"""Forms of equations: without what is known, with independent speeds only, cut at an order.

Without dependent speeds (``eliminate``), those that a row of their own defines:

    u_d = L u_i + b,   u_d' = d(L u_i + b)/dt

put into the rows of the independent speeds. In the mixed form, S0 (8.42) with (8.45), these are all
there are; with multipliers the rows of the dependent speeds say what their multipliers are.
Statics and modes are solved in this form: speeds of joints are constant in steady motion, those of
mass centres are not. Unknowns of algebraic loops are states in it (``loops_at_rest``).

Motion drivers as branches of the tree (``prescribe``): coordinates are known functions of time.

    q_k = f(t),  u_k = f'(t),  u_k' = f''(t)       the row of u_k gives the driving effort

The coordinate, its row and the driver's constraint go; the multiplier of the driver, which stands
in that row alone, is what the row says. Source: S1 5.2 (drivers selected into the tree).

Cut at an order of the elastic coordinates (``truncate``), for reading and for showing what is lost:
with elastic coordinates, rates, accelerations and virtual displacements of degree one, the virtual
work is kept to degree n + 1: rows of elastic coordinates to degree n, the others to n + 1. That is
the Lagrangian cut at n + 1, so that the mass matrix stays symmetric. Constraints and observables
stay exact. Source: S1 5.3.

The embedding form (``embed``), virtual work in independent speeds only, no multipliers: with rows r
of the augmented form, and speeds split into dependent (d) and independent (i) ones by the
constraints G_d δ_d + G_i δ_i = 0:

    J = -G_d⁻¹ G_i            r_i + Jᵀ r_d = 0            λ = G_d⁻ᵀ r_d (λ = 0)

The multipliers cancel from the first, and the last gives reactions and driving torques as they are
asked for. G_d is solved block by block with orthogonal factors, which need no pivots: wherever the
split is good, so is the solution. Source: S1 (18)-(27).

Where nothing but velocities is constrained, equations in independent speeds alone (``reduce``):

    G_d u_d + G_i u_i + b = 0:    u_d = A u_i + a,  A = -G_d⁻¹ G_i       (kinematics: q' = N u)
    F̃_r = F_r + Σ_s A_sr F_s                                            λ = G_d⁻ᵀ r_d

q keeps all coordinates, u and the rows of motion have one entry for each degree of freedom; there
are no constraints left that a solution could leave. Source: Kane, Levinson (1985) 2.13, 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import factorial
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import CapabilityError, InputError
from pliant.formulations.equations import Equations, PartialVelocities
from pliant.formulations.loops import loops_at_rest
from pliant.mechanics.layout import Layout
from pliant.records import dataclass
from pliant.spatial.linear import number, solved

_GOOD = 1e-8
"""Pivots smaller than this, compared with the largest, do not count."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Rows of G that are kept, and the speeds they determine."""

    rows: tuple[int, ...]
    dependent: tuple[int, ...]

    def independent(self, count: int) -> list[int]:
        """The other speeds."""
        return [k for k in range(count) if k not in self.dependent]


def speeds_named(layout: Layout, names: Iterable[str]) -> list[int]:
    """Speeds by their own names or by those of the coordinates whose rates they are."""
    found, unknown = [], []
    coordinates = rates_of(layout)
    for name in names:
        index = next((k for k, s in enumerate(layout.u) if s.name == name), coordinates.get(name))
        unknown += [name] if index is None else []
        found += [] if index is None else [index]
    if unknown:
        known = ", ".join(dict.fromkeys([*coordinates, *(s.name for s in layout.u)]))
        raise InputError(f"independent: nothing is named {', '.join(unknown)}", f"known: {known}")
    return found


def rates_of(layout: Layout) -> dict[str, int]:
    """Speed of every scalar coordinate: those of an owner with as many coordinates as speeds."""
    own_q: dict[str, list[str]] = {}
    own_u: dict[str, list[int]] = {}
    for s in layout.q:
        own_q.setdefault(s.owner, []).append(s.name)
    for k, s in enumerate(layout.u):
        own_u.setdefault(s.owner, []).append(k)
    return {
        name: k
        for owner, names in own_q.items()
        if len(names) == len(own_u.get(owner, ()))
        for name, k in zip(names, own_u[owner], strict=True)
    }


def choose_partition(
    samples: Array, rows: Sequence[int], wanted: Iterable[int], last: Iterable[int]
) -> Partition:
    """Dependent speeds by column pivoting on G (samples, rows, speeds), rows already chosen.

    ``wanted``: speeds that must be independent; ``last``: those (elastic ones) that become
    dependent only if nothing else does. A pivot counts by its smallest size at the states, or by
    its largest if there is none that is good at all of them.
    """
    barred, late = set(wanted), set(last)
    A = np.concatenate([G[list(rows)] for G in samples], axis=0).T.copy()
    blocks = len(samples)
    size = np.abs(A).max(initial=1e-300)
    sizes = np.linalg.norm(A.reshape(len(A), blocks, len(rows)), axis=2)
    dependent: list[int] = []
    for _ in rows:
        free = [k for k in range(len(A)) if k not in barred and k not in dependent]
        soon = [k for k in free if k not in late]
        ways = [(own, left) for left in (sizes.min(axis=1), sizes.max(axis=1))
                for own in (soon, free)]  # fmt: skip
        good = (max((k for k in own if left[k] > _GOOD * size), key=left.__getitem__, default=None)
                for own, left in ways)  # fmt: skip
        best = next((k for k in good if k is not None), None)
        if best is None:
            raise CapabilityError("independent: the constraints do not determine the other speeds")
        dependent.append(best)
        met = _orthogonalise(A, best, blocks)
        sizes[met] = np.linalg.norm(A[met].reshape(len(met), blocks, len(rows)), axis=2)
    return Partition(tuple(rows), tuple(sorted(dependent)))


def _orthogonalise(A: Array, chosen: int, blocks: int) -> Integers:
    """Take from every column its part along the chosen one, state by state; which have one."""
    changed = np.zeros(len(A), dtype=bool)
    for part in np.split(A, blocks, axis=1):
        q = part[chosen] / max(float(np.linalg.norm(part[chosen])), 1e-300)
        along = part @ q
        met = np.flatnonzero(along)
        part[met] -= np.outer(along[met], q)
        changed[met] = True
    return np.flatnonzero(changed)


def embed(e: Equations, partition: Partition) -> Equations:
    """The embedding form of equations with multipliers (W = Gᵀ)."""
    rows, dependent = list(partition.rows), list(partition.dependent)
    if not rows:
        return e.in_form("embedding")
    independent = partition.independent(e.u.numel())
    G = ca.jacobian(e.cv, e.u)[rows, :]
    bare = ca.substitute(e.residual, e.lam, ca.SX.zeros(e.lam.numel()))
    G_d = ca.sparsify(G[:, dependent])
    J = -ca.solve(G_d, ca.densify(G[:, independent]))
    lam = ca.SX.zeros(e.lam.numel())
    lam[rows] = ca.solve(G_d.T, ca.densify(bare[dependent]))
    residual = ca.densify(bare[independent, :] + J.T @ bare[dependent, :])
    told = e.retold(lambda expressions: ca.substitute(expressions, [e.lam], [lam]))
    return replace(told.in_form("embedding"), residual=residual)


def only_velocities(e: Equations, split: Partition) -> bool:
    """Whether the rows that count are constraints on velocities."""
    return bool(split.rows) and not e.layout.loops and min(split.rows) >= e.layout.n_holonomic


def reduce(e: Equations, split: Partition) -> Equations:
    """Equations in independent speeds; multipliers stand in observables as they follow."""
    ops, rows, d = e.ops, list(split.rows), list(split.dependent)
    i = split.independent(e.u.numel())
    u_d, a_d, u_i = (e.part(x, own) for x, own in ((e.u, d), (e.a, d), (e.u, i)))
    held = e.part(e.cv, rows)
    slopes = ops.full(ops.jacobian(held, u_d))
    G_d = [[slopes[r, c] for c in range(len(d))] for r in range(len(rows))]
    rest = ops.substitute([held], u_d, ops.zeros(len(d)))[0]
    flows = _unique(e, G_d, [-rest[k] for k in range(len(rows))])
    rates = ops.substitute([e.total_derivative(flows)], u_d, flows)[0]
    old, new = ops.stack([u_d, a_d]), ops.stack([flows, rates])
    bare = ops.substitute([e.residual], e.lam, ops.zeros(e.lam.numel()))[0]
    bare = ops.substitute([bare], old, new)[0]
    A = ops.full(ops.jacobian(flows, u_i))
    residual = e.part(bare, i) + A.T @ e.part(bare, d)
    across = [[G_d[r][c] for r in range(len(rows))] for c in range(len(d))]
    taken = _unique(e, across, [bare[k] for k in d])
    lam = ops.stack([taken[rows.index(k)] if k in rows else 0 for k in range(e.lam.numel())])
    old, new = ops.stack([old, e.lam]), ops.stack([new, lam])

    def independent(x: Any) -> Any:
        """Of the constrained system: ṽ_r = v_r + Σ_s A_sr v_s."""
        return _columns(e, x, i) + _columns(e, x, d) @ A

    left = e.less(e.known((old, new)), ops.full(residual), u=i, rows=())
    partials = {n: PartialVelocities(u_i, independent(own.w), independent(own.v), own.axes)
                for n, own in e.told.partials.items()}  # fmt: skip
    return left.telling(partials=partials).in_form("embedding")


def _columns(e: Equations, matrix: Any, places: Iterable[int]) -> Any:
    return e.ops.columns([matrix[:, k] for k in places])


def _unique(e: Equations, A: list[list[Any]], b: list[Any]) -> Any:
    found = solved(e.ops, A, b)
    if found is None:
        raise CapabilityError("independent: the constraints do not determine the other speeds")
    return e.ops.stack(found)


def dependent_speeds(layout: Layout) -> list[int]:
    """Places in u of the speeds that have a row of their name."""
    rows = {s.name for s in layout.rows}
    return [k for k, s in enumerate(layout.u) if s.name in rows]


def eliminate(e: Equations) -> Equations:
    """Equations in the independent speeds alone."""
    e = loops_at_rest(e)
    if not dependent_speeds(e.layout):
        return e.telling(further={}).in_form("independent")
    ops, names, dependent = e.ops, [s.name for s in e.layout.rows], dependent_speeds(e.layout)
    kept = [k for k in range(len(e.layout.u)) if k not in dependent]
    own = [names.index(e.layout.u[k].name) for k in dependent]
    rows = [k for k in range(len(names)) if k not in own]
    u_d, a_d, lam_d = e.part(e.u, dependent), e.part(e.a, dependent), e.part(e.lam, own)
    flows = -_solved(e, e.part(e.cv, own), u_d)
    rates = ops.substitute([e.total_derivative(flows)], u_d, flows)[0]
    old, new, residual = ops.stack([u_d, a_d]), ops.stack([flows, rates]), e.residual
    if residual.numel() == e.u.numel():
        taken = -_solved(e, -e.part(residual, dependent), lam_d)
        taken = ops.substitute([taken], old, new)[0]
        old, new = ops.stack([old, lam_d]), ops.stack([new, taken])
        residual = e.part(residual, kept)

    left = e.less(e.known((old, new)), residual, u=kept, rows=rows)
    return left.telling(further={}).in_form("independent")


def _solved(e: Equations, rows: Any, symbols: Any) -> Any:
    """What the rows are without the symbols, of which each contains one, by itself."""
    ops, n = e.ops, symbols.numel()
    slopes = ops.full(ops.jacobian(rows, symbols))
    if any(number(slopes[i, j]) != float(i == j) for i in range(n) for j in range(n)):
        raise CapabilityError(f"{e.written.formulation}: statics and modes need speeds that follow "
                              "from others one by one; use recursive or linear-graph")  # fmt: skip
    return ops.substitute([rows], symbols, ops.zeros(n))[0]


def prescribe(e: Equations, drivers: Sequence[tuple[str, str]]) -> Equations:
    """Equations without the coordinates that drivers give. ``drivers``: (driver, coordinate)."""
    for driver, coordinate in drivers:
        e = _prescribe(e, driver, coordinate)
    return e


def _prescribe(e: Equations, driver: str, coordinate: str) -> Equations:
    row = next(k for k, s in enumerate(e.layout.rows) if s.owner == driver)
    i = next(k for k, s in enumerate(e.layout.q) if s.name == coordinate)
    j = rates_of(e.layout)[coordinate]
    ops = e.ops
    value = -ops.substitute([ops.full(e.g[row])], e.q[i], ops.zeros(1))[0]
    rate = e.total_derivative(value)
    acceleration = e.total_derivative(rate)
    old = ops.stack([e.q[i], e.u[j], e.a[j], e.speeds.rates[i]])
    new = ops.stack([value, rate, acceleration, rate])
    effort = ops.substitute([ops.full(e.residual[j])], e.lam[row], ops.zeros(1))[0]

    q, u, rows = ([k for k in range(column.numel()) if k != left_out] for column, left_out
                  in ((e.q, i), (e.u, j), (e.cv, row)))  # fmt: skip
    known = e.known((e.lam[row], effort), (old, new))
    return e.less(known, e.part(e.residual, u), q=q, u=u, rows=rows)


def truncate(e: Equations, order: int) -> Equations:
    """The rows of the equations of motion to an order of deformation.

    To order 0 the rows of elastic coordinates are the loads on them, M u' + K q being of degree 1:
    a statement to read, but no equation of motion.
    """
    elastic = [k for _, u, n in e.layout.elastic.values() for k in range(u, u + n)]
    deformed = [k for q, _, n in e.layout.elastic.values() for k in range(q, q + n)]
    if not elastic:
        return e
    if order == 0:
        raise InputError(
            f"truncate: to order 0 the elastic coordinates of {', '.join(e.layout.elastic)} have "
            "neither inertia nor stiffness, and no motion follows",
            "use 1 or more",
        )
    symbols = ca.vertcat(e.q[deformed], e.u[elastic], e.a[elastic])
    rows = _to_degree(e.residual, symbols, order + 1)
    rows[elastic] = _to_degree(e.residual[elastic], symbols, order)
    return replace(e, residual=rows)


def _to_degree(expression: Any, symbols: Any, degree: int) -> Any:
    """Σ ε^k of an expression in ε · symbols, up to a degree, at ε = 1."""
    size = ca.SX.sym("size")
    term = ca.substitute(expression, symbols, size * symbols)
    total = ca.SX.zeros(*expression.shape)
    for k in range(degree + 1):
        total = total + ca.substitute(term, size, 0) / factorial(k)
        term = ca.jtimes(term, size, 1)
    return ca.densify(total)
