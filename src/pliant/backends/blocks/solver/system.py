"""A block-sparse system: blocks of unknowns, elements over them, its arrays for machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array, Flags, Integers
from pliant.backends.blocks.loops import assembly, augmented, motion
from pliant.backends.blocks.loops import program_layout as pl
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.solver.element import BlockShape, ElementKind
from pliant.backends.blocks.solver.elimination import EliminationPlan, program_of
from pliant.backends.blocks.solver.matrix import BlockMatrix
from pliant.code.llvm import fence
from pliant.records import dataclass

_NOISE = 1e-15
"""Of places, in m or of how far off they are: differences up to it are rounding."""


@dataclass(frozen=True, slots=True)
class Elements:
    """Elements of one kind: their blocks and numbers, one row each."""

    kind: ElementKind
    blocks: Integers
    numbers: Array


@dataclass(slots=True)
class SystemBuilder:
    """Collects blocks and elements."""

    shapes: list[BlockShape] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    fixed: list[bool] = field(default_factory=list)
    elements: list[Elements] = field(default_factory=list)
    light: list[int] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)
    hung: list[list[int]] = field(default_factory=list)

    def add(
        self, shape: BlockShape, count: int = 1, *, name: str = "", fixed: bool = False,
        light: bool = False, bare: bool = False,
    ) -> Integers:  # fmt: skip
        """New blocks of one shape; their numbers. ``light``: without inertia or stiffness of their
        own in some direction; ``bare``: in all, one joint determines them (``program``)."""
        first = len(self.shapes)
        self.bare += range(first, first + count) if bare else ()
        self.light += range(first, first + count) if light else ()
        self.shapes += [shape] * count
        self.names += [f"{name or 'block'} {i}" for i in range(count)] if count > 1 else [name]
        self.fixed += [fixed] * count
        return np.arange(first, first + count)

    def add_one(
        self, shape: BlockShape, name: str, *, light: bool = False, bare: bool = False
    ) -> int:
        """A single block."""
        return int(self.add(shape, name=name, light=light, bare=bare)[0])

    def hang(self, blocks: Sequence[int]) -> None:
        """A body, the coordinates of the joint it hangs on and the rows of both (``program``)."""
        self.hung.append(list(blocks))

    def couple(self, kind: ElementKind, blocks: Any, numbers: Any) -> None:
        """Elements of one kind: rows of block numbers and of parameters."""
        blocks = np.atleast_2d(np.asarray(blocks, dtype=np.int64))
        numbers = np.asarray(numbers, dtype=float)
        numbers = np.broadcast_to(numbers, (len(blocks), kind.parameters))
        for k, shape in enumerate(kind.shapes):
            wrong = [b for b in np.unique(blocks[:, k]) if self.shapes[b] != shape]
            if wrong:
                raise ValueError(
                    f"element {kind.name}, block {k}: {self.names[wrong[0]]} has shape "
                    f"{self.shapes[wrong[0]]}, {shape} is needed"
                )
        self.elements.append(Elements(kind, blocks, np.ascontiguousarray(numbers)))

    def build(self, reach: float = 0.0) -> SparseSystem:
        """Order the elimination and lay out the arrays. ``reach``: how far bodies go from where
        they are said to be, which makes the whole large where they all are at one place."""
        return SparseSystem(
            self.shapes,
            self.names,
            self.fixed,
            self.elements,
            self.light,
            self.bare,
            self.hung,
            reach,
        )


class SparseSystem:
    """Residual, tangent and motion of the whole; numbers live in the arrays handed over.

    ``q`` has the coordinates block by block; ``u``, ``a``, ``r`` are in the order of elimination,
    with fixed blocks last (``increments``, ``coordinates`` say where a block stands).
    """

    def __init__(
        self,
        shapes: Sequence[BlockShape],
        names: Sequence[str],
        fixed: Sequence[bool],
        elements: Sequence[Elements],
        light: Sequence[int] = (),
        bare: Sequence[int] = (),
        hung: Sequence[Sequence[int]] = (),
        reach: float = 0.0,
    ) -> None:
        self.reach = reach
        self.shapes, self.names, self.elements = list(shapes), list(names), list(elements)
        sizes = np.array([s.n for s in shapes], dtype=np.int64)
        held = np.array(fixed, dtype=bool)
        self.algebraic = np.array([s.algebraic for s in shapes], dtype=bool)
        blocks = [e.blocks for e in elements]
        self.program = program_of(sizes, self.algebraic, held, blocks, light, bare, hung)
        self.n, self.n_all = self.program.n, int(sizes.sum())
        self.nq = sum(s.nq for s in shapes)
        self.coordinates = np.cumsum([0, *(s.nq for s in shapes)])[:-1]
        start = np.where(held, 0, self.program.start[self.program.pivot] + self.program.inner)
        start[held] = self.n + np.cumsum(np.r_[0, sizes[held]])[:-1]
        self.increments = start
        where = zip(self.coordinates, self.increments, shapes, strict=True)
        self.own = [(slice(i, i + s.nq), slice(k, k + s.n)) for i, k, s in where]
        """Coordinates and unknowns of every block."""
        self.ic, self.dc = self._arrays()
        self.matrix = BlockMatrix(self.program, self.names, packed(self.program))
        self.matrix.reversed = self.multiplier_rows()[: self.n]
        self.no_turns = np.tile(np.r_[np.eye(3).ravel(), np.zeros(9)], len(self.shapes))
        self._work, self._rest = np.zeros(16), np.zeros(self.n_all)

    def _arrays(self) -> tuple[Integers, Array]:
        """ic and dc."""
        ic, dc = [np.zeros(sl.IC_HEADER, dtype=np.int64)], [np.zeros(sl.X_HEADER)]
        header = ic[0]
        x_size = max(e.kind.x_size for e in self.elements)
        y_size = max(e.kind.n * (e.kind.n + 1) for e in self.elements)
        header[sl.BLOCKS], header[sl.UNKNOWNS] = len(self.shapes), self.n
        header[sl.ALL], header[sl.KINDS] = self.n_all, len(self.elements)
        y_local = sl.X_LOCAL + x_size + fence.WORDS
        header[sl.Y_LOCAL], header[sl.LENGTH] = y_local, self.program.length
        dc.append(np.zeros(x_size + y_size + 2 * fence.WORDS))
        table = (self.coordinates, self.increments, [s.reals for s in self.shapes],
                 [s.pose for s in self.shapes], self.algebraic)  # fmt: skip
        columns = [np.asarray(c, dtype=np.int64) for c in table]
        header[sl.BLOCK_TABLE] = _append(ic, np.stack(columns, axis=1))
        records = np.zeros((len(self.elements), sl.KIND_INTS), dtype=np.int64)
        for record, elements in zip(records, self.elements, strict=True):
            self._kind_record(record, elements, ic, dc)
        header[sl.KIND_TABLE] = _append(ic, records)
        header[sl.PROGRAM] = _append(ic, packed(self.program))
        reals = np.concatenate(dc)
        fence.mark(reals, [sl.X_LOCAL + x_size, y_local + y_size])
        return np.concatenate(ic), reals

    def _kind_record(
        self, record: Integers, elements: Elements, ic: list[Integers], dc: list[Array]
    ) -> None:
        kind, blocks = elements.kind, elements.blocks
        address, nb = kind.machine.address, len(kind.shapes)
        record[sl.K_RESIDUAL], record[sl.K_TANGENT] = address["residual"], address["tangent"]
        record[sl.K_LOAD] = address["load"] if kind.loaded else 0
        record[sl.K_BLOCKS], record[sl.K_SIZE], record[sl.K_COUNT] = nb, kind.n, len(blocks)
        record[sl.K_RATES], record[sl.K_STRIDE] = kind.rates, kind.parameters
        record[sl.K_NUMBERS] = _append(dc, elements.numbers)
        record[sl.K_TOUCHED] = _append(ic, blocks)
        places = np.empty((len(blocks), nb, nb, 2), dtype=np.int64)
        for i in range(nb):
            for j in range(nb):
                pair = self.program.place(blocks[:, i], blocks[:, j])
                places[:, i, j, 0], places[:, i, j, 1] = pair
        record[sl.K_PLACES] = _append(ic, places)

    def set_header(
        self, t: float = 0.0, load: float = 1.0, scale: float = 1.0, ca: float = 0.0,
        cu: float = 0.0, cq: float = 1.0,
    ) -> None:  # fmt: skip
        """What every element reads: time, load factor, coefficients of the tangent."""
        for slot, value in (
            (sl.TIME, t), (sl.LOAD, load), (sl.SCALE, scale), (sl.CA, ca), (sl.CU, cu), (sl.CQ, cq),
        ):  # fmt: skip
            self.dc[slot] = value

    def residual(self, q: Array, u: Array | None = None, a: Array | None = None) -> Array:
        """r of the free blocks; at rest if no speeds are given."""
        r = np.zeros(self.n_all)
        assembly.residual(self.ic, self.dc, *self._motion(q, u, a), self.no_turns, r,
                          sl.K_RESIDUAL)  # fmt: skip
        return r[: self.n]

    def load_direction(self, q: Array) -> Array:
        """dr/dload at rest."""
        r = np.zeros(self.n_all)
        assembly.residual(self.ic, self.dc, *self._motion(q), self.no_turns, r, sl.K_LOAD)
        return r[: self.n]

    def tangent(self, q: Array, u: Array | None = None, a: Array | None = None) -> Array:
        """r; the tangent is left in ``matrix``."""
        r = np.zeros(self.n_all)
        A = self.matrix.open()
        assembly.tangent(self.ic, self.dc, *self._motion(q, u, a), self.no_turns, r, A)
        return r[: self.n]

    def add_constraint_springs(self, weights: Array, stiffness: Array) -> None:
        """Springs along all constraints in the open ``matrix``; their stiffness by unknown."""
        rows = weights[: self.n] > 0
        self.matrix.original = None
        sizes = self.matrix.diagonal()[rows] / weights[: self.n][rows] ** 2
        most = float(sizes.max(initial=0.0))
        augmented.augment(self.ic, self.matrix.values, weights, most, stiffness)

    def moved(self, q: Array, d: Array) -> Array:
        """q exp(d)."""
        q, d = _checked(q, self.nq), _checked(d, self.n_all)
        out = q.copy()
        motion.move(self.ic, q, d, out, self._work)
        return out

    def extent(self, q: Array) -> float:
        """Size of the whole: the largest side of a box around all bodies, or how far one of them
        reaches if that is more; 1 if there is none."""
        poses = self.coordinates[[s.pose for s in self.shapes]]
        places = q[poses[:, None] + np.arange(3)]
        box = float(np.ptp(places, axis=0).max()) if len(poses) > 1 else 0.0
        noise = _NOISE * float(np.abs(places).max(initial=1.0))
        return max(box if box > noise else 0.0, self.reach) or 1.0

    def weights(self, q: Array) -> Array:
        """What makes increments comparable: 1 over the size of the whole for translations, 0 for
        multipliers."""
        weights, extent = np.ones(self.n_all), self.extent(q)
        for start, shape in zip(self.increments, self.shapes, strict=True):
            if shape.pose:
                weights[start : start + 3] = 1 / extent
            if shape.algebraic:
                weights[start : start + shape.n] = 0.0
        return weights

    def multiplier_rows(self) -> Flags:
        """Which unknowns are multipliers."""
        rows = np.zeros(self.n_all, dtype=bool)
        for b in np.flatnonzero(self.algebraic):
            rows[self.own[b][1]] = True
        return rows

    @property
    def freedom(self) -> int:
        """Unknowns of motion less constraints."""
        return int(self.n - 2 * np.sum(self.multiplier_rows()))

    def set_multipliers(self, q: Array, values: Array) -> None:
        """Write multipliers, given in the order of the unknowns, into the coordinates."""
        for b in np.flatnonzero(self.algebraic):
            coordinates, unknowns = self.own[b]
            q[coordinates] = values[unknowns]

    def accelerations(self, q: Array, u: Array) -> tuple[Array, Array]:
        """u' and multipliers (both in the order of the unknowns) at a state with g = 0, G u = 0.

        M u' - G^T lam = -r,  G u' = -gamma.
        """
        r, rows = self._inertial(q, u), self.multiplier_rows()
        gamma = self._constraint_rates(q, u)[1]
        found = self._solved(np.where(rows, -gamma, -r))
        return np.where(rows, 0.0, found), np.where(rows, found, 0.0)

    def projected(self, q: Array, u: Array) -> Array:
        """The speeds nearest to u, in the metric of kinetic energy, that the constraints allow.

        M d - G^T lam = 0,  G d = -dg/dt; steps hold g = 0 and leave its rate their error.
        """
        rows = self.multiplier_rows()
        if not rows.any():
            return u
        self._inertial(q, u)
        rate = self._constraint_rates(q, u)[0]
        return u + np.where(rows, 0.0, self._solved(np.where(rows, -rate, 0.0)))

    def _inertial(self, q: Array, u: Array) -> Array:
        """r without multipliers; (M, -G^T; G, 0) is left in ``matrix``, in factors."""
        t, q, r = float(self.dc[sl.TIME]), q.copy(), np.zeros(self.n_all)
        self.set_multipliers(q, np.zeros(self.n_all))
        self.set_header(t=t, ca=1.0, cq=0.0)
        r[: self.n] = self.tangent(q, u)
        self.matrix.factor(keep=True)
        self.set_header(t=t)
        return r

    def _solved(self, right: Array) -> Array:
        found = np.zeros(self.n_all)
        found[: self.n] = self.matrix.solve(right[: self.n], refine=1)
        return found

    def _constraint_rates(self, q: Array, u: Array) -> Array:
        """First and second derivatives of all constraints in time, with u held."""
        t, found, own = float(self.dc[sl.TIME]), np.zeros((2, self.n_all)), self.own
        for e in (e for e in self.elements if e.kind.shapes[-1].algebraic):
            y = np.zeros((2, e.kind.shapes[-1].n))
            for blocks, numbers in zip(e.blocks, e.numbers, strict=True):
                moving = [u[own[b][1]] for b in blocks if not self.algebraic[b]]
                x = np.concatenate([[t], *(q[own[b][0]] for b in blocks), *moving])
                e.kind.machine.call("bias", x, np.append(numbers, 0.0), y)
                found[:, own[blocks[-1]][1]] = y
        return found

    def _motion(self, q: Array, u: Array | None = None, a: Array | None = None) -> list[Array]:
        """q, u and a as machine code reads them; no u or a: at rest."""
        rates = [self._rest if v is None else _checked(v, self.n_all) for v in (u, a)]
        return [_checked(q, self.nq), *rates]


def _checked(values: Array, size: int) -> Array:
    """Numbers one after the other, as many as there must be."""
    if np.shape(values) != (size,):
        raise ValueError(
            f"an array of {size} numbers is needed, not one of shape {np.shape(values)}"
        )
    return np.ascontiguousarray(values, dtype=float)


def packed(program: EliminationPlan) -> Integers:
    """A program as one array of integers."""
    parts: list[Integers] = [np.zeros(pl.HEADER, dtype=np.int64)]
    parts[0][pl.PIVOTS], parts[0][pl.LENGTH] = len(program.size), program.length
    for slot, name in enumerate(
        ("size", "start", "diagonal", "first", "column", "lower", "upper", "update", "targets"), 1
    ):
        parts[0][slot] = _append(parts, getattr(program, name))
    return np.concatenate(parts)


def _append(parts: list[NDArray[Any]], array: Any) -> int:
    """Append an array; where it begins."""
    begin = sum(len(p) for p in parts)
    parts.append(np.ascontiguousarray(array, dtype=parts[0].dtype).ravel())
    return begin
