"""Small bond graphs, and their equations as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np
from tests.models.small import SmallModel

from pliant.bonds import BondGraph, Compliance, Gyrator, Inertia, Resistance, Source, Transformer
from pliant.code.compile import compile_equations
from pliant.formulations.equations import Equations
from pliant.formulations.multibond.extract import equations
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.model import Model
from pliant.spatial.symbolic import SYMBOLIC


def p(name: str) -> Any:
    """The law that is a parameter."""
    return lambda ops, state: state[name]


def contract(graph: BondGraph, parameters: Mapping[str, float], **options: Any) -> Equations:
    """Equations of a pure bond graph in CasADi numbers, flows in u unless another form is asked."""
    held = any(n.kind == "CN" for n in graph.nodes.values())
    options.setdefault("form", "augmented" if held else "mixed")
    return equations(
        graph, SYMBOLIC, SymbolicValues(Model(parameters=dict(parameters)), SYMBOLIC), **options
    )


class Numbers:
    """Equations at a state: M, W, h, G, γ, x', observables."""

    def __init__(self, e: Equations) -> None:
        self.e = e
        self.u_names = [s.name for s in e.layout.u]
        self.x_names = [s.name for s in e.layout.x]
        inputs = [e.t, e.q, e.u, e.x, e.a, e.lam, e.p]
        blocks = [
            ca.jacobian(e.residual, e.a), -ca.jacobian(e.residual, e.lam), -e.residual,
            ca.jacobian(e.cv, e.u), e.ca, e.cv, e.f,
        ]  # fmt: skip
        self._blocks = ca.Function("blocks", inputs, blocks)
        self._observe = ca.Function(
            "observe",
            inputs,
            [ca.vertcat(*[ca.vec(o.expression) for o in e.told.observables.values()])],
        )

    def _values(self, given: Mapping[str, float], t: float, p: Any) -> list[Any]:
        e = self.e
        u = [given.get(n, 0.0) for n in self.u_names]
        x = [given.get(n, 0.0) for n in self.x_names]
        numbers = e.inputs.values if p is None else p
        return [
            t,
            np.zeros(e.q.numel()),
            u,
            x,
            np.zeros(e.a.numel()),
            np.zeros(e.lam.numel()),
            numbers,
        ]

    def at(self, given: Mapping[str, float], t: float = 0.0, p: Any = None) -> dict[str, Any]:
        """All blocks, and the solved rates ``u'`` and x' by name."""
        values = self._values(given, t, p)
        M, W, h, G, gamma, cv, f = (np.array(y) for y in self._blocks(*values))
        nd, nu, m = M.shape[0], M.shape[1], G.shape[0]
        lam = W if nd == nu else np.zeros((nd, 0))
        K = np.block([[M, -lam], [G, np.zeros((m, lam.shape[1]))]])
        solved = np.linalg.solve(K, np.concatenate([h, -gamma])).ravel()
        values[4] = solved[:nu]
        values[5] = solved[nu:] if nd == nu else values[5]
        rates = dict(zip(self.u_names, solved[:nu], strict=True))
        rates |= dict(zip(self.x_names, f.ravel(), strict=True))
        y = np.array(self._observe(*values)).ravel()
        seen, start = {}, 0
        for name, o in self.e.told.observables.items():
            n = o.expression.numel()
            seen[name] = y[start] if n == 1 else y[start : start + n]
            start += n
        return dict(M=M, W=W, h=h.ravel(), G=G, gamma=gamma.ravel(), cv=cv.ravel(), rates=rates,
                    lam=solved[nu:], seen=seen)  # fmt: skip

    def largest_imbalance(self, seen: Mapping[str, Any]) -> float:
        """Largest residual of a junction, relative to the largest power."""
        powers = [abs(v) for k, v in seen.items() if k.endswith((".power", ".product"))]
        residuals = [abs(v) for k, v in seen.items() if k.endswith(".residual")]
        return max(residuals) / max(powers)


def runnable(e: Equations, start: Mapping[str, float], t_end: float) -> SmallModel:
    """For ``tests.models.running``; what is not given of the start is zero."""
    u = np.array([start.get(s.name, 0.0) for s in e.layout.u])
    x = np.array([start.get(s.name, 0.0) for s in e.layout.x])
    return SmallModel(
        e.written.formulation, e, compile_equations(e), np.zeros(e.q.numel()), u, x, t_end, None
    )


def series_rlc() -> BondGraph:
    """E, R, L and C in one mesh."""
    g = BondGraph("series RLC")
    g.one("mesh", domain="electrical")
    g.add("Se", "E", Source(p("E")), on="mesh")
    g.add("R", "R", Resistance(p("R")), on="mesh")
    g.add("I", "L", Inertia(p("L")), on="mesh")
    g.add("C", "C", Compliance.capacity(p("C")), on="mesh")
    return g


def parallel_rlc() -> BondGraph:
    """A current source feeding R, L and C between two nodes."""
    g = BondGraph("parallel RLC")
    g.zero("node", domain="electrical")
    g.add("Sf", "J", Source(p("J")), on="node")
    g.add("R", "R", Resistance(p("R")), on="node")
    g.add("I", "L", Inertia(p("L")), on="node")
    g.add("C", "C", Compliance.capacity(p("C")), on="node")
    return g


def dc_motor(load: str = "rigid") -> BondGraph:
    """Armature, gyrator, rotor with friction, gear and load; the rotor depends on the load."""
    g = BondGraph("motor")
    g.one("armature", domain="electrical")
    g.one("shaft", domain="rotation")
    g.one("axle", domain="rotation")
    g.add("Se", "V", Source(p("V")), on="armature")
    g.add("R", "Ra", Resistance(p("Ra")), on="armature")
    g.add("I", "La", Inertia(p("La")), on="armature")
    g.add("GY", "torque", Gyrator(p("k")))
    g.bond("armature", "torque")
    g.bond("torque", "shaft")
    g.add("I", "rotor", Inertia(p("Jr")), on="shaft")
    g.add("R", "bearing", Resistance(p("b")), on="shaft")
    g.transformer("gear", "shaft", "axle", Transformer(lambda ops, s: 1 / s["n"]))
    g.add("I", "load", Inertia(p("Jl")), on="axle", priority=1)
    g.add("Se", "weight", Source(lambda ops, s: -s["T"]), on="axle")
    return g


def resistive_loop(cubic: bool = False) -> BondGraph:
    """E over R1, then R2 in parallel with R3 and L."""
    g = BondGraph("loop")
    g.one("a", domain="electrical")
    g.zero("c", domain="electrical")
    g.one("d", domain="electrical")
    g.bond("a", "c")
    g.bond("c", "d")
    g.add("Se", "E", Source(p("E")), on="a")
    g.add("R", "R1", Resistance(p("R1")), on="a")
    law = Resistance(p("R2"))
    if cubic:
        law = Resistance(effort_of_flow=lambda ops, s, f: s["R2"] * f + f * f * f)
    g.add("R", "R2", law, on="c")
    g.add("R", "R3", Resistance(p("R3")), on="d")
    g.add("I", "L", Inertia(p("L")), on="d")
    return g
