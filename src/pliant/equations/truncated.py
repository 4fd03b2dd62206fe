"""Equations cut at an order of the elastic coordinates: for reading and for showing what is lost.

With elastic coordinates, rates, accelerations and virtual displacements of degree one, the virtual
work is kept to degree n + 1: rows of elastic coordinates to degree n, the others to n + 1. That is
the Lagrangian cut at n + 1, so that the mass matrix stays symmetric. Constraints and observables
stay exact. Source: S1 5.3.
"""

from __future__ import annotations

from dataclasses import replace
from math import factorial
from typing import Any

import casadi as ca

from pliant.equations.contract import Equations
from pliant.errors import InputError


def truncate(e: Equations, order: int) -> Equations:
    """The rows of the equations of motion to an order of deformation.

    To order 0 the rows of elastic coordinates are the loads on them, M u' + K q being of degree 1:
    a statement to read, but no equation of motion.
    """
    elastic = [k for _, u, n in e.elastic.values() for k in range(u, u + n)]
    deformed = [k for q, _, n in e.elastic.values() for k in range(q, q + n)]
    if not elastic:
        return e
    if order == 0:
        raise InputError(
            f"truncate: to order 0 the elastic coordinates of {', '.join(e.elastic)} have neither "
            "inertia nor stiffness, and no motion follows",
            "use 1 or more",
        )
    symbols = ca.vertcat(e.q[deformed], e.u[elastic], e.a[elastic])
    rows = _to_degree(e.residual, symbols, order + 1)
    rows[elastic] = _to_degree(e.residual[elastic], symbols, order)
    return replace(e, residual=rows)


def _to_degree(expression: Any, symbols: Any, degree: int) -> Any:
    """Σ ε^k of an expression in ε · symbols, up to a degree, at ε = 1."""
    size = ca.SX.sym("size")
    term = ca.substitute(expression, symbols, size * symbols)
    total = ca.SX.zeros(*expression.shape)
    for k in range(degree + 1):
        total = total + ca.substitute(term, size, 0) / factorial(k)
        term = ca.jtimes(term, size, 1)
    return ca.densify(total)
