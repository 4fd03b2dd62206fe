"""Integrators: one file each, this is their list."""

from __future__ import annotations

from pliant.solve.transient.explicit import DOP853
from pliant.solve.transient.implicit import RADAU
from pliant.solve.transient.integrator import Integrator

INTEGRATORS: dict[str, Integrator] = {i.name: i for i in (DOP853, RADAU)}
