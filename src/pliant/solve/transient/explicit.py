"""The method ``dop853``."""

from __future__ import annotations

from pliant.solve.dynamics import Dynamics
from pliant.solve.transient import dop853
from pliant.solve.transient.integrator import Array, Integrator, Settings, Stepper


def start_dop853(
    integrator: Integrator, dynamics: Dynamics, x0: Array, settings: Settings
) -> Stepper:
    size = dop853.work_size(dynamics.nq, dynamics.nu, dynamics.nx)
    return Stepper(dop853.advance, size, dynamics, x0, settings, 0, {})


DOP853 = Integrator(
    name="dop853",
    order=dop853.ORDER,
    needs=frozenset(("rank", "accelerate", "project", "settle")),
    adaptive=True,
    implicit=False,
    description="explicit Runge-Kutta of order 8 (Dormand-Prince); for non-stiff motion",
    start=start_dop853,
)
