"""Degrees of freedom, redundant constraints by name, and which observables are unique."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Flags
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.start.rank import without_rounding

_RANK = 1e-9
_ROUNDING, _LITTLE = 1e-7, 1e-6
"""Changes of an observable that are rounding, over the largest of its unit; that at least, over the
largest multiplier."""
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class Degrees:
    """Counts at one position. ``redundant`` maps an element to (its redundant rows, its rows)."""

    coordinates: int
    speeds: int
    constraints: int
    rank: int
    redundant: dict[str, tuple[int, int]]

    @property
    def freedom(self) -> int:
        """Degrees of freedom: speeds less independent constraints."""
        return self.speeds - self.rank


def degrees(compiled: CompiledEquations, x: Array, p: Array) -> Degrees:
    """Count at a consistent state; rows are taken in order, so a repeat is charged to the later."""

    def counted() -> Degrees:
        kept, rows = independent_rows(constraint_matrix(compiled, x, p)), compiled.layout.rows
        redundant: dict[str, tuple[int, int]] = {}
        for owner in dict.fromkeys(r.owner for r in rows):
            own = [i for i, r in enumerate(rows) if r.owner == owner]
            lost = sum(not kept[i] for i in own)
            if lost:
                redundant[owner] = (lost, len(own))
        return Degrees(compiled.nq, compiled.nu, compiled.m, int(kept.sum()), redundant)

    return compiled.remembered("degrees", compiled.place(x, p, "constraints"), counted)


def constraint_matrix(compiled: CompiledEquations, x: Array, p: Array) -> Array:
    """G in full; rows of which only rounding is left are zero."""
    return without_rounding(
        compiled.block("constraints", "G", compiled.call("constraints", x, p)), compiled.layout
    )


def independent_rows(G: Array) -> Flags:
    """Which rows are independent of those before them (Gram-Schmidt with reorthogonalisation)."""
    scale = float(np.linalg.norm(G, axis=1).max(initial=0.0))
    basis: list[Array] = []
    kept = np.zeros(len(G), dtype=bool)
    for i, row in enumerate(G):
        norm = max(float(np.linalg.norm(row)), 1e-4 * scale)
        rest = row.copy()
        for _ in range(2):
            for b in basis:
                along = b @ rest
                if along:
                    rest -= along * b
        length = float(np.linalg.norm(rest))
        if norm > 0 and length > _RANK * norm:
            kept[i] = True
            basis.append(rest / length)
    return kept


def unique_observables(compiled: CompiledEquations, x: Array, p: Array) -> dict[str, Flags]:
    """For every component of a reaction, and of all else that multipliers are read by (powers of
    drivers, outputs), whether redundant constraints leave it determined; what is determined anyway
    is left out.

    y(lam) is unique exactly if y(lam + z) = y(lam) for all z with G^T z = 0: such z leave all
    accelerations as they are. One z in which all of them have a random share tells.
    """
    known = compiled.observed
    unique = {n: np.ones(o.size, dtype=bool) for n, o in known.items() if o.kind == "reaction"}
    Z = free_multipliers(compiled, x, p)
    if not Z.shape[1]:
        return unique
    moved, size = x.copy(), max(1.0, float(np.abs(x[len(x) - compiled.m :]).max()))
    z = Z @ np.random.default_rng(0).standard_normal(Z.shape[1])
    moved[len(x) - compiled.m :] += size * z / np.abs(z).max()
    y = compiled.call("observables", x, p)
    change = np.abs(compiled.call("observables", moved, p) - y)
    least: dict[str, float] = {}
    for o in known.values():
        own = slice(o.start, o.start + o.size)
        largest = max(float(np.abs(y[own]).max(initial=0)), float(change[own].max(initial=0)))
        least[o.unit] = max(least.get(o.unit, _LITTLE * size), largest)
    for name, o in known.items():
        kept = change[o.start : o.start + o.size] < _ROUNDING * least[o.unit]
        if o.kind == "reaction" or not kept.all():
            unique[name] = kept
    return unique


def free_multipliers(compiled: CompiledEquations, x: Array, p: Array) -> Array:
    """Columns z of multipliers that do nothing: G^T z = 0."""
    G = constraint_matrix(compiled, x, p)
    wide = len(G) <= G.shape[1]
    U, s, _ = (
        np.linalg.svd(G, full_matrices=not wide) if G.size else (np.eye(len(G)), np.zeros(0), 0)
    )
    rank = int((s > _RANK * max(float(s.max(initial=0.0)), 1e-300)).sum())
    return np.asarray(U[:, rank:])


def motions_without_inertia(compiled: CompiledEquations, x: Array, p: Array) -> tuple[str, ...]:
    """Joints whose acceleration neither mass nor constraints determine: M z = 0 and G z = 0."""

    def found() -> tuple[str, ...]:
        y = compiled.call("explicit", x, p)
        M, G = compiled.block("explicit", "M", y), compiled.block("explicit", "G", y)
        z = motions_without_mass(M, without_rounding(G, compiled.layout))
        free = np.abs(z).max(axis=1, initial=0.0)
        owners = [u.owner for k, u in enumerate(compiled.layout.u) if free[k] > 1e-6]
        return tuple(dict.fromkeys(owners))

    return compiled.remembered("undetermined", compiled.place(x, p, "M", "constraints"), found)


def motions_without_mass(M: Array, G: Array) -> Array:
    """Columns z with M z = 0 and G z = 0.

    Speeds are measured by the energy they carry alone, so that M has ones on its diagonal: z is
    without mass if its energy is rounding of what its components would carry one by one, however
    long the tree and small the masses at its end.
    """
    if M.shape[0] != M.shape[1] or not (np.abs(M - M.T) <= 1e-9 * np.abs(M.T)).all():
        stacked = np.vstack([M, G])
        size = np.linalg.norm(stacked, axis=1, keepdims=True)
        _, s, Vt = np.linalg.svd(stacked / np.maximum(size, 1e-300))
        return np.asarray(Vt[int((s > _RANK).sum()) :].T)
    mass = np.diag(M)
    scale = 1 / np.sqrt(np.where(mass > 0, mass, 1.0))
    G = G * scale
    G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True), 1e-300)
    H = 0.5 * (M + M.T) * np.outer(scale, scale) + G.T @ G
    values, V = np.linalg.eigh(H)
    least = 16 * len(H) * _EPS * float(values.max(initial=0.0))
    return np.asarray(V[:, values <= max(least, 1e-300)])
