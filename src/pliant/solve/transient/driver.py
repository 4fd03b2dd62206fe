"""Integration in chunks: compiled steps inside, Python (progress, events, Ctrl-C) in between.

When a mechanism locks up, or where two ways of assembly meet, the rows are named that are about to
become dependent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import CapabilityError
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import CODES, Failure
from pliant.solve.motion.work import Powers, work_in
from pliant.solve.transient import state as s
from pliant.solve.transient.dense_output import HOP, evaluate_records
from pliant.solve.transient.integrator import Settings, check_capabilities, load
from pliant.solve.transient.registry import INTEGRATORS

_NEAR, _NEAR_FIXED_STEP = 1e-2, 0.2
"""Relative pivot below which constraints count as nearly dependent; the second where steps cannot
shrink towards the pose."""
_CONTRADICTION = 0.05
"""Part of the prescribed rates that dependent constraints contradict: a lock-up."""
_STUCK = (s.UNDERFLOW, s.REJECTIONS, s.NO_CONVERGENCE, s.NOT_A_NUMBER, s.SINGULAR, s.FORK)


@dataclass(frozen=True, slots=True)
class Dependency:
    """Constraints that are about to become dependent.

    ``pivot``: the smallest; ``row``: the one to blame (-1: none are nearly dependent); ``rows``:
    all that take part; ``locked``: they contradict each other, so that the motion cannot go on.
    Where they do not, two ways of assembly meet (a change point).
    """

    pivot: float
    row: int = -1
    rows: tuple[int, ...] = ()
    locked: bool = False


def _near_dependency(dynamics: Dynamics, x: Array, p: Array, near: float = _NEAR) -> Dependency:
    """The near dependency w G = 0 of the kept rows at x.

    w is the last left singular vector of the scaled rows. G u + b = 0 asks for w b = 0 where w G
    vanishes: prescribed rates b with w b != 0 lock the mechanism.
    """
    if dynamics.m == 0:
        return Dependency(1.0)
    r, kept, pivots = dynamics.rank(x, p)
    smallest = float(pivots.min()) if r else 1.0
    if r == 0 or not smallest < near or not np.all(np.isfinite(x)):
        return Dependency(smallest)
    at_rest = np.ascontiguousarray(x).copy()
    at_rest[1 + dynamics.nq : 1 + dynamics.nq + dynamics.nu] = 0.0
    y = dynamics.source.call("constraints", at_rest, p)
    G = dynamics.source.block("constraints", "G", y)[kept]
    size = np.linalg.norm(G, axis=1)
    b = dynamics.source.block("constraints", "cv", y)[kept] / size
    w = np.linalg.svd(G / size[:, None])[0][:, -1]
    part = np.abs(w)
    locked = abs(w @ b) > _CONTRADICTION * np.abs(b).max()
    rows = tuple(int(i) for i in kept[part > 0.1 * part.max()])
    return Dependency(smallest, int(kept[np.argmax(part)]), rows, bool(locked))


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive accepted steps and the motion inside them.

    ``p``: the parameters; of conditions that are blended, the widths at the end of the chunk.
    ``status``: None while the integration goes on, "ok" in the last chunk of a complete one, else a
    Failure.
    """

    t0: float
    t1: float
    times: Array
    """Ends of the accepted steps."""
    n_steps: int
    p: Array
    x_end: Array
    """State at t1."""
    stats: Mapping[str, float]
    status: str | Failure | None
    records: Array = field(repr=False)
    dynamics: Dynamics = field(repr=False)

    @property
    def passed(self) -> list[float]:
        """When change points were passed."""
        hops = self.records[self.records[:, 2] >= HOP]
        return [float(t + (kind - HOP) * h) for t, h, kind in hops[:, :3]]

    def evaluate(self, times: Array) -> Array:
        """Rows (t, q, u, xs) at increasing times of this chunk."""
        d = self.dynamics
        points = np.ascontiguousarray(times, dtype=np.float64)
        out = np.zeros((len(points), 1 + d.nq + d.nu + d.nx))
        if len(points) == 0:
            return out
        if self.n_steps == 0:
            out[:] = self.x_end[: out.shape[1]]
            return out
        ic, dc = d.context(self.p)
        x, y = d.buffers()
        address = d.addresses_of(frozenset(("rates",)))
        records = np.ascontiguousarray(self.records)
        evaluate_records(
            address, ic, dc, records, len(records), records.shape[1], points, len(points), x, y, out
        )
        return out

    def work_in(self, powers: Powers, start: Array, length: Array, rtol: float) -> Array:
        """∫ P dt over intervals of these steps, a row for each."""
        return work_in(powers, start, length, rtol)


