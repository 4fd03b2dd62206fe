"""Fit: numbers that make a model tell what was measured, and how well they are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.display import Plotted
from pliant.records import dataclass
from pliant.registry import ABOVE


@dataclass(frozen=True, slots=True)
class Step:
    """How far a search is: its iterations, what is made small, and where it stands."""

    iteration: int
    value: float
    params: Mapping[str, float]

    def __str__(self) -> str:
        where = ", ".join(f"{n} = {v:.6g}" for n, v in self.params.items())
        return f"iteration {self.iteration}: {self.value:.6g} ({where})"


@dataclass(frozen=True, slots=True)
class Compared:
    """Samples of one observable, what the model tells at their times, and the standard deviation
    of a sample: as given, or as residuals have it."""

    times: Array
    measured: Array
    told: Array
    deviation: float
    unit: str

    @property
    def residuals(self) -> Array:
        """Measured less told."""
        return np.asarray(self.measured - self.told)

    @property
    def rms(self) -> float:
        """Root of the mean square of residuals."""
        return float(np.sqrt(np.mean(self.residuals**2)))


@dataclass(frozen=True)
class Fit(Plotted):
    """``params``: the numbers, as ``simulate`` takes them; ``deviations`` and ``covariance`` of
    them, infinite where the data say nothing; ``intervals``: where each is with a probability of 95
    per cent. ``remarks``: what cannot be told apart, and what stands at a bound, in words."""

    params: Mapping[str, float]
    units: Mapping[str, str]
    deviations: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    covariance: Array
    correlation: Array
    compared: Mapping[str, Compared]
    chi_square: float
    """Sum of squares of residuals in standard deviations, over the degrees of freedom."""
    remarks: tuple[str, ...] = ()
    failure: str = ""
    """Why it ended before it was done."""
    steps: tuple[Step, ...] = ()
    differences: Mapping[str, str] = field(default_factory=dict)
    """Parameters whose slopes are differences of runs, and why."""
    runs: int = 0
    model: str = ""

    @property
    def completed(self) -> bool:
        """Whether a minimum was found."""
        return not self.failure

    @property
    def residuals(self) -> dict[str, Array]:
        """Measured less told, of every observable at its times."""
        return {name: c.residuals for name, c in self.compared.items()}

    def plot(self, *, path: str | Path | None = None) -> Any:
        """Samples, the fitted curves and residuals; a figure of matplotlib."""
        return ABOVE["plot_fit"](self, path=path)

    def __str__(self) -> str:
        samples = sum(len(c.times) for c in self.compared.values())
        how = self.failure or f"converged in {len(self.steps)} iterations, {self.runs} runs"
        of = f" of '{self.model}'" if self.model else ""
        lines = [f"fit{of} to {samples} samples of {', '.join(self.compared)}: {how}"]
        width = max(map(len, self.params))
        for name in self.params:
            lines.append(f"  {name:{width}s}  {self.worded(name)}")
        for name, c in self.compared.items():
            lines.append(f"  {name}: residuals of {c.rms:.3g} {c.unit} (root mean square)")
        lines += [f"  {remark}" for remark in self.remarks]
        told: dict[str, list[str]] = {}
        for name, why in self.differences.items():
            told.setdefault(why, []).append(name)
        lines += [f"  slopes of {', '.join(names)} are differences of runs: {why}"
                  for why, names in told.items()]  # fmt: skip
        return "\n".join(lines)

    def worded(self, name: str) -> str:
        """One number with what is known of it."""
        unit = self.units.get(name, "")
        value, deviation = self.params[name], self.deviations[name]
        told = f"{value:.6g} {unit}".rstrip()
        if np.isnan(deviation):
            return f"{told}  (at a bound)"
        if np.isinf(deviation):
            return f"{told}  (not determined)"
        low, high = self.intervals[name]
        return f"{told} ± {deviation:.2g}  (95 %: {low:.6g} .. {high:.6g})"

    def __repr__(self) -> str:
        return f"<pliant.Fit of {', '.join(self.params)}>"

    def as_dict(self) -> dict[str, Any]:
        """For machines; what is not known is None."""
        return {
            "params": dict(self.params), "units": dict(self.units),
            "deviations": {n: _plain(v) for n, v in self.deviations.items()},
            "intervals": {n: [_plain(x) for x in v] for n, v in self.intervals.items()},
            "correlation": [[_plain(x) for x in row] for row in self.correlation],
            "rms": {n: c.rms for n, c in self.compared.items()}, "chi_square": self.chi_square,
            "remarks": list(self.remarks), "failure": self.failure,
            "iterations": len(self.steps), "runs": self.runs,
            "differences": dict(self.differences), "model": self.model,
        }  # fmt: skip


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
