"""Inertia of bodies: the forces that their accelerations need, and their kinetic energy.

Rigid, with mass m, first moment mc and inertia I about the origin, in body axes:

    F = m a + alpha x mc + w x (w x mc)          N = I alpha + w x I w + mc x a

Flexible (flexible-bodies 6), with T of ``flexible.Masses`` and s'' = S a_e + (dS/dt) u:

    F = m a + alpha x s + w x (w x s) + 2 w x s' + s''
    N = s x a + J alpha + B a_e + d(J w + B u)/dt|q + w x (J w + B u)
    E = S^T a + B^T alpha + M a_e + d(B^T w + M u)/dt|q - dT/dq + K q + D u

d/dt|q: through q alone, q' = u. Terms with v cancel: S = ds/dq.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pliant.mechanics.flexible import Masses, masses, stiffness_force, through_deformation
from pliant.mechanics.motion import BodyMotion, ElasticState
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody
from pliant.spatial.ops import Ops, SymbolicOps


@dataclass(slots=True)
class Wrench:
    """Torque n about the body origin and force f, in body axes; e: on the elastic coordinates."""

    n: Any
    f: Any
    e: Any = None


class BodyInertia(Protocol):
    """What a formulation asks of the inertia of a body."""

    @property
    def mass(self) -> Any: ...
    @property
    def mc(self) -> Any: ...
    def wrench(self, ops: SymbolicOps, body: BodyMotion) -> Wrench: ...
    def kinetic_energy(self, ops: Ops, body: BodyMotion) -> Any: ...


@dataclass(frozen=True, slots=True)
class Inertia:
    """A rigid body: mass, m c and I_o (about the origin, body axes)."""

    mass: Any
    mc: Any
    I_o: Any

    def wrench(self, ops: Ops, body: BodyMotion) -> Wrench:
        """The wrench that gives the body its acceleration."""
        cross = ops.cross
        F = self.mass * body.acc + cross(body.alpha, self.mc)
        F = F + cross(body.w, cross(body.w, self.mc))
        N = self.I_o @ body.alpha + cross(body.w, self.I_o @ body.w) + cross(self.mc, body.acc)
        return Wrench(N, F)

    def kinetic_energy(self, ops: Ops, body: BodyMotion) -> Any:
        """T = (v . p_v + w . p_w) / 2."""
        p_v = self.mass * body.v + ops.cross(body.w, self.mc)
        p_w = self.I_o @ body.w + ops.cross(self.mc, body.v)
        return 0.5 * (ops.dot(body.v, p_v) + ops.dot(body.w, p_w))


def rigid_inertia(values: SymbolicValues | Values, body: RigidBody) -> Inertia:
    """Parallel axes: I_o = I_c + m (c.c 1 - c c^T)."""
    ops = values.ops
    mass, c = values.number(body.mass), values.vector(body.com)
    xx, yy, zz, xy, xz, yz = (values.number(f) for f in body.inertia)
    I = ops.mat([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "com":
        outer = ops.mat([[c[i] * c[j] for j in range(3)] for i in range(3)])
        I = I + mass * (ops.dot(c, c) * ops.const(np.eye(3)) - outer)
    return Inertia(mass, mass * c, I)


@dataclass(frozen=True, slots=True)
class FlexibleInertia:
    """A flexible body: mass tables at its elastic coordinates, stiffness and damping."""

    elastic: ElasticState
    masses: Masses

    @property
    def mass(self) -> Any:
        return self.masses.mass

    @property
    def mc(self) -> Any:
        return self.masses.s

    def wrench(self, ops: SymbolicOps, body: BodyMotion) -> Wrench:
        """The wrench and elastic forces that give the body its acceleration."""
        cross, m, e = ops.cross, self.masses, self.elastic
        w, alpha, acc = body.w, body.alpha, body.acc
        F = m.mass * acc + cross(alpha, m.s) + cross(w, cross(w, m.s))
        N = m.J @ alpha + cross(m.s, acc)
        if not e.count:
            return Wrench(N + cross(w, m.J @ w), F)
        moved = m.S @ e.u
        F = F + 2 * cross(w, moved) + m.S @ e.a + ops.jtimes(moved, e.q, e.u)
        turned, bent = self._through_deformation(ops, w)
        N = N + m.B @ e.a + turned + cross(w, m.J @ w + m.B @ e.u)
        E = m.S.T @ acc + m.B.T @ alpha + m.M @ e.a + bent + self.elastic_force(ops)
        return Wrench(N, F, E)

    def _through_deformation(self, ops: SymbolicOps, w: Any) -> tuple[Any, Any]:
        """d(J w + B u)/dt|q and d(B^T w + M u)/dt|q - dT/dq, with w held.

        w itself may depend on the elastic coordinates (a tree joint at the far end of the body).
        """
        m, e = self.masses, self.elastic
        found = through_deformation(e.tables, m.J_q, w, e.u)
        turned, bent = ops.vec(*found[0]), ops.vec(*found[1])
        if m.higher is None:
            return turned, bent
        J, B, M = m.higher
        held = ops.symbols(("wx", "wy", "wz"))
        T = 0.5 * ops.dot(held, J @ held) + ops.dot(held, B @ e.u) + 0.5 * ops.dot(e.u, M @ e.u)
        more = ops.jtimes(J @ held + B @ e.u, e.q, e.u)
        force = ops.jtimes(B.T @ held + M @ e.u, e.q, e.u) - ops.gradient(T, e.q)
        beyond = ops.substitute([more, force], held, w)
        return turned + beyond[0], bent + beyond[1]

    def elastic_force(self, ops: Ops) -> Any:
        """K q + D u."""
        e = self.elastic
        return ops.vec(*stiffness_force(e.tables, e.q, e.u, e.count))

    def _internal(self, ops: Ops, w: Any) -> Any:
        """The part of T without v."""
        m, u = self.masses, self.elastic.u
        return 0.5 * ops.dot(w, m.J @ w) + ops.dot(w, m.B @ u) + 0.5 * ops.dot(u, m.M @ u)

    def kinetic_energy(self, ops: Ops, body: BodyMotion) -> Any:
        """T of ``Masses``."""
        m, v, w = self.masses, body.v, body.w
        T = 0.5 * m.mass * ops.dot(v, v) + ops.dot(v, ops.cross(w, m.s))
        if not self.elastic.count:
            return T + 0.5 * ops.dot(w, m.J @ w)
        return T + ops.dot(v, m.S @ self.elastic.u) + self._internal(ops, w)

    @property
    def strain_energy(self) -> Any:
        """1/2 q^T K q."""
        q = self.elastic.q
        return 0.5 * sum(c * q[a] * q[b] for (a, b), c in self.elastic.tables["K"].items())

    @property
    def damping_power(self) -> Any:
        """- u^T D u."""
        u = self.elastic.u
        return -sum(c * u[a] * u[b] for (a, b), c in self.elastic.tables["D"].items())


def flexible_inertia(ops: Ops, elastic: ElasticState) -> FlexibleInertia:
    """Inertia of a flexible body at its elastic coordinates."""
    e = elastic
    return FlexibleInertia(e, masses(ops, e.tables, e.pairs, e.q, e.count))