def integrate(
    dynamics: Dynamics,
    x0: Array,
    t_end: float,
    *,
    method: str = "auto",
    rtol: float = 1e-6,
    atol: float | Array | None = None,
    step: float | None = None,
    hmax: float | None = None,
    max_steps: int = 10_000_000,
    chunk: int = 256,
    dense: bool = True,
    options: Mapping[str, float] | None = None,
    best_pivot: float = 0.0,
    waypoints: Array | None = None,
) -> Iterator[Chunk]:
    """Integrate from the consistent packed state x0 to t_end, forward in time.

    ``atol``: number or array over [q | u | xs] (default rtol). ``step``: fixed step in s; adaptive
    methods then run without error control. ``dense``: keep the interpolant of explicit steps.
    ``options``: numbers of the method. ``best_pivot``: smallest pivot of the constraints where they
    are regular, if the start is known to be near a singular position. ``waypoints``: increasing
    times at which steps of adaptive methods end. Raises CapabilityError before the first step.
    """
    if method not in INTEGRATORS:
        raise CapabilityError(f"method '{method}' is unknown; known: {', '.join(INTEGRATORS)}")
    integrator = INTEGRATORS[method]
    check_capabilities(integrator, dynamics, INTEGRATORS)
    unknown = set(options or {}) - set(integrator.options)
    if unknown:
        known = ", ".join(integrator.options) or "none"
        raise CapabilityError(f"method '{method}' has no option {sorted(unknown)}; it has: {known}")
    if not integrator.adaptive and step is None:
        raise CapabilityError(f"method '{method}' has a fixed step; give step=")
    if not t_end > x0[0]:
        raise CapabilityError(f"end time {t_end} s is not after the start {x0[0]} s")
    n = dynamics.nq + dynamics.nu + dynamics.nx
    settings = Settings(
        t_end=float(t_end),
        rtol=float(rtol),
        atol=np.full(n, rtol if atol is None else atol, dtype=np.float64),
        step=float(step or 0.0),
        h_max=float(hmax or t_end - x0[0]),
        max_steps=int(max_steps),
        chunk=int(chunk),
        dense=dense,
        options={**integrator.options, **(options or {})},
        best_pivot=best_pivot,
        waypoints=np.zeros(0) if waypoints is None else waypoints,
    )
    load(evaluate_records)
    return _chunks(integrator.start(integrator, dynamics, x0, settings), dynamics)


def _chunks(stepper: Any, dynamics: Dynamics) -> Iterator[Chunk]:
    t0 = float(stepper.x[0])
    while True:
        code = stepper.advance()
        records = stepper.records
        status = None if code > 0 else _status(stepper, dynamics, code)
        times = records[:, 0] + records[:, 1]
        t1 = float(times[-1]) if len(times) else t0
        yield Chunk(
            t0=t0, t1=t1, times=times, n_steps=len(records), p=stepper.p,
            x_end=stepper.x[: dynamics.x_size].copy(), stats=stepper.statistics, status=status,
            records=records, dynamics=dynamics,
        )  # fmt: skip
        if status is not None:
            return
        t0 = t1


def _status(stepper: Any, dynamics: Dynamics, code: int) -> str | Failure:
    """ "ok" or the failure; constraints that become dependent lock up, or two branches meet. Who
    takes part: the constraint that locks, or all owners of those that become dependent."""
    if code == s.DONE:
        return "ok"
    time = float(stepper.x[0])
    near = _NEAR_FIXED_STEP if code in (s.NO_CONVERGENCE, s.NOT_A_NUMBER, s.FORK) else _NEAR
    found = _near_dependency(dynamics, stepper.x[: dynamics.x_size], stepper.p, near)
    if code in _STUCK and found.row >= 0:
        code = s.LOCKUP if found.locked else s.FORK
    (name, text), rows = CODES[code], dynamics.layout.rows
    if 0 <= found.row < len(rows):
        owners = dict.fromkeys(f"'{rows[k].owner}'" for k in found.rows)
        one = f"constraint '{rows[found.row].name}'"
        text += f" ({', '.join(owners) if code == s.FORK else one})"
    message = f"t = {time:.6g} s: {text}"
    return Failure(name, time, message, found.row, found.rows, found.pivot)
