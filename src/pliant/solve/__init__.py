"""Solvers: dynamics of a compiled model, constraint treatments, integrators."""

from pliant.solve.constraints import TREATMENTS, Treatment
from pliant.solve.dynamics import Dynamics, compute_outputs, dense_dynamics
from pliant.solve.failure import Failure
from pliant.solve.transient import INTEGRATORS, Chunk, Integrator, integrate

__all__ = [
    "INTEGRATORS", "TREATMENTS", "Chunk", "Dynamics", "Failure", "Integrator", "Treatment",
    "compute_outputs", "dense_dynamics", "integrate",
]  # fmt: skip
