"""The verdict as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pliant.analysis.verify_refine import Refinement
from pliant.report.verdict import Page, Plot, Section, Table, write

if TYPE_CHECKING:
    from pliant.analysis.verify_report import MotionReport, PointwiseReport, VerifyReport

_OBSERVABLES = 20
_CRITERION = (
    "Two formulations agree when they differ by no more than ten times the larger of their own "
    "errors, |y(rtol) - y(rtol/100)|, and 1e-9 of the largest value of the same kind. Energy: what "
    "is missing in the balance of energy and work, over the largest of them; power: the same "
    "between two samples; constraints: largest residual at the recorded motion, in m or rad."
)


def write_page(report: VerifyReport, path: str | Path) -> Path:
    """Tables of everything, and plots of the differences nearest to their bounds."""
    tables, sections = [], []
    if report.motion is not None:
        tables += [_runs(report.motion), _observables(report.motion)]
        sections = [
            Section(f"Differences of {name} (line) and bounds (dashed)",
                    [Plot(c.name, c.unit, c.time, c.difference, c.bound) for c in curves])
            for name, curves in report.motion.curves.items() if curves
        ]  # fmt: skip
    tables += [_refinements(report.refinements)] if report.refinements else []
    tables.append(_states(report.pointwise))
    said = str(report).splitlines()[-1]
    title = f"Verdict: {report.model or 'model'}"
    return write(Page(title, said, report.agree, tables, sections), path)


def _runs(m: MotionReport) -> Table:
    head = ("formulation", "variant", "coordinates", "equations", "steps", "seconds",
            "difference / bound", "energy", "power", "constraints", "remark")  # fmt: skip
    rows = [
        (r.formulation, r.variant, str(r.coordinates), str(r.equations), str(r.steps),
         f"{r.seconds:.3f}", f"{r.excess:.2g}" if r.gaps else "-", f"{r.energy_drift:.1e}",
         f"{r.power_residual:.1e}", f"{r.constraint_drift:.1e}",
         (r.declined and f"declined: {r.declined}") or r.failure)
        for r in m.runs
    ]  # fmt: skip
    bad = frozenset(k for k, r in enumerate(m.runs) if not r.agrees)
    title = f"Motion to {m.t_end:.4g} s, {m.method}, rtol {m.rtol:g}"
    return Table(title, head, rows, bad, note=_CRITERION)


def _observables(m: MotionReport) -> Table:
    head = ("observable", "formulation", "largest difference", "bound", "unit",
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
    head = ("beams", "theory", "parts", "differences", "order", "in theory", "integration",
            "modes differ by", "remark")  # fmt: skip
    rows = [
        (", ".join(r.beams), r.theory, ", ".join(map(str, r.counts)),
         ", ".join(f"{d:.1e}" for d in r.differences), f"{r.order:.1f}", f"{r.expected:g}",
         f"{r.error:.1e}", f"{r.against_modes:.1e}" if r.worst_of_modes else "-", r.failure)
        for r in refinements
    ]  # fmt: skip
    bad = frozenset(k for k, r in enumerate(refinements) if not r.converges)
    return Table("Refinement of beams", head, rows, bad)


def _states(p: PointwiseReport) -> Table:
    head = ("formulation", "variant", "coordinates", "constraints", "disagreement", "worst")
    rows = [
        (v.formulation, v.variant, str(v.coordinates), str(v.constraints),
         "-" if v.declined else f"{v.disagreement:.1e}",
         f"declined: {v.declined}" if v.declined else v.observable)
        for v in p.verdicts
    ]  # fmt: skip
    bad = frozenset(k for k, v in enumerate(p.verdicts) if not v.agrees)
    return Table(f"{p.compared} observables at {p.states} random states", head, rows, bad)
