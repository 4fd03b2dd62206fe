"""Two flexible links on spherical joints as a multibond graph: source S0, section 8.4.2.

Each link is the modal beam of fig. 6-2 with its frame at one end: I:m at the mass centre in world
axes, I:M_ξ(η) on the stack of (ω, η'), EJS for the gyroscopic forces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

from pliant.bonds import BondGraph, Compliance, Inertia, JunctionStructure, Source, Transformer
from pliant.bonds.rows import BondEquations

GRAVITY = np.array([0.0, 0.0, -9.81])


def bryant(b: Any) -> Any:
    """R_WB of Bryant angles."""
    turn = []
    for axis in range(3):
        c, s = ca.cos(b[axis]), ca.sin(b[axis])
        R = ca.SX.eye(3)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        R[i, i], R[j, j], R[i, j], R[j, i] = c, c, -s, s
        turn.append(R)
    return turn[0] @ turn[1] @ turn[2]


def axial(S: Any) -> Any:
    """The vector of a skew matrix."""
    return ca.vertcat(S[2, 1], S[0, 2], S[1, 0])


def bryant_rates(b: Any) -> Any:
    """N with b' = N w_B."""
    R = bryant(b)
    slopes = ca.jacobian(ca.vec(R), b)
    columns = [axial(R.T @ ca.reshape(slopes[:, i], 3, 3)) for i in range(3)]
    return ca.inv_minor(ca.horzcat(*columns))


@dataclass
class Beam:
    """Bending in two planes with foreshortening, and torsion: monomial shapes, Gauss sums."""

    length: float = 1.2
    density: float = 0.7
    rotary: float = 2e-3
    stiff: tuple[float, float, float] = (40.0, 25.0, 15.0)
    shapes: tuple[int, int, int] = (2, 1, 1)
    points: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        x, w = np.polynomial.legendre.leggauss(8)
        half = self.length / 2
        self.points = [((a + 1) * half, b * half) for a, b in zip(x, w, strict=True)]

    @property
    def mass(self) -> float:
        return self.density * self.length

    @property
    def ne(self) -> int:
        return sum(self.shapes)

    def fields(self, x: float, q: Any) -> tuple[Any, Any, Any, Any]:
        """Position, slopes v' and w', and torsion at x."""
        nv, nw, nt = self.shapes
        parts = [(q[:nv], nv), (q[nv : nv + nw], nw)]
        v, w = (sum(s[i] * x ** (i + 2) for i in range(n)) for s, n in parts)
        dv, dw = (sum(s[i] * (i + 2) * x ** (i + 1) for i in range(n)) for s, n in parts)
        short = sum(
            (i + 2) * (j + 2) * x ** (i + j + 3) / (i + j + 3) * s[i] * s[j]
            for s, n in parts
            for i in range(n)
            for j in range(n)
        )
        torsion = sum(q[nv + nw + i] * x ** (i + 1) for i in range(nt))
        return ca.vertcat(x - short / 2, v, w), dv, dw, torsion

    def inertia(self, q: Any) -> Any:
        """M_b over (v, ω, η')."""
        n = 6 + self.ne
        M = ca.SX.zeros(n, n)
        for x, weight in self.points:
            p, dv, dw, torsion = self.fields(x, q)
            B = ca.horzcat(ca.SX.eye(3), -ca.skew(p), ca.jacobian(p, q))
            M += weight * self.density * B.T @ B
            spin = ca.jacobian(torsion, q)
            spin += (ca.jacobian(dw, q) * dv - ca.jacobian(dv, q) * dw) / 2
            row = ca.horzcat(ca.SX.zeros(1, 3), 1 - (dv**2 + dw**2) / 2, dv, dw, spin)
            M += weight * self.rotary * row.T @ row
        return M

    def stiffness(self) -> np.ndarray:
        nv, nw, nt = self.shapes
        K = np.zeros((self.ne, self.ne))
        for x, weight in self.points:
            start = 0
            for n, bends, stiff in zip((nv, nw, nt), (True, True, False), self.stiff, strict=True):
                i = np.arange(n)
                s = (i + 2) * (i + 1) * x**i if bends else (i + 1) * x**i
                K[start : start + n, start : start + n] += weight * stiff * np.outer(s, s)
                start += n
        return K


@dataclass(frozen=True)
class Configuration:
    """Coordinates whose rates follow from the flow of a 1-junction: q' = N(q) f(junction)."""

    name: str
    q: Any
    junction: str
    N: Any

    def rate(self, rows: BondEquations) -> Any:
        """q'."""
        return self.N @ junction_flow(rows, self.junction)


def junction_flow(rows: BondEquations, junction: str) -> Any:
    """The common flow of a 1-junction as a column."""
    bond, _ = rows.graph.attached(junction)[0]
    dim = rows.graph.bonds[bond].dim
    return ca.vertcat(*(rows.evaluation.flow(bond, k) for k in range(dim)))


