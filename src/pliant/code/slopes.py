"""Slopes of the equations, the start and observables, in the state and in some entries of p.

    motion: Da Dy Dp             of [r; ca] in [a; lam], in y = [q; u; xs] and in p
            Vy Vp Wy Wp          of qdot and of xdot
    start: gp cy cp              of g in p, of cv in y and p
           Q0p U0y U0p Q1p ...   of what is wished of the start, rank 0, 1, ...
           Xy Xp                 of x at the start
           Ny                    of the tangent step N v in v
    told: y Yz Yp                observables, their slopes in z = [y; a; lam] and in p
    switches: gy gp gt           of the guards of conditions in y, p and t

They are functions of the packed x and p, as those of ``pliant.code.compile``: exact derivatives of
the same expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import casadi as ca

from pliant.code.compile import function_of, packed
from pliant.code.compiled import CompiledEquations
from pliant.code.conditions import Guard
from pliant.code.functions import FunctionTable, SymbolicFunction
from pliant.formulations.equations import Equations


def compile_slopes(
    e: Equations, compiled: CompiledEquations, places: Sequence[int], observe: Sequence[str],
    guards: Sequence[Guard] = (),
) -> CompiledEquations:  # fmt: skip
    """The equations with these functions in place of their own. ``places``: entries of p."""
    p = ca.vertcat(ca.SX(0, 1), *[e.p[k] for k in places])
    y = ca.vertcat(e.q, e.u, e.x)
    makers: dict[str, Callable[[], dict[str, Any]]] = {
        "motion": lambda: _motion(e, y, p),
        "start": lambda: _start(e, y, p),
        "told": lambda: _told(e, y, p, observe),
    }
    if guards:
        makers["switches"] = lambda: _switches(e, y, p, guards)
    code, blocks, size = {}, {}, {}
    for name, make in makers.items():
        vector, blocks[name] = packed(make())
        code[name], size[name] = SymbolicFunction(function_of(e, name, vector)), vector.numel()
    table = FunctionTable((), code, tuple(e.inputs.slots))
    return replace(compiled, code=table, blocks=blocks, size=size)


def _motion(e: Equations, y: Any, p: Any) -> dict[str, Any]:
    forces, al = ca.vertcat(e.residual, e.ca), ca.vertcat(e.a, e.lam)
    return _slopes({"D": forces, "V": e.qdot, "W": e.f}, {"y": y, "p": p}) | {
        "Da": ca.jacobian(forces, al)
    }


def _start(e: Equations, y: Any, p: Any) -> dict[str, Any]:
    none = ca.SX(0, 1)
    found = {"gp": ca.jacobian(e.g, p), "Ny": ca.jacobian(e.qdot, e.u)}
    found |= _slopes({"c": e.cv}, {"y": y, "p": p})
    found |= _slopes({"X": none if e.start.x is None else e.start.x}, {"y": y, "p": p})
    for k, (q, u) in enumerate(e.start.ranks):
        wishes = {f"Q{k}": q.residuals, f"U{k}": u.residuals}
        own = {name: none if w is None else w for name, w in wishes.items()}
        found |= _slopes(own, {"y": y, "p": p})
    return found


def _told(e: Equations, y: Any, p: Any, observe: Sequence[str]) -> dict[str, Any]:
    known = {**e.told.observables,
             **{k: e.told.further[k] for k in observe if k not in e.told.observables}}  # fmt: skip
    rows = ca.vertcat(ca.SX(0, 1), *[ca.vec(known[name].expression) for name in observe])
    z = ca.vertcat(y, e.a, e.lam)
    return {"y": ca.densify(rows)} | _slopes({"Y": rows}, {"z": z, "p": p})


def _switches(e: Equations, y: Any, p: Any, guards: Sequence[Guard]) -> dict[str, Any]:
    g = ca.vertcat(*[k.g for k in guards])
    return {"gt": ca.jacobian(g, e.t)} | _slopes({"g": g}, {"y": y, "p": p})


def _slopes(columns: Mapping[str, Any], by: Mapping[str, Any]) -> dict[str, Any]:
    """Jacobians of columns, each named by its column and what it is taken in."""
    return {f"{c}{v}": ca.jacobian(ca.SX(column), symbols)
            for c, column in columns.items() for v, symbols in by.items()}  # fmt: skip
