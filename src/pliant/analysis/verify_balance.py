"""What every run must keep, whatever its formulation: energy, power, constraints.

Energy changes by the work of all elements. Springs and other elements with an energy of their own
are counted by their work, so that

    r(t) = [E - Σ E_elements]_0^t - Σ W_elements

is zero but for the error of integration, e = max |r(rtol) - r(rtol/100)| of the whole run; E is the
energy of the mechanics. The mean power that is missing between two samples is Δr/Δt. Constraints
are evaluated at the recorded motion of the bodies, in absolute coordinates, so that every joint is
one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.prepare import Prepared, completed, parameters
from pliant.analysis.recorded_motion import Motion
from pliant.analysis.verify_agreement import FACTOR, ROUNDING, Pair, common_times
from pliant.arrays import Array
from pliant.errors import PliantError
from pliant.results.result import Result

if TYPE_CHECKING:
    from pliant.model.model import Model
    from pliant.system import System

_SAMPLES = 11
"""At how many times constraints are evaluated."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Energy that is missing, over the largest energy that went to and fro; the largest power that
    is missing, over the largest power; whether both are no more than the error of integration;
    and the largest residual of the constraints (m, rad)."""

    energy_drift: float
    power_residual: float
    kept: bool
    constraint_drift: float


def balance(
    system: System, pair: Pair, absolute: Prepared | None, params: Mapping[str, Any] | None
) -> Balance:
    """What a run keeps."""
    model = system.model
    drift = power = 0.0
    kept = True
    kinds = {s.kind for n, s in pair.result.series.items() if n != "kinetic_energy_rate"}
    if "power" in kinds and "work" not in kinds:  # a back end that does not add it up
        drift = power = float("nan")
    elif "energy" in pair.result.series and "energy" in pair.finer.series:
        time, (rows, finer) = common_times((pair.result, pair.finer))
        r, better = missing_energy(model, pair.result)[rows], missing_energy(model, pair.finer)
        e = float(np.abs(r - better[finer]).max())
        size = _turnover(model, pair.result)
        drift = float(np.abs(r).max()) / size
        kept = bool(np.all(np.abs(r) <= FACTOR * e + ROUNDING * size))
        if len(time) > 1:
            rate = np.abs(np.diff(r) / np.diff(time)).max()
            power = float(rate) / _largest_power(model, pair.result, size / float(np.ptp(time)))
    held = _constraint_drift(system, pair.result, absolute, params)
    return Balance(drift, power, kept, held)


def missing_energy(model: Model, result: Result) -> Array:
    """r(t) of the equation above."""
    kinetic, potential = (result.series[f"{k}_energy"].values for k in ("kinetic", "potential"))
    r = kinetic + potential
    for element in _elements(model, result):
        r -= result.series[f"{element}.work"].values
        own = result.series.get(f"{element}.energy")
        if own is not None and element not in model.networks:
            r -= own.values
    found: Array = r - r[0]
    return found


def _elements(model: Model, result: Result) -> list[str]:
    """Everything that gives power to the mechanics: not what is inside of networks, and not the
    damping of springs, which is part of their own work."""
    names = [n.removesuffix(".work") for n, s in result.series.items() if s.kind == "work"]
    whole = [n for n in names if n == (own := n.removesuffix(".damping")) or own not in names]
    return [n for n in whole if n in model.networks or n.partition(".")[0] not in model.networks]


def _turnover(model: Model, result: Result) -> float:
    """The largest of energies and works, in J."""
    names = ["kinetic_energy", *(f"{n}.work" for n in _elements(model, result))]
    sizes = [float(np.abs(result.series[n].values).max(initial=0.0)) for n in names]
    swing = float(np.ptp(result.series["potential_energy"].values))
    return max(*sizes, swing, 1e-6)


def _largest_power(model: Model, result: Result, least: float) -> float:
    names = ["kinetic_energy_rate", *(f"{n}.power" for n in _elements(model, result))]
    known = [result.series[n].values for n in names if n in result.series]
    return max(least, *(float(np.abs(v).max(initial=0.0)) for v in known))


def _constraint_drift(
    system: System, result: Result, absolute: Prepared | None, params: Mapping[str, Any] | None
) -> float:
    """Largest residual of the constraints at some samples; nan if they are not compiled."""
    if absolute is None:
        return float("nan")
    c, p = absolute.compiled, parameters(system, absolute, params)
    try:
        motion = Motion(result, c)
    except PliantError:
        return float("nan")
    near, worst = absolute.state_from.guess(p)[0], 0.0
    for k in np.unique(np.linspace(0, len(result.time) - 1, _SAMPLES).astype(int)):
        near = motion.coordinates(int(k), near)
        near, u, p_k = absolute.state_from(motion.bodies(int(k)), p, near)
        x = np.zeros(c.x_size)
        x[0], x[1 : 1 + c.nq], x[1 + c.nq : 1 + c.nq + c.nu] = motion.time[k], near, u
        x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = motion.states(int(k), c.call("X", x, p_k))
        x = completed(absolute, x, p_k)
        g = c.block("C", "g", c.call("C", x, p_k))
        worst = max(worst, float(np.abs(g).max(initial=0.0)))
    return worst
