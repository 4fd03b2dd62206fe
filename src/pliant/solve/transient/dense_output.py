"""Records of accepted steps, and the state anywhere inside them.

A record is [ t0 | h | kind | work of sources | dissipated | coefficients ]. Explicit steps keep
the seventh-order interpolant of DOP853 for [q | u | xs]; implicit ones the quintic through (q, q',
q'') at both ends, whose derivative gives u, and a cubic for xs. Source: Hairer, Norsett, Wanner I,
II.6; docs/theory
"""

from __future__ import annotations

from typing import Any

from pliant.solve.machine.abi import Integers, Reals, at, call_service, entry, jit
from pliant.solve.machine.context import NQ, NU, NX, S_KINEMATICS, S_RATES
from pliant.solve.transient import state as s
from pliant.solve.transient.state import Run, call, watch_crawling

EXPLICIT, HERMITE, HOP = 0, 1, 2
"""From HOP to HOP + 1: a step over a singular position, which lies at that part of the step; its
coefficients are as those of an explicit one."""
RECORD_HEADER = 5
RECORD_WORK = 3
"""Where the two works of the step stand."""


def record_width(nq: int, nu: int, nx: int) -> int:
    return RECORD_HEADER + 8 * (nq + nu + nx)


@jit
def open_record(run: Run, t0: float, h: float, kind: int) -> Any:
    """Coefficients of a new record."""
    row = at(run.record, run.ints[s.RECORDS] * run.ints[s.WIDTH])
    row[0], row[1], row[2] = t0, h, kind
    row[RECORD_WORK], row[RECORD_WORK + 1] = run.reals[s.WORK], run.reals[s.WORK + 1]
    run.ints[s.RECORDS] += 1
    run.ints[s.STEPS] += 1
    watch_crawling(run, h)
    return at(row, RECORD_HEADER)


@jit
def knot(run: Run, xdot: Reals, out: Reals) -> None:
    """out <- [ q | q' | q'' | xs | xs' ] at run.x."""
    nq, nu, nx = run.ic[NQ], run.ic[NU], run.ic[NX]
    call(run, S_KINEMATICS)
    for i in range(nq):
        out[i] = run.x[1 + i]
        out[nq + i] = run.y[i]
        out[2 * nq + i] = run.y[nq + i]
    for i in range(nx):
        out[3 * nq + i] = run.x[1 + nq + nu + i]
        out[3 * nq + nx + i] = xdot[i]


@jit
def hermite_record(run: Run, t0: float, h: float, start: Reals, end: Reals) -> None:
    """Quintic for q and cubic for xs between two knots, as powers of theta = (t - t0)/h."""
    nq, nx = run.ic[NQ], run.ic[NX]
    c = open_record(run, t0, h, HERMITE)
    for i in range(nq):
        p0, v0, a0 = start[i], h * start[nq + i], h * h * start[2 * nq + i]
        step = end[i] - p0 - v0 - 0.5 * a0
        slope = h * end[nq + i] - v0 - a0
        bend = h * h * end[2 * nq + i] - a0
        c[6 * i], c[6 * i + 1], c[6 * i + 2] = p0, v0, 0.5 * a0
        c[6 * i + 3] = 10.0 * step - 4.0 * slope + 0.5 * bend
        c[6 * i + 4] = -15.0 * step + 7.0 * slope - bend
        c[6 * i + 5] = 6.0 * step - 3.0 * slope + 0.5 * bend
    for i in range(nx):
        p0, v0 = start[3 * nq + i], h * start[3 * nq + nx + i]
        step = end[3 * nq + i] - p0 - v0
        slope = h * end[3 * nq + nx + i] - v0
        k = 6 * nq + 4 * i
        c[k], c[k + 1] = p0, v0
        c[k + 2], c[k + 3] = 3.0 * step - slope, slope - 2.0 * step


@jit
def state_inside(
    address: Integers, ic: Integers, dc: Reals, record: Reals, records: int, width: int, row: int,
    t: float, x: Reals, y: Reals, out: Reals,
) -> int:  # fmt: skip
    """out <- [t | q | u | xs] at a time inside the records, from ``row`` on; the row it is in."""
    here = at(record, row * width)
    while row < records - 1 and t > here[0] + here[1]:
        row += 1
        here = at(record, row * width)
    theta = (t - here[0]) / here[1]
    out[0] = t
    c = at(here, RECORD_HEADER)
    if here[2] == HERMITE:
        _hermite_state(address, ic, dc, c, theta, here[1], x, y, out)
    else:
        _explicit_state(ic, c, theta, out)
    return row


@entry
def evaluate_records(
    address: Integers, ic: Integers, dc: Reals, record: Reals, records: int, width: int,
    times: Reals, count: int, x: Reals, y: Reals, out: Reals,
) -> int:  # fmt: skip
    """out[k] <- [t | q | u | xs] at ``count`` increasing times inside the records."""
    row, size = 0, 1 + ic[NQ] + ic[NU] + ic[NX]
    for k in range(count):
        row = state_inside(
            address, ic, dc, record, records, width, row, times[k], x, y, at(out, k * size)
        )
    return 0


@jit
def state_at(run: Run, record: Reals, theta: float, out: Reals) -> None:
    """out <- [t | q | u | xs] at theta of a record; run.y is used."""
    c = at(record, RECORD_HEADER)
    out[0] = record[0] + theta * record[1]
    if record[2] != HERMITE:
        _explicit_state(run.ic, c, theta, out)
    else:
        x = at(run.reals, run.ints[s.SCRATCH])
        _hermite_state(run.address, run.ic, run.dc, c, theta, record[1], x, run.y, out)


@jit
def _explicit_state(ic: Integers, c: Reals, theta: float, out: Reals) -> None:
    """y0 + theta (F0 + (1-theta) (F1 + theta (F2 + ...)))."""
    n = ic[NQ] + ic[NU] + ic[NX]
    for i in range(n):
        total = 0.0
        for k in range(7, 0, -1):
            total = (c[k * n + i] + total) * (theta if k % 2 == 1 else 1.0 - theta)
        out[1 + i] = c[i] + total


@jit
def _hermite_state(
    address: Integers, ic: Integers, dc: Reals, c: Reals, theta: float, h: float, x: Reals,
    y: Reals, out: Reals,
) -> None:  # fmt: skip
    """q and q' of the quintic, u = rates(q, q'), xs of the cubic."""
    nq, nu, nx = ic[NQ], ic[NU], ic[NX]
    x[0] = out[0]
    for i in range(nq):
        value = slope = 0.0
        for k in range(5, -1, -1):
            slope = slope * theta + value
            value = value * theta + c[6 * i + k]
        out[1 + i] = x[1 + i] = value
        x[1 + nq + i] = slope / h
    call_service(address[S_RATES], ic, dc, x, y)
    for i in range(nu):
        out[1 + nq + i] = y[i]
    for i in range(nx):
        value = 0.0
        for k in range(3, -1, -1):
            value = value * theta + c[6 * nq + 4 * i + k]
        out[1 + nq + nu + i] = value
