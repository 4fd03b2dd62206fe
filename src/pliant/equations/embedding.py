"""The embedding form: virtual work in independent speeds only, no multipliers.

With rows r of the augmented form, and speeds split into dependent (d) and independent (i) ones by
the constraints G_d δ_d + G_i δ_i = 0:

    J = -G_d⁻¹ G_i            r_i + Jᵀ r_d = 0            λ = G_d⁻ᵀ r_d (λ = 0)

The multipliers cancel from the first, and the last gives reactions and driving torques as they are
asked for. G_d is solved block by block with orthogonal factors, which need no pivots: wherever the
split is good, so is the solution. Source: S1 (18)-(27).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.equations.contract import Equations, Observable
from pliant.equations.further import mapped
from pliant.equations.layout import Layout
from pliant.errors import CapabilityError, InputError

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
    dependent: list[int] = []
    for _ in rows:
        sizes = np.linalg.norm(A.reshape(len(A), blocks, -1), axis=2)
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
        A = _orthogonal(A, best, blocks)
    return Partition(tuple(rows), tuple(sorted(dependent)))


def _orthogonal(A: Array, chosen: int, blocks: int) -> Array:
    """Every column less its part along the chosen one, state by state."""
    parts = []
    for part in np.split(A, blocks, axis=1):
        q = part[chosen] / max(float(np.linalg.norm(part[chosen])), 1e-300)
        parts.append(part - np.outer(part @ q, q))
    return np.concatenate(parts, axis=1)


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
    return replace(
        e, form="embedding", residual=ca.densify(bare[independent, :] + J.T @ bare[dependent, :]),
        observables={k: _without(o, e.lam, lam) for k, o in e.observables.items()},
        further=mapped(e.further, lambda o: _without(o, e.lam, lam)),
        events={k: ca.substitute(v, e.lam, lam) for k, v in e.events.items()},
        axial={k: ca.substitute(v, e.lam, lam) for k, v in e.axial.items()},
    )  # fmt: skip


def _without(o: Observable, lam: Any, value: Any) -> Observable:
    return replace(o, expression=ca.substitute(o.expression, lam, value))
