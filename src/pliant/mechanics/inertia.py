"""Inertia of bodies: the forces that their accelerations need, kinetic energy and momentum.

Rigid, with mass m, first moment mc and inertia I about the origin, in body axes:

    F = m a + alpha x mc + w x (w x mc)          N = I alpha + w x I w + mc x a

Flexible (flexible-bodies 6), with T of ``flexible.Masses`` and s'' = S a_e + (dS/dt) u:

    F = m a + alpha x s + w x (w x s) + 2 w x s' + s''
    N = s x a + J alpha + B a_e + d(J w + B u)/dt|q + w x (J w + B u)
    E = S^T a + B^T alpha + M a_e + d(B^T w + M u)/dt|q - dT/dq + K q + D u

d/dt|q: through q alone, q' = u. Terms with v cancel: S = ds/dq.

The momenta are p_v = dT/dv and p_w = dT/dw, of whatever order T is: F = p_v' + w x p_v and
N = p_w' + w x p_w + v x p_v hold for them as they stand, so that without forces

    ∫v dm = R p_v        ∫p x v dm = R p_w + p x R p_v        (world axes, about the world origin)

are constant in every truncation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from pliant.mechanics.flexible import (
    Masses,
    elastic_frame,
    masses,
    stiffness_force,
    through_deformation,
)
from pliant.mechanics.motion import BodyMotion, ElasticState
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody
from pliant.model.forces.action import MOMENTA, Momentum
from pliant.records import dataclass
from pliant.spatial.ops import Ops, SymbolicOps


@dataclass(slots=True)
class Wrench:
    """Torque n about the body origin and force f, in body axes; e: on the elastic coordinates."""

    n: Any
    f: Any
    e: Any = None


@dataclass(frozen=True, slots=True)
class Momenta:
    """p_v and p_w of a body, in body axes; of them by deformation: S u and B u."""

    v: Any
    w: Any
    bent: tuple[Any, Any] | None = None


class BodyInertia(Protocol):
    """What a formulation asks of the inertia of a body."""

    @property
    def mass(self) -> Any: ...
    @property
    def mc(self) -> Any: ...
    def wrench(self, ops: SymbolicOps, body: BodyMotion) -> Wrench: ...
    def momenta(self, ops: Ops, body: BodyMotion) -> Momenta: ...
    def kinetic_energy(self, ops: Ops, body: BodyMotion, momenta: Momenta) -> Any: ...


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

    def momenta(self, ops: Ops, body: BodyMotion) -> Momenta:
        """p_v and p_w."""
        p_v = self.mass * body.v + ops.cross(body.w, self.mc)
        return Momenta(p_v, self.I_o @ body.w + ops.cross(self.mc, body.v))

    def kinetic_energy(self, ops: Ops, body: BodyMotion, momenta: Momenta) -> Any:
        """T = (v . p_v + w . p_w) / 2."""
        return 0.5 * (ops.dot(body.v, momenta.v) + ops.dot(body.w, momenta.w))


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
        m, e = self.masses, self.elastic
        if not e.count:
            return self._supplied(ops, body, 0)
        turned, bent = self._through_deformation(ops, body.w)
        own = self._supplied(ops, body, turned)
        own.e = m.S.T @ body.acc + m.B.T @ body.alpha + m.M @ e.a + bent + self.elastic_force(ops)
        return own

    def supplied(self, ops: SymbolicOps, body: BodyMotion) -> Wrench:
        """F and N alone, of a body whose elastic coordinates move as they do."""
        turned = self._through_deformation(ops, body.w)[0] if self.elastic.count else 0
        return self._supplied(ops, body, turned)

    def _supplied(self, ops: SymbolicOps, body: BodyMotion, turned: Any) -> Wrench:
        """F and N; ``turned``: d(J w + B u)/dt|q."""
        cross, m, e = ops.cross, self.masses, self.elastic
        w, alpha, acc = body.w, body.alpha, body.acc
        F = m.mass * acc + cross(alpha, m.s) + cross(w, cross(w, m.s))
        N = m.J @ alpha + cross(m.s, acc)
        if not e.count:
            return Wrench(N + cross(w, m.J @ w), F)
        moved = m.S @ e.u
        F = F + 2 * cross(w, moved) + m.S @ e.a + ops.jtimes(moved, e.q, e.u)
        N = N + m.B @ e.a + turned + cross(w, m.J @ w + m.B @ e.u)
        return Wrench(N, F)

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

    def momenta(self, ops: Ops, body: BodyMotion) -> Momenta:
        """p_v and p_w."""
        m, v, w, u = self.masses, body.v, body.w, self.elastic.u
        p_v = m.mass * v + ops.cross(w, m.s)
        p_w = m.J @ w + ops.cross(m.s, v)
        if not self.elastic.count:
            return Momenta(p_v, p_w)
        bent = m.S @ u, m.B @ u
        return Momenta(p_v + bent[0], p_w + bent[1], bent)

    def kinetic_energy(self, ops: Ops, body: BodyMotion, momenta: Momenta) -> Any:
        """T of ``Masses``: (v . p_v + w . p_w + u . (S^T v + B^T w + M u)) / 2."""
        p_v, p_w, u = momenta.v, momenta.w, self.elastic.u
        if momenta.bent is None:
            return 0.5 * (ops.dot(body.v, p_v) + ops.dot(body.w, p_w))
        p_v, p_w = p_v + momenta.bent[0], p_w + momenta.bent[1]
        own = ops.dot(u, self.masses.M @ u)
        return 0.5 * (ops.dot(body.v, p_v) + ops.dot(body.w, p_w) + own)

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


# --- what a section passes on


def section_forces(
    ops: SymbolicOps, part: ElasticState, body: BodyMotion, loads: Sequence[Any]
) -> tuple[Any, Any]:
    """Force and moment that the part beyond a section exerts on the part before it.

    With the inertia (F, N) of the part beyond, where acc is less gravity, and the wrenches
    (F_P, T_P) of all ``loads`` beyond, T_P about B's origin, the balance of that part is

        f = Σ F_P - F        m = Σ T_P - N - p x f

    in axes of the section, R^T f and R^T m, p and R its place and axes in B. ``part``: tables of
    ``pliant.flex.internal``, which say as 1 or 0 what is beyond, and how the axes of the
    section are turned, if they are not those of the frame there.
    """
    from pliant.flex.internal import SECTION

    supplied = flexible_inertia(ops, part).supplied(ops, body)
    beyond = [(part.tables["beyond"][k,], load) for k, load in enumerate(loads)]
    f = sum((share * load[:3] for share, load in beyond), -supplied.f)
    n = sum((share * load[3:] for share, load in beyond), -supplied.n)
    axes = part.tables.get("axes", {(i, i): 1.0 for i in range(3)})
    R0 = ops.mat([[axes.get((i, j), 0.0) for j in range(3)] for i in range(3)])
    X = elastic_frame(ops, part.tables, SECTION, R0, part.q, part.u).pose
    return X.R.T @ f, X.R.T @ (n - ops.cross(X.p, f))


# --- momentum of a system

_NO_MASS = 1e-300
"""Keeps the quotient finite where parameters make every mass zero; no mass is as small."""


def momentum_of(ops: Ops, inertia: BodyInertia, body: BodyMotion, momenta: Momenta) -> Momentum:
    """Of a body that moves, from its p_v and p_w."""
    R, p = body.X_WB.R, body.X_WB.p
    linear = R @ momenta.v
    first = inertia.mass * p + R @ inertia.mc
    return Momentum(inertia.mass, first, linear, R @ momenta.w + ops.cross(p, linear))


def system_momenta(ops: Ops, total: Momentum) -> dict[str, Any]:
    """``MOMENTA`` of a sum over all elements: c = ∫p dm / m, L_c = L - c x p."""
    centre = total.first / (total.mass + _NO_MASS)
    about = total.angular - ops.cross(centre, total.linear)
    return dict(zip(MOMENTA, (centre, total.linear, total.angular, about), strict=True))
