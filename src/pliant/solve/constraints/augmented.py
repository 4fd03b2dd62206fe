"""Augmented Lagrangian: penalty, iterated on the multipliers until the constraint holds.

    (M + G^T alpha G) a <- h + G^T lam - G^T alpha gamma,     lam <- lam - alpha (G a + gamma)

and the same matrix for mass-orthogonal projections: (M + G^T alpha G) dq = -G^T alpha g, du
likewise. Every iteration gains a factor of about alpha. All rows take part: dependent ones do no
harm. Needs: M + G^T G regular. Residual: at rounding. Source: S2 (11.35) and S2.5; Bayo, Ledesma
1996.
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import (
    STAGNATION,
    call_explicit,
    correct_level,
    largest_speed,
    note_left,
)
from pliant.solve.constraints.matrices import needs_multipliers
from pliant.solve.constraints.penalty import factor_penalty, pull_back
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.dense import layout as dl
from pliant.solve.dense.services import evaluate, fill_G, real
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, jit, service
from pliant.solve.machine.linear import dot
from pliant.solve.machine.quaternions import normalise

MAX_ITERATIONS = 12


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a and lam, iterated until G a + gamma vanishes or no longer shrinks."""
    z = call_explicit(ic, dc, x, y)
    if factor_penalty(ic, dc, z) != 0:
        return 1
    nu, m = ic[c.NU], ic[c.NC]
    a, weights, G = (
        real(ic, dc, dl.RHS),
        real(ic, dc, dl.TREATMENT),
        fill_G(ic, dc, dl.EXPLICIT_G, z),
    )
    gamma = at(z, ic[dl.EXPLICIT_GAMMA])
    first = 1 + ic[c.NQ] + nu + ic[c.NX]
    lam = at(x, first + nu)
    for k in range(m):
        lam[k] = 0.0
    before = 1e300
    for _ in range(MAX_ITERATIONS):
        for i in range(nu):
            a[i] = z[ic[dl.EXPLICIT_H] + i]
            for k in range(m):
                a[i] += G[k * nu + i] * lam[k]
        pull_back(ic, dc, G, gamma, a)
        worst = 0.0
        for k in range(m):
            left = dot(at(G, k * nu), a, nu) + gamma[k]
            lam[k] -= weights[k] * left
            worst = max(worst, abs(left) / dc[ic[dl.SCALE] + k])
        if worst > STAGNATION * before or worst == 0.0:
            break
        before = worst
    for i in range(nu):
        x[first + i] = a[i]
    return 0


@jit
def _project_level(ic: Integers, dc: Reals, x: Reals, position: bool, limit: int) -> int:
    """Mass-orthogonal correction of q or u, repeated with the matrix at hand."""
    nu, m = ic[c.NU], ic[c.NC]
    violation, b = at(real(ic, dc, dl.TREATMENT), m), real(ic, dc, dl.RHS)
    G = fill_G(ic, dc, dl.EXPLICIT_G, real(ic, dc, dl.Y_EXPLICIT))
    speed, before, count = 1.0 if position else largest_speed(ic, x), 1e300, 0
    while True:
        z, worst = evaluate(ic, dc, dl.A_CONSTRAINTS, dl.Y_CONSTRAINTS, x), 0.0
        for k in range(m):
            violation[k] = z[ic[dl.CONSTRAINTS_CV] + k]
            if position:
                violation[k] = z[ic[dl.CONSTRAINTS_GPOS] + k] if k < ic[c.NH] else 0.0
            worst = max(worst, abs(violation[k]) / (dc[ic[dl.SCALE] + k] * speed))
        if not worst > dc[c.PROJECTION_TOLERANCE] or worst > STAGNATION * before or count == limit:
            break
        before = worst
        for i in range(nu):
            b[i] = 0.0
        pull_back(ic, dc, G, violation, b)
        count += 1
        correct_level(ic, dc, x, b, position)
    note_left(ic, dc, worst, count)
    return count


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q, then u, onto the constraints with the matrix of the present state."""
    which, limit = int(y[0]), int(y[1])
    normalise(ic, x)
    dc[c.LEFT] = dc[c.CORRECTION] = 0.0
    if ic[c.NC] == 0 or factor_penalty(ic, dc, call_explicit(ic, dc, x, y)) != 0:
        return 0
    count = 0
    if which & c.PROJECT_Q:
        count += _project_level(ic, dc, x, True, limit)
    if which & c.PROJECT_U:
        count += _project_level(ic, dc, x, False, limit)
    return count


AUGMENTED = Treatment(
    name="augmented",
    exact=True,
    accelerate=accelerate,
    project=project,
    objection=needs_multipliers,
    options={"alpha": 1e4},
    description="augmented Lagrangian: penalty iterated to convergence, with projections",
)
