"""What an integrator is, and the arrays of one running integration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.errors import CapabilityError
from pliant.solve import context as c
from pliant.solve.dynamics import Dynamics
from pliant.solve.transient import state as s
from pliant.solve.transient.dense_output import RECORD_HEADER, record_width

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """Numbers of one integration."""

    t_end: float
    rtol: float
    atol: Array
    step: float
    h_max: float
    max_steps: int
    chunk: int
    dense: bool
    options: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Integrator:
    """A method of integration.

    ``needs``: services it calls. ``treatments``: constraint treatments it accepts, with the level
    at which its own equations hold the constraints (None: any treatment that gives accelerations).
    ``reversible``: running back returns to the start. ``options``: names and defaults.
    """

    name: str
    order: int
    needs: frozenset[str]
    adaptive: bool
    implicit: bool
    description: str
    start: Callable[[Integrator, Dynamics, Array, Settings], Any]
    treatments: Mapping[str, int] | None = None
    reversible: bool = False
    options: Mapping[str, float] = field(default_factory=dict)

    def objections(self, dynamics: Dynamics) -> list[str]:
        """Everything that keeps this method from taking this model."""
        found = []
        missing = sorted(self.needs - dynamics.capabilities)
        if missing:
            found.append(f"needs {', '.join(missing)}, which this model does not offer")
        name = dynamics.treatment.name
        if self.treatments is not None and name not in self.treatments:
            accepted = ", ".join(self.treatments)
            found.append(f"does not go with the constraint treatment '{name}' (accepts {accepted})")
        if self.treatments is None and not dynamics.treatment.explicit:
            found.append(f"does not go with the constraint treatment '{name}', made for implicit methods")
        return found


class Stepper:
    """One running integration with one compiled method; ``advance`` fills the records."""

    def __init__(
        self, advance: Callable[..., int], work: int, dynamics: Dynamics, x0: Array,
        settings: Settings, level: int, numbers: Mapping[str, float],
        context: tuple[NDArray[np.int64], Array] | None = None,
    ) -> None:  # fmt: skip
        self._advance = advance
        self.dynamics = dynamics
        self.ic, self.dc = context or dynamics.context()
        if level:
            self.ic[c.LEVEL] = level
        self.x, self.y = dynamics.buffers()
        self.x[: dynamics.x_size] = x0
        self.work = np.zeros(work)
        self.flags = np.zeros(s.FLAGS_SIZE, dtype=np.int64)
        self.stats = np.zeros(s.STATS_SIZE, dtype=np.int64)
        self.control = _control(settings, numbers)
        self.atol = settings.atol
        width = record_width(dynamics.nq, dynamics.nu, dynamics.nx)
        self.record = np.zeros((settings.chunk, width))

    def advance(self) -> int:
        """Run until something happens; the code of it."""
        self.flags[s.RECORDS] = 0
        return self._advance(
            self.dynamics.addresses, self.ic, self.dc, self.flags, self.work, self.control,
            self.atol, self.x, self.y, self.record, self.stats,
        )  # fmt: skip

    @property
    def records(self) -> Array:
        """Records of the last ``advance``, a copy."""
        return self.record[: self.flags[s.RECORDS]].copy()

    @property
    def p(self) -> Array:
        start = self.ic[c.PARAMETERS]
        return self.dc[start : start + self.ic[c.N_PARAMETERS]].copy()

    @property
    def statistics(self) -> dict[str, float]:
        ic, stats = self.ic, self.stats
        return {
            "steps": int(stats[s.STEPS]), "rejected": int(stats[s.REJECTED_STEPS]),
            "evaluations": int(ic[c.EVALUATIONS]), "factorisations": int(ic[c.FACTORISATIONS]),
            "newton_iterations": int(stats[s.NEWTON_ITERATIONS]),
            "jacobians": int(ic[c.JACOBIANS]), "rank_changes": int(stats[s.RANK_CHANGES]),
            "projections": int(ic[c.PROJECTIONS]), "min_rank": int(stats[s.MIN_RANK]),
            "max_rank": int(stats[s.MAX_RANK]), "handovers": 0,
            "largest_projection": float(self.work[s.LARGEST_CORRECTION]),
        }  # fmt: skip


def _control(settings: Settings, numbers: Mapping[str, float]) -> Array:
    control = np.zeros(s.CONTROL_SIZE)
    control[s.T_END], control[s.H_MAX] = settings.t_end, settings.h_max
    control[s.RTOL], control[s.FIXED_STEP] = settings.rtol, settings.step
    control[s.MAX_STEPS], control[s.DENSE] = settings.max_steps, float(settings.dense)
    for k, value in enumerate(numbers.values()):
        control[s.METHOD_OPTIONS + k] = value
    return control


def record_state(row: Array, nq: int, nu: int, nx: int) -> Array:
    """[t | q | u | xs] at the start of an explicit record."""
    n = nq + nu + nx
    return np.concatenate([row[:1], row[RECORD_HEADER : RECORD_HEADER + n]])


def check_capabilities(
    integrator: Integrator, dynamics: Dynamics, others: Mapping[str, Integrator]
) -> None:
    """Raise before the first step if the method cannot take the model."""
    objections = integrator.objections(dynamics)
    if objections:
        able = [n for n, i in others.items() if not i.objections(dynamics)]
        raise CapabilityError(
            f"method '{integrator.name}' {'; it '.join(objections)}; "
            f"methods that work here: {', '.join(able) or 'none'}"
        )
