"""Constraints that say nothing new are left out: a row that is a combination of earlier ones.

Rows of G of a part that alone holds some block (an open end of a tree) are independent of all
others. They are set aside first, again and again; what is left are loops, and their rows are made
orthogonal one after the other: a row of which nothing remains is dependent.

A start in a singular position is refused: rows are left out for the whole run by what they are
at its start, and there one of them would be missing everywhere else.

Change points of a run are told from its steps when it is over. Blocks have no way of their own over
a position in which two ways of assembly meet. Steps that are long enough lead over it, and go on
smoothly, whether the ways meet there or only nearly; shorter ones may not converge. Which of the
two the mechanism does they cannot tell, so a run says where it was: sigma, the root of the smallest
eigenvalue of

    D⁻¹ G M⁻¹ Gᵀ D⁻¹,        D² = diag(G W⁻² Gᵀ) at the start

for the constraints of loops (W makes speeds comparable), falls to zero in a line and rises again.
It is found by inverse iteration with the matrix of blocks, at states some way apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.loops.system_layout import CQ, SCALE, TIME, X_HEADER
from pliant.errors import StepError
from pliant.solve.start.pose import AHEAD, Mechanism, look_around

if TYPE_CHECKING:
    from pliant.backends.blocks.model import BlockModel, Kept
from typing import TYPE_CHECKING

from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.backends.blocks.model import BlockModel


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
        own = np.array([row[b] for row in gradients[k]])
        sizes = np.linalg.svd(own, compute_uv=False)
        if len(own) > own.shape[1] or not sizes[-1] > 1e-6 * max(sizes[0], 1e-300):
            continue  # its rows are not independent in this block alone
        for other in touched[k]:
            at_block[other].discard(k)
            if len(at_block[other]) == 1:
                alone.append(other)
    return sorted({k for parts in at_block.values() for k in parts})


def _gradients(model: BlockModel, k: int) -> list[dict[int, Array]]:
    """Rows of G of a part at the start, by block."""
    return part_rows(model, k, model.q, model.start.t)[1]


def part_rows(
    model: BlockModel, k: int, q: Array, t: float
) -> tuple[list[float], list[dict[int, Array]]]:
    """g of a part at q and t, and rows of G by block."""
    blocks, numbers = model.blocks(k), model.parts[k].numbers
    kind = model.kinds.kind(model.parts[k], model.kept[k])
    x, y = np.zeros(kind.x_size), np.zeros(kind.n * (kind.n + 1))
    x[TIME], x[SCALE], x[CQ] = t, 1.0, 1.0
    values = np.concatenate([q[model.system.own[b][0]] for b in blocks])
    x[X_HEADER : X_HEADER + len(values)] = values
    kind.machine.call("tangent", x, np.append(numbers, 0.0), y)
    r, J = y[: kind.n], y[kind.n :].reshape(kind.n, kind.n)
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
                row[system.own[b][1]] += part
            rows.append(row[: system.n])
    return np.array(residuals), np.array(rows)


_APART = 0.05
"""Radians between states that are looked at."""
_EDGE = 1.5
"""How far a sharp minimum may be from straight."""
_NEAR = 0.3
"""Of the largest sigma: a run that stops below it, while it falls, has come to a pose."""
_ITERATIONS = 4
_MOST = 30_000_000
"""Numbers of states that are kept."""
_TAKES_PART = 0.1


@dataclass(frozen=True, slots=True)
class PoseMet:
    """When, and the joints whose constraints become dependent."""

    t: float
    joints: tuple[str, ...]

    @property
    def text(self) -> str:
        names = [f"'{name}'" for name in self.joints[:4]]
        more = len(self.joints) - len(names)
        names += [f"{more} more"] if more else []
        return f"near t = {self.t:.4g} s ({', '.join(names)})"


class PoseLog:
    """Takes the steps of a run as they come: rows (t, q, u, u')."""

    def __init__(self, model: BlockModel) -> None:
        self._model, self._looped = model, parts_in_loops(model)
        system = model.system
        turning = [i for i, s in zip(system.increments, system.shapes, strict=True) if s.pose]
        self._rates = (np.array(turning, dtype=int)[:, None] + np.arange(3, 6)).ravel()
        self._rows: list[Array] = []
        self._last, self._turned, self._part = np.zeros((0, 0)), 0.0, -1.0
        self.full = np.inf
        """When there were too many states to be kept."""

    def take(self, rows: Array) -> None:
        """Keep states that are apart, and the last one."""
        if not self._looped or not len(rows) or self.full < np.inf:
            return
        start = self._last if len(self._last) else rows[:1]
        before = np.concatenate([start[:, 0], rows[:-1, 0]])
        rate = np.abs(rows[:, 1 + self._model.system.nq + self._rates]).max(axis=1, initial=0.0)
        turned = self._turned + np.cumsum(rate * (rows[:, 0] - before))
        parts = np.floor(turned / _APART)
        self._rows += [rows[k].copy() for k in np.flatnonzero(np.diff(parts, prepend=self._part))]
        self._last, self._turned, self._part = rows[-1:].copy(), float(turned[-1]), parts[-1]
        if len(self._rows) * rows.shape[1] > _MOST:
            self.full = float(rows[-1, 0])

    def met(self) -> tuple[list[PoseMet], PoseMet | None]:
        """Poses that were passed, and the one that the end of the run is next to."""
        new = len(self._rows) and self._last[0, 0] > self._rows[-1][0]
        rows = [*self._rows, *(self._last if new else ())]
        if len(rows) < 3:
            return [], None
        look = _Sigma(self._model, self._looped, rows[0])
        t, found = np.array([row[0] for row in rows]), [look.at(row) for row in rows]
        sigma, passed = np.array([s for s, _ in found]), []
        for k in range(1, len(t) - 1):
            at = _edge(t[k - 1 : k + 2], sigma[k - 1 : k + 2])
            passed += [] if at is None else [PoseMet(at, found[k][1])]
        near = passed[-1] if passed and passed[-1].t > t[-3] else None
        for k in (-2, -1):  # the very last states may be those of a run that has gone wrong
            slope = (sigma[k - 1] - sigma[k]) / (t[k] - t[k - 1])
            if slope > 0 and sigma[k] < _NEAR * sigma.max():
                near = near or PoseMet(float(t[k] + sigma[k] / slope), found[k][1])
        return passed, near


def _edge(t: Array, sigma: Array) -> float | None:
    """Where sigma = k |t - t*| vanishes: sigma_1 + sigma_3 = k (t_3 - t_1); a smooth minimum has
    far more of it."""
    slopes = np.diff(sigma) / np.diff(t)
    if not slopes[0] < 0 <= slopes[1]:
        return None
    steep = np.abs(slopes).max()
    if sigma[0] + sigma[2] >= _EDGE * steep * (t[2] - t[0]):
        return None
    return float((t[0] + t[2] + (sigma[0] - sigma[2]) / steep) / 2)


class _Sigma:
    """The root of the smallest eigenvalue at states of a run, and the joints whose constraints its
    vector is made of."""

    def __init__(self, model: BlockModel, looped: list[int], first: Array) -> None:
        self._model, self._system = model, model.system
        self._owners = [model.parts[k].owner for k in looped for _ in model.kept[k]]
        at, every = model.system.own, np.arange(model.system.n_all)
        self._places = np.concatenate([every[at[model.multipliers[k]][1]] for k in looped])
        t, q, _ = self._split(first)
        weights = self._system.weights(q)
        self._scale = np.sqrt([
            sum(np.sum((part / weights[at[b][1]]) ** 2) for b, part in own.items())
            for k in looped for own in part_rows(model, k, q, t)[1]
        ])  # fmt: skip
        self._vector = np.random.default_rng(0).standard_normal(len(self._places))

    def _split(self, row: Array) -> tuple[float, Array, Array]:
        nq, n = self._system.nq, self._system.n_all
        return float(row[0]), row[1 : 1 + nq], row[1 + nq : 1 + nq + n]

    def at(self, row: Array) -> tuple[float, tuple[str, ...]]:
        """Inverse iteration from the vector of the last state."""
        t, q, u = self._split(row)
        system, b = self._system, self._vector / np.linalg.norm(self._vector)
        system.set_header(t=t)
        try:
            system._inertial(q, u)
        except SingularBlockError:
            return 0.0, self._joints
        right, value = np.zeros(system.n), np.inf
        for _ in range(_ITERATIONS):
            right[self._places] = self._scale * b
            found = self._scale * system.matrix.solve(right)[self._places]
            size = float(np.linalg.norm(found))
            if not np.isfinite(size) or size == 0.0:
                return 0.0, self._joints
            value, b = 1 / size, found / size
        self._vector = b + 0.01 * np.random.default_rng(1).standard_normal(len(b))
        return float(np.sqrt(value)), self._joints

    @property
    def _joints(self) -> tuple[str, ...]:
        part = np.abs(self._vector)
        took = np.flatnonzero(part > _TAKES_PART * part.max(initial=0.0))
        return tuple(dict.fromkeys(self._owners[i] for i in took))


def remarks_on_poses(passed: list[PoseMet], full: float) -> list[str]:
    """One remark on all of them, and one where no more were looked for."""
    short = [f"change points after t = {full:.4g} s were not looked for: too many states"]
    if not passed:
        return short if full < np.inf else []
    said = ", ".join(p.text for p in passed[:3])
    many = f" and {len(passed) - 3} more times" if len(passed) > 3 else ""
    which = "a change point" if len(passed) == 1 else "change points"
    return [f"passed {which} {said}{many}: two ways of assembly meet there, or nearly; steps over "
            "blocks cannot tell which way the mechanism goes: compare with auto",
            *(short if full < np.inf else ())]  # fmt: skip
