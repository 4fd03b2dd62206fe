"""What an integrator is, and the arrays of one running integration."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.code.llvm import fence
from pliant.errors import CapabilityError
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.machine import context as c
from pliant.solve.transient import state as s
from pliant.solve.transient.dense_output import RECORD_HEADER, record_width
from pliant.solve.transient.switches.block import SWITCHES, block_size

STATISTICS = (
    "steps", "rejected", "evaluations", "factorisations", "newton_iterations", "jacobians",
    "rank_changes", "projections", "min_rank", "max_rank", "handovers", "largest_projection",
    "switches",
)  # fmt: skip


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
    best_pivot: float = 0.0
    waypoints: Array = field(default_factory=lambda: np.zeros(0))
    """Times at which a step must end."""


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
            found.append(f"is explicit and does not go with the constraint treatment '{name}'")
        return found


class Stepper:
    """One running integration with one compiled method; ``advance`` fills the records."""

    def __init__(
        self, integrator: Integrator, method: Any, dynamics: Dynamics, x0: Array,
        settings: Settings, *, level: int = 0, numbers: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        d = dynamics
        self._advance = method.advance
        load(self._advance)
        self.dynamics = d
        self._needs = integrator.needs | {
            "branch", "sigma", "multipliers", "guards", "power", "power_at", "close",
        }  # fmt: skip
        self._version = background.version()
        d.require(self._needs)
        self.addresses = d.addresses_of(self._needs)
        self.ic, self.dc = d.context()
        if level:
            self.ic[c.LEVEL] = level
        self.x, self.y = d.buffers()
        self.x[: d.x_size] = x0
        self._guards, marks = int(self.ic[c.N_GUARDS]), len(settings.waypoints)
        laid_out = _method_arrays(method, (d.nq, d.nu, d.nx, d.m, len(self.x)), self._guards, marks)
        self.ints, self.reals = (array.copy() for array in laid_out)
        for slot, values in (
            (s.TURNS, turning(d, x0, d.p)), (s.ATOL, settings.atol),
            (s.WAYPOINTS, settings.waypoints),
        ):  # fmt: skip
            self.put(slot, values)
        self._set_control(settings, numbers or {})
        self.record = np.zeros((settings.chunk, record_width(d.nq, d.nu, d.nx)))

    def put(self, slot: int, values: Array) -> None:
        """Numbers in the place of an array."""
        self.reals[self.ints[slot] : self.ints[slot] + len(values)] = values

    def _set_control(self, settings: Settings, numbers: Mapping[str, float]) -> None:
        reals = self.reals
        reals[s.T_END], reals[s.H_MAX] = settings.t_end, settings.h_max
        reals[s.RTOL], reals[s.FIXED_STEP] = settings.rtol, settings.step
        reals[s.MAX_STEPS] = settings.max_steps
        reals[s.DENSE] = float(settings.dense or self._guards > 0)
        reals[s.POSE_TIME], reals[s.BEST_PIVOT] = np.inf, settings.best_pivot
        reals[s.H_CRAWL] = settings.t_end - self.x[0]
        for k, value in enumerate(numbers.values()):
            reals[s.METHOD_OPTIONS + k] = value

    def advance(self) -> int:
        """Run until something happens; the code of it."""
        self.ints[s.RECORDS] = 0
        if self._version != background.version():
            self._version = background.version()
            self.addresses = self.dynamics.addresses_of(self._needs)
            self.dynamics.renew(self.ic)
        code: int = self._advance(
            self.addresses, self.ic, self.dc, self.x, self.y, self.record, *self.record.shape,
            self.ints, self.reals,
        )  # fmt: skip
        return code

    @property
    def records(self) -> Array:
        """Records of the last ``advance``, a copy."""
        return self.record[: self.ints[s.RECORDS]].copy()

    @property
    def p(self) -> Array:
        """Parameters in force; conditions and signals as they are written, not as a step holds
        them."""
        start, lines = self.ic[c.PARAMETERS], self.ic[c.LINES]
        p = self.dc[start : start + self.ic[c.N_PARAMETERS]].copy()
        p[len(p) - 2 * self._guards : len(p) - self._guards] = 0.0
        p[self.ic[lines : lines + 2 * self.ic[c.N_LINES] : 2]] = 1.0
        return p

    def forget_modes(self) -> None:
        """Take conditions as they are written: the state is no longer that of the last step."""
        start = self.ic[c.PARAMETERS]
        self.dc[start : start + self.ic[c.N_PARAMETERS]] = self.p

    @property
    def statistics(self) -> dict[str, float]:
        ic, ints = self.ic, self.ints
        switches = self.reals[ints[s.GUARD_BLOCK] + SWITCHES] if self._guards else 0
        return {
            "steps": int(ints[s.STEPS]), "rejected": int(ints[s.REJECTED_STEPS]),
            "evaluations": int(ic[c.EVALUATIONS]), "factorisations": int(ic[c.FACTORISATIONS]),
            "newton_iterations": int(ints[s.NEWTON_ITERATIONS]),
            "jacobians": int(ic[c.JACOBIANS]), "rank_changes": int(ints[s.RANK_CHANGES]),
            "projections": int(ic[c.PROJECTIONS]), "min_rank": int(ints[s.MIN_RANK]),
            "max_rank": int(ints[s.MAX_RANK]), "handovers": 0,
            "largest_projection": float(self.reals[s.LARGEST_CORRECTION]),
            "switches": int(switches),
        }  # fmt: skip


def load(entry: Any) -> None:
    """Have the machine code of an entry at hand before a run begins: LLVM serves one thread at a
    time, and is busy with better code of the model from then on."""
    _ = entry.address


def total(parts: Sequence[dict[str, float]]) -> dict[str, float]:
    """Statistics of several steppers that shared one context, in their order."""
    sums = dict(parts[0])
    for more in parts[1:]:
        for key in ("steps", "rejected", "newton_iterations", "rank_changes", "switches"):
            sums[key] += more[key]
        for key in ("evaluations", "factorisations", "jacobians", "projections"):
            sums[key] = max(sums[key], more[key])
        sums["min_rank"] = min(sums["min_rank"], more["min_rank"])
        sums["max_rank"] = max(sums["max_rank"], more["max_rank"])
        sums["largest_projection"] = max(sums["largest_projection"], more["largest_projection"])
    return sums


@lru_cache(maxsize=8)
def _method_arrays(
    method: Any, sizes: tuple[int, int, int, int, int], guards: int, waypoints: int
) -> tuple[Integers, Array]:
    """ints with the place of every array of a method, and reals with room for them, to be copied;
    ``sizes``: nq, nu, nx, m and the length of x."""
    nq, nu, nx, _, x_size = sizes
    own = method.arrays(*sizes)
    own |= {s.SCRATCH: x_size, s.KEPT_STATE: x_size, s.TURNS: nu + 2, s.ATOL: nq + nu + nx,
            s.WAYPOINTS: waypoints + 1}  # fmt: skip
    if guards:
        own |= {s.GUARD_BLOCK: block_size(guards, x_size)}
    ints = np.zeros(s.INTS_SIZE, dtype=np.int64)
    starts, reals = fence.apart([*own.values()], s.REALS_HEADER)
    ints[[*own]] = starts
    reals[ints[s.WAYPOINTS] + waypoints] = np.inf
    return ints, reals


def turning(dynamics: Dynamics, x: Array, p: Array) -> Array:
    """Radians by which a loop turns per unit of each speed: lengths over the largest lever arm (in
    natural coordinates: over the largest coordinate; unit vectors turn as they are).

    Zero where there are no constraints, and for what does not move anything.
    """
    k = dynamics.source
    if not isinstance(k, CompiledEquations) or not k.m:
        return np.zeros(dynamics.nu)
    return k.remembered("turning", k.place(x, p, "constraints"), lambda: _turning(k, x, p))


def _turning(k: CompiledEquations, x: Array, p: Array) -> Array:
    units = [s.unit for s in k.layout.u]
    length = np.array([unit in ("m", "m/s") for unit in units])
    angle = np.array([unit in ("rad", "rad/s") for unit in units])
    if angle.any():
        G = np.abs(k.block("constraints", "G", k.call("constraints", x[: k.x_size].copy(), p)))
        rows = [i for i, row in enumerate(k.layout.rows) if row.unit in ("m", "m/s")]
        lever = float(G[rows][:, angle].max(initial=0.0))
    else:
        angle = np.array([unit == "1/s" for unit in units])
        own = [i for i, s in enumerate(k.layout.q) if s.unit == "m"]
        lever = float(np.abs(x[1 : 1 + k.nq][own]).max(initial=0.0))
    return np.asarray(angle + length * (1 / lever if lever > 0.0 else 0.0))


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
