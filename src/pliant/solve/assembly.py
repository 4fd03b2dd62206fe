"""Assembly: an initial state that meets the constraints and, as far as possible, what was given.

Position level: Gauss-Newton on [g; e_q] = 0 in tangent speeds, the smallest change each time; if
both cannot be met, g = 0 is met with |e_q| as small as possible (null-space step), or at least
g = 0. The velocity level is linear: one such solve. What could not be met is reported by name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.equations.compiled import CompiledEquations
from pliant.errors import AssemblyError
from pliant.solve.loops import with_loops_closed
from pliant.solve.row_terms import without_rounding

Array = NDArray[np.float64]

_TOLERANCE = 1e-12
_ITERATIONS = 100
_LARGEST_STEP = 0.5
_TRIES = 8


@dataclass(frozen=True, slots=True)
class Assembled:
    """Packed x with a consistent t, q, u, xs, and remarks on what was given but not met."""

    x: Array
    remarks: tuple[str, ...]


def assemble(compiled: CompiledEquations, p: Array, q: Array, t: float = 0.0) -> Assembled:
    """Assemble from the guess q. Raises AssemblyError naming the joints that cannot close."""
    solver = Assembler(compiled, p, t)
    q, met = solver.positions(q)
    u, met_rates = solver.velocities(q)
    x = solver.packed(q, u)
    c = compiled
    x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = c.call("X", x, p)
    x = with_loops_closed(c, x, p)
    remarks = () if met else solver.remarks("position", x)
    return Assembled(x, (*remarks, *(() if met_rates else solver.remarks("velocity", x))))


class Assembler:
    """Newton iterations on the compiled constraints, from Python."""

    def __init__(self, compiled: CompiledEquations, p: Array, t: float) -> None:
        self.c, self.p, self.t = compiled, p, t

    def packed(self, q: Array, u: Array | None = None) -> Array:
        x = np.zeros(self.c.x_size)
        x[0] = self.t
        x[1 : 1 + self.c.nq] = q
        if u is not None:
            x[1 + self.c.nq : 1 + self.c.nq + self.c.nu] = u
        return x

    def constraints(self, x: Array) -> tuple[Array, Array, Array]:
        y = self.c.call("C", x, self.p)
        G = without_rounding(self.c.block("C", "G", y), self.c.layout)
        return self.c.block("C", "g", y), self.c.block("C", "cv", y), G

    def _given(self, x: Array, level: str) -> tuple[Array, Array]:
        y = self.c.call("I", x, self.p)
        residual, jacobian = ("eq", "Eq") if level == "position" else ("eu", "Eu")
        return self.c.block("I", residual, y), self.c.block("I", jacobian, y)

    def _aligned(self, x: Array) -> bool:
        """False at a false root of the residuals, such as opposed joint axes."""
        return bool(np.all(self.c.block("I", "up", self.c.call("I", x, self.p)) > 0))

    def moved(self, q: Array, dv: Array) -> Array:
        """q moved along the tangent by dv; quaternions stay unit."""
        x = self.packed(q, dv)
        q = q + self.c.call("T", x, self.p)
        for group in self.c.layout.groups:
            if group.kind == "quaternion":
                part = slice(group.start, group.start + group.size)
                q[part] /= np.linalg.norm(q[part])
        return q

    def positions(self, guess: Array) -> tuple[Array, bool]:
        """(q, whether everything given was met)."""
        random = np.random.default_rng(0)
        for hold in (True, False, None):
            for attempt in range(_TRIES):
                away = 0.3 * attempt * random.standard_normal(self.c.nu)
                found = self.iterate(self.moved(guess, away) if attempt else guess, hold)
                if found is not None:
                    return found, hold is True
        raise AssemblyError(self._cannot_close(guess))

    def iterate(self, q: Array, hold: bool | None, scale: Array | float = 1.0) -> Array | None:
        """Gauss-Newton. ``hold`` True: what was given must be met too; False: as well as possible;
        None: it does not matter. Steps are smallest as multiples of ``scale``."""
        best = np.inf
        for _ in range(_ITERATIONS):
            x = self.packed(q)
            g, _, G = self.constraints(x)
            G = G[: self.c.mh]
            e, E = self._given(x, "position")
            if hold is None:
                e, E = e[:0], E[:0]
            size = max(np.abs(g).max(initial=0), np.abs(e).max(initial=0) if hold else 0.0)
            step = scale * (_smallest if hold is False else _together)(G * scale, g, E * scale, e)
            length = float(np.abs(step).max(initial=0))
            settled = hold is not False or length < 1e-9
            rounding = hold is not False and size < 1e-9 and size > 0.5 * best
            if (size < _TOLERANCE and settled) or rounding:
                return q if self._aligned(x) else None
            best = min(best, size)
            q = self.moved(q, step * min(1.0, _LARGEST_STEP / max(length, 1e-300)))
        return None

    def velocities(self, q: Array) -> tuple[Array, bool]:
        """(u, whether every rate given was met); rates not given are as small as possible."""
        x = self.packed(q)
        _, b, G = self.constraints(x)
        rows = self.rows_without_states()
        G, b = G[rows], b[rows]
        e, E = self._given(x, "velocity")
        u = _together(G, b, E, e)
        scale = 1e-9 * max(1.0, float(np.abs(u).max(initial=0)))
        met = _gap(G, b, u) < scale and _gap(E, e, u) < scale
        if not met:
            u = _smallest(G, b, E, e)
            if _gap(G, b, u) > scale:
                gaps = np.abs(G @ u + b)
                worst = self.c.layout.rows[int(np.flatnonzero(rows)[np.argmax(gaps)])]
                raise AssemblyError(
                    f"joint or driver '{worst.owner}': no velocities at t = {self.t:g} s satisfy "
                    "all constraints; two prescribed motions contradict each other, or the "
                    "mechanism is locked in this position"
                )
        return u, met

    def rows_without_states(self) -> NDArray[np.bool_]:
        """Rows whose speed is not a state that starts at whatever the velocity is, nor an unknown
        of an algebraic loop."""
        c = self.c
        rows = np.arange(c.m) < c.m - c.layout.loops
        if c.nx:
            at = self.packed(np.zeros(c.nq))
            for k in range(c.nx):
                moved = at.copy()
                moved[1 + c.nq + c.nu + k] = 1.0
                rows &= self.constraints(moved)[1] == self.constraints(at)[1]
        return rows

    def remarks(self, level: str, x: Array) -> tuple[str, ...]:
        """Names and sizes of given values that were not met."""
        names = self.c.given_positions if level == "position" else self.c.given_velocities
        e, _ = self._given(x, level)
        worst: dict[str, float] = {}
        for name, gap in zip(names, e, strict=True):
            worst[name] = max(worst.get(name, 0.0), abs(float(gap)))
        return tuple(
            f"initial {name} cannot be met together with the constraints: off by {gap:.3g}"
            for name, gap in worst.items()
            if gap > 1e-9
        )

    def _nearest(self, q: Array) -> Array:
        """Positions with the smallest |g| (Levenberg-Marquardt): how near it comes to closing."""
        damping = 1e-3
        g, _, G = self.constraints(self.packed(q))
        for _ in range(_ITERATIONS):
            G = G[: self.c.mh]
            step = -_least_squares(G.T @ G + damping * np.eye(self.c.nu), G.T @ g, 1e-15)
            tried = self.moved(q, step)
            g_new, _, G_new = self.constraints(self.packed(tried))
            if g_new @ g_new < g @ g:
                q, g, G, damping = tried, g_new, G_new, max(damping / 3, 1e-12)
            else:
                damping *= 4
        return q

    def _cannot_close(self, guess: Array) -> str:
        g = self.constraints(self.packed(self._nearest(guess)))[0]
        gaps: dict[str, float] = {}
        for row, value in zip(self.c.layout.rows, g, strict=False):
            gaps[row.owner] = max(gaps.get(row.owner, 0.0), abs(float(value)))
        open_ = sorted((k for k, v in gaps.items() if v > 1e-9), key=lambda k: -gaps[k])
        listed = ", ".join(f"'{k}' (gap {gaps[k]:.3g})" for k in open_) or "an unknown joint"
        return (
            f"the mechanism cannot be assembled at t = {self.t:g} s: {listed} cannot close; "
            "check lengths and drivers, or give initial values nearer to an assembled position"
        )


def _together(G: Array, g: Array, E: Array, e: Array) -> Array:
    """Smallest step that meets constraints and given values alike, in the least-squares sense."""
    return -_least_squares(np.vstack([G, E]), np.concatenate([g, e]))


def _smallest(G: Array, g: Array, E: Array, e: Array) -> Array:
    """Step that meets the constraints exactly and what was given as well as possible."""
    if not len(g):
        return -_least_squares(E, e)
    U, s, Vt = np.linalg.svd(G)
    rank = int((s > 1e-10 * max(s.max(initial=0), 1e-300)).sum())
    normal: Array = -(Vt[:rank].T @ ((U[:, :rank].T @ g) / s[:rank]))
    Z = Vt[rank:].T
    if not len(e) or not Z.shape[1]:
        return normal
    result: Array = normal - Z @ _least_squares(E @ Z, e + E @ normal)
    return result


def _least_squares(A: Array, b: Array, rcond: float = 1e-10) -> Array:
    """x of least norm with |A x - b| smallest."""
    if not len(b):
        return np.zeros(A.shape[1])
    return np.asarray(np.linalg.lstsq(A, b, rcond=rcond)[0], dtype=np.float64)


def _gap(A: Array, b: Array, u: Array) -> float:
    return float(np.abs(A @ u + b).max(initial=0))


def random_state(
    compiled: CompiledEquations, p: Array, x: Array, rng: np.random.Generator,
    amplitude: Array | float = 1.0,
) -> Array:  # fmt: skip
    """A random consistent state near x: position and velocity constraints hold.

    ``amplitude``: how far coordinates and speeds are moved, one number per speed; closing loops
    moves them in the same proportion.
    """
    solver = Assembler(compiled, p, float(x[0]))
    q0 = x[1 : 1 + compiled.nq]
    for attempt in range(20):
        size = 0.7 * 0.8**attempt
        away = size * amplitude * rng.standard_normal(compiled.nu)
        q = solver.iterate(solver.moved(q0, away), None, amplitude)
        if q is not None:
            break
    else:
        q = q0
    _, b, G = solver.constraints(solver.packed(q))
    rows = solver.rows_without_states()
    u = amplitude * rng.standard_normal(compiled.nu)
    u = u - amplitude * _least_squares(G[rows] * amplitude, G[rows] @ u + b[rows])
    state = solver.packed(q, u)
    first = 1 + compiled.nq + compiled.nu
    state[first : first + compiled.nx] = compiled.call("X", state, p)
    return with_loops_closed(compiled, state, p)
