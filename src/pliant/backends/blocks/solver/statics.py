"""Static equilibrium of a block-sparse system: Newton's method, adaptive load steps, paths,
stability.

r(q, load) = 0,    K d = -r,    q <- q exp(d)

Equilibrium paths through limit points, by the arc-length method: the load factor is one unknown
more, and a step of length s is taken along the path. With

    K d_r = -r,   K d_l = -dr/dload,    d = d_r + delta d_l

the predictor is delta d_l with |delta d_l| = s, onwards along the path, and corrections are normal
to it: t . (d_r + delta d_l) = 0. Lengths are measured in positions, without the load. A step that
passes the last load is ended there: Newton's method at that load from its place on the way.
Source: Riks 1979; Crisfield 1981.

Loads at which an equilibrium becomes singular (bifurcation and limit points): the eigenvalue mu of
the tangent next to zero (K v = mu B v, B = 1 for rotations, 1 over the square of the size of the
system for translations, 0 for multipliers) comes from inverse iteration; mu(load) = 0 is looked for
along the path of equilibria between two loads with different numbers of negative eigenvalues.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.blocks.solver.system import SparseSystem
from pliant.code import background
from pliant.errors import StepError
from pliant.records import dataclass

EASY = 5
"""Iterations of a load step that is to be lengthened."""
_WANTED = 4
"""Iterations a step should take."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A state of rest; ``changes`` are the sizes of Newton's corrections."""

    q: Array
    load: float
    changes: tuple[float, ...]


class Statics:
    """Solutions of one system. ``tolerance``: size of the last correction (rotations in radians,
    translations over the size of the system)."""

    def __init__(
        self, system: SparseSystem, q: Array, *, tolerance: float = 1e-10, iterations: int = 15
    ) -> None:
        self.system, self.tolerance, self.iterations = system, tolerance, iterations
        self.weights = system.weights(q)
        background.begin()
        rows = system.multiplier_rows()
        self.multipliers = np.flatnonzero(rows[: system.n])
        self.motion = np.flatnonzero(~rows[: system.n])
        self.springs = np.zeros(system.n_all)
        self.scale = 1.0
        if len(self.multipliers):  # rows of motion are scaled by 1 over the largest stiffness
            self.system.set_header(load=0.0)
            self.system.tangent(q)
            self.scale = 1.0 / max(float(np.abs(self.system.matrix.values).max()), 1e-300)

    def linearise(self, q: Array, load: float, *, keep: bool = False) -> Array:
        """Factor of the tangent; the scaled residual."""
        self.system.set_header(load=load, scale=self.scale)
        r = self.system.tangent(q)
        if len(self.multipliers):
            self.system.add_constraint_springs(self.weights, self.springs)
        self.system.matrix.factor(keep=keep)
        return self.scaled(r)

    def scaled(self, r: Array) -> Array:
        """Rows of motion times the scale."""
        r = r.copy()
        r[self.motion] *= self.scale
        return r

    def solve(self, right: Array) -> Array:
        """d with K d = right, for all blocks; multipliers in their own unit."""
        d, rows = np.zeros(self.system.n_all), self.multipliers
        w = self.springs[rows]
        scaled = right.copy()
        scaled[rows] *= np.sqrt(w)
        d[: self.system.n] = self.system.matrix.solve(scaled)
        d[rows] = (np.sqrt(w) * d[rows] - w * right[rows]) / self.scale
        return d

    def size(self, d: Array) -> float:
        """Largest change of position."""
        return float(np.abs(self.weights * d).max())

    def equilibrium(self, q: Array, load: float = 1.0) -> Equilibrium:
        """Newton's method from q at a fixed load."""
        changes: list[float] = []
        for _ in range(self.iterations):
            d = self.solve(-self.linearise(q, load))
            q = self.system.moved(q, d)
            changes.append(self.size(d))
            if changes[-1] < self.tolerance:
                return Equilibrium(q, load, tuple(changes))
            if not changes[-1] < 1e3 or (len(changes) > 4 and changes[-1] > 2 * changes[0]):
                break
        raise StepError(
            f"no equilibrium found at load factor {load:.6g}: the last corrections were "
            + ", ".join(f"{c:.2g}" for c in changes[-3:])
        )

    def load_path(
        self, q: Array, end: float = 1.0, *, start: float = 0.0, step: float = 0.1,
        shortest: float = 1e-6,
    ) -> Iterator[Equilibrium]:  # fmt: skip
        """Equilibria up to a load factor, with steps that follow the ease of the iteration."""
        load, sign = start, 1.0 if end >= start else -1.0
        found = self.equilibrium(q, start)
        yield found
        while load != end:
            goal = load + sign * min(step, abs(end - load))
            try:
                found = self.equilibrium(found.q, goal)
            except (StepError, SingularBlockError):
                step /= 2
                if step < shortest:
                    raise
                continue
            load = goal
            step *= 1.5 if len(found.changes) <= EASY else 1.0 if len(found.changes) < 10 else 0.7
            yield found


@dataclass(frozen=True, slots=True)
class PathPoint(Equilibrium):
    """An equilibrium on a path; ``unstable``: number of negative eigenvalues of its tangent."""

    unstable: int = 0


