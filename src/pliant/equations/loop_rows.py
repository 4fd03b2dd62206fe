"""Rows of algebraic loops in the measure of their unknowns: k becomes (∂k/∂z)⁻¹ k.

Slopes of laws range over many orders of magnitude (a diode conducts or blocks); row and column
scales that suit one state do not suit the next. The rows that solvers see are Newton's corrections
of z: their slopes with respect to z are the unit matrix wherever k = 0, errors are those of z, and
an iteration with a frozen matrix is still Newton's.
"""

from __future__ import annotations

from dataclasses import replace

import casadi as ca

from pliant.equations.contract import Equations


def scaled_loops(e: Equations) -> Equations:
    """The equations with scaled rows of loops; k itself is kept as ``loops``."""
    n, nu = e.layout.loops, e.u.numel()
    if not n:
        return e
    first = e.cv.numel() - n
    z, k, lam = e.u[nu - n :], e.cv[first:], e.lam[first:]
    step = ca.densify(ca.solve(ca.sparsify(ca.jacobian(k, z)), k))
    residual = e.residual
    if residual.numel() == nu:
        bare = ca.substitute(residual, lam, ca.SX.zeros(n))
        residual = ca.densify(bare - ca.jtimes(step, e.u, lam, True))
    return replace(e, residual=residual, cv=ca.vertcat(e.cv[:first, :], step), loops=k)
