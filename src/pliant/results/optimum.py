"""Optimum: numbers that make a score of a run as small as it gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pliant.display import Displayed
from pliant.records import dataclass
from pliant.results.fit import Step


@dataclass(frozen=True)
class Optimum(Displayed):
    """``params``: the numbers, as ``simulate`` takes them; ``value``: of the objective there;
    ``constraints``: what each of them is there. ``remarks``: which bounds and constraints hold it,
    in words."""

    objective: str
    params: Mapping[str, float]
    value: float
    unit: str
    constraints: Mapping[str, float] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    failure: str = ""
    """Why it ended before it was done."""
    steps: tuple[Step, ...] = ()
    differences: Mapping[str, str] = field(default_factory=dict)
    """Parameters whose slopes are differences of runs, and why."""
    units: Mapping[str, str] = field(default_factory=dict)
    model: str = ""

    @property
    def completed(self) -> bool:
        """Whether a minimum was found."""
        return not self.failure

    def __str__(self) -> str:
        how = self.failure or f"found in {len(self.steps)} iterations"
        lines = [f"{self.objective}: {self.value:.6g} {self.unit}".rstrip() + f", {how}"]
        width = max(map(len, self.params))
        lines += [f"  {n:{width}s}  {v:.6g} {self.units.get(n, '')}".rstrip()
                  for n, v in self.params.items()]  # fmt: skip
        lines += [f"  {text}: it is {value:.6g}" for text, value in self.constraints.items()]
        return "\n".join([*lines, *(f"  {remark}" for remark in self.remarks)])

    def __repr__(self) -> str:
        return f"<pliant.Optimum of {self.objective}>"

    def as_dict(self) -> dict[str, Any]:
        """For machines."""
        return {
            "objective": self.objective, "params": dict(self.params), "value": self.value,
            "unit": self.unit, "constraints": dict(self.constraints),
            "remarks": list(self.remarks), "failure": self.failure,
            "iterations": len(self.steps), "differences": dict(self.differences),
            "model": self.model,
        }  # fmt: skip
