"""Which model do I need? Advice from short runs of the model itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from pliant.analysis.advise_bodies import BodyAdvice, body_advice
from pliant.analysis.advise_cost import Cost, costs
from pliant.analysis.advise_counts import CountAdvice, parts_needed, shapes_needed
from pliant.analysis.advise_run import changed_beams, short_run, softening
from pliant.analysis.verify_runs import Span, span_of
from pliant.analysis.verify_states import no_progress
from pliant.errors import InputError
from pliant.model.bodies import Beam, Modes

if TYPE_CHECKING:
    from pliant.system import System

TOLERANCE = 0.01
_PART = 0.3
"""Part of the thousand steps of a verification that a short run takes."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What was found for every flexible body, how many shapes or parts it needs, and the cost of
    the formulations; ``print`` shows it."""

    model: str
    t_end: float
    tolerance: float
    bodies: tuple[BodyAdvice, ...]
    counts: Mapping[str, tuple[CountAdvice, ...]]
    costs: tuple[Cost, ...]

    @property
    def cheapest(self) -> Cost | None:
        """The formulation with the least time per simulated second."""
        return next((c for c in self.costs if not c.declined), None)

    def __getitem__(self, body: str) -> BodyAdvice:
        return next(b for b in self.bodies if b.body == body)

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        bodies = [
            {**asdict(b), "suffices": b.suffices, "needs_second_order": b.needs_second_order,
             "recommendation": b.recommendation}
            for b in self.bodies
        ]  # fmt: skip
        return {**asdict(self), "bodies": bodies}

    def __str__(self) -> str:
        lines = [f"{self.model or 'model'}: advice for a tolerance of {self.tolerance:g}, "
                 f"from runs to {self.t_end:.4g} s"]  # fmt: skip
        for b in self.bodies:
            lines += _body_lines(b, self.counts.get(b.body, ()))
        if not self.bodies:
            lines.append("no flexible bodies")
        return "\n".join([*lines, *_cost_lines(self.costs)])


def advise(
    system: System,
    *,
    tolerance: float = TOLERANCE,
    t_end: float | None = None,
    params: Mapping[str, Any] | None = None,
    counts: bool = True,
    cost: bool = True,
    progress: Callable[[str], None] = no_progress,
) -> Advice:
    """See ``System.advise``."""
    if not 0 < tolerance < 1:
        raise InputError(f"tolerance: {tolerance:g} is not between 0 and 1", "0.01 is a percent")
    span = _short(span_of(system, t_end, None, params), t_end)
    progress(f"short run to {span.t_end:.4g} s")
    seen = short_run(changed_beams(system, softening(system.described)), span)
    names = [n for n, b in system.described.bodies.items() if _deforms(b)]
    bodies = tuple(body_advice(system, n, seen, tolerance, params) for n in names)
    needed = {b.body: _counts(system, b, span, tolerance, progress) for b in bodies if counts}
    found = costs(system, span, progress) if cost else []
    return Advice(system.model.name, span.t_end, tolerance, bodies, needed, tuple(found))


def _short(span: Span, t_end: float | None) -> Span:
    """The time asked for, or a part of that of a verification."""
    if t_end is not None or not span.shortened:
        return span
    return replace(span, t_end=span.t_end * _PART)


def _deforms(body: Any) -> bool:
    if isinstance(body, Beam):
        return body.theory.kind != "rigid"
    return isinstance(body, Modes) and body.flexible


def _counts(
    system: System, b: BodyAdvice, span: Span, tolerance: float, progress: Callable[[str], None]
) -> tuple[CountAdvice, ...]:
    """Shapes while modes suffice, else elements; segments in both cases."""
    if not isinstance(system.described.bodies[b.body], Beam):
        return ()
    found = []
    if b.theory == "modal" and b.suffices:
        found.append(shapes_needed(system, b.body, span, tolerance, progress))
    if not b.suffices:
        found.append(parts_needed(system, b.body, span, tolerance, "exact", progress))
    found.append(parts_needed(system, b.body, span, tolerance, "segments", progress))
    return tuple(found)


def _body_lines(b: BodyAdvice, counts: tuple[CountAdvice, ...]) -> list[str]:
    lines = [f"{b.body} ({b.theory}): {b.recommendation}",
             f"  largest deflection {b.deflection:.2g} of its length"]  # fmt: skip
    for c in b.criteria:
        mark = "" if c.error <= b.tolerance else "  <- too large"
        lines.append(f"  {c.name:15s} {c.seen:42s} leaves out {c.error:8.1e}{mark}")
    if b.unseen:
        lines.append(f"  not judged: {b.unseen}")
    for n in counts:
        if n.failure:
            lines.append(f"  {n.what}: not found: {n.failure}")
            continue
        said = f"{n.needed} {n.what}" if n.needed else f"more {n.what} than were run"
        errors = ", ".join(f"{k}: {e:.0e}" for k, e in n.errors.items())
        lines.append(f"  needs {said} ({n.how}; errors {errors})")
    return lines


def _cost_lines(found: tuple[Cost, ...]) -> list[str]:
    if not found:
        return []
    lines = [f"{'formulation':14s} {'variant':22s} {'unknowns':>8s} {'operations':>10s} "
             f"{'steps':>6s} {'us/step':>8s} {'s/s':>8s}"]  # fmt: skip
    for c in found:
        if c.declined:
            lines.append(f"{c.formulation:14s} {c.variant:22s} declined: {c.declined}")
            continue
        lines.append(f"{c.formulation:14s} {c.variant:22s} {c.unknowns:8d} {c.operations:10d} "
                     f"{c.steps:6d} {c.per_step:8.1f} {c.per_second:8.2g}")  # fmt: skip
    best = next((c for c in found if not c.declined), None)
    return [*lines, f"cheapest here: {best.formulation}, {best.variant}"] if best else lines
