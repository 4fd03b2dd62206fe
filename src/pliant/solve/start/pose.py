"""Is a state in a singular position, in which two ways of assembly meet?

There the constraints have a smaller rank than at the poses of the mechanism around it. Redundant
constraints (a planar loop of spatial joints, Bricard's mechanism) have the same rank all around, so
they are no such position. So the mechanism is moved a little along its free motions,

    q <- q + e v, G v = 0,        q <- q - D Gs^T (Gs Gs^T + m 1)^-1 g, Gs = S G D, m = |g|

(Levenberg and Marquardt's iteration: it converges fast though rows are dependent; Fan, Yuan 2005),
and the singular values of Gs are compared. D measures speeds by the energy they carry, S rows by
the largest they are; e is such that G changes by a tenth, whatever the units are. Drivers do not
hold the mechanism while it is moved, but their rows count.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.arrays import Array, Flags, Integers
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError
from pliant.solve.start.assembly import Assembler
from pliant.solve.start.rank import SCALE_FLOOR

CHANGE = 0.1
"""By which part G changes from the pose to its neighbours."""
IN_POSE, LOST = 5e-2, 1e-7
"""Of a singular value next to it: what is smaller belongs to the pose; is lost in rounding."""
_RANK = 1e-6
_TRIES = 3
_ITERATIONS = 30
_CLOSED, _ROUNDING = 1e-13, 1e-9
_LIGHT = 1e-6
AHEAD = (1e-4, 1e-2, 1.0)
"""Seconds after which rows that depend on time have changed."""


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Positions q, speeds u and what they are measured by; g and G at any q; q moved along a
    tangent; ``own``: rows of g that no driver moves."""

    q: Array
    u: Array
    scale: Array
    constraints: Callable[[Array], tuple[Array, Array]]
    moved: Callable[[Array, Array], Array]
    own: Integers


@dataclass(frozen=True, slots=True)
class Pose:
    """``share``: the smallest singular value that does not vanish around the state, here over
    there; ``rank``: how many there are; ``rows``: those that are dependent here only; ``scale``:
    what speeds are measured by; ``reach``: how far around is, in these."""

    share: float
    rank: int
    rows: tuple[int, ...]
    scale: Array
    reach: float

    @property
    def singular(self) -> bool:
        """Two ways of assembly meet here or very near."""
        return self.share < IN_POSE

    @property
    def lost(self) -> bool:
        """Rounding alone tells the ways apart."""
        return self.share < LOST


def pose_of(compiled: CompiledEquations, x: Array, p: Array) -> Pose:
    """Look around the consistent state x of a model, or remember it: what moves a mechanism does
    not change where it is."""
    key = compiled.place(x, p, "M", "constraints", "tangent")
    return compiled.remembered("start pose", key, lambda: _looked(compiled, x, p))


def _looked(compiled: CompiledEquations, x: Array, p: Array) -> Pose:
    scale = _speed_scale(compiled, x, p)
    solver = Assembler(compiled, p, float(x[0]))

    def constraints(q: Array) -> tuple[Array, Array]:
        g, _, G = solver.constraints(solver.packed(q))
        return g, G

    q, u = np.split(x[1 : 1 + compiled.nq + compiled.nu], [compiled.nq])
    own = np.flatnonzero(~_of_time(compiled, x, p)[: compiled.mh])
    return look_around(Mechanism(q.copy(), u, scale, constraints, solver.moved, own))


def look_around(mechanism: Mechanism) -> Pose:
    """Rank and singular values at q and around."""
    return _Look(mechanism).pose()


