"""Mass, first moment and inertia of bodies about their origins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody


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
