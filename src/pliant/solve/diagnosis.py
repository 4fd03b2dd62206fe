"""Why a run could not go on: a jump in a prescribed motion."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.equations.compiled import CompiledEquations

_AHEAD = (1e-9, 1e-6)
"""Parts of the elapsed time to look ahead."""
_BEHIND = 1e-9
"""And back: a step that ends just where it jumps has arrived on the far side."""


def diagnose(compiled: CompiledEquations, x: Array, p: Array) -> str:
    """Which prescribed velocity jumps at or just after the state x, or an empty text."""
    for part in _AHEAD:
        before, after = x.copy(), x.copy()
        after[0] += part * max(abs(float(x[0])), 1e-3)
        before[0] -= _BEHIND * max(abs(float(x[0])), 1e-3)
        now, then = (compiled.call("F", state, p) for state in (before, after))
        if not (np.isfinite(now) & np.isfinite(then)).all():
            return ""
        jump = np.abs(compiled.block("F", "cv", then) - compiled.block("F", "cv", now))
        size = 1e-2 * max(1.0, float(np.abs(x[1 + compiled.nq :][: compiled.nu]).max(initial=0.0)))
        owners = [r.owner for r, j in zip(compiled.layout.rows, jump, strict=True) if j > size]
        if owners:
            names = ", ".join(f"'{name}'" for name in dict.fromkeys(owners))
            return f"the velocity prescribed by {names} jumps there; smooth it (smoothstep, spline)"
    return ""
