"""The embedding form: virtual work in independent speeds only, no multipliers.

With rows r of the augmented form, and speeds split into dependent (d) and independent (i) ones by
the constraints G_d δ_d + G_i δ_i = 0:

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
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array, Integers
from pliant.equations.contract import Equations, PartialVelocities, all_at_once
from pliant.equations.layout import Layout
from pliant.errors import CapabilityError, InputError
from pliant.graphs.bonds.linear import solved

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
        return replace(e, form="embedding")
    independent = partition.independent(e.u.numel())
    G = ca.jacobian(e.cv, e.u)[rows, :]
    bare = ca.substitute(e.residual, e.lam, ca.SX.zeros(e.lam.numel()))
    G_d = ca.sparsify(G[:, dependent])
    J = -ca.solve(G_d, ca.densify(G[:, independent]))
    lam = ca.SX.zeros(e.lam.numel())
    lam[rows] = ca.solve(G_d.T, ca.densify(bare[dependent]))
    residual = ca.densify(bare[independent, :] + J.T @ bare[dependent, :])
    told = e.told(lambda all_: ca.substitute(all_, [e.lam], [lam]))
    return replace(told, form="embedding", residual=residual)


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
    flows = _solved(e, G_d, [-rest[k] for k in range(len(rows))])
    rates = ops.substitute([e.total_derivative(flows)], u_d, flows)[0]
    old, new = ops.stack([u_d, a_d]), ops.stack([flows, rates])
    bare = ops.substitute([e.residual], e.lam, ops.zeros(e.lam.numel()))[0]
    bare = ops.substitute([bare], old, new)[0]
    A = ops.full(ops.jacobian(flows, u_i))
    residual = e.part(bare, i) + A.T @ e.part(bare, d)
    across = [[G_d[r][c] for r in range(len(rows))] for c in range(len(d))]
    taken = _solved(e, across, [bare[k] for k in d])
    lam = ops.stack([taken[rows.index(k)] if k in rows else 0 for k in range(e.lam.numel())])
    old, new = ops.stack([old, e.lam]), ops.stack([new, lam])

    def known(all_: list[Any]) -> list[Any]:
        return ops.substitute(all_, old, new)

    qdot, f, x_start = all_at_once(known, (e.qdot, e.f, e.x_start))
    none = ops.symbols(())

    def independent(x: Any) -> Any:
        """Of the constrained system: ṽ_r = v_r + Σ_s A_sr v_s."""
        return _columns(e, x, i) + _columns(e, x, d) @ A

    return replace(
        e.told(known), form="embedding", u=u_i, a=e.part(e.a, i), lam=none, g=none, cv=none,
        qdot=qdot, residual=ops.full(residual), f=f, x_start=x_start,
        u_of_qdot=e.part(e.u_of_qdot, i),
        layout=replace(e.layout, u=tuple(e.layout.u[k] for k in i), rows=(), n_holonomic=0),
        elastic={n: (q, i.index(u) if count else 0, count)
                 for n, (q, u, count) in e.elastic.items()},
        partials={n: PartialVelocities(u_i, independent(own.w), independent(own.v), own.axes)
                  for n, own in e.partials.items()},
    )  # fmt: skip


def _columns(e: Equations, matrix: Any, places: Iterable[int]) -> Any:
    return e.ops.columns([matrix[:, k] for k in places])


def _solved(e: Equations, A: list[list[Any]], b: list[Any]) -> Any:
    found = solved(e.ops, A, b)
    if found is None:
        raise CapabilityError("independent: the constraints do not determine the other speeds")
    return e.ops.stack(found)
