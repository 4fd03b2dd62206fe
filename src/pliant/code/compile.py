"""Equations to machine code: every block an exact derivative, written from the expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from pliant.code.clocks import clocks
from pliant.code.compiled import Block, CompiledEquations, Observed, is_vector
from pliant.code.conditions import Guard, guard_names, guard_parts
from pliant.code.direct import direct_functions
from pliant.code.energy import affine, powers, stored
from pliant.code.functions import FunctionTable, SymbolicFunction
from pliant.code.llvm.machine import compile_functions, reproducible
from pliant.code.pivots import Pivots
from pliant.formulations.equations import Equations
from pliant.observe.catalogue import SymbolicObservable

_STATES = ("constraints", "initial", "tangent", "bodies", "start_states")
_READ = {"explicit": "M", **{name: name for name in _STATES}}
"""Functions of which it is known what they read of p: those of assembly, of F the mass matrix."""


def compile_equations(
    equations: Equations,
    *,
    further: Sequence[str] = (),
    functions: Sequence[str] | None = None,
    reproducible: bool = False,
    tiered: bool = False,
    later: Sequence[str] = (),
    guards: Sequence[Guard] = (),
    explicit: Mapping[str, Any] | None = None,
) -> CompiledEquations:
    """Compile. ``further``: observables that are written only if they are named; ``functions``:
    only these (all by default); ``tiered``: quickly now, well in the background; ``later``:
    functions whose code is made when it is first needed; ``guards``: of ``conditions.held``, as
    function ``guards``; ``explicit``: what ``explicit_parts`` gives, if it is known."""
    e = equations
    known = {**e.told.observables, **{k: e.told.further[k] for k in further}}
    outputs = _outputs(e, known, explicit)
    if guards:
        outputs["guards"] = lambda: guard_parts(e, guards)
    code, blocks, size, reads = {}, {}, {}, {}
    place = {e.p[k].element_hash(): k for k in range(e.p.numel())}  # of parameters
    for name, make in outputs.items():
        if functions is None or name in functions:
            parts = make()
            vector, blocks[name] = packed(parts)
            code[name], size[name] = function_of(e, name, vector), vector.numel()
            if name in _READ:
                own = parts["M"] if name == "explicit" else vector
                reads[_READ[name]] = _reads(place, own)
    put_off = {name: code.pop(name) for name in later if name in code}
    position, observed = 0, {}
    for key, o in known.items():
        n = o.expression.numel()
        observed[key] = o.made(Observed, start=position, size=n)
        position += n
    wishes = tuple((tuple(zip(q.names, q.units, strict=True)),
                    tuple(zip(u.names, u.units, strict=True)))
                   for q, u in e.start.ranks)  # fmt: skip
    return CompiledEquations(
        formulation=e.written.formulation, tree=e.written.tree, layout=e.layout,
        parameters=dict(e.inputs.parameters), tables=dict(e.inputs.tables),
        bodies=tuple(e.told.bodies), wishes=wishes,
        code=FunctionTable(
            (compile_functions(code, reproducible=reproducible, signals=e.inputs.slots,
                               tiered=tiered),),
            {name: SymbolicFunction(f) for name, f in put_off.items()}, tuple(e.inputs.slots),
        ),
        nq=e.q.numel(), nu=e.u.numel(), nx=e.x.numel(), nd=e.residual.numel(),
        m=e.cv.numel(), mh=e.g.numel(), has_lam=e.residual.numel() == e.u.numel(),
        p=e.inputs.values.copy(), blocks=blocks, size=size, observed=observed,
        guards=guard_names(guards), reads=reads, clocks=clocks(e, guards),
    )  # fmt: skip


def compile_direct(
    e: Equations,
    explicit: Mapping[str, Any],
    compiled: CompiledEquations,
    kept: Sequence[int],
    pivots: Pivots,
    *,
    tiered: bool = False,
) -> CompiledEquations:
    """The same with ``direct`` and ``correction`` for the rows ``kept`` in some order."""
    made = direct_functions(e, explicit, kept, pivots)
    code, blocks, size = {}, dict(compiled.blocks), dict(compiled.size)
    for name, outputs in made.items():
        vector, blocks[name] = packed(outputs)
        code[name], size[name] = function_of(e, name, vector), vector.numel()
    machine = compile_functions(
        code, signals=e.inputs.slots, tiered=tiered, reproducible=reproducible()
    )
    return replace(
        compiled,
        blocks=blocks,
        size=size,
        code=compiled.code.with_(machine),
        direct_rows=tuple(map(int, kept)),
    )


def function_of(e: Equations, name: str, vector: Any) -> Any:
    """A function of the packed x."""
    x = ca.vertcat(e.t, e.q, e.u, e.x, e.a, e.lam)
    inputs = [ca.vertcat(e.t, e.q, e.speeds.rates) if name == "speeds" else x, e.p]
    inputs += [e.inputs.signals] if e.inputs.slots else []
    return ca.Function(name, inputs, [vector])


def _reads(place: Mapping[int, int], vector: Any) -> tuple[int, ...]:
    """Which entries of p an expression reads; ``place``: of each, by its hash."""
    found = (place.get(s.element_hash()) for s in ca.symvar(vector))
    return tuple(sorted(k for k in found if k is not None))


def _outputs(
    e: Equations, known: Mapping[str, SymbolicObservable], explicit: Mapping[str, Any] | None = None
) -> dict[str, Callable[[], dict[str, Any]]]:
    """How to write the named parts of every function; z, k: unknowns of algebraic loops and their
    equations, k = 0."""
    acceleration, n = cache(lambda: e.ca), e.layout.loops
    z, k = e.u[e.u.numel() - n :], e.cv[e.cv.numel() - n :] if e.loops is None else e.loops
    N, G = ca.jacobian(e.qdot, e.u), explicit["G"] if explicit else ca.jacobian(e.cv, e.u)
    return {
        "explicit": lambda: dict(explicit or explicit_parts(e, G)),
        "constraints": lambda: dict(G=G, g=e.g, cv=e.cv) | (
            dict(k=k, kz=ca.jacobian(k, z)) if e.layout.loops else {}),
        "residual": lambda: dict(r=e.residual, ca=acceleration(), cv=e.cv, g=e.g, qdot=e.qdot,
                                 xdot=e.f),
        "jacobians": lambda: _jacobians(e, acceleration(), G, N, explicit),
        "tangent": lambda: dict(dq=N @ e.u),
        "kinematics": lambda: dict(qdot=e.qdot, qddot=e.total_derivative(e.qdot)),
        "speeds": lambda: dict(u=e.speeds.u),
        "observables": lambda: dict(y=_stack([o.expression for o in known.values()])),
        "events": lambda: dict(e=_stack(list(e.told.events.values()))),
        "powers": lambda: dict(y=_stack([o.expression for o in known.values()
                                         if o.is_element_power])),
        "angles": lambda: dict(y=_stack([part.expression for o in known.values() if o.wraps
                                    for part in (o, e.told.observables[o.wraps])])),
        "initial": lambda: _given(e, N),
        "bodies": lambda: dict(y=_stack(list(e.told.bodies.values()))),
        "buckling": lambda: dict(y=_stack(list(e.told.axial.values()))),
        "loads": lambda: dict(y=_stack(list(e.told.loads.values()))),
        "energies": lambda: dict(y=stored(e)),
        "power_balance": lambda: dict(P=powers(e)),
        "start_states": lambda: dict(xs=ca.SX.zeros(0, 1) if e.start.x is None else e.start.x),
        "network_slopes": lambda: dict(xdot=e.f, Fx=ca.jacobian(e.f, e.x), Fz=ca.jacobian(e.f, z),
                                       k=k, kx=ca.jacobian(k, e.x), kz=ca.jacobian(k, z)),
    }  # fmt: skip


def explicit_parts(e: Equations, G: Any = None) -> dict[str, Any]:
    """Everything of M a = h + G^T lam, G a + gamma = 0, and the powers: parts of ``explicit``;
    ``G``: if it is known."""
    G = ca.jacobian(e.cv, e.u) if G is None else G
    at_rest = ca.vertcat(e.a, e.lam)
    zero = ca.SX.zeros(at_rest.numel())
    h = -ca.substitute(e.residual, at_rest, zero)
    gamma = ca.substitute(e.ca, at_rest, zero)
    M = ca.jacobian(e.residual, e.a)
    P, slopes = affine(e, powers(e))
    return dict(M=M, G=G, h=h, gamma=gamma, g=e.g, cv=e.cv, qdot=e.qdot, xdot=e.f, P=P, Pz=slopes)


def _jacobians(
    e: Equations, acceleration: Any, G: Any, N: Any, explicit: Mapping[str, Any] | None
) -> dict[str, Any]:
    M = explicit["M"] if explicit else ca.jacobian(e.residual, e.a)
    return dict(
        M=M, D=ca.jacobian(e.residual, e.u),
        K=_along(e.residual, e.q, N), G=G, Au=ca.jacobian(acceleration, e.u),
        Aq=_along(acceleration, e.q, N), B=_along(e.cv, e.q, N), Rx=ca.jacobian(e.residual, e.x),
        Fu=ca.jacobian(e.f, e.u), Fq=_along(e.f, e.q, N), Fx=ca.jacobian(e.f, e.x),
    )  # fmt: skip


def _given(e: Equations, N: Any) -> dict[str, Any]:
    none = ca.SX.zeros(0, 1)

    def some(column: Any) -> Any:
        return none if column is None else column

    parts: dict[str, Any] = {}
    for k, (q, u) in enumerate(e.start.ranks):
        eq, eu = some(q.residuals), some(u.residuals)
        parts |= {f"eq{k}": eq, f"Eq{k}": _along(eq, e.q, N), f"eu{k}": eu,
                  f"Eu{k}": ca.jacobian(eu, e.u), f"wq{k}": some(q.wanted),
                  f"wu{k}": some(u.wanted)}  # fmt: skip
    return parts | dict(up=some(e.start.alignment), upright=some(e.start.upright),
                        unloaded=some(e.start.unloaded))  # fmt: skip


def _stack(items: list[Any]) -> Any:
    return ca.densify(ca.vertcat(*[ca.vec(i) for i in items])) if items else ca.SX.zeros(0, 1)


def _along(expression: Any, q: Any, N: Any) -> Any:
    """d(expression)/dq N: the derivative along retract(q, dv), one column per speed."""
    return ca.jacobian(expression, q) @ N


def packed(parts: Mapping[str, Any]) -> tuple[Any, dict[str, Block]]:
    """One output vector from named parts: non-zeros of matrices, all entries of vectors."""
    pieces, blocks, offset = [], {}, 0
    for name, part in parts.items():
        part = ca.SX(part)
        part = ca.densify(part) if is_vector(name) else ca.sparsify(part)
        rows, cols = (np.array(i, dtype=np.int64) for i in part.sparsity().get_triplet())
        blocks[name] = Block(offset, part.shape, rows, cols)
        pieces.append(ca.vec(part.nz[:]))
        offset += part.nnz()
    return ca.vertcat(*pieces), blocks
