"""The whole verdict: every formulation, at random states and along the motion.

Formulations share no derivation, so what they agree on is right, or wrong in what they share: the
bodies and their shapes. For that there are conservation of energy and refinement.

Nothing is taken from the cache of machine code but what was compiled from the same source. Code
that is replaced while Python runs (a mutant in a test) has the same source: give the run an empty
folder, ``PLIANT_CACHE_DIR``, and a new ``System``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pliant.analysis.choice import Choice
from pliant.analysis.prepare import Prepared
from pliant.analysis.verify_agreement import (
    Curve,
    Gap,
    Pair,
    common_names,
    difference,
    gaps,
)
from pliant.analysis.verify_back_ends import Way, along_motion_too
from pliant.analysis.verify_balance import balance
from pliant.analysis.verify_refine import Refinement, refine, refine_modes
from pliant.analysis.verify_report import (
    MotionReport,
    RunVerdict,
    Verdict,
    VerifyReport,
)
from pliant.analysis.verify_runs import Attempt, Span, attempt, run_choices, span_of
from pliant.analysis.verify_states import no_progress, pointwise, prepared_choice
from pliant.engine import tiers
from pliant.errors import InputError
from pliant.results.compare import scales_of

if TYPE_CHECKING:
    from pliant.results import Result
    from pliant.system import System

_ABSOLUTE = Choice("recursive", "absolute")
_CURVES, _SEEN = 6, 1e-3
"""How many observables of a run, and from which part of their bounds, are kept to be plotted."""


def verify(
    system: System,
    *,
    t_end: float | None = None,
    rtol: float | None = None,
    states: int = 20,
    seed: int = 0,
    params: Mapping[str, Any] | None = None,
    only_pointwise: bool = False,
    complete: bool = False,
    refine_with: str | None = None,
    progress: Callable[[str], None] = no_progress,
) -> VerifyReport:
    """See ``System.verify``. Every form runs for a moment only: quick code will do."""
    with tiers.quickly():
        return _verdict(system, t_end, rtol, states, seed, params, only_pointwise, complete,
                        refine_with, progress)  # fmt: skip


def _verdict(
    system: System, t_end: float | None, rtol: float | None, states: int, seed: int,
    params: Mapping[str, Any] | None, only_pointwise: bool, complete: bool,
    refine_with: str | None, progress: Callable[[str], None],
) -> VerifyReport:  # fmt: skip
    whole = () if only_pointwise else _compiled_at_once(system, complete)
    at_states = pointwise(system, states=states, seed=seed, params=params, complete=complete,
                          whole=whole, progress=progress)  # fmt: skip
    if only_pointwise:
        return VerifyReport(at_states)
    try:
        span = span_of(system, t_end, rtol, params)
    except InputError as error:
        return VerifyReport(at_states, remarks=(f"no motion is compared: {error}",))
    absolute = prepared_choice(system, _ABSOLUTE, complete)
    motion, first = along_motion(
        system, span, run_choices(complete), at_states.verdicts,
        absolute if isinstance(absolute, Prepared) else None, progress,
        along_motion_too(system, complete),
    )  # fmt: skip
    followed: list[Refinement | None] = [refine(system, span, progress)]
    if refine_with and first is not None:
        followed.append(refine_modes(system, span, refine_with, first, progress))
    return VerifyReport(at_states, motion, tuple(r for r in followed if r is not None))


def _compiled_at_once(system: System, complete: bool) -> list[Choice]:
    """Choices whose runs use the equations compiled for random states as well: not those that
    observe something else."""
    return [] if system.model.settings.observe else run_choices(complete)


def along_motion(
    system: System, span: Span, choices: Sequence[Choice], known: Iterable[Verdict] = (),
    absolute: Prepared | None = None, progress: Callable[[str], None] = no_progress,
    back_ends: Mapping[str, str] = MappingProxyType({}),
) -> tuple[MotionReport, Result | None]:  # fmt: skip
    """Run choices and compare; also the better run of the first one. ``known``: verdicts at random
    states; what was declined there is not run. ``absolute``: equations that hold all constraints.
    ``back_ends``: others than expressions, with the reason if one is not run.
    """
    verdicts = {(v.formulation, v.variant): v for v in known}
    ways = {Way(c): "" for c in choices} | {Way(back_end=n): why for n, why in back_ends.items()}
    tried = []
    for way, why in ways.items():
        names = way.formulation, way.label
        at = verdicts.get(names, Verdict(*names, 0, 0, 0.0, "-"))
        if why or at.declined:
            tried.append((at, Attempt(way, None, declined=why or at.declined)))
            continue
        progress(f"motion to {span.t_end:.4g} s: {', '.join(names)}")
        tried.append((at, attempt(system, way, span)))
    pairs = [a.pair for _, a in tried if a.pair is not None]
    first, scales = pairs[0] if pairs else None, scales_of(p.result for p in pairs)
    runs, curves = [], {}
    for at, a in tried:
        found: list[Gap] = []
        if a.pair is not None and first is not None and a.pair is not first:
            found = gaps(first, a.pair, scales, common_names(first.result, a.pair.result))
            key = f"{a.way.formulation}, {a.way.label}"
            curves[key] = _curves(first, a.pair, scales, found)
        runs.append(_judged(system, a, at, found, absolute, span))
    lost = () if first is None else _not_unique(first.result)
    count = 0 if first is None else len(first.result.series)
    report = MotionReport(span.t_end, span.asked, span.rtol, span.method, count, lost,
                          tuple(runs), curves)  # fmt: skip
    return report, None if first is None else first.finer


def _judged(
    system: System, a: Attempt, at: Verdict, found: list[Gap], absolute: Prepared | None, span: Span
) -> RunVerdict:
    """One run with everything that is said of it."""
    name, variant = a.way.formulation, a.way.label
    if a.pair is None:
        return RunVerdict(name, variant, at.coordinates, at.equations, failure=a.failure,
                          declined=a.declined)  # fmt: skip
    kept = balance(system, a.pair, absolute, span.params)
    statistics = a.pair.result.info.get("statistics", {})
    return RunVerdict(
        name, variant, at.coordinates, at.equations, steps=int(statistics.get("steps", 0)),
        seconds=float(statistics.get("seconds", 0.0)), gaps=tuple(found),
        energy_drift=kept.energy_drift, power_residual=kept.power_residual, balanced=kept.kept,
        constraint_drift=kept.constraint_drift, ended=float(a.pair.result.time[-1]),
        failure=a.failure,
    )  # fmt: skip


def _curves(
    first: Pair, other: Pair, scales: Mapping[tuple[str, str], float], found: list[Gap]
) -> tuple[Curve, ...]:
    """Of the observables that are nearest to their bounds, or beyond."""
    seen = [gap for gap in found[:_CURVES] if gap.excess > _SEEN]
    made = (difference(first, other, gap.name, scales) for gap in seen)
    return tuple(c for c in made if c is not None)


def _not_unique(result: Result) -> tuple[str, ...]:
    return tuple(n for n, s in result.series.items() if s.unique and not all(s.unique))
