"""The whole verdict: every formulation, at random states and along the motion.

Formulations share no derivation, so what they agree on is right, or wrong in what they share: the
bodies and their shapes. For that there are conservation of energy and refinement.

Nothing is taken from the cache of machine code but what was compiled from the same source. Code
that is replaced while Python runs (a mutant in a test) has the same source: give the run an empty
folder, ``PLIANT_CACHE_DIR``, and a new ``System``.

Every run must keep energy, power and constraints, whatever its formulation. Energy changes by the
work of all elements. Springs and other elements with an energy of their own are counted by their
work, so that

    r(t) = [E - Σ E_elements]_0^t - Σ W_elements

is zero but for the error of integration, e = max |r(rtol) - r(rtol/100)| of the whole run, and what
the finer tolerance allows: places are off by rtol of their size, and V by rtol of V, however little
moves. E is the energy of the mechanics. Where both runs took the same steps, e tells nothing, and r
may be that part of the energies that went to and fro as well. The mean power that is missing
between two samples is Δr/Δt. Constraints are
evaluated at the recorded motion of the bodies, in absolute coordinates, so that every joint is one
of them. What acts on a beam is its inertia: nothing is left for a section before its root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from pliant.analysis.power.bond_series import Motion
from pliant.analysis.verification.agreement import (
    FACTOR,
    ROUNDING,
    Gap,
    Pair,
    common_names,
    common_times,
    difference,
    gaps,
    with_sums,
)
from pliant.analysis.verification.refine import Refinement, refine, refine_modes
from pliant.analysis.verification.report import MotionReport, RunVerdict, Verdict, VerifyReport
from pliant.analysis.verification.runs import (
    Attempt,
    Span,
    Way,
    along_motion_too,
    attempt,
    run_choices,
    span_of,
)
from pliant.analysis.verification.states import no_progress, pointwise, prepared_choice, unmet
from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import Program
from pliant.backends.expressions.start import parameters
from pliant.code import background
from pliant.errors import InputError, PliantError
from pliant.model.model import Model
from pliant.results import Result
from pliant.results.compare import scales_of
from pliant.results.series import RecordedRows
from pliant.study import Study

_SAMPLES = 11
"""At how many times constraints are evaluated."""
_ABSOLUTE = Choice("recursive", "absolute")
_CURVES, _SEEN = 6, 1e-3
"""How many observables of a run, and from which part of their bounds, are kept to be plotted."""
_EPS = 16 * float(np.finfo(float).eps)
"""Rounding of a sum of energies, over the largest of them."""
_LEFT_OVER = 1e-8
"""Part of the largest force or moment on a beam that rounding may leave over."""


def _balance(model: Model, pair: Pair) -> tuple[float, float, bool]:
    """Energy that is missing, over the largest energy that went to and fro; the largest power that
    is missing, over the largest power; whether both are no more than the error of integration."""
    drift = power = 0.0
    kept = True
    powers = (name for name in pair.result.names() if name.endswith(".power"))
    if any(f"{n.removesuffix('power')}work" not in pair.result.series for n in powers):
        drift = power = float("nan")  # of many elements not all is kept
    elif "energy" in pair.result.series and "energy" in pair.finer.series:
        time, (rows, finer) = common_times((pair.result, pair.finer))
        r, better = missing_energy(model, pair.result)[rows], missing_energy(model, pair.finer)
        e = float(np.abs(r - better[finer]).max())
        series = pair.result.series  # the largest of energies and works
        works = ["kinetic_energy", *(f"{n}.work" for n in _elements(model, pair.result))]
        largest = (float(np.abs(series[n].values).max(initial=0.0)) for n in works)
        size = max(*largest, float(np.ptp(series["potential_energy"].values)), 1e-6)
        drift = float(np.abs(r).max()) / size
        energies = (np.abs(series[f"{k}_energy"].values).max() for k in ("kinetic", "potential"))
        allowed = float(pair.finer.info.get("rtol") or 0.0)
        error = FACTOR * e + ROUNDING * size + (_EPS + allowed) * max(map(float, energies))
        error += pair.unseen * size
        kept = bool(np.all(np.abs(r) <= error))
        if len(time) > 1:
            rate = np.abs(np.diff(r) / np.diff(time)).max()
            names = [f"{n}.power" for n in _elements(model, pair.result)]
            known = [pair.result.series.get(n) for n in ("kinetic_energy_rate", *names)]
            sizes = [float(np.abs(s.values).max(initial=0.0)) for s in known if s is not None]
            power = float(rate) / max(size / float(np.ptp(time)), *sizes)
    return drift, power, kept


def _left_over(result: Result) -> str:
    """The first beam whose loads and inertia leave something over at recorded states."""
    told = result.recorded.left_over() if isinstance(result.recorded, RecordedRows) else {}
    return next((beam for beam, share in told.items() if not share <= _LEFT_OVER), "")


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


def _constraint_drift(
    system: Study, result: Result, absolute: Program | None, params: Mapping[str, Any] | None
) -> float:
    """Largest residual of the constraints at some samples; nan if they are not compiled."""
    if absolute is None:
        return float("nan")
    c, p = absolute.compiled, parameters(system, absolute, params)
    try:
        motion = Motion(result, c)
    except PliantError:
        return float("nan")
    near, worst = absolute.state_from.guess(p), 0.0
    for k in np.unique(np.linspace(0, len(result.time) - 1, _SAMPLES).astype(int)):
        x = motion.state(absolute, int(k), near, p)
        near = x[1 : 1 + c.nq]
        worst = max(worst, float(unmet(c, x, p)[0].max(initial=0.0)))
    return worst


def verify(
    system: Study,
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
    with background.quickly():
        # runs that observe nothing else use the equations compiled for random states
        alone = only_pointwise or system.model.settings.observe
        whole = () if alone else run_choices(complete)
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
            absolute if isinstance(absolute, Program) else None, progress,
            along_motion_too(system, complete),
        )  # fmt: skip
        followed: list[Refinement | None] = [refine(system, span, progress)]
        if refine_with and first is not None:
            followed.append(refine_modes(system, span, refine_with, first, progress))
        return VerifyReport(at_states, motion, tuple(r for r in followed if r is not None))


def along_motion(
    system: Study, span: Span, choices: Sequence[Choice], known: Iterable[Verdict] = (),
    absolute: Program | None = None, progress: Callable[[str], None] = no_progress,
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
    pairs = with_sums([a.pair for _, a in tried if a.pair is not None])
    first, scales = pairs[0] if pairs else None, scales_of(p.result for p in pairs)
    compared = iter(pairs)
    runs, curves = [], {}
    for at, a in tried:
        found: list[Gap] = []
        pair = None if a.pair is None else next(compared)
        if pair is not None and first is not None and pair is not first:
            found = gaps(first, pair, scales, common_names(first.result, pair.result))
            key = f"{a.way.formulation}, {a.way.label}"
            seen = [gap.name for gap in found[:_CURVES] if gap.excess > _SEEN]
            made = (difference(first, pair, name, scales) for name in seen)
            curves[key] = tuple(c for c in made if c is not None)
        runs.append(_judged(system, a, at, found, absolute, span))
    series = {} if first is None else first.result.series
    lost = tuple(n for n, s in series.items() if s.unique and not all(s.unique))
    report = MotionReport(span.t_end, span.asked, span.rtol, span.method, len(series), lost,
                          tuple(runs), curves)  # fmt: skip
    return report, None if first is None else first.finer


def _judged(
    system: Study, a: Attempt, at: Verdict, found: list[Gap], absolute: Program | None, span: Span
) -> RunVerdict:
    """One run with everything that is said of it."""
    name, variant = a.way.formulation, a.way.label
    if a.pair is None:
        return RunVerdict(name, variant, at.coordinates, at.equations, failure=a.failure,
                          declined=a.declined)  # fmt: skip
    drift, power, balanced = _balance(system.model, a.pair)
    held = _constraint_drift(system, a.pair.result, absolute, span.params)
    statistics = a.pair.result.info.get("statistics", {})
    return RunVerdict(
        name, variant, at.coordinates, at.equations, steps=int(statistics.get("steps", 0)),
        seconds=float(statistics.get("seconds", 0.0)), gaps=tuple(found),
        energy_drift=drift, power_residual=power, balanced=balanced, constraint_drift=held,
        left_over=_left_over(a.pair.result),
        ended=float(a.pair.result.time[-1]), failure=a.failure,
    )  # fmt: skip
