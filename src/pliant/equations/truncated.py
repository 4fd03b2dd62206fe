"""Equations cut at an order of the elastic coordinates: for reading and for showing what is lost.

With elastic coordinates, rates and accelerations scaled by ε, each row is r = Σ_k ε^k r_k; rows up
to order n are kept. Constraints and observables stay exact. Source: S1 5.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import factorial
from typing import Any

import casadi as ca

from pliant.equations.contract import Equations


def truncate(e: Equations, order: int) -> Equations:
    """The rows of the equations of motion to an order of deformation."""
    elastic = [ca.SX(0)] * 0
    for q, u, n in e.elastic.values():
        elastic += [*_entries(e.q, q, n), *_entries(e.u, u, n), *_entries(e.a, u, n)]
    if not elastic:
        return e
    symbols, size = ca.vertcat(*elastic), ca.SX.sym("size")
    scaled = ca.substitute(e.residual, symbols, size * symbols)
    total, term = ca.SX.zeros(*e.residual.shape), scaled
    for k in range(order + 1):
        total = total + ca.substitute(term, size, 0) / factorial(k)
        term = ca.jtimes(term, size, 1)
    return replace(e, residual=ca.simplify(total))


def _entries(column: Any, start: int, count: int) -> Iterable[Any]:
    return [column[k] for k in range(start, start + count)]
