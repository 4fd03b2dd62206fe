"""Motion of solids in the components of their points and unit vectors.

With a point O and three directions d_k of a solid (vectors, or points less O), whose components in
the solid are the columns of S:

    r(x) = O + D y(x),     y = S⁻¹ (x - o)               D = [d_1 d_2 d_3]
    R = D S⁻¹              w = 1/2 Σ d_k* x d_k'         d_k* = Σ_l (SᵀS)⁻¹_kl d_l

y is constant: positions, velocities and accelerations are linear in the coordinates and their
rates. R and w are those of a rigid body where its constraints hold. Since Σ d_k*' x d_k' = 0,
w' = 1/2 Σ d_k* x d_k''. A force F at x and a torque T do on a virtual displacement the work

    δW = F · δO + Σ (y_k F + 1/2 T x d_k*) · δd_k.                               Source: S2.1

The constant mass matrix of a rigid body in points and vectors.

With r(x) = O + D y(x) and the moments of mass m, s = ∫ y dm, J = ∫ y yᵀ dm:

    T = 1/2 ∫ r'·r' dm = 1/2 m O'·O' + O'·Σ s_k d_k' + 1/2 Σ J_kl d_k'·d_l'

Nothing depends on the motion, and there are no forces quadratic in the velocities. J follows from
the inertia about the body's origin: ∫ x xᵀ dm = 1/2 tr(I) 1 - I. Source: S2.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.formulations.natural.items import Geometry, Solid
from pliant.mechanics.inertia import Inertia, Momenta, Wrench
from pliant.mechanics.motion import BodyMotion
from pliant.records import dataclass
from pliant.spatial.ops import Ops, SymbolicOps
from pliant.spatial.pose import Pose

_ROUNDING = 1e-14


@dataclass(frozen=True, slots=True)
class ItemState:
    """Components of a point or vector, their rates and accelerations."""

    q: Any
    u: Any
    a: Any

    def __sub__(self, other: ItemState) -> ItemState:
        return ItemState(self.q - other.q, self.u - other.u, self.a - other.a)


@dataclass(frozen=True, slots=True)
class SolidFrame:
    """The basis of a solid in space, and what of it is constant: S⁻¹ and (SᵀS)⁻¹."""

    ops: Ops
    O: ItemState
    d: tuple[ItemState, ...]
    o: Any
    S_inverse: Any
    dual: Any

    def place(self, x: Any) -> Any:
        """y of a point at x in the solid."""
        return self.S_inverse @ (x - self.o)

    @property
    def D(self) -> Any:
        return self.ops.columns([d.q for d in self.d])

    @property
    def reciprocal(self) -> Any:
        """d_k* as columns."""
        return self.D @ self.dual

    def body(self, X_SB: Pose) -> BodyMotion:
        """Motion of a body of the solid."""
        ops, y, star = self.ops, self.place(X_SB.p), self.reciprocal
        R = self.D @ (self.S_inverse @ X_SB.R)
        p, v, a = (
            getattr(self.O, level) + ops.columns([getattr(d, level) for d in self.d]) @ y
            for level in ("q", "u", "a")
        )
        w, alpha = (
            0.5 * sum((ops.cross(star[:, k], getattr(d, level)) for k, d in enumerate(self.d)),
                      ops.zeros(3))
            for level in ("u", "a")
        )  # fmt: skip
        return BodyMotion(Pose(R, p), R.T @ w, R.T @ v, R.T @ alpha, R.T @ a)

    def work(self, X_SB: Pose, n: Any, f: Any) -> list[Any]:
        """Factors of δO and of each δd_k in the work of a force f and torque n on a body, in axes
        of the body and about its origin."""
        R = self.D @ (self.S_inverse @ X_SB.R)
        force, torque = R @ f, R @ n
        y, star = self.place(X_SB.p), self.reciprocal
        turned = [self.ops.cross(torque, star[:, k]) for k in range(3)]
        return [force, *(y[k] * force + 0.5 * turned[k] for k in range(3))]


def solid_frame(
    geometry: Geometry, solid: Solid, states: Sequence[ItemState], points: Sequence[bool]
) -> SolidFrame:
    """The basis of a solid; ``states`` and ``points`` belong to its members."""
    ops = geometry.ops
    local = [entries(geometry, solid, k) for k in range(len(solid.members))]
    o = local[solid.origin]
    S = [[local[k][i] - (o[i] if points[k] else 0.0) for k in solid.directions] for i in range(3)]
    inverse = inverted(S)
    dual = [
        [sum(inverse[i][k] * inverse[j][k] for k in range(3)) for j in range(3)] for i in range(3)
    ]
    origin = states[solid.origin]
    d = tuple(states[k] - origin if points[k] else states[k] for k in solid.directions)
    return SolidFrame(ops, origin, d, ops.vec(*o), _matrix(ops, inverse), _matrix(ops, dual))


def entries(geometry: Geometry, solid: Solid, k: int) -> list[Any]:
    """Components of a member in its solid: numbers unless they depend on parameters."""
    member = solid.members[k]
    now, other = member.at
    if _same(now, other).all():
        return [_rounded(x) for x in now]
    found = geometry.local(member.place)
    return [_rounded(now[i]) if _same(now[i], other[i]) else found[i] for i in range(3)]


def _same(a: Any, b: Any) -> Any:
    return np.abs(a - b) <= _ROUNDING


def _rounded(x: float) -> float:
    """Without rounding errors of zero and one."""
    return float(np.round(x)) if abs(x - np.round(x)) < _ROUNDING else float(x)


def inverted(S: list[list[Any]]) -> list[list[Any]]:
    """Inverse of a 3 x 3 matrix, of numbers or symbols."""
    if all(isinstance(x, float) for row in S for x in row):
        return [[_rounded(x) for x in row] for row in np.linalg.inv(np.array(S))]
    minors = [
        [
            S[(i + 1) % 3][(j + 1) % 3] * S[(i + 2) % 3][(j + 2) % 3]
            - S[(i + 1) % 3][(j + 2) % 3] * S[(i + 2) % 3][(j + 1) % 3]
            for i in range(3)
        ]
        for j in range(3)
    ]
    det = sum(S[i][0] * minors[0][i] for i in range(3))
    return [[minors[j][i] / det for i in range(3)] for j in range(3)]


def _matrix(ops: Ops, rows: list[list[Any]]) -> Any:
    """Numbers enter sparse."""
    if all(isinstance(x, float) for row in rows for x in row):
        return ops.const(np.array(rows))
    return ops.mat(rows)


@dataclass(frozen=True, slots=True)
class Moments:
    """m, s and J of a body in the basis of its solid."""

    m: Any
    s: Any
    J: Any

    @classmethod
    def of(cls, frame: SolidFrame, X_SB: Pose, inertia: Inertia) -> Moments:
        """y = Y x + y_B for a point at x in the body."""
        ops, I = frame.ops, inertia.I_o
        Y, y_B = frame.S_inverse @ X_SB.R, frame.place(X_SB.p)
        spread = 0.5 * (I[0, 0] + I[1, 1] + I[2, 2]) * ops.const(np.eye(3)) - I
        first = Y @ inertia.mc
        mixed = first @ y_B.T
        J = Y @ spread @ Y.T + mixed + mixed.T + inertia.mass * (y_B @ y_B.T)
        return cls(inertia.mass, first + inertia.mass * y_B, J)

    def inertial(self, frame: SolidFrame, gravity: Any) -> list[Any]:
        """Factors of δO and of each δd_k in the work of inertia less gravity."""
        fall, d = frame.O.a - gravity, frame.d
        pull = self.m * fall + sum(self.s[k] * d[k].a for k in range(3))
        rows = [self.s[k] * fall + sum(self.J[k, i] * d[i].a for i in range(3)) for k in range(3)]
        return [pull, *rows]

    def kinetic_energy(self, frame: SolidFrame) -> Any:
        """T."""
        dot, v, d = frame.ops.dot, frame.O.u, [d.u for d in frame.d]
        T = 0.5 * self.m * dot(v, v) + sum(self.s[k] * dot(v, d[k]) for k in range(3))
        return T + 0.5 * sum(self.J[k, i] * dot(d[k], d[i]) for k in range(3) for i in range(3))


@dataclass(frozen=True, slots=True)
class InterpolatedInertia:
    """A rigid body whose kinetic energy is that of the interpolation: the same number where its
    constraints hold, and for all other velocities the one of the mass matrix."""

    rigid: Inertia
    moments: Moments
    frame: SolidFrame

    @property
    def mass(self) -> Any:
        return self.rigid.mass

    @property
    def mc(self) -> Any:
        return self.rigid.mc

    def wrench(self, ops: SymbolicOps, body: BodyMotion) -> Wrench:
        """The wrench that gives the body its acceleration."""
        return self.rigid.wrench(ops, body)

    def momenta(self, ops: Ops, body: BodyMotion) -> Momenta:
        """p_v and p_w of the body."""
        return self.rigid.momenta(ops, body)

    def kinetic_energy(self, ops: Ops, body: BodyMotion, momenta: Momenta) -> Any:
        """T of the interpolation."""
        return self.moments.kinetic_energy(self.frame)
