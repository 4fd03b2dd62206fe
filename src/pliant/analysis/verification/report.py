"""What verification found: at random states, along the motion, along refinements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from pliant.analysis.verification.agreement import Gap
from pliant.analysis.verification.refine import Refinement
from pliant.display import Displayed
from pliant.records import dataclass
from pliant.show.page.verdict import Column, Curve, Page, Section, Table, columns, write

AGREEMENT = 1e-9
_SHOWN = 5
"""Observables listed by name on lines of text, on pages more."""
_OBSERVABLES = 20
_CRITERION = (
    "Two formulations agree when they differ by no more than ten times the larger of their own "
    "errors, |y(rtol) - y(rtol/100)|, and 1e-9 of the largest value of the same kind. Energy: what "
    "is missing in the balance of energy and work, over the largest of them; power: the same "
    "between two samples; constraints: largest residual at the recorded motion, in m or rad."
)


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
        table = _states(self)
        return [f"{self.model or 'model'}: {table.title}", *table.lines(), *_lost(self.not_unique)]


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
    """Largest residual of the constraints (m, rad)."""
    left_over: str = ""
    """The beam whose internal forces do not balance what acts on it."""
    ended: float = 0.0
    failure: str = ""
    declined: str = ""

    @property
    def sound(self) -> bool:
        """Whether what was computed agrees with the others and is balanced."""
        return self.excess <= 1.0 and self.balanced and not self.left_over

    @property
    def excess(self) -> float:
        """The largest difference over its bound; agreement is 1 or less."""
        return self.gaps[0].excess if self.gaps else 0.0

    @property
    def disagreement(self) -> str:
        """What is worst, in few words."""
        if self.failure:
            return "stopped early"
        if not self.balanced:
            return "energy"
        return f"internal forces of {self.left_over}" if self.left_over else self.gaps[0].name

    @property
    def agrees(self) -> bool:
        """Whether it gives the motion of the first one and keeps the balance of energy."""
        return bool(self.declined) or (self.sound and not self.failure)


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
        return all(r.agrees or (stopped and r.sound) for r in ran)

    def worst(self) -> list[tuple[Gap, RunVerdict]]:
        """Every observable with the formulation that is farthest off, largest excess first."""
        found: dict[str, tuple[Gap, RunVerdict]] = {}
        for run in self.runs:
            for gap in run.gaps:
                if gap.name not in found or gap.excess > found[gap.name][0].excess:
                    found[gap.name] = gap, run
        return sorted(found.values(), key=lambda pair: -pair[0].excess)


@dataclass(frozen=True, slots=True, repr=False)
class VerifyReport(Displayed):
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
        """Reactions, and what follows from them, with components that are not compared."""
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
        return {**data, "refinements": [asdict(r) for r in self.refinements]}

    def headline(self) -> str:
        """The verdict."""
        return f"{self.model or 'model'}: {self._verdict()}"

    def __str__(self) -> str:
        lines = self.pointwise.lines()
        if self.motion is not None:
            lines += ["", *_motion_lines(self.motion)]
        for r in self.refinements:
            lines += ["", *_refinement_lines(r)]
        lines += [f"remark: {r}" for r in self.remarks]
        return "\n".join([*lines, self._verdict()])

    def _verdict(self) -> str:
        """And what disagrees, by name."""
        if self.agree:
            return "all agree"
        said = [] if self.pointwise.agree else ["at random states"]
        runs = () if self.motion is None else self.motion.runs
        for r in (r for r in runs if not r.agrees):
            said.append(f"{r.formulation}, {r.variant} ({r.disagreement})")
        others = [r for r in runs if r.gaps]
        if len(others) > 1 and not any(r.agrees for r in others):
            said.append("all differ from recursive, which may be the wrong one")
        said += [f"{', '.join(r.beams)} does not converge" for r in self.refinements
                 if not r.converges]  # fmt: skip
        return "THEY DISAGREE: " + "; ".join(said)

    def page(self, path: str | Path) -> Path:
        """Write tables of everything, and plots of the differences nearest to their bounds."""
        tables, sections = [], []
        if self.motion is not None:
            tables += [_runs(self.motion), _observables(self.motion)]
            sections = [Section(f"Differences of {name} (line) and bounds (dashed)", curves)
                        for name, curves in self.motion.curves.items() if curves]  # fmt: skip
        tables += [_refinements(self.refinements)] if self.refinements else []
        tables.append(_states(self.pointwise))
        title = f"Verdict: {self.model or 'model'}"
        return write(Page(title, self._verdict(), self.agree, tables, sections), path)


def _bad(verdicts: Iterable[Verdict | RunVerdict]) -> frozenset[int]:
    return frozenset(k for k, v in enumerate(verdicts) if not v.agrees)


def _lost(names: tuple[str, ...]) -> list[str]:
    said = f"not compared, since redundant constraints leave components open: {', '.join(names)}"
    return [said] if names else []


def _states(p: PointwiseReport) -> Table:
    head = [Column("formulation", "formulation", 14), Column("variant", "variant", 26),
            Column("coordinates", "q", 4), Column("constraints", "rows", 5),
            Column("disagreement", "disagreement", 13), Column("worst", "  worst")]  # fmt: skip
    rows, tails = [], []
    for v in p.verdicts:
        declined = f"declined: {v.declined}" if v.declined else ""
        left_out = f" (left out: {v.left_out}, where its speeds are not independent)"
        tail = (4, f" {declined}") if declined else (5, f"  {v.observable}")
        tails.append((tail[0], tail[1] + left_out * bool(v.left_out)))
        rows.append((v.formulation, v.variant, str(v.coordinates), str(v.constraints),
                     "-" if declined else f"{v.disagreement:.1e}",
                     declined or v.observable))  # fmt: skip
    title = f"{p.compared} observables at {p.states} random states"
    return Table(title, head, rows, _bad(p.verdicts), tails=tails)


def _runs(m: MotionReport) -> Table:
    head = [Column("formulation", "formulation", 14), Column("variant", "variant", 22),
            Column("coordinates", "q", 4), Column("equations", "eqs", 4),
            Column("steps", "steps", 6), Column("seconds", "s", 7),
            Column("difference / bound", "diff/bound", 10), Column("energy", "energy", 8),
            Column("power", "power", 8), Column("constraints", "constr.", 8),
            Column("remark", words=True)]  # fmt: skip
    rows = [
        (r.formulation, r.variant, *[""] * 8, f"declined: {r.declined}") if r.declined else
        (r.formulation, r.variant, str(r.coordinates), str(r.equations), str(r.steps),
         f"{r.seconds:.3f}", f"{r.excess:.2g}" if r.gaps else "-", f"{r.energy_drift:.1e}",
         f"{r.power_residual:.1e}", f"{r.constraint_drift:.1e}",
         r.failure)
        for r in m.runs
    ]  # fmt: skip
    title = f"Motion to {m.t_end:.4g} s, {m.method}, rtol {m.rtol:g}"
    tails = [_tail(r, m.t_end) for r in m.runs]
    return Table(title, head, rows, _bad(m.runs), note=_CRITERION, tails=tails)


def _tail(r: RunVerdict, t_end: float) -> tuple[int, str]:
    """How much of a run is worth a line, and what is said after it."""
    if r.declined:
        return 2, f" declined: {r.declined}"
    if r.failure and not r.steps:
        return 4, f" failed: {r.failure}"
    tail = f" stopped at {r.ended:.4g} s: {r.failure}" if r.failure else ""
    tail += f" to {r.ended:.4g} s" if r.ended < t_end and not r.failure else ""
    tail += "" if r.balanced else " ENERGY IS NOT BALANCED"
    return 10, tail + (f" FORCES ON {r.left_over} DO NOT BALANCE" if r.left_over else "")


def _motion_lines(m: MotionReport) -> list[str]:
    of = f" (of {m.asked:.4g} s; give --t-end for more)" if m.t_end < m.asked else ""
    lines = [
        f"motion to {m.t_end:.4g} s{of}, {m.method}, rtol {m.rtol:g}: {m.compared} observables",
        *_runs(m).lines(),
    ]
    worst = [(g, r) for g, r in m.worst()[:_SHOWN] if g.difference > 0]
    if worst:
        lines.append("largest differences, compared with their bounds:")
    for g, r in worst:
        lines.append(f"  {g.name:32s} {g.difference:8.1e} {g.unit:6s} of {g.bound:.1e} "
                     f"at t = {g.time:.4g} s ({r.formulation}, {r.variant})")  # fmt: skip
    return [*lines, *_lost(m.not_unique)]


def _observables(m: MotionReport) -> Table:
    head = columns("observable", "formulation", "largest difference", "bound", "unit",
            "over its kind", "difference / bound", "at t (s)")  # fmt: skip
    worst = m.worst()[:_OBSERVABLES]
    rows = [
        (g.name, f"{r.formulation}, {r.variant}", f"{g.difference:.1e}", f"{g.bound:.1e}", g.unit,
         f"{g.relative:.1e}", f"{g.excess:.2g}", f"{g.time:.4g}")
        for g, r in worst
    ]  # fmt: skip
    bad = frozenset(k for k, (g, _) in enumerate(worst) if g.excess > 1)
    note = f"Those nearest to their bounds, of {m.compared}."
    if m.not_unique:
        note += " Components that are not unique are left out: " + ", ".join(m.not_unique) + "."
    return Table("Observables", head, rows, bad, note=note)


def _refinements(refinements: tuple[Refinement, ...]) -> Table:
    head = columns("beams", "theory", "parts", "differences", "order", "in theory", "integration",
            "modes differ by", "remark")  # fmt: skip
    rows = [
        (", ".join(r.beams), r.theory, ", ".join(map(str, r.counts)),
         ", ".join(f"{d:.1e}" for d in r.differences), f"{r.order:.1f}", f"{r.expected:g}",
         f"{r.error:.1e}", f"{r.against_modes:.1e}" if r.worst_of_modes else "-", r.failure)
        for r in refinements
    ]  # fmt: skip
    bad = frozenset(k for k, r in enumerate(refinements) if not r.converges)
    return Table("Refinement of beams", head, rows, bad)


def _refinement_lines(r: Refinement) -> list[str]:
    parts = ", ".join(str(n) for n in r.counts)
    lines = [f"refinement of {', '.join(r.beams)}: {r.theory} with {parts} parts"]
    if r.failure:
        return [*lines, f"  failed: {r.failure}"]
    steps = ", ".join(f"{d:.1e}" for d in r.differences)
    lines.append(f"  differences {steps} of the motion ({r.observable}), order {r.order:.1f}, in "
                 f"theory {r.expected:g}; error of integration {r.error:.0e}")  # fmt: skip
    if r.worst_of_modes:
        lines.append(f"  modes differ from the finest by {r.against_modes:.1e} of the motion "
                     f"({r.worst_of_modes})")  # fmt: skip
    return lines