@dataclass
class Link:
    """A beam with its coordinates: Bryant angles and η."""

    name: str
    beam: Beam
    angles: Any
    eta: Any

    @classmethod
    def of(cls, name: str, beam: Beam) -> Link:
        return cls(name, beam, ca.SX.sym(f"{name}.angles", 3), ca.SX.sym(f"{name}.eta", beam.ne))

    @property
    def A(self) -> Any:
        return bryant(self.angles)

    @property
    def inner(self) -> Any:
        """M_ξ = M_ξξ - m J_cᵀ J_c."""
        M, J = self.beam.inertia(self.eta), self.centre
        return M[3:, 3:] - self.beam.mass * J.T @ J

    @property
    def centre(self) -> Any:
        """J_c: velocity of the mass centre from (ω, η')."""
        return self.beam.inertia(self.eta)[:3, 3:] / self.beam.mass

    def half_rate(self, M: Any, xi: Any) -> Any:
        """½ M' ξ'."""
        rate = ca.jtimes(ca.vec(M), self.eta, xi[3:])
        return ca.reshape(rate, M.shape) @ xi / 2

    def gyroscopic(self, M: Any, xi: Any) -> Any:
        """[ω × p; -∂T/∂η] + ½ M' ξ', which does no work."""
        probe = ca.SX.sym("probe", xi.numel())
        slope = ca.gradient(ca.bilin(M, probe, probe) / 2, self.eta)
        own = ca.cross(xi[:3], (M @ xi)[:3])
        parts = ca.vertcat(own, -ca.substitute(slope, probe, xi))
        return parts + self.half_rate(M, xi)

    def configurations(self) -> list[Configuration]:
        n = self.name
        return [
            Configuration(f"{n}.angles", self.angles, f"{n}.W", bryant_rates(self.angles)),
            Configuration(f"{n}.eta", self.eta, f"{n}.E", ca.SX.eye(self.beam.ne)),
        ]

    def add(self, g: BondGraph, tip: bool, centre: int) -> None:
        """The sub-graph of fig. 6-2; ``tip``: with the frame P at the end;
        ``centre``: priority of I:m (that of I:M_ξ is 2)."""
        n, ne, m, M = self.name, self.beam.ne, self.beam.mass, self.inner
        J = self.centre
        for junction, dim in (("R", 3), ("W", 3), ("E", ne), ("Pc", 3), ("xi", 3 + ne)):
            g.one(f"{n}.{junction}", dim)
        g.zero(f"{n}.0c", 3)
        g.bond(f"{n}.R", f"{n}.0c")
        g.transformer(f"{n}.Jw", f"{n}.W", f"{n}.0c", Transformer(_is(J[:, :3])), (3, 3))
        g.transformer(f"{n}.Je", f"{n}.E", f"{n}.0c", Transformer(_is(J[:, 3:])), (3, ne))
        turn = Transformer(_is(self.A), inverse="transpose")
        g.transformer(f"{n}.A", f"{n}.0c", f"{n}.Pc", turn, (3, 3))
        own = dict(owner=n, domain="translation")
        g.add("I", f"{n}.m", Inertia(m), 3, on=f"{n}.Pc", priority=centre, **own)
        g.add("Se", f"{n}.g", Source(m * GRAVITY), 3, on=f"{n}.Pc")
        g.add("SUM", f"{n}.SUM")
        for part in ("W", "E"):
            g.bond(f"{n}.{part}", f"{n}.SUM")
        g.bond(f"{n}.SUM", f"{n}.xi")
        bias = Inertia(_is(M), lambda ops, s: self.half_rate(M, s.u[f"{n}.Mxi"]))
        g.add("I", f"{n}.Mxi", bias, 3 + ne, on=f"{n}.xi", priority=2)
        ejs = JunctionStructure(lambda ops, s, f: self.gyroscopic(M, f))
        g.add("EJS", f"{n}.EJS", ejs, 3 + ne, on=f"{n}.xi")
        spring = Compliance.stiffness(self.beam.stiffness(), lambda ops, s: self.eta)
        g.add("C", f"{n}.K", spring, ne, on=f"{n}.E", priority=99)
        if tip:
            self._tip(g)

    def _tip(self, g: BondGraph) -> None:
        n, p = self.name, self.beam.fields(self.beam.length, self.eta)[0]
        slope = ca.jacobian(p, self.eta)
        g.zero(f"{n}.0P", 3)
        g.one(f"{n}.P", 3)
        g.bond(f"{n}.R", f"{n}.0P")
        g.transformer(f"{n}.lever", f"{n}.W", f"{n}.0P", Transformer(_is(-ca.skew(p))), (3, 3))
        size = (3, self.beam.ne)
        g.transformer(f"{n}.bend", f"{n}.E", f"{n}.0P", Transformer(_is(slope)), size)
        g.bond(f"{n}.0P", f"{n}.P")


def _is(expression: Any) -> Any:
    return lambda ops, state: expression


def spherical_chain(joint: str, centre: int = 1) -> tuple[BondGraph, list[Link]]:
    """Ground, link1, link2 on spherical joints, held by ``joint``: Sf (zero) or CN."""
    beam = Beam()
    links = [Link.of("link1", beam), Link.of("link2", beam)]
    g = BondGraph("chain")
    links[0].add(g, True, centre)
    links[1].add(g, False, centre)
    law = Source([0.0] * 3) if joint == "Sf" else None
    g.add(joint, "J1", law, 3, on="link1.R")  # type: ignore[arg-type]
    g.zero("J2.0", 3)
    turn = Transformer(_is(links[1].A.T @ links[0].A), inverse="transpose")
    g.transformer("J2.A", "link1.P", "J2.0", turn, (3, 3))
    g.bond("J2.0", "link2.R")
    g.add(joint, "J2", law, 3, on="J2.0")  # type: ignore[arg-type]
    return g, links
