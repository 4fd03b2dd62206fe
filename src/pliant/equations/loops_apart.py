"""Algebraic loops as people read them: unknowns z with equations k = 0, no multipliers.

In the contract z are speeds without mass, held by multipliers that come out zero. Neither their
rows nor their multipliers say anything.
"""

from __future__ import annotations

from dataclasses import replace

from pliant.equations.contract import Equations


def loops_apart(e: Equations) -> Equations:
    """The equations without the rows and multipliers of loops, and without integrals of z."""
    n, ops = e.layout.loops, e.ops
    if not n:
        return e
    lam = e.lam[e.lam.numel() - n :]
    (residual,) = ops.substitute([ops.full(e.residual)], lam, ops.zeros(n))
    kept = min(residual.numel(), e.u.numel() - n)
    rows = [residual[k] for k in range(kept)]
    q = [e.q[k] for k in range(e.q.numel() - n)]
    return replace(
        e, residual=ops.full(ops.stack(rows)), q=ops.full(ops.stack(q)),
        layout=replace(e.layout, q=e.layout.q[: len(q)]),
    )  # fmt: skip
