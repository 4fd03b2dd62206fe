"""What verification found: at random states, along the motion, along refinements."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pliant.analysis.verify_agreement import Curve, Gap
from pliant.analysis.verify_refine import Refinement

AGREEMENT = 1e-9


@dataclass(frozen=True, slots=True)
class Verdict:
    """One formulation against the first: its largest relative disagreement, and of what."""

    formulation: str
    variant: str
    coordinates: int
    constraints: int
    disagreement: float
    observable: str
    declined: str = ""
    left_out: int = 0
    """States at which the independent speeds of the embedding form depend on each other."""
    equations: int = 0
    """Accelerations and multipliers that it solves for."""

    @property
    def agrees(self) -> bool:
        """Whether it agrees with the first one, or does not take the model."""
        return bool(self.declined) or self.disagreement <= AGREEMENT


@dataclass(frozen=True, slots=True)
class PointwiseReport:
    """The verdict at random states."""

    model: str
    states: int
    compared: int
    not_unique: tuple[str, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def agree(self) -> bool:
        """Whether all formulations that accept the model agree."""
        return all(v.agrees for v in self.verdicts)

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return {**asdict(self), "agree": self.agree}

    def lines(self) -> list[str]:
        """The table as text."""
        lines = [
            f"{self.model or 'model'}: {self.compared} observables at {self.states} random states",
            f"{'formulation':14s} {'variant':26s} {'q':>4s} {'rows':>5s} "
            f"{'disagreement':>13s}  worst",
        ]
        for v in self.verdicts:
            tail = f"declined: {v.declined}" if v.declined else (
                f"{v.disagreement:13.1e}  {v.observable}")  # fmt: skip
            if v.left_out:
                tail += f" (left out: {v.left_out}, where its speeds are not independent)"
            lines.append(
                f"{v.formulation:14s} {v.variant:26s} {v.coordinates:4d} {v.constraints:5d} {tail}"
            )
        if self.not_unique:
            lost = ", ".join(self.not_unique)
            lines.append(f"reactions with components that are not unique (not compared): {lost}")
        return lines


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """One formulation along the motion, against the first that ran."""

    formulation: str
    variant: str
    coordinates: int = 0
    equations: int = 0
    """Accelerations and multipliers."""
    steps: int = 0
    seconds: float = 0.0
    """Of the run, without compilation; for information."""
    gaps: tuple[Gap, ...] = ()
    """Every observable at its worst time, the largest excess first; empty for the first one."""
    energy_drift: float = 0.0
    power_residual: float = 0.0
    balanced: bool = True
    constraint_drift: float = 0.0
    ended: float = 0.0
    failure: str = ""
    declined: str = ""

    @property
    def excess(self) -> float:
        """The largest difference over its bound; agreement is 1 or less."""
        return self.gaps[0].excess if self.gaps else 0.0

    @property
    def agrees(self) -> bool:
        """Whether it gives the motion of the first one and keeps the balance of energy."""
        return bool(self.declined) or (self.excess <= 1.0 and self.balanced and not self.failure)


@dataclass(frozen=True, slots=True)
class MotionReport:
    """All formulations along the motion."""

    t_end: float
    asked: float
    rtol: float
    method: str
    compared: int
    not_unique: tuple[str, ...]
    runs: tuple[RunVerdict, ...]
    curves: dict[str, tuple[Curve, ...]] = field(default_factory=dict, repr=False)
    """By formulation and variant: the observables nearest to or beyond their bounds."""

    @property
    def agree(self) -> bool:
        """Whether all that ran agree. If every one of them stopped early, that is no
        disagreement: they are compared up to there."""
        ran = [r for r in self.runs if not r.declined]
        stopped = bool(ran) and all(r.failure for r in ran)
        return all(r.agrees or (stopped and r.excess <= 1.0 and r.balanced) for r in ran)

    def worst(self) -> list[tuple[Gap, RunVerdict]]:
        """Every observable with the formulation that is farthest off, largest excess first."""
        found: dict[str, tuple[Gap, RunVerdict]] = {}
        for run in self.runs:
            for gap in run.gaps:
                if gap.name not in found or gap.excess > found[gap.name][0].excess:
                    found[gap.name] = gap, run
        return sorted(found.values(), key=lambda pair: -pair[0].excess)


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """The whole verdict on a model."""

    pointwise: PointwiseReport
    motion: MotionReport | None = None
    refinements: tuple[Refinement, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        return self.pointwise.model

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """At random states."""
        return self.pointwise.verdicts

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Reactions with components that are not compared."""
        return self.pointwise.not_unique

    @property
    def agree(self) -> bool:
        """Whether nothing disagrees: at random states, along the motion, along refinements."""
        moved = self.motion is None or self.motion.agree
        return self.pointwise.agree and moved and all(r.converges for r in self.refinements)

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        data = {**self.pointwise.as_dict(), "agree": self.agree, "remarks": self.remarks}
        if self.motion is not None:
            m = self.motion
            runs = [{**asdict(r), "excess": r.excess, "agrees": r.agrees} for r in m.runs]
            data["motion"] = {
                "agree": m.agree, "t_end": m.t_end, "t_end_of_model": m.asked, "rtol": m.rtol,
                "method": m.method, "compared": m.compared, "not_unique": m.not_unique,
                "runs": runs,
            }  # fmt: skip
        return {**data, "refinements": [r.as_dict() for r in self.refinements]}

    def __str__(self) -> str:
        from pliant.analysis.verify_text import text_of

        return text_of(self)

    def page(self, path: str | Path) -> Path:
        """Write the verdict as a page with plots."""
        from pliant.analysis.verify_page import write_page

        return write_page(self, path)
