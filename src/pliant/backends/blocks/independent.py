"""Constraints that say nothing new are left out: a row that is a combination of earlier ones.

Rows of G of a part that alone holds some block (an open end of a tree) are independent of all
others. They are set aside first, again and again; what is left are loops, and their rows are made
orthogonal one after the other: a row of which nothing remains is dependent.

A start in a singular position is refused: rows are left out for the whole run by what they are
at its start, and there one of them would be missing everywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.loops.system_layout import CQ, SCALE, TIME, X_HEADER
from pliant.backends.blocks.solver.element import ElementKind
from pliant.errors import StepError
from pliant.solve.start_pose import AHEAD, Mechanism, look_around

if TYPE_CHECKING:
    from pliant.backends.blocks.model import BlockModel, Kept


_LEFT = 1e-8
"""Of the length of a row; what is smaller is rounding."""


def independent_rows(model: BlockModel) -> tuple[Kept, tuple[str, ...]]:
    """Rows of every part that are kept, and the names of those that are not."""
    kept = list(model.kept)
    names: list[str] = []
    for k, dependent in _dependent(model).items():
        kept[k] = tuple(row for row in kept[k] if row not in dependent)
        names += [f"{model.parts[k].owner} (row {row + 1})" for row in dependent]
    return tuple(kept), tuple(names)


def _dependent(model: BlockModel) -> dict[int, list[int]]:
    looped = parts_in_loops(model)
    basis: list[Array] = []
    found: dict[int, list[int]] = {}
    blocks = sorted({b for k in looped for b in model.blocks(k)[:-1]})
    sizes = [model.system.shapes[b].n for b in blocks]
    start = dict(zip(blocks, np.cumsum([0, *sizes]), strict=False))
    space = np.zeros((0, sum(sizes)))
    for k in looped:
        for row, own in enumerate(_gradients(model, k)):
            g = np.zeros(sum(sizes))
            for b, part in own.items():
                g[start[b] : start[b] + len(part)] += part
            size = float(np.linalg.norm(g))
            for _ in range(2):
                g -= space.T @ (space @ g)
            left = float(np.linalg.norm(g))
            if left <= _LEFT * max(size, 1e-4):
                found.setdefault(k, []).append(model.kept[k][row])
            else:
                basis.append(g / left)
                space = np.array(basis)
    return found


def parts_in_loops(model: BlockModel) -> list[int]:
    """Parts with rows that are left when those that alone hold a block are taken away."""
    touched = {k: model.blocks(k)[:-1] for k in model.multipliers}
    gradients = {k: _gradients(model, k) for k in touched}
    at_block: dict[int, set[int]] = {}
    for k, blocks in touched.items():
        for b in blocks:
            at_block.setdefault(b, set()).add(k)
    alone = [b for b, parts in at_block.items() if len(parts) == 1]
    while alone:
        b = alone.pop()
        if len(at_block[b]) != 1:
            continue
        (k,) = at_block[b]
        if not _holds(gradients[k], b):
            continue
        for other in touched[k]:
            at_block[other].discard(k)
            if len(at_block[other]) == 1:
                alone.append(other)
    return sorted({k for parts in at_block.values() for k in parts})


def _holds(rows: list[dict[int, Array]], block: int) -> bool:
    """Whether the rows are independent in this block alone."""
    own = np.array([row[block] for row in rows])
    sizes = np.linalg.svd(own, compute_uv=False)
    return len(own) <= own.shape[1] and bool(sizes[-1] > 1e-6 * max(sizes[0], 1e-300))


def _gradients(model: BlockModel, k: int) -> list[dict[int, Array]]:
    """Rows of G of a part at the start, by block."""
    return part_rows(model, k, model.q, model.start.t)[1]


def part_rows(
    model: BlockModel, k: int, q: Array, t: float
) -> tuple[list[float], list[dict[int, Array]]]:
    """g of a part at q and t, and rows of G by block."""
    blocks, numbers = model.blocks(k), model.parts[k].numbers
    kind = model.kinds.kind(model.parts[k], model.kept[k])
    at, shapes = model.system.coordinates, model.system.shapes
    r, J = _tangent(kind, [q[at[b] : at[b] + shapes[b].nq] for b in blocks], numbers, t)
    rows = []
    first = kind.n - len(model.kept[k])
    for i in range(first, kind.n):
        place = 0
        own: dict[int, Array] = {}
        for b, shape in zip(blocks[:-1], kind.shapes, strict=False):
            part = J[i, place : place + shape.n]
            own[b] = own[b] + part if b in own else part
            place += shape.n
        rows.append(own)
    return [float(value) for value in r[first:]], rows


def _tangent(kind: ElementKind, q: list[Array], numbers: Any, t: float) -> tuple[Array, Array]:
    """Residual and tangent of an element."""
    x, y = np.zeros(kind.x_size), np.zeros(kind.n * (kind.n + 1))
    x[TIME], x[SCALE], x[CQ] = t, 1.0, 1.0
    values = np.concatenate(q)
    x[X_HEADER : X_HEADER + len(values)] = values
    kind.machine.call("tangent", x, np.append(numbers, 0.0), y)
    return y[: kind.n], y[kind.n :].reshape(kind.n, kind.n)


def refuse_in_pose(model: BlockModel) -> None:
    """Raise StepError if two ways of assembly meet at the start of ``model`` (with all rows)."""
    looped = parts_in_loops(model)
    owners = [model.parts[k].owner for k in looped for _ in model.kept[k]]
    if not looped:
        return
    g, _ = _constraints(model, looped, model.q, 0.0)
    moves = [np.abs(_constraints(model, looped, model.q, a)[0] - g) > 0 for a in AHEAD]
    own = np.flatnonzero(~np.any(moves, axis=0))
    system = model.system
    fixed = np.zeros(system.n_all - system.n)
    pose = look_around(Mechanism(
        model.q, np.zeros(system.n), np.ones(system.n),
        lambda q: _constraints(model, looped, q, 0.0),
        lambda q, v: system.moved(q, np.append(v, fixed)), own,
    ))  # fmt: skip
    if pose.lost:
        names = ", ".join(dict.fromkeys(f"'{owners[k]}'" for k in pose.rows))
        raise StepError(
            f"t = {model.start.t:.6g} s: the start is a change point: two ways of assembly meet "
            f"here ({names}), and blocks cannot tell them apart; start beside it, or use another "
            "method (auto, radau)"
        )


def _constraints(
    model: BlockModel, parts: list[int], q: Array, ahead: float
) -> tuple[Array, Array]:
    """g and G of some parts at q, some time after the start."""
    system, residuals, rows = model.system, list[float](), list[Array]()
    for k in parts:
        g, gradients = part_rows(model, k, q, model.start.t + ahead)
        residuals += g
        for own in gradients:
            row = np.zeros(system.n_all)
            for b, part in own.items():
                start = system.increments[b]
                row[start : start + len(part)] += part
            rows.append(row[: system.n])
    return np.array(residuals), np.array(rows)
