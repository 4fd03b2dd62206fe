"""Full matrices of the last call of ``explicit``, for treatments that work with M and G."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.solve.constraints.kkt import call_explicit, factor_kkt, project_frozen
from pliant.solve.dense.layout import EXPLICIT_G, EXPLICIT_GAMMA, EXPLICIT_H, EXPLICIT_M, QR, SIDE
from pliant.solve.dense.services import add_block, add_kept_rows, add_product, real
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, jit
from pliant.solve.machine.quaternions import normalise

SINGULAR = 1e13
"""Condition number from which on a mass matrix counts as singular."""


@jit
def fill_mass(ic: Integers, z: Reals, A: Reals, ld: int) -> None:
    """A <- M (rows ld apart)."""
    n = ic[c.NU]
    for i in range(n):
        for j in range(n):
            A[i * ld + j] = 0.0
    add_block(ic, EXPLICIT_M, z, A, ld, 0, 0, 1.0)


@jit
def kept_rows(ic: Integers, dc: Reals, z: Reals) -> Any:
    """The kept rows of G, r x nu."""
    G = real(ic, dc, QR)
    for i in range(ic[c.RANK] * ic[c.NU]):
        G[i] = 0.0
    add_kept_rows(ic, EXPLICIT_G, z, G, ic[c.NU], 0, 1.0, ic[c.NC])
    return G


@jit
def kept_gamma(ic: Integers, z: Reals, out: Reals) -> None:
    """out <- gamma of the kept rows."""
    for i in range(ic[c.NC]):
        k = ic[ic[c.PLACE] + i]
        if k >= 0:
            out[k] = z[ic[EXPLICIT_GAMMA] + i]


@jit
def store(ic: Integers, x: Reals, a: Reals, lam: Reals) -> None:
    """a and lam (of the kept rows, zero elsewhere) into x."""
    nu = ic[c.NU]
    first = 1 + ic[c.NQ] + nu + ic[c.NX]
    for i in range(nu):
        x[first + i] = a[i]
    for i in range(ic[c.NC]):
        k = ic[ic[c.PLACE] + i]
        x[first + nu + i] = lam[k] if k >= 0 else 0.0


@jit
def force_balance(ic: Integers, dc: Reals, z: Reals, a: Reals) -> Any:
    """M a - h, which the constraints must supply."""
    f = real(ic, dc, SIDE)
    for i in range(ic[c.NU]):
        f[i] = -z[ic[EXPLICIT_H] + i]
    add_product(ic, EXPLICIT_M, z, a, f, 0, 1.0)
    return f


@jit
def project_fresh(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Projection with the augmented matrix of the present state."""
    which, limit = y[0], y[1]
    if ic[c.RANK] > 0 and factor_kkt(ic, dc, call_explicit(ic, dc, x, y)) != 0:
        dc[c.LEFT] = np.inf
        return 0
    y[0], y[1] = which, limit
    return project_frozen(ic, dc, x, y)


@jit
def no_projection(ic: Integers, dc: Reals, x: Reals) -> int:
    """Only unit quaternions."""
    normalise(ic, x)
    dc[c.LEFT] = dc[c.CORRECTION] = 0.0
    return 0


def needs_multipliers(compiled: Any, p: Any) -> str:
    """Objection to equations without multipliers."""
    if compiled.has_lam:
        return ""
    return "these equations have no multipliers; use projection, baumgarte or direct"


def needs_regular_mass(compiled: Any, p: Any) -> str:
    """Objection to a mass matrix that is singular at random states."""
    if not compiled.has_lam:
        return needs_multipliers(compiled, p)
    generator = np.random.default_rng(0)
    for _ in range(3):
        y = compiled.call("explicit", generator.uniform(0.2, 1.0, compiled.x_size), p)
        M = compiled.block("explicit", "M", y)
        if np.all(np.isfinite(M)) and len(M) and np.linalg.cond(M) > SINGULAR:
            return (
                f"the mass matrix is singular: coordinates of {_without_inertia(compiled, M)} can "
                "change without any inertia moving; use projection, complement or augmented"
            )
    return ""


def _without_inertia(compiled: Any, M: Any) -> str:
    """Whose speeds take part in motions v with M v = 0."""
    _, s, Vt = np.linalg.svd(M)
    part = np.abs(Vt[s * SINGULAR <= s[0]]).max(axis=0, initial=0.0)
    owners = [speed.owner for k, speed in enumerate(compiled.layout.u) if part[k] > 1e-6]
    return ", ".join(f"'{owner}'" for owner in dict.fromkeys(owners))
