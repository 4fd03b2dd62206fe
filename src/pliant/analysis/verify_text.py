"""The verdict as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pliant.analysis.verify_refine import Refinement

if TYPE_CHECKING:
    from pliant.analysis.verify_report import MotionReport, RunVerdict, VerifyReport

_SHOWN = 5
"""Observables listed by name."""


def text_of(report: VerifyReport) -> str:
    """Random states, motion, refinements, and the verdict as the last line."""
    lines = report.pointwise.lines()
    if report.motion is not None:
        lines += ["", *_motion(report.motion)]
    for r in report.refinements:
        lines += ["", *_refinement(r)]
    lines += [f"remark: {r}" for r in report.remarks]
    lines.append("all agree" if report.agree else "THEY DISAGREE: " + "; ".join(_reasons(report)))
    return "\n".join(lines)


def _motion(m: MotionReport) -> list[str]:
    of = f" (of {m.asked:.4g} s; give --t-end for more)" if m.t_end < m.asked else ""
    lines = [
        f"motion to {m.t_end:.4g} s{of}, {m.method}, rtol {m.rtol:g}: {m.compared} observables",
        f"{'formulation':14s} {'variant':22s} {'q':>4s} {'eqs':>4s} {'steps':>6s} {'s':>7s} "
        f"{'diff/bound':>10s} {'energy':>8s} {'power':>8s} {'constr.':>8s}",
    ]
    lines += [_run(r, m.t_end) for r in m.runs]
    worst = [(g, r) for g, r in m.worst()[:_SHOWN] if g.difference > 0]
    if worst:
        lines.append("largest differences, compared with their bounds:")
    for g, r in worst:
        lines.append(f"  {g.name:32s} {g.difference:8.1e} {g.unit:6s} of {g.bound:.1e} "
                     f"at t = {g.time:.4g} s ({r.formulation}, {r.variant})")  # fmt: skip
    if m.not_unique:
        lost = ", ".join(m.not_unique)
        lines.append(f"reactions with components that are not unique (not compared): {lost}")
    return lines


def _run(r: RunVerdict, t_end: float) -> str:
    head = f"{r.formulation:14s} {r.variant:22s} {r.coordinates:4d} {r.equations:4d}"
    if r.declined:
        return f"{r.formulation:14s} {r.variant:22s} declined: {r.declined}"
    if r.failure and not r.steps:
        return f"{head} failed: {r.failure}"
    excess = f"{r.excess:10.2g}" if r.gaps else f"{'-':>10s}"
    tail = f" stopped at {r.ended:.4g} s: {r.failure}" if r.failure else ""
    tail += f" to {r.ended:.4g} s" if r.ended < t_end and not r.failure else ""
    tail += "" if r.balanced else " ENERGY IS NOT BALANCED"
    return (f"{head} {r.steps:6d} {r.seconds:7.3f} {excess} {r.energy_drift:8.1e} "
            f"{r.power_residual:8.1e} {r.constraint_drift:8.1e}{tail}")  # fmt: skip


def _refinement(r: Refinement) -> list[str]:
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


def _reasons(report: VerifyReport) -> list[str]:
    """What disagrees, by name."""
    said = [] if report.pointwise.agree else ["at random states"]
    for r in report.motion.runs if report.motion is not None else ():
        if r.agrees:
            continue
        why = "stopped early" if r.failure else "energy" if not r.balanced else r.gaps[0].name
        said.append(f"{r.formulation}, {r.variant} ({why})")
    others = [r for r in report.motion.runs if r.gaps] if report.motion is not None else []
    if len(others) > 1 and not any(r.agrees for r in others):
        said.append("all differ from recursive, which may be the wrong one")
    said += [f"{', '.join(r.beams)} does not converge" for r in report.refinements
             if not r.converges]  # fmt: skip
    return said
