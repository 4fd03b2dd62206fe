"""Single states, compiled: consistent initial values, output points, observables."""

from __future__ import annotations

from pliant.solve.abi import Integers, Reals, at, call_model, call_service, entry
from pliant.solve.context import (
    EXACT,
    LEFT,
    NC,
    NQ,
    NU,
    NX,
    PROJECT_BOTH,
    S_ACCELERATE,
    S_MULTIPLIERS,
    S_PROJECT,
    S_RANK,
    S_SETTLE,
)  # fmt: skip

LEFT_ALLOWED = 1e-9


@entry
def call_once(address: int, ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """One service, from Python."""
    return int(call_service(address, ic, dc, x, y))


@entry
def make_consistent(address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Rank, factor, projection of q and u, renewed until it holds; then a and lam.

    0: done; 1: the constraints cannot be met; 2: the accelerations are not determined.
    """
    call_service(address[S_SETTLE], ic, dc, x, y)
    for _ in range(5):
        call_service(address[S_RANK], ic, dc, x, y)
        if call_service(address[S_ACCELERATE], ic, dc, x, y) != 0:
            return 2
        if ic[EXACT] == 0 or ic[NC] == 0:
            return 0
        y[0], y[1] = PROJECT_BOTH, 20
        count = call_service(address[S_PROJECT], ic, dc, x, y)
        if count == 0 and dc[LEFT] <= LEFT_ALLOWED:
            break
    call_service(address[S_RANK], ic, dc, x, y)
    code = call_service(address[S_ACCELERATE], ic, dc, x, y)
    if not dc[LEFT] <= LEFT_ALLOWED:
        return 1
    return 2 if code != 0 else 0


@entry
def complete_rows(
    address: Integers, ic: Integers, dc: Reals, rows: Reals, x: Reals, y: Reals, out: Reals
) -> None:
    """out[k] <- x of rows[k] = (t, q, u, xs): projected, with a and lam of least norm."""
    n = 1 + ic[NQ] + ic[NU] + ic[NX]
    for k in range(rows.shape[0]):
        for i in range(n):
            x[i] = rows[k, i]
        call_service(address[S_RANK], ic, dc, x, y)
        call_service(address[S_ACCELERATE], ic, dc, x, y)
        y[0], y[1] = PROJECT_BOTH, 12
        if call_service(address[S_PROJECT], ic, dc, x, y) > 0:
            call_service(address[S_ACCELERATE], ic, dc, x, y)
        call_service(address[S_MULTIPLIERS], ic, dc, x, y)
        for i in range(out.shape[1]):
            out[k, i] = x[i]


@entry
def observe_rows(address: int, rows: Reals, p: Reals, out: Reals) -> None:
    """out[k] <- f(rows[k], p)."""
    for k in range(rows.shape[0]):
        call_model(address, at(rows, k * rows.shape[1]), p, at(out, k * out.shape[1]))
