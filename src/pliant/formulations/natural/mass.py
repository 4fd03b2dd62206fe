"""The constant mass matrix of a rigid body in points and vectors.

With r(x) = O + D y(x) and the moments of mass m, s = ∫ y dm, J = ∫ y yᵀ dm:

    T = 1/2 ∫ r'·r' dm = 1/2 m O'·O' + O'·Σ s_k d_k' + 1/2 Σ J_kl d_k'·d_l'

Nothing depends on the motion, and there are no forces quadratic in the velocities. J follows from
the inertia about the body's origin: ∫ x xᵀ dm = 1/2 tr(I) 1 - I. Source: S2.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.formulations.natural.solids import SolidFrame
from pliant.mechanics.inertia import Inertia, Momenta, Wrench
from pliant.mechanics.motion import BodyMotion
from pliant.spatial.ops import Ops, SymbolicOps
from pliant.spatial.pose import Pose


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
