"""Equilibrium: positions at which forces balance, r(t, q, u, 0, lam) = 0 and g(t, q) = 0.

Two ways, both Newton in the null space of the constraints (``balance``):

- *path*: the residual of the start is held back and let go in load steps,

      Z^T (r(q) - (1 - s) r(q0)) = 0,      s = 0 ... 1,

  steps of s grow and shrink with the success of Newton's iteration. It stays on its branch.
- *relax*: at full load, steps (Z^T K Z + mu Z^T M Z) y = -f, mu >= 0 the smallest that makes the
  matrix positive and the step no longer than a trust radius; it goes downhill to a stable
  equilibrium wherever it starts, also across limit points (snap-through).

*auto* follows the path while it is stable and relaxes from where it no longer is. Another way to
follow a path (arc length) takes the place of ``_Path.advance``.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.solve.rest.balance import (
    Balance,
    Balancer,
    Stiffness,
    least_squares,
    moving,
    solve,
    stiffness,
)

METHODS = ("auto", "path", "relax")
_SETTLED = 1e-12
_ROUNDING = 1e-8
"""Steps below may stop falling: rounding of the forces."""
_NEWTON = 12
_RELAXATIONS = 300
_LONGEST = 1.0
_LEAST_LOAD = 1e-4


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """What was found. ``path``: load factors with their balances; the last is the best reached."""

    path: tuple[tuple[float, Balance], ...]
    stiffness: Stiffness
    iterations: int
    remarks: tuple[str, ...] = ()
    failure: str = ""

    @property
    def balance(self) -> Balance:
        """The equilibrium itself."""
        return self.path[-1][1]

    @property
    def factor(self) -> float:
        """How far the load got."""
        return self.path[-1][0]


def equilibrium(
    balancer: Balancer, q: Array, *, method: str = "auto", load_steps: int = 1
) -> Equilibrium:
    """Find an equilibrium from a position q that meets the constraints."""
    return _Search(balancer).run(balancer.at(q), method, load_steps)


@dataclass(frozen=True, slots=True)
class _Step:
    """Newton's step in reduced coordinates; ``held``: it balances all forces, none
    is left along directions that nothing holds."""

    y: Array
    dv: Array
    held: bool
    stiffness: Stiffness

    @property
    def length(self) -> float:
        return float(np.abs(self.dv).max(initial=0.0))


def _newton(b: Balance, f: Array) -> _Step:
    """K y = -f on the directions that stiffness holds, none along the others."""
    S = stiffness(b)
    K = b.along(b.K)
    tight = ~S.loose
    Y = solve(S.L.T, S.vectors[:, tight]) / np.sqrt(np.abs(S.values[tight]))
    y = -Y @ least_squares(Y.T @ K @ Y, Y.T @ f)
    held = bool((np.abs(f + K @ y) <= b.small).all())
    return _Step(y, b.Z @ y, held, S)


def _shifted(step: _Step, b: Balance, radius: float) -> Array:
    """-(K + mu M)^-1 f, mu the smallest of a rising row that keeps it positive and short."""
    S = step.stiffness
    force = S.vectors.T @ solve(S.L, b.f)
    mu = max(0.0, -1.1 * float(S.values[0])) + 1.1 * float(S.zero.max())
    while True:
        y: Array = -solve(S.L.T, S.vectors @ (force / (S.values + mu)))
        if not np.abs(b.Z @ y).max(initial=0.0) > radius:
            return y
        mu *= 2.0


class _Search:
    """State of a search: how many iterations, what was remarked, why it failed."""

    def __init__(self, balancer: Balancer) -> None:
        self.balancer = balancer
        self.iterations = 0
        self.why = ""

    def run(self, start: Balance, method: str, load_steps: int) -> Equilibrium:
        path = _Path(self, start, load_steps, stable=method == "auto")
        remarks: tuple[str, ...] = ()
        if method != "relax" and path.advance():
            return self._found(path.samples, remarks)
        if method == "path":
            reached = (*path.samples, (path.s, path.b)) if path.s > 0 else path.samples
            return self._found(reached or ((0.0, start),), remarks, path.lost())
        if method == "auto" and path.s > 0:
            remarks = (f"{path.lost()}; the equilibrium found from there is another branch",)
        last = self.relax(path.b)
        if self.why:
            return self._found((*path.samples, (path.s, last)), remarks, self.why)
        return self._found((*path.samples, (1.0, last)), remarks)

    def _found(
        self, path: tuple[tuple[float, Balance], ...], remarks: tuple[str, ...], failure: str = ""
    ) -> Equilibrium:
        """With remarks on motions that are not held, by name."""
        b, layout, found = path[-1][1], self.balancer.c.layout, [*remarks]
        S = stiffness(b)
        if failure:
            return Equilibrium(path, S, self.iterations, remarks, failure)
        for k in np.flatnonzero(S.values < -S.zero)[:3]:
            names = moving(layout, b.Z @ S.motion(int(k)))
            found.append(f"the equilibrium is unstable: it falls along {names}")
        for k in np.flatnonzero(S.loose)[:6]:
            names = moving(layout, b.Z @ S.motion(int(k)))
            found.append(f"nothing holds {names}: it stays where it started")
        return Equilibrium(path, S, self.iterations, tuple(found))

    def correct(self, b: Balance, load: Array, stable: bool) -> Balance | None:
        """Newton on Z^T (r - load) = 0; None if it does not converge (or leaves stability)."""
        best = np.inf
        for _ in range(_NEWTON):
            step = _newton(b, b.Z.T @ (b.r - load))
            if not step.held or (stable and not step.stiffness.definite):
                return None
            if _settled(step.length, best):
                return b
            q = self.balancer.moved(self.balancer.q_of(b.x), step.dv)
            if not step.length < _LONGEST or q is None:
                return None
            best = min(best, step.length)
            tried = self.balancer.near(q)
            if tried is None:
                return None
            b = tried
            self.iterations += 1
        return None

    def relax(self, b: Balance) -> Balance:
        """Downhill to a stable equilibrium; ``why`` says what went wrong."""
        radius, best = 0.3, np.inf
        for _ in range(_RELAXATIONS):
            step = _newton(b, b.f)
            if step.held and _settled(step.length, best):
                return b
            direct = step.held and step.stiffness.definite and step.length <= radius
            y = step.y if direct else _shifted(step, b, radius)
            new, ratio = self._tried(b, y)
            if new is None or (ratio < 0.05 and step.length > 1e-6):
                radius = 0.25 * float(np.abs(b.Z @ y).max(initial=0.0))
                if radius < _SETTLED:
                    break
                continue
            best = min(best, step.length) if direct else best
            radius = min(2 * radius, _LONGEST) if 0.7 < ratio < 1.5 else radius
            b = new
        names = moving(self.balancer.c.layout, b.Z @ least_squares(b.along(b.M), b.f))
        self.why = (
            f"no equilibrium was found: forces along {names} do not come to balance; "
            "hold that motion (joint, spring, driver), or begin nearer to the equilibrium"
        )
        return b

    def _tried(self, b: Balance, y: Array) -> tuple[Balance | None, float]:
        """The balance after a step, and the work done over that predicted."""
        dv = b.Z @ y
        q = self.balancer.moved(self.balancer.q_of(b.x), dv)
        if q is None:
            return None, 0.0
        self.iterations += 1
        new = self.balancer.near(q)
        if new is None:
            return None, 0.0
        predicted = float(b.f @ y + 0.5 * y @ b.along(b.K) @ y)
        done = 0.5 * float((b.r + new.r) @ dv)
        return new, done / min(predicted, -1e-300)


def _settled(length: float, best: float) -> bool:
    """Whether a step is nothing, or small and no longer falling."""
    return length < _SETTLED or (length < _ROUNDING and length > 0.5 * best)


class _Path:
    """Equilibria along the load factor s from the start (s = 0) to full load (s = 1)."""

    def __init__(self, search: _Search, start: Balance, load_steps: int, stable: bool) -> None:
        self.search, self.b, self.stable = search, start, stable
        self.held_back = start.r
        self.marks = [(k + 1) / load_steps for k in range(load_steps)]
        self.s = 0.0
        self.samples: tuple[tuple[float, Balance], ...] = ()

    def advance(self) -> bool:
        """Load steps up to full load; False if the path ends before."""
        size = self.marks[0]
        while self.s < 1.0:
            mark = next(m for m in self.marks if m > self.s)
            target = mark if self.s + size > mark - 1e-9 else self.s + size
            b = self.search.correct(self.b, (1 - target) * self.held_back, self.stable)
            if b is None:
                size = (target - self.s) / 4
                if size < _LEAST_LOAD:
                    return False
                continue
            self.b, self.s, size = b, target, 2 * size
            if target == mark:
                self.samples = (*self.samples, (mark, b))
        return True

    def lost(self) -> str:
        """Where the path ended, and what is not held there."""
        S = stiffness(self.b)
        weakest = int(np.argmin(np.abs(S.values))) if len(S.values) else 0
        names = moving(self.search.balancer.c.layout, self.b.Z @ S.motion(weakest))
        return (
            f"the load path ends at load factor {self.s:.4g}, where the stiffness of {names} "
            "vanishes (a limit point, or a motion that nothing holds)"
        )