class _Look:
    """Constraints around a state, scaled."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.at = mechanism
        self.D = mechanism.scale
        self.G = mechanism.constraints(mechanism.q)[1]
        size = np.linalg.norm(self.G * self.D, axis=1)  # as those of ``rank``: with a floor
        self.rows = np.maximum(size, max(SCALE_FLOOR * float(size.max(initial=0.0)), 1e-300))

    def pose(self) -> Pose:
        reach, found = 0.0, list[Array]()
        for v in self._directions():
            reach = reach or self._reach(v)
            q = self._closed(self.at.moved(self.at.q, reach * v)) if reach else None
            if q is not None:
                found.append(self.at.constraints(q)[1] * self.D)
        norms = [np.linalg.norm(G, axis=1) for G in found]
        scale = np.maximum.reduce([self.rows, *norms])[:, None]
        here, around = self.G * self.D / scale, [G / scale for G in found]
        W, values, _ = np.linalg.svd(here, full_matrices=len(here) > here.shape[1])
        s = np.append(values, np.zeros(len(here) - len(values)))
        squares = (np.linalg.eigvalsh(G @ G.T)[::-1] for G in around)  # below 1e-16: rounding
        others = [np.sqrt(np.maximum(square, 0.0)) for square in squares]
        rank = max(int((values > _RANK).sum()) for values in (s, *others))
        best = max(others, key=lambda t: float(t[rank - 1]), default=s) if rank else s
        share = float(s[rank - 1] / best[rank - 1]) if rank and best[rank - 1] > 0.0 else 1.0
        rows = () if share > IN_POSE else _dependent(W, s < IN_POSE * best[rank - 1], around)
        return Pose(share, rank, rows, self.D, reach)

    def _directions(self) -> list[Array]:
        """Free motions: that of the state, and others."""
        random = np.random.default_rng(0)
        own, found = self._own_rows(self.G), list[Array]()
        for w in (self.at.u / self.D, *random.standard_normal((_TRIES, len(self.D)))):
            v = w - own.T @ _damped(own @ own.T, own @ w, 1e-12)
            size = float(np.linalg.norm(v))
            if size > 1e-9 * max(1.0, float(np.linalg.norm(w))):
                found.append(self.D * v / size)
        return found

    def _own_rows(self, G: Array) -> Array:
        """Scaled rows of positions that no driver moves."""
        own = self.at.own
        return np.asarray(G[own] * self.D / self.rows[own, None])

    def _reach(self, v: Array) -> float:
        """How far to move for G to change by ``CHANGE``; 0 if it does not."""
        size, reach = float(np.linalg.norm(self.G * self.D)), 1.0 / float(np.abs(v).max())
        for _ in range(40):
            try:
                G = self.at.constraints(self.at.moved(self.at.q, reach * v))[1]
                change = float(np.linalg.norm((G - self.G) * self.D))
            except UndefinedError:
                change = np.inf
            if change <= 1e-9 * size:
                return 0.0
            if change <= CHANGE * size:
                return reach
            reach *= max(0.1, min(0.7, CHANGE * size / change))
        return 0.0

    def _closed(self, q: Array) -> Array | None:
        """q moved onto the rows of the mechanism itself."""
        before, own = np.inf, self.at.own
        for _ in range(_ITERATIONS):
            try:
                g, G = self.at.constraints(q)
            except UndefinedError:
                return None
            g = g[own] / self.rows[own]
            size = float(np.abs(g).max(initial=0.0))
            if size < _CLOSED or (size < _ROUNDING and size > 0.5 * before):
                return q
            before = size
            A = self._own_rows(G)
            q = self.at.moved(q, -self.D * (A.T @ _damped(A @ A.T, g, size)))
        return None


def _dependent(W: Array, vanishing: Flags, around: list[Array]) -> tuple[int, ...]:
    """Rows of the combination that vanishes here and is largest around."""
    lost = W[:, vanishing]
    found = [np.linalg.svd(lost.T @ G, full_matrices=False) for G in around]
    best = max(found, key=lambda usv: float(usv[1][0]))
    part = np.abs(lost @ best[0][:, 0])
    return tuple(int(i) for i in np.flatnonzero(part > 0.1 * part.max()))


def _damped(A: Array, b: Array, damping: float) -> Array:
    """(A + m 1)^-1 b."""
    return np.asarray(np.linalg.lstsq(A + damping * np.eye(len(A)), b)[0]) if len(b) else b


def _speed_scale(compiled: CompiledEquations, x: Array, p: Array) -> Array:
    """1/sqrt(M_kk): speeds of equal energy; ones where M says nothing."""
    M = compiled.block("explicit", "M", compiled.call("explicit", x, p))
    if M.shape[0] != M.shape[1] or not np.isfinite(M).all():
        return np.ones(compiled.nu)
    mass = np.diag(M)
    return 1 / np.sqrt(np.maximum(mass, max(_LIGHT * float(mass.max(initial=0.0)), 1e-300)))


def _of_time(compiled: CompiledEquations, x: Array, p: Array) -> Flags:
    """Rows that a driver moves."""
    at_rest = x.copy()
    at_rest[1 + compiled.nq : 1 + compiled.nq + compiled.nu] = 0.0
    now = compiled.call("constraints", at_rest, p)
    found: Flags = compiled.block("constraints", "cv", now) != 0.0
    for ahead in AHEAD:
        later = at_rest.copy()
        later[0] += ahead
        y = compiled.call("constraints", later, p)
        found |= compiled.block("constraints", "cv", y) != 0.0
        found[: compiled.mh] |= compiled.block("constraints", "g", y) != compiled.block(
            "constraints", "g", now
        )
    return found
