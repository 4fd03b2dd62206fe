"""Integrators: one file each, this is their list."""

from __future__ import annotations

from pliant.registry import Registry
from pliant.solve.transient.auto import AUTO
from pliant.solve.transient.dop853.method import DOP853
from pliant.solve.transient.generalized_alpha import GENERALIZED_ALPHA, HHT, NEWMARK
from pliant.solve.transient.integrator import Integrator
from pliant.solve.transient.radau.method import RADAU

INTEGRATORS: Registry[Integrator] = Registry(
    Integrator, (AUTO, DOP853, RADAU, GENERALIZED_ALPHA, HHT, NEWMARK)
)
