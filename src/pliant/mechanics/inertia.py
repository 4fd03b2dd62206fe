"""Mass, first moment and inertia of bodies about their origins, and what follows from them.

For a body with mass m, first moment mc and inertia I about its origin, in its axes:

    p_v = m v + w x mc                           p_w = I w + mc x v
    F = m a + alpha x mc + w x (w x mc)          N = I alpha + w x I w + mc x a
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.mechanics.motion import BodyMotion
from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody
from pliant.spatial.ops import Ops


@dataclass(frozen=True, slots=True)
class Inertia:
    """Mass, m c and I_o (about the origin, body axes)."""

    mass: Any
    mc: Any
    I_o: Any


def rigid_inertia(values: Values, body: RigidBody) -> Inertia:
    """Parallel axes: I_o = I_c + m (c.c 1 - c c^T)."""
    ops = values.ops
    mass, c = values.constant(body.mass), values.vector(body.com)
    xx, yy, zz, xy, xz, yz = (values.constant(f) for f in body.inertia)
    I = ops.mat([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if body.inertia_about == "com":
        outer = ops.mat([[c[i] * c[j] for j in range(3)] for i in range(3)])
        I = I + mass * (ops.dot(c, c) * ops.const(np.eye(3)) - outer)
    return Inertia(mass, mass * c, I)


@dataclass(slots=True)
class Wrench:
    """Torque n about the body origin and force f, in body axes."""

    n: Any
    f: Any


def inertia_wrench(ops: Ops, body: BodyMotion, I: Inertia) -> Wrench:
    """The wrench that gives the body its acceleration."""
    cross = ops.cross
    F = I.mass * body.acc + cross(body.alpha, I.mc) + cross(body.w, cross(body.w, I.mc))
    N = I.I_o @ body.alpha + cross(body.w, I.I_o @ body.w) + cross(I.mc, body.acc)
    return Wrench(N, F)


def kinetic_energy(ops: Ops, body: BodyMotion, I: Inertia) -> Any:
    """T = (v . p_v + w . p_w) / 2."""
    p_v = I.mass * body.v + ops.cross(body.w, I.mc)
    p_w = I.I_o @ body.w + ops.cross(I.mc, body.v)
    return 0.5 * (ops.dot(body.v, p_v) + ops.dot(body.w, p_w))
