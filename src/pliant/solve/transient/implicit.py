"""The method ``radau``."""

from __future__ import annotations

from pliant.solve.context import LEN_X, LEVEL_ACCELERATION, LEVEL_STABILISED, LEVEL_VELOCITY
from pliant.solve.dynamics import Dynamics
from pliant.solve.transient import radau, radau_work
from pliant.solve.transient.integrator import Array, Integrator, Settings, Stepper

LEVELS = {
    "projection": LEVEL_ACCELERATION,
    "baumgarte": LEVEL_STABILISED,
    "direct": LEVEL_VELOCITY,
}


def start_radau(
    integrator: Integrator, dynamics: Dynamics, x0: Array, settings: Settings
) -> Stepper:
    d = dynamics
    size = radau_work.work_size(d.nq, d.nu, d.nx, d.m, int(d.ic[LEN_X]))
    level = LEVELS[d.treatment.name]
    return Stepper(radau.advance, size, d, x0, settings, level, {})


RADAU = Integrator(
    name="radau",
    order=radau.ORDER,
    needs=frozenset(
        (
            "rank", "accelerate", "project", "settle", "kinematics", "rates", "residual",
            "linearise", "factor", "solve", "factor_complex", "solve_complex", "error",
        )  # fmt: skip
    ),
    adaptive=True,
    implicit=True,
    treatments=LEVELS,
    description="Radau IIA of order 5, stiffly accurate; for stiff motion and singular poses",
    start=start_radau,
)
