"""Which model do I need? Advice from short runs of the model itself.

Which formulation is cheapest: operations of its equations, and time per step, measured. How many
shapes or parts a tolerance needs:

Shapes: the run is repeated with 1, 2, 3, 4 and 6 functions in every direction in which the beam
has some; the error of a count is its largest difference of deflections from the run with most of
them, over the largest deflection. Segments and elements: with n, 2n and 4n of them, differences d1
and d2 show the order p = log2(d1/d2), no more of it than theory promises; the error of 4n is about
d2/(2^p - 1), and a tolerance needs

    4n (error / tolerance)^(1/p)

An order of less than a half says that these runs are not yet near the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from itertools import pairwise
from typing import Any

import numpy as np

from pliant.analysis.advice.bodies import (
    BodyAdvice,
    body_advice,
    changed_beams,
    plain_run,
    short_run,
    softening,
)
from pliant.analysis.verification.agreement import common_times
from pliant.analysis.verification.refine import cut_into, with_theories
from pliant.analysis.verification.runs import Span, run_choices, span_of
from pliant.analysis.verification.states import no_progress
from pliant.backends.choice import Choice
from pliant.backends.choose import TREE, chosen_back_end
from pliant.backends.expressions.code import derive
from pliant.backends.request import Request, settled
from pliant.code import background
from pliant.display import Displayed
from pliant.errors import CapabilityError, InputError, PliantError
from pliant.model.bodies.beam_shapes import FIELDS
from pliant.records import dataclass
from pliant.results import Result
from pliant.study import Study

_SHAPES = (1, 2, 3, 4, 6)
_CUT = {"segments": 3, "exact": 1}
"""Coarsest number of parts that is run."""
_LEAST_ORDER = 0.5
_DEFLECTION = ".deflection.tangent(root)"
_ORDER = {"segments": 2, "exact": 4}
_ROUNDS = 3
_MOST = 400
"""Unknowns above which only the recursive formulation is measured."""
TOLERANCE = 0.01
_PART = 0.3
"""Part of the thousand steps of a verification that a short run takes."""


@dataclass(frozen=True, slots=True)
class CountAdvice:
    """``needed`` of ``what`` (shapes per direction, segments, exact elements of order 2) for the
    tolerance; 0 if even the most that were run do not suffice. ``errors``: measured, by count."""

    what: str
    needed: int
    errors: Mapping[int, float]
    how: str
    failure: str = ""


def _shapes_needed(
    system: Study, name: str, span: Span, tolerance: float, progress: Callable[[str], None]
) -> CountAdvice:
    """How many functions per direction."""
    beam = system.described.beams[name]
    runs: dict[int, Result] = {}
    own, why = {field: getattr(beam.shapes, field) for field in FIELDS}, ""
    for count in _SHAPES:
        progress(f"{name}: {count} shapes per direction")
        try:
            more = {f: replace(s, count=count) for f, s in own.items() if s.count}
            other = changed_beams(system, {name: {"shapes": replace(beam.shapes, **more)}})
            runs[count] = plain_run(other, span)
        except PliantError as error:
            why = str(error)
    how = "short runs, compared with that of most shapes"
    if len(runs) < 2:
        return CountAdvice("shapes", 0, {}, how, why)
    most = max(runs)
    errors = {c: _difference(r, runs[most], name) for c, r in runs.items() if c != most}
    good = [c for c in errors if all(e <= tolerance for k, e in errors.items() if k >= c)]
    return CountAdvice("shapes per direction", min(good, default=0), errors, how)


def _parts_needed(
    system: Study, name: str, span: Span, tolerance: float, word: str,
    progress: Callable[[str], None],
) -> CountAdvice:  # fmt: skip
    """How many segments or elements."""
    numbers = [_CUT[word] * k for k in (1, 2, 4)]
    how = f"short runs with {', '.join(map(str, numbers))}"
    runs = []
    try:
        for count in numbers:
            progress(f"{name}: {word}, {count} parts")
            other = with_theories(system, {name: cut_into(word, count)})
            runs.append(plain_run(other, replace(span, method="auto")))
    except PliantError as stopped:
        return CountAdvice(word, 0, {}, how, str(stopped))
    coarse, fine = (_difference(a, b, name) for a, b in pairwise(runs))
    if fine == 0.0:
        return CountAdvice(word, numbers[-1], {numbers[-1]: 0.0}, how)
    order = min(math.log2(max(coarse, fine * 1e-3) / fine), _ORDER[word])
    if order < _LEAST_ORDER:
        why = f"differences {coarse:.0e}, {fine:.0e} of these runs do not fall"
        return CountAdvice(word, 0, {}, how, why)
    error = fine / (2**order - 1)
    needed = max(1, math.ceil(numbers[-1] * (error / tolerance) ** (1 / order)))
    return CountAdvice(word, needed, {numbers[-1]: error}, f"{how}: order {order:.1f}")


def _difference(a: Result, b: Result, name: str) -> float:
    """Largest difference of deflections of a body over the largest deflection."""
    _, (ia, ib) = common_times((a, b))
    gap = size = 0.0
    for n, s in b.series.items():
        if n.startswith(f"{name}.") and n.endswith(_DEFLECTION) and n in a.series:
            size = max(size, float(np.abs(s.values).max(initial=0.0)))
            gap = max(gap, float(np.abs(a.series[n].values[ia] - s.values[ib]).max(initial=0.0)))
    return gap / size if size > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Cost:
    """One formulation: operations of M, h, G and γ with the elimination, steps of the short run,
    microseconds per step (best of three runs), seconds per simulated second."""

    formulation: str
    variant: str
    unknowns: int = 0
    operations: int = 0
    steps: int = 0
    per_step: float = float("nan")
    per_second: float = float("nan")
    declined: str = ""


def _costs(system: Study, span: Span, progress: Callable[[str], None]) -> list[Cost]:
    """All formulations that take the model, the cheapest first."""
    found = []
    for choice in run_choices(False):
        progress(f"cost of {choice.formulation}, {choice.label}")
        try:
            found.append(_cost(system, choice, span))
        except PliantError as error:
            found.append(Cost(choice.formulation, choice.label, declined=str(error)))
    return sorted(found, key=lambda c: (bool(c.declined), c.per_second))


def _cost(system: Study, choice: Choice, span: Span) -> Cost:
    plan = settled(system, Request(choice=choice, method=span.method))
    kernel = chosen_back_end(system, plan).name == TREE
    unknowns, operations = (0, 0) if kernel else _size(system, choice)
    result = plain_run(system, span, choice)
    background.finish()
    runs = [plain_run(system, span, choice).info["statistics"] for _ in range(_ROUNDS)]
    seconds = min(float(r["seconds"]) for r in runs)
    steps = int(runs[0]["steps"] + runs[0]["rejected"])
    return Cost(choice.formulation, choice.label, unknowns, operations, steps,
                1e6 * seconds / max(steps, 1), seconds / float(result.time[-1]))  # fmt: skip


def _size(system: Study, choice: Choice) -> tuple[int, int]:
    """Unknowns, and operations: of the expressions, and n³/3 of the elimination."""
    import casadi as ca

    equations: Any = derive(system, choice)
    unknowns = len(equations.layout.u) + int(equations.cv.numel())
    if unknowns > _MOST:
        raise CapabilityError(f"{unknowns} unknowns, more than {_MOST}: not measured")
    blocks = [equations.residual, equations.g, equations.cv]
    written = sum(int(ca.n_nodes(ca.vec(ca.SX(b)))) for b in blocks if b is not None)
    return unknowns, written + unknowns**3 // 3


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Displayed):
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
    system: Study,
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
    span = span_of(system, t_end, None, params)
    if t_end is None and span.shortened:  # a part of the time of a verification
        span = replace(span, t_end=span.t_end * _PART)
    progress(f"short run to {span.t_end:.4g} s")
    seen = short_run(changed_beams(system, softening(system.described)), span)
    names = [n for n, b in system.described.elastic.items() if b.theory.deforms]
    bodies = tuple(body_advice(system, n, seen, tolerance, params) for n in names)
    needed = {b.body: _counts(system, b, span, tolerance, progress) for b in bodies if counts}
    found = _costs(system, span, progress) if cost else []
    return Advice(system.model.name, span.t_end, tolerance, bodies, needed, tuple(found))


def _counts(
    system: Study, b: BodyAdvice, span: Span, tolerance: float, progress: Callable[[str], None]
) -> tuple[CountAdvice, ...]:
    """Shapes while modes suffice, else elements; segments in both cases."""
    if b.body not in system.described.beams:
        return ()
    found = []
    if b.theory == "modal" and b.suffices:
        found.append(_shapes_needed(system, b.body, span, tolerance, progress))
    if not b.suffices:
        found.append(_parts_needed(system, b.body, span, tolerance, "exact", progress))
    found.append(_parts_needed(system, b.body, span, tolerance, "segments", progress))
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
