"""Starts in a singular position: where the speeds lead along one branch, the run leaves on it.

There the accelerations are not determined, but everywhere else on the branch they are, and the
motion is smooth. So y = [q | u | xs] follows from its rates behind the pose alone: collocation

    y(t0 + s h) = y0 + h int_0^s f,        f: the polynomial through f_i = y'(t0 + c_i h)

with c_i in [0.3, 1] and every y(c_i) brought onto the branch (service ``branch``) before its rate
is taken, repeated until nothing changes (Picard). Speeds that are those of no branch are changed by
the projection however often that is done: nobody can decide on such a start, nor on one at rest.
Source: docs/theory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import CODES, Failure
from pliant.solve.machine import context as c
from pliant.solve.single_states import call_once
from pliant.solve.transient.dense_output import HOP, RECORD_HEADER, RECORD_WORK, record_width
from pliant.solve.transient.driver import Chunk
from pliant.solve.transient.integrator import STATISTICS
from pliant.solve.transient.state import FORK

if TYPE_CHECKING:
    from pliant.solve.start.pose import Pose

REGULAR = 0.1
"""A start with all rows kept and no pivot smaller is not looked at."""
NODES = 7
FIRST = 0.3
"""Part of the step before the first node."""
SMOOTH = 1e-6
"""Part of the speeds that the projection may change."""
SLOW = 0.05
"""A step that leads less far than this part of the reach does not get away from the pose."""
CONVERGED = 0.01
"""Of the tolerance."""
_ITERATIONS = 30


@dataclass(frozen=True, slots=True)
class Departure:
    """How a run begins: ``x0``; the step out of a singular position, if it is one, and the state
    ``x`` after it; ``best_pivot``: of the constraints around; ``failure``: why it cannot begin."""

    x0: Array
    x: Array
    best_pivot: float = 0.0
    steps: tuple[Chunk, ...] = ()
    failure: Failure | None = None


def depart(
    dynamics: Dynamics, x0: Array, p: Array, t_end: float, rtol: float, atol: float | Array | None
) -> Departure:
    """Look at the start of a run."""
    compiled = dynamics.source
    if not isinstance(compiled, CompiledEquations) or not dynamics.m:
        return Departure(x0, x0)
    key = dynamics.treatment.name, compiled.place(x0, p, "constraints")
    r, _, pivots = compiled.remembered("start rank", key, lambda: dynamics.rank(x0, p))
    if r == dynamics.m and pivots.min() > REGULAR:
        return Departure(x0, x0)
    from pliant.solve.start.pose import pose_of

    pose = pose_of(compiled, x0[: compiled.x_size].copy(), p)
    found = _Way(dynamics, x0, p, pose, t_end, rtol, atol).leave() if pose.singular else None
    if found is not None:
        return found
    if pose.singular and (pose.lost or r < pose.rank):
        (name, text), rows, time = CODES[FORK], pose.rows, float(x0[0])
        owners = ", ".join(dict.fromkeys(f"'{dynamics.layout.rows[k].owner}'" for k in rows))
        message = (f"t = {time:.6g} s: the start is a change point: {text} ({owners}); start "
                   "beside it, or with speeds that lead along one of them")  # fmt: skip
        return Departure(x0, x0, failure=Failure(name, time, message, rows[0], rows, 0.0))
    if not r:  # whatever is closed is held without it
        return Departure(x0, x0)
    return Departure(x0, x0, float(pivots.min()) / pose.share)


class _Way:
    """The branch behind the pose."""

    def __init__(
        self, dynamics: Dynamics, x0: Array, p: Array, pose: Pose, t_end: float, rtol: float,
        atol: float | Array | None,
    ) -> None:  # fmt: skip
        d = self.d = dynamics
        self.x0, self.p, self.pose, self.t_end = x0, p, pose, t_end
        self.n = d.nq + d.nu + d.nx
        self.y0 = x0[1 : 1 + self.n].copy()
        self.ic, self.dc = d.context(p)
        self.x, self.y = d.buffers()
        self.tolerance = np.broadcast_to(rtol if atol is None else atol, self.n) + rtol * np.abs(
            self.y0
        )
        from numpy.polynomial import chebyshev

        self.nodes = (1 + FIRST + (1 - FIRST) * chebyshev.chebpts1(NODES)) / 2
        self.speeds = slice(d.nq, d.nq + d.nu)

    def leave(self) -> Departure | None:
        """A step that leads away from the pose; None if there is none."""
        first = 1 + self.n
        u = float(np.linalg.norm(self.y0[self.speeds] / self.pose.scale))
        a = float(np.linalg.norm(self.x0[first : first + self.d.nu] / self.pose.scale))
        if not u > 0.0:
            return None
        h = longest = min(self.pose.reach / u, 0.5 * (self.t_end - self.x0[0]))
        if a * h > u:
            h = u / a
        while u * h > SLOW * self.pose.reach or h == longest:
            found = self._step(h)
            if found is not None:
                return found
            h *= 0.5
        return None

    def _step(self, h: float) -> Departure | None:
        """A step h, if it follows one branch within the tolerance."""
        slope = self.d.source.call("tangent", self.x0[: self.d.source.x_size].copy(), self.p)
        Y = np.tile(self.y0, (NODES, 1))
        Y[:, : self.d.nq] += h * self.nodes[:, None] * slope[: self.d.nq]
        if not self._choose_rows(h, Y[-1]):
            return None
        weights = integrals(self.nodes)
        for _ in range(_ITERATIONS):
            behind = [self._behind(h, s, y) for s, y in zip(self.nodes, Y, strict=True)]
            if any(b is None for b in behind):
                return None
            on, rates, powers = (np.array(part) for part in zip(*behind, strict=True))
            before, Y = Y, self.y0 + h * weights @ rates
            if float(np.abs((Y - before) / self.tolerance).max()) < CONVERGED:
                smooth = self._is_smooth(h, Y, on, rates)
                return self._departure(h, rates, powers) if smooth else None
        return None

    def _choose_rows(self, h: float, y: Array) -> bool:
        """Rows that are independent behind the pose; off the branch more of them seem so."""
        threshold = self.dc[c.THRESHOLD]
        for _ in range(6):
            self._place(h, 1.0, y)
            call_once(self.d.services["rank"], self.ic, self.dc, self.x, self.y)
            if self.ic[c.RANK] <= self.pose.rank:
                break
            self.dc[c.THRESHOLD] *= 10.0
        self.dc[c.THRESHOLD] = threshold
        return bool(self.ic[c.RANK] == self.pose.rank)

    def _place(self, h: float, s: float, y: Array) -> None:
        self.x[0] = self.x0[0] + s * h
        self.x[1 : 1 + self.n] = y

    def _behind(self, h: float, s: float, y: Array) -> tuple[Array, Array, Array] | None:
        """y on the branch, its rates and powers; None if it lies too far from it."""
        self._place(h, s, y)
        d, x, first = self.d, self.x, 1 + self.n
        self.y[0] = 0.2 * h * np.abs(self.y0[self.speeds]).max()
        if call_once(d.services["branch"], self.ic, self.dc, x, self.y) != 0:
            return None
        rates = [self.y[: d.nq], x[first : first + d.nu], self.y[d.nq : d.nq + d.nx]]
        f = np.concatenate(rates)
        if "power" in d.capabilities:
            call_once(d.services["power"], self.ic, self.dc, x, self.y)
        return x[1:first].copy(), f, self.dc[c.POWER : c.POWER + 2].copy()

    def _is_smooth(self, h: float, Y: Array, on: Array, rates: Array) -> bool:
        """Whether the speeds are those of the branch and the rates those of a polynomial."""
        from numpy.polynomial import chebyshev

        u = np.abs(Y[:, self.speeds]).max()
        moved = np.abs((on - Y) / self.tolerance)
        off = np.abs((on - Y)[:, self.speeds]).max() > SMOOTH * u and moved.max() > 1.0
        last = chebyshev.chebfit(2 * (self.nodes - FIRST) / (1 - FIRST) - 1, rates, NODES - 1)[-1]
        return not off and bool(np.abs(h * last / self.tolerance).max() < 1.0)

    def _departure(self, h: float, rates: Array, powers: Array) -> Departure:
        """The step as a record, and the states at both of its ends."""
        powers_of = np.polynomial.polynomial.polyfit(self.nodes, rates, NODES - 1)
        y = np.vstack([self.y0, h * powers_of / np.arange(1, NODES + 1)[:, None]])
        d, t1 = self.d, float(self.x0[0]) + h
        row = np.zeros((1, record_width(d.nq, d.nu, d.nx)))
        row[0, :3] = self.x0[0], h, HOP
        row[0, RECORD_WORK : RECORD_WORK + 2] = h * integrals(self.nodes, np.ones(1))[0] @ powers
        row[0, RECORD_HEADER:] = peeled(y).ravel()
        self._behind(h, 1.0, y.sum(axis=0))
        step = Chunk(
            t0=float(self.x0[0]), t1=t1, times=np.array([t1]), n_steps=1, p=self.p,
            x_end=self.x[: d.x_size].copy(), stats=dict.fromkeys(STATISTICS, 0), status=None,
            records=row, dynamics=d,
        )  # fmt: skip
        return Departure(self._at_pose(powers_of[0]), step.x_end, steps=(step,))

    def _at_pose(self, rates: Array) -> Array:
        """The start, with the accelerations of the branch and the smallest multipliers to them."""
        x, first, source = self.x0.copy(), 1 + self.n, self.d.source
        x[first : first + self.d.nu] = a = rates[self.speeds]
        if source.has_lam:
            y = source.call("explicit", x[: source.x_size].copy(), self.p)
            M, G, force = (source.block("explicit", name, y) for name in ("M", "G", "h"))
            x[first + self.d.nu :] = np.linalg.lstsq(G.T, M @ a - force, rcond=1e-6)[0]
        return x


def integrals(nodes: Array, ends: Array | None = None) -> Array:
    """Rows w with w f = integral of the polynomial through f at ``nodes`` from 0 to each end."""
    powers = np.arange(1, len(nodes) + 1)
    moments = (nodes if ends is None else ends)[:, None] ** powers / powers
    return np.asarray(np.linalg.solve(np.vander(nodes, increasing=True).T, moments.T).T)


def peeled(powers: Array) -> Array:
    """Coefficients c of c0 + s (c1 + (1 - s)(c2 + s (c3 + ...))) from those of 1, s, s^2, ..."""
    d, found = powers.copy(), []
    for k in range(len(powers)):
        if k % 2 == 0:
            found.append(d[0])
            d = d[1:]
        else:
            found.append(d.sum(axis=0))
            d = -np.cumsum(d[::-1], axis=0)[::-1][1:]
    return np.array(found)
