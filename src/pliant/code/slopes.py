"""Slopes of the equations, the start and observables, in the state and in some entries of p.

    motion: Da Dy Dp Dt          of [r; ca] in [a; lam], in y = [q; u; xs], in p and in t
            Vy Vp Wy Wp          of qdot and of xdot
    start: gy gp cy cp           of g and cv in y and p
           Q0y Q0p U0y U0p ...   of what is wished of the start, rank 0, 1, ...
           Xy Xp                 of x at the start
           By Bp                 of the motion of all bodies
           Ny                    of the tangent step N v in v
    told: y Yz Yp Yt             observables and events, their slopes in z = [y; a; lam], p and t
    switches: g gy gp gt         guards of conditions, and their slopes in y, p and t

They are functions of the packed x and p, as those of ``pliant.code.compile``: exact derivatives of
the same expressions. Slopes in t are those at a fixed state, signals moving on.
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
        "Da": ca.jacobian(forces, al), "Dt": _by_time(e, forces)
    }  # fmt: skip


def _start(e: Equations, y: Any, p: Any) -> dict[str, Any]:
    none = ca.SX(0, 1)
    found = {"Ny": ca.jacobian(e.qdot, e.u)}
    bodies = ca.vertcat(none, *[ca.vec(own) for own in e.told.bodies.values()])
    columns = {"g": e.g, "c": e.cv, "B": bodies, "X": none if e.start.x is None else e.start.x}
    for k, (q, u) in enumerate(e.start.ranks):
        wishes = {f"Q{k}": q.residuals, f"U{k}": u.residuals}
        columns |= {name: none if w is None else w for name, w in wishes.items()}
    return found | _slopes(columns, {"y": y, "p": p})


def _told(e: Equations, y: Any, p: Any, observe: Sequence[str]) -> dict[str, Any]:
    told = e.told
    known = {
        **told.observables,
        **{k: told.further[k] for k in observe if k not in told.observables},
    }
    seen = [ca.vec(known[name].expression) for name in observe]
    rows = ca.vertcat(ca.SX(0, 1), *seen, *told.events.values())
    z = ca.vertcat(y, e.a, e.lam)
    found = {"y": ca.densify(rows), "Yt": _by_time(e, rows)}
    return found | _slopes({"Y": rows}, {"z": z, "p": p})


def _switches(e: Equations, y: Any, p: Any, guards: Sequence[Guard]) -> dict[str, Any]:
    g = ca.vertcat(*[k.g for k in guards])
    return {"g": ca.densify(g), "gt": _by_time(e, g)} | _slopes({"g": g}, {"y": y, "p": p})


def _by_time(e: Equations, column: Any) -> Any:
    """∂/∂t at a fixed state; signals go on at their rates."""
    found = ca.jacobian(column, e.t)
    signals = e.inputs.signals
    for k in range(0, 0 if signals is None else signals.numel(), 3):
        found += ca.jacobian(column, signals[k : k + 2]) @ signals[k + 1 : k + 3]
    return found


def _slopes(columns: Mapping[str, Any], by: Mapping[str, Any]) -> dict[str, Any]:
    """Jacobians of columns, each named by its column and what it is taken in."""
    return {f"{c}{v}": ca.jacobian(ca.SX(column), symbols)
            for c, column in columns.items() for v, symbols in by.items()}  # fmt: skip
