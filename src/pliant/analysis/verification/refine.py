"""Beams that are cut into elements or segments: does the motion converge as they are refined?

With differences d1 = |y(2n) - y(n)| and d2 = |y(4n) - y(2n)| of positions, deflections and joint
coordinates, each over the largest value of its kind, the order seen is log2(d1/d2); that of
theory is two for segments and 2k for elements of order k (nodes of reduced integrated elements).
Differences must shrink until they are as small as the error of integration; parts that may be too
coarse to tell are halved up to twice more.

Beams with modes can be compared with such a refinement of themselves: how good is their theory?
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np

from pliant.analysis.verification.agreement import FACTOR, ROUNDING, common_names, common_times
from pliant.analysis.verification.runs import FINER, Span, Way, _run
from pliant.backends.choice import Choice
from pliant.errors import PliantError
from pliant.flex.data import FlexibleData
from pliant.flex.from_model import MOVING, flexible_data
from pliant.flex.numerics import symmetric_modes
from pliant.mechanics.values import Values
from pliant.model.bodies import Beam
from pliant.model.bodies.elastic import Damping, DampingKind
from pliant.model.bodies.theories import BEAM_THEORIES, Theory, TheoryKind
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.results import Result
from pliant.results.compare import scales_of
from pliant.study import Study

_KINDS = ("position", "deflection", "coordinate")
_SHRINKS = 1.5
"""By how much differences must shrink when elements are halved; in theory by four at least."""
_CUTS = {"segments": 4, "exact": 1}
"""Theories that show how good modes are, and the coarsest number of parts."""


_LEVELS = 5
Level = dict[str, Theory]
"""Theories of beams by name."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """Refinements of the beams of a model, three or more."""

    beams: tuple[str, ...]
    theory: str
    counts: tuple[int, ...]
    """Of the first beam."""
    differences: tuple[float, ...]
    """Largest differences between neighbours, relative."""
    observable: str
    order: float
    expected: float
    error: float
    """Of integration."""
    converges: bool
    against_modes: float = float("nan")
    """Largest difference of the motion with modes from the finest one, relative."""
    worst_of_modes: str = ""
    failure: str = ""


def refine(system: Study, span: Span, progress: Callable[[str], None]) -> Refinement | None:
    """Follow the beams of a model that are cut into parts; None if there are none."""
    beams = {n: b for n, b in system.described.beams.items() if parts_of(b.theory)}
    if not beams:
        return None
    first = {n: coarsest(b.theory) for n, b in beams.items()}

    def level(k: int) -> Level:
        return {n: with_parts(b.theory, first[n] * 2**k) for n, b in beams.items()}

    return _followed(system, level, span, progress)


def refine_modes(
    system: Study, span: Span, word: str, modal: Result, progress: Callable[[str], None]
) -> Refinement | None:
    """Compare beams with modes with the same beams cut into parts, as ``word`` says."""
    beams = [n for n, b in system.described.beams.items() if b.flexible]
    if not beams:
        return None

    def level(k: int) -> Level:
        return dict.fromkeys(beams, cut_into(word, _CUTS[word] * 2**k))

    return _followed(system, level, span, progress, modal)


def parts_of(theory: Theory) -> int:
    """Into how many parts a theory cuts a beam; 0 if it does not."""
    return theory.segments.count if theory.segments is not None else theory.elements


def with_parts(theory: Theory, count: int) -> Theory:
    """The same theory with another number of parts; unequal segments are divided each."""
    own = theory.segments
    if own is None:
        return replace(theory, elements=count)
    each = count // own.count
    lengths = tuple(length for length in own.lengths for _ in range(each))
    return replace(theory, segments=replace(own, count=count, lengths=lengths))


def coarsest(theory: Theory) -> int:
    """n of a ladder n, 2n, 4n through its number of parts: as coarse as it can be."""
    count, unequal = parts_of(theory), theory.segments is not None and theory.segments.lengths
    if unequal:
        return count
    return count // 4 if count % 4 == 0 else count // 2 if count % 2 == 0 else count


def with_theories(system: Study, theories: Mapping[str, Theory]) -> Study:
    """The system with other theories of some of its beams. Damping of modes becomes one in
    proportion to stiffness that is the same at the lowest frequency."""
    model, bodies = system.described, dict(system.described.bodies)
    for name, theory in theories.items():
        beam = model.beams[name]
        if beam.flexible:  # without what belongs to modes only
            plain = Beam(beam.name, length=beam.length)
            kept = beam if theory.segments is not None else plain
            beam = replace(
                beam, floating_frame=plain.floating_frame, shapes=kept.shapes,
                rotary_inertia=kept.rotary_inertia, type=kept.type,
                geometric_stiffness=plain.geometric_stiffness,
                damping=_stiffness_damping(model, beam),
            )  # fmt: skip
        bodies[name] = replace(beam, theory=theory)
    return Study(model.with_(bodies=bodies))


def _stiffness_damping(model: Model, beam: Beam) -> Damping | None:
    """Ratio ζ = β ω/2 at the lowest frequency ω of bending in the floating frame, or of each kind
    of motion."""
    if beam.damping is None or beam.damping.kind == "stiffness":
        return beam.damping
    values = Values.of(model)
    data = flexible_data(beam, values.number, model.materials)

    def beta(damping: Damping, first: float) -> dict[str, float]:
        numbers = values.vector(damping.values)
        if damping.kind == "stiffness":
            return {"stiffness": numbers[0]}
        if damping.kind == "modal":
            return {"stiffness": 2 * numbers[0] / first}
        return {"stiffness": numbers[1] + numbers[0] / first**2}

    if not beam.damping.motions:
        return DampingKind().convert(beta(beam.damping, first_bending(data)))
    moving = {d for d, kinds in MOVING.items() if set(kinds) & set(data.kinds)}
    given = {d: own for d, own in beam.damping.by_direction.items() if d in moving}
    return DampingKind().convert({d: beta(own, _first(data, d)) for d, own in given.items()})


def _first(data: FlexibleData, direction: str) -> float:
    """Lowest frequency of a kind of motion in the floating frame."""
    own = [k for k, kind in enumerate(data.kinds) if kind in MOVING[direction]]
    block = np.ix_(own, own)
    return float(np.sqrt(symmetric_modes(data.K[block], data.M[block])[0][0]))


def first_bending(data: FlexibleData) -> float:
    """Lowest circular frequency of bending in the floating frame; 0 if it does not bend."""
    own = [k for k, kind in enumerate(data.kinds) if kind.startswith(("bending", "mode"))]
    if not own:
        return 0.0
    part = np.ix_(own, own)
    squares = np.linalg.eigvals(np.linalg.solve(data.M[part], data.K[part])).real
    return float(np.sqrt(max(squares.min(), 0.0)))


def cut_into(word: str, count: int) -> Theory:
    """A theory that cuts a beam into so many parts."""
    kind = TheoryKind(BEAM_THEORIES)
    if word == "segments":
        return kind.convert(f"segments({count})")
    return kind.convert({word: {"elements": count, "order": 2}})


def _followed(
    system: Study, level: Callable[[int], Level], span: Span,
    progress: Callable[[str], None], modal: Result | None = None,
) -> Refinement:  # fmt: skip
    """Three refinements, and up to two more as long as the parts may be too coarse to tell."""
    names, kind = tuple(level(0)), next(iter(level(0).values()))
    expected = 2.0 if kind.kind == "segments" else 2.0 * max(kind.order, 1)
    span = replace(span, method="auto")  # finer parts are stiffer
    counts: list[int] = []

    def refined(k: int) -> Study:
        counts.append(parts_of(next(iter(level(k).values()))))
        progress(f"refinement: {', '.join(names)}, {kind.kind}, {counts[-1]} parts")
        return with_theories(system, level(k))

    try:
        first = refined(0)
        rough = _run(first, Way(Choice.of(first), None), span, span.rtol).require()
        results = [_finer(first, span), _finer(refined(1), span)]
        seen = _followable(system, results, modal)
        error, _ = _largest(rough, results[0], seen)
        differences = [_largest(results[0], results[1], seen)]
        converges = False
        while not converges and len(results) < _LEVELS:
            results.append(_finer(refined(len(results)), span))
            differences.append(_largest(results[-2], results[-1], seen))
            (d1, _), (d2, what) = differences[-2:]
            converges = d2 <= FACTOR * error + ROUNDING or d1 >= _SHRINKS * d2
    except PliantError as stopped:
        nan = float("nan")
        return Refinement(names, kind.kind, tuple(counts), (), "-", nan, expected, nan, False,
                          failure=str(stopped))  # fmt: skip
    order = math.log2(d1 / d2) if d1 > 0 and d2 > 0 else float("nan")
    far, of = (float("nan"), "") if modal is None else _largest(modal, results[-1], seen)
    return Refinement(names, kind.kind, tuple(counts), tuple(d for d, _ in differences), what,
                      order, expected, error, converges, far, of)  # fmt: skip


def _finer(system: Study, span: Span) -> Result:
    """The motion at a hundredth of the tolerance."""
    return _run(system, Way(Choice.of(system), None), span, span.rtol / FINER).require()


def _followable(system: Study, results: list[Result], modal: Result | None) -> list[str]:
    """Positions, deflections and joint coordinates of all results; not those against the tangent
    of one section, which turns in jumps from segment to segment. With modes, what refers to
    the floating frame of a beam is left out: other theories have none."""
    names = common_names(results[0], results[-1])
    names = [n for n in names if results[0].series[n].kind in _KINDS]
    names = [n for n in names if ":" not in n and ".tangent(" not in n]
    if modal is None:
        return names
    beams, joints = system.described.beams, system.described.joints

    def free(name: str) -> bool:
        s = results[0].series[name]
        if s.kind == "coordinate":
            return name.partition(".")[0] in joints
        return name.endswith(".position") and name.removesuffix(".position") not in beams

    return [n for n in names if n in modal.series and free(n)]


def _largest(a: Result, b: Result, names: Iterable[str]) -> tuple[float, str]:
    """Largest difference over the largest value of its kind, and of what."""
    time, (ia, ib) = common_times((a, b))
    scales = scales_of((a, b))
    worst = (0.0, "-")
    for name in names:
        s = a.series[name]
        gap = np.abs(s.values[ia] - b.series[name].values[ib]).max(initial=0.0)
        worst = max(worst, (float(gap) / scales[s.kind, s.unit], name))
    return worst if len(time) else (float("nan"), "-")
