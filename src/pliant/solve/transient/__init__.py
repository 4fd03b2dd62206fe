"""Transient analysis: integrators, one file each, and the driver that runs them in chunks."""

from pliant.solve.transient.driver import Chunk, integrate
from pliant.solve.transient.integrator import Integrator
from pliant.solve.transient.registry import INTEGRATORS

__all__ = ["INTEGRATORS", "Chunk", "Integrator", "integrate"]
