"""Assembly: an initial state that meets the constraints and, rank by rank, what is wished of it.

Position level: Gauss-Newton on [g; e] = 0 with e what was given (and springs and elastic bodies
without load), the smallest change of the joints each time; then the remaining freedom is used to
make the residuals of the lower ranks smallest (``formulations.derivation.given`` has the ranks).
The velocity level is linear: one solve, rank by rank. Lengths count in units of the model's size.
Of given values that cannot be met it is said what is taken instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import count

import numpy as np

from pliant.arrays import Array, Flags
from pliant.code.compiled import CompiledEquations
from pliant.errors import AssemblyError, StartError
from pliant.mechanics.layout import TURN
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError, require_finite
from pliant.solve.start.in_order import in_order, least_squares
from pliant.solve.start.loops import with_loops_closed
from pliant.solve.start.rank import without_rounding

_SMALL = 1e-9
Pairs = list[tuple[Array, Array]]
_TOLERANCE = 1e-12
_ROUNDING = 1e-9
"""Below that a residual that no longer shrinks is rounding."""
_TINY = 1e-4
"""A gap below that, in sizes of the model, is no gap in the mechanism but in its numbers."""
_ITERATIONS = 100
_IDLE = 40
"""Iterations without progress after which a try is given up."""
_MOST = 20_000
_LARGEST_STEP = 0.5
_TRIES = 8
_LENGTHS = ("m", "m/s")
_SETTLINGS = 200
_SETTLED = 1e-13
_CLOSE = 1e-3
"""Steps below that are judged by their length: the sum of squares no longer tells them."""
_GIVEN, _UNLOADED = 0, 1
_CURE = ("give values that fit, leave some out or make them a guess, or take the nearest by "
         "simulate: {assemble: nearest}")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unmet:
    """A given value, all its components; ``off``: taken - given (of rotations the vector)."""

    name: str
    unit: str
    given: tuple[float, ...]
    off: tuple[float, ...]

    def text(self, taken: str) -> str:
        """Such as ``J.angle given 1 rad, nearest 0.8 rad``."""
        if self.unit == TURN:
            angle = float(np.degrees(np.linalg.norm(self.off)))
            return f"{self.name} is off by {angle:.4g} deg"
        found = [g + d for g, d in zip(self.given, self.off, strict=True)]
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.name} given {_listed(self.given)}{unit}, {taken} {_listed(found)}{unit}"


def _listed(values: Sequence[float]) -> str:
    texts = [f"{0.0 if abs(v) < 1e-12 else v:.6g}" for v in values]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def unmet_text(why: str, taken: str, rows: Sequence[Unmet]) -> str:
    """One line for all of them."""
    return f"{why}: " + "; ".join(row.text(taken) for row in rows)


@dataclass(frozen=True, slots=True)
class Assembled:
    """Packed x with a consistent t, q, u, xs, and what was given but not met."""

    x: Array
    remarks: tuple[str, ...]
    unmet_rates: tuple[Unmet, ...] = ()


def assemble(
    compiled: CompiledEquations, p: Array, q: Array, t: float = 0.0, *, size: float = 1.0,
    nearest: bool = False,
) -> Assembled:  # fmt: skip
    """Assemble from the guess q. Raises AssemblyError naming the joints that cannot close, and
    StartError if given positions cannot be met, unless the ``nearest`` will do."""
    c, solver = compiled, Assembler(compiled, p, t, size)
    q, unmet = solver.positions(q)
    u, met_rates = solver.velocities(q)
    x = solver.packed(q, u)
    x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = c.call("start_states", x, p)
    x = with_loops_closed(c, x, p)
    remarks: tuple[str, ...] = ()
    if _GIVEN in unmet:
        what = unmet_text("cannot be met together with the constraints", "nearest",
                          solver.unmet("position", x))  # fmt: skip
        if not nearest:
            raise StartError(f"initial values {what}; {_CURE}")
        remarks = (f"initial values {what}",)
    remarks += solver.loaded(x) if unmet else ()
    return Assembled(x, remarks, () if met_rates else solver.unmet("velocity", x))


class Assembler:
    """Newton iterations on the compiled constraints, from Python; ``size``: of the model."""

    def __init__(self, compiled: CompiledEquations, p: Array, t: float, size: float = 1.0) -> None:
        self.c, self.p, self.t, self.size = compiled, p, t, size
        self.columns = np.array([size if s.unit in _LENGTHS else 1.0 for s in compiled.layout.u])
        self.rows = self.per_size([s.unit for s in compiled.layout.rows])

    def per_size(self, units: list[str]) -> Array:
        """What residuals in these units are scaled by."""
        return np.array([1 / self.size if unit in _LENGTHS else 1.0 for unit in units])

    def packed(self, q: Array, u: Array | None = None) -> Array:
        x = np.zeros(self.c.x_size)
        x[0] = self.t
        x[1 : 1 + self.c.nq] = q
        if u is not None:
            x[1 + self.c.nq : 1 + self.c.nq + self.c.nu] = u
        return x

    def constraints(self, x: Array) -> tuple[Array, Array, Array]:
        """g, cv and G; equations of algebraic loops, which stand last, may have no value yet."""
        y = self.c.call("constraints", x, self.p)
        g, cv, G = (self.c.block("constraints", name, y) for name in ("g", "cv", "G"))
        rows = len(cv) - self.c.layout.loops
        require_finite("the constraints", x, self.p, g, cv[:rows], G[:rows])
        return g, cv, without_rounding(G, self.c.layout) if len(G) else G

    def wishes(self, x: Array, level: str) -> Pairs:
        """(A, b) of every rank, scaled: |A v + b| is to be small, v = u over ``columns``."""
        y, found = self.c.call("initial", x, self.p), []
        for k, names in enumerate(self.c.wishes):
            residual, matrix = ("eq", "Eq") if level == "position" else ("eu", "Eu")
            own = names[level == "velocity"]
            if not own:
                found.append((np.zeros((0, self.c.nu)), np.zeros(0)))
                continue
            rows = self.per_size([unit for _, unit in own])
            b = self.c.block("initial", f"{residual}{k}", y) * rows
            A = self.c.block("initial", f"{matrix}{k}", y) * rows[:, None] * self.columns
            told = np.isfinite(b) & np.isfinite(A).all(axis=1)
            found.append((A[told], b[told]))
        return found

    def aligned(self, x: Array, held: tuple[int, ...] = ()) -> bool:
        """False at a false root of the residuals: joint axes opposed, a given orientation or the
        springs of a joint half a turn off."""
        y = self.c.call("initial", x, self.p)
        parts = ("up", *(("upright", "unloaded")[k] for k in held))
        return all(bool(np.all(self.c.block("initial", part, y) > 0)) for part in parts)

    def moved(self, q: Array, dv: Array) -> Array:
        """q moved along the tangent by dv; quaternions stay unit."""
        x = self.packed(q, dv)
        q = q + self.c.call("tangent", x, self.p)
        for start in self.c.layout.quaternions:
            q[start : start + 4] /= np.linalg.norm(q[start : start + 4])
        return q

    def positions(self, guess: Array) -> tuple[Array, tuple[int, ...]]:
        """(q, ranks that cannot be met)."""
        guess, tries = self.driven(guess), count()
        asked = [k for k in (_GIVEN, _UNLOADED) if k < len(self.c.wishes) and self.c.wishes[k][0]]
        for n in range(len(asked), -1, -1):
            held = tuple(asked[:n])
            for attempt, k in zip(range(_TRIES), tries, strict=False):
                q = guess
                if attempt:  # another place to begin at: moved by the random numbers of try k
                    numbers = np.random.default_rng(0).standard_normal((k + 1, self.c.nu))[k]
                    q = self.moved(q, 0.3 * attempt * numbers * self.columns)
                found = self.closed(q, held)
                if found is not None:
                    return self.settled(found, held), tuple(asked[n:])
        raise AssemblyError(self._cannot_close(guess))

    def driven(self, q: Array) -> Array:
        """Coordinates that a row holds by itself, as a driver does, at the value it asks for."""
        mh, dv = self.c.mh, np.zeros(self.c.nu)
        g, _, G = self.constraints(self.packed(q))
        alone = [int(i) for i in np.flatnonzero((G[:mh] != 0).sum(axis=1) == 1)]
        if not alone:
            return q
        for i in alone:
            k = int(np.flatnonzero(G[i])[0])
            dv[k] = -g[i] / G[i, k]
        try:
            after = self.constraints(self.packed(self.moved(q, dv)))[0]
        except UndefinedError:
            return q
        for i in alone:
            if not abs(after[i]) <= _ROUNDING * max(1.0, abs(g[i])):
                dv[int(np.flatnonzero(G[i])[0])] = 0.0
        return self.moved(q, dv) if dv.any() else q

    def holding(self, x: Array, held: tuple[int, ...], wishes: Pairs) -> tuple[Array, Array]:
        """Constraints and the ranks to be met, as one matrix and residual."""
        g, _, G = self.constraints(x)
        rows, mh = self.rows[: self.c.mh], self.c.mh
        parts = [(G[:mh] * rows[:, None] * self.columns, g * rows), *(wishes[k] for k in held)]
        return np.vstack([A for A, _ in parts]), np.concatenate([b for _, b in parts])

    def closed(self, q: Array, held: tuple[int, ...] = ()) -> Array | None:
        """q that meets the constraints and the ranks ``held``, the smallest change of joints at
        every step; None if none is found."""
        best, since, limit, k = np.inf, 0, _ITERATIONS, 0
        while k < limit:
            x = self.packed(q)
            wishes = self.wishes(x, "position")
            try:
                A, r = self.holding(x, held, wishes)
            except UndefinedError:
                return None
            size = float(np.abs(r).max(initial=0.0))
            if not (np.isfinite(size) and np.isfinite(A).all()):
                return None
            if size < _TOLERANCE or (size < _ROUNDING and size > 0.5 * best):
                return q if self.aligned(x, held) else None
            if k == 0:
                limit = min(_MOST, _ITERATIONS + int(4 * size / _LARGEST_STEP))
            best, since = (size, 0) if size < 0.999 * best else (best, since + 1)
            if since > _IDLE:
                return None
            still = np.vstack([E for E, _ in wishes[_UNLOADED:]] or [np.zeros((0, self.c.nu))])
            q = self._moved(q, in_order([(A, r), (still, np.zeros(len(still)))], self.c.nu))
            k += 1
        return None

    def _moved(self, q: Array, step: Array, share: float = 1.0) -> Array:
        """A step in scaled speeds, not beyond the largest."""
        length = float(np.abs(step).max(initial=0.0))
        share = min(share, _LARGEST_STEP / max(length, 1e-300))
        return self.moved(q, share * step * self.columns)

    def settled(self, q: Array, held: tuple[int, ...]) -> Array:
        """q within what is held, with the residuals of the other ranks smallest: Gauss-Newton, its
        steps halved until they bring something."""
        before = np.inf
        for _ in range(_SETTLINGS):
            x = self.packed(q)
            wishes = self.wishes(x, "position")
            soft = [w for k, w in enumerate(wishes) if k not in held]
            costs = [float(b @ b) for _, b in soft]
            if not any(costs):
                return q
            step = in_order([self.holding(x, held, wishes), *soft], self.c.nu)
            length = float(np.abs(step).max(initial=0.0))
            if length < _SETTLED or (length < _CLOSE and length > 0.9 * before):
                return q
            before, share = length, 1.0
            while share > 1e-3:
                tried = self.closed(self._moved(q, step, share), held)
                if tried is not None and (length < _CLOSE or self._better(tried, held, costs)):
                    break
                share /= 2
            else:
                return q
            q = tried
        return q

    def _better(self, q: Array, held: tuple[int, ...], costs: list[float]) -> bool:
        """Whether the first rank that changes has become smaller."""
        wishes = self.wishes(self.packed(q), "position")
        now = [float(b @ b) for k, (_, b) in enumerate(wishes) if k not in held]
        for new, old in zip(now, costs, strict=True):
            if abs(new - old) > 1e-12 * (1 + old):
                return new < old
        return False

    def velocities(self, q: Array) -> tuple[Array, bool]:
        """(u, whether every rate given was met); rates not given follow the rule of ranks."""
        x = self.packed(q)
        _, b, G = self.constraints(x)
        rows = self.rows_without_states(x)
        scaled = self.rows[rows]
        G, b = G[rows] * scaled[:, None] * self.columns, b[rows] * scaled
        wishes = self.wishes(x, "velocity")
        v = in_order([(G, b), *wishes], self.c.nu)
        scale = 1e-9 * max(1.0, float(np.abs(v).max(initial=0)))
        if _gap(G, b, v) > scale:
            worst = self.c.layout.rows[int(np.flatnonzero(rows)[np.argmax(np.abs(G @ v + b))])]
            raise AssemblyError(
                f"joint or driver '{worst.owner}': no velocities at t = {self.t:g} s satisfy "
                "all constraints; two prescribed motions contradict each other, or the "
                "mechanism is locked in this position"
            )
        return v * self.columns, not wishes or _gap(*wishes[_GIVEN], v) < scale

    def rows_without_states(self, at: Array) -> Flags:
        """Rows whose speed is not a state that starts at whatever the velocity is, nor an unknown
        of an algebraic loop; found by moving each state at a packed x."""
        c = self.c
        rows = np.arange(c.m) < c.m - c.layout.loops
        if c.nx:
            for k in range(c.nx):
                moved = at.copy()
                moved[1 + c.nq + c.nu + k] += 1.0
                rows &= self.constraints(moved)[1] == self.constraints(at)[1]
        return rows

    def unmet(self, level: str, x: Array) -> tuple[Unmet, ...]:
        """Given values that x does not meet, with those it has; all components of a name
        together."""
        if not self.c.wishes:
            return ()
        y, names = self.c.call("initial", x, self.p), self.c.wishes[_GIVEN][level == "velocity"]
        kind = "q" if level == "position" else "u"
        off, wanted = (self.c.block("initial", f"{part}{kind}0", y) for part in "ew")
        places: dict[tuple[str, str], list[int]] = {}
        for k, row in enumerate(names):
            places.setdefault(row, []).append(k)
        scale = _SMALL * max(1.0, self.size, float(np.abs(wanted).max(initial=0.0)))
        return tuple(
            Unmet(name, unit, tuple(map(float, wanted[rows])), tuple(map(float, off[rows])))
            for (name, unit), rows in places.items()
            if np.abs(off[rows]).max() > scale
        )

    def loaded(self, x: Array) -> tuple[str, ...]:
        """A remark on springs and elastic bodies that cannot start without load."""
        y, names = self.c.call("initial", x, self.p), self.c.wishes[_UNLOADED][0]
        off = self.c.block("initial", f"eq{_UNLOADED}", y)
        owners = dict.fromkeys(n.partition(".")[0] for (n, _), e in zip(names, off, strict=True)
                               if abs(e) > _ROUNDING * max(1.0, self.size))  # fmt: skip
        return (f"{', '.join(owners)}: starts with load",) if owners else ()

    def _nearest(self, q: Array) -> Array:
        """Positions with the smallest |g| (Levenberg-Marquardt): how near it comes to closing."""
        damping = 1e-3
        g, _, G = self.constraints(self.packed(q))
        for _ in range(_ITERATIONS):
            G = G[: self.c.mh]
            step = -least_squares(G.T @ G + damping * np.eye(self.c.nu), G.T @ g, 1e-15)
            tried = self.moved(q, step)
            g_new, _, G_new = self.constraints(self.packed(tried))
            if g_new @ g_new < g @ g:
                q, g, G, damping = tried, g_new, G_new, max(damping / 3, 1e-12)
            else:
                damping *= 4
        return q

    def _cannot_close(self, guess: Array) -> str:
        with suppress(UndefinedError):
            guess = self._nearest(guess)
        g = self.constraints(self.packed(guess))[0]
        gaps: dict[str, float] = {}
        for row, value in zip(self.c.layout.rows, g, strict=False):
            gaps[row.owner] = max(gaps.get(row.owner, 0.0), abs(float(value)))
        largest = float(np.abs(g * self.rows[: len(g)]).max(initial=0.0))
        head = f"the mechanism cannot be assembled at t = {self.t:g} s: "
        if largest <= _ROUNDING:
            return (f"{head}its joints close only with axes opposed or half a turn off; give a "
                    "guess on the other side")  # fmt: skip
        open_ = sorted((k for k, v in gaps.items() if v > 1e-2 * largest * self.size),
                       key=lambda k: -gaps[k])  # fmt: skip
        listed = ", ".join(f"'{k}' (gap {gaps[k]:.3g})" for k in open_ or gaps)
        cure = "check lengths and drivers, or give initial values nearer to an assembled position"
        if largest < _TINY:
            cure = (f"that is {largest:.1g} of the model's size: numbers that should be equal "
                    "differ in their last digits; write one as a formula of the other, or use "
                    "joints that leave this direction free")  # fmt: skip
        return f"{head}{listed} cannot close; {cure}"


def _gap(A: Array, b: Array, u: Array) -> float:
    return float(np.abs(A @ u + b).max(initial=0))