def equilibrium_path(
    statics: Statics, q: Array, *, length: float, load: float = 0.0, shortest: float = 1e-8,
    longest: float = np.inf, until: float = np.inf,
) -> Iterator[PathPoint]:  # fmt: skip
    """Points along the path from an equilibrium, in steps of about ``length``, up to exactly the
    load factor ``until`` of either sign."""
    point = PathPoint(q, load, ())
    direction: Array | None = None
    while abs(point.load) < until:
        try:
            found, moved = _step(statics, point, direction, length)
            point = found if abs(found.load) < until else _end(statics, point, found, moved, until)
        except (StepError, SingularBlockError):
            length /= 2
            if length < shortest:
                raise
            continue
        direction = moved
        length = min(longest, length * min(2.0, max(0.5, _WANTED / len(point.changes))))
        yield point


def _end(
    statics: Statics, start: PathPoint, beyond: PathPoint, way: Array, until: float
) -> PathPoint:
    """The equilibrium at the last load between two points of the path.

    StepError if Newton's method leaves the way: then the step was too long.
    """
    goal = float(np.copysign(until, beyond.load))
    share = (goal - start.load) / (beyond.load - start.load)
    found = statics.equilibrium(statics.system.moved(start.q, share * way), goal)
    if sum(found.changes) > statics.size(way):
        raise StepError(f"the path could not be ended at load factor {goal:.6g}")
    changes = (*beyond.changes, *found.changes)
    return PathPoint(found.q, goal, changes, unstable(statics, found.q, goal))


def _step(
    statics: Statics, start: PathPoint, direction: Array | None, length: float
) -> tuple[PathPoint, Array]:
    """One step: the next point and the way to it."""
    system, weights = statics.system, statics.weights
    statics.linearise(start.q, start.load)
    along = statics.solve(-statics.scaled(system.load_direction(start.q)))
    norm = float(np.linalg.norm(weights * along))
    onwards = 1.0 if direction is None or (weights * along) @ (weights * direction) > 0 else -1.0
    change = onwards * length / norm
    way = change * along
    tangent = weights**2 * along / norm
    q, load = system.moved(start.q, way), start.load + change
    changes: list[float] = []
    for _ in range(statics.iterations):
        free = statics.solve(-statics.linearise(q, load))
        along = statics.solve(-statics.scaled(system.load_direction(q)))
        change = -float(tangent @ free) / float(tangent @ along)
        d = free + change * along
        q, load, way = system.moved(q, d), load + change, way + d
        changes.append(statics.size(d))
        if changes[-1] < statics.tolerance:
            unstable = system.matrix.negative_pivots() - len(statics.multipliers)
            return PathPoint(q, load, tuple(changes), unstable), way
        if not changes[-1] < 1e3 * length + 1.0:
            break
    raise StepError(f"the path could not be followed beyond load factor {start.load:.6g}")


class RegularTangentError(StepError):
    """Pivots change their signs, but no eigenvalue passes zero: loads that follow bodies make the
    tangent unsymmetric, and its pivots count nothing then."""


@dataclass(frozen=True, slots=True)
class CriticalLoad:
    """A load factor with a singular tangent, what kind it is of, the state there and the way it
    gives (all blocks)."""

    load: float
    kind: str
    q: Array
    mode: Array


def smallest_eigenvalue(
    statics: Statics, q: Array, load: float, *, iterations: int = 200
) -> tuple[float, Array]:
    """mu of least size and its vector, largest entry 1."""
    system = statics.system
    statics.linearise(q, load)
    B = statics.weights**2
    v = np.where(B > 0, np.random.default_rng(0).normal(size=system.n_all), 0.0)
    v[B > 0] /= statics.weights[B > 0]
    mu = np.inf
    for _ in range(iterations):
        right = statics.scaled((B * v)[: system.n])
        w = np.where(B > 0, statics.solve(right), 0.0)
        new = float(v @ (B * v)) / float(v @ (B * w))
        v = w / np.sqrt(w @ (B * w))
        if abs(new - mu) <= 1e-12 * abs(new):
            break
        mu = new
    return new, v / np.abs(v).max()


def unstable(statics: Statics, q: Array, load: float) -> int:
    """Number of negative eigenvalues of the tangent."""
    statics.linearise(q, load)
    return statics.system.matrix.negative_pivots() - len(statics.multipliers)


def critical_load(statics: Statics, q: Array, low: float, high: float) -> CriticalLoad:
    """Where the tangent becomes singular between two loads; q: near the equilibrium at ``low``.

    The interval is halved by counting negative eigenvalues down to a hundredth. In it mu is nearly
    a straight line, and load(mu = 0) is interpolated through five points, none of which needs to be
    singular. The path is followed at fixed loads: bifurcations, not limit points.
    """
    state = statics.equilibrium(q, low).q
    stable = unstable(statics, state, low)
    if unstable(statics, statics.equilibrium(state, high).q, high) == stable:
        raise StepError(f"the tangent does not become singular between loads {low:g} and {high:g}")
    while high - low > 0.01 * abs(high):
        middle = (low + high) / 2
        tried = statics.equilibrium(state, middle).q
        if unstable(statics, tried, middle) == stable:
            low, state = middle, tried
        else:
            high = middle
    loads, values = np.linspace(low, high, 5), np.zeros(5)
    for k, load in enumerate(loads):
        state = statics.equilibrium(state, float(load)).q
        values[k], mode = smallest_eigenvalue(statics, state, float(load))
    if values[0] * values[-1] > 0:
        raise RegularTangentError(f"no eigenvalue passes zero between {low:g} and {high:g}")
    x, y = values, loads.copy()
    for k in range(1, len(x)):  # y at x = 0 of the polynomial through the points (Neville)
        y[:-k] = (x[k:] * y[:-k] - x[:-k] * y[1 : len(y) - k + 1]) / (x[k:] - x[:-k])
    return CriticalLoad(float(y[0]), "bifurcation", state, mode)
