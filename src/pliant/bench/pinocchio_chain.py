"""The chain in Pinocchio: its articulated-body algorithm, once per evaluation from Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin

from pliant.bench.chains import DENSITY, GRAVITY, SIZE, TURN


def evaluation(n: int, q: Any, u: Any) -> Callable[[], object]:
    """One evaluation of the forward dynamics with arrays made beforehand."""
    a, b, c = SIZE
    mass = DENSITY * a * b * c
    moments = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 12
    inertia = pin.Inertia(mass, np.array([a / 2, 0, 0]), moments)
    model = pin.Model()
    model.gravity.linear = np.array([0, -GRAVITY, 0])
    joint = 0
    for i in range(n):
        place = pin.SE3(pin.rpy.rpyToMatrix(TURN, 0, 0), np.array([a, 0, 0]))
        joint = model.addJoint(
            joint, pin.JointModelRZ(), place if i else pin.SE3.Identity(), f"j{i}"
        )
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    data, tau = model.createData(), np.zeros(n)
    return lambda: pin.aba(model, data, q, u, tau)
