"""How many shapes or parts a tolerance needs, measured by short runs.

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
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.advise_run import changed_beams, plain_run
from pliant.analysis.verify_agreement import common_times
from pliant.analysis.verify_refine import with_theories
from pliant.analysis.verify_runs import Span
from pliant.errors import PliantError
from pliant.model.bodies import Beam
from pliant.model.bodies.beam_shapes import FIELDS
from pliant.model.bodies.theories import BEAM_THEORIES, Theory, TheoryKind

if TYPE_CHECKING:
    from pliant.results import Result
    from pliant.system import System

SHAPES = (1, 2, 3, 4, 6)
_CUT = {"segments": 3, "exact": 1}
"""Coarsest number of parts that is run."""
_LEAST_ORDER = 0.5
_DEFLECTION = ".deflection.tangent(root)"
_ORDER = {"segments": 2, "exact": 4}


@dataclass(frozen=True, slots=True)
class CountAdvice:
    """``needed`` of ``what`` (shapes per direction, segments, exact elements of order 2) for the
    tolerance; 0 if even the most that were run do not suffice. ``errors``: measured, by count."""

    what: str
    needed: int
    errors: Mapping[int, float]
    how: str
    failure: str = ""


def shapes_needed(
    system: System, name: str, span: Span, tolerance: float, progress: Callable[[str], None]
) -> CountAdvice:
    """How many functions per direction."""
    beam = system.described.bodies[name]
    assert isinstance(beam, Beam)
    runs: dict[int, Result] = {}
    why = ""
    for count in SHAPES:
        progress(f"{name}: {count} shapes per direction")
        try:
            runs[count] = plain_run(changed_beams(system, {name: _shapes(beam, count)}), span)
        except PliantError as error:
            why = str(error)
    how = "short runs, compared with that of most shapes"
    if len(runs) < 2:
        return CountAdvice("shapes", 0, {}, how, why)
    most = max(runs)
    errors = {c: _difference(r, runs[most], name) for c, r in runs.items() if c != most}
    good = [c for c in errors if all(e <= tolerance for k, e in errors.items() if k >= c)]
    return CountAdvice("shapes per direction", min(good, default=0), errors, how)


def parts_needed(
    system: System, name: str, span: Span, tolerance: float, word: str,
    progress: Callable[[str], None],
) -> CountAdvice:  # fmt: skip
    """How many segments or elements."""
    numbers = [_CUT[word] * k for k in (1, 2, 4)]
    how = f"short runs with {', '.join(map(str, numbers))}"
    runs = []
    try:
        for count in numbers:
            progress(f"{name}: {word}, {count} parts")
            other = with_theories(system, {name: theory_of(word, count)})
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


def theory_of(word: str, count: int) -> Theory:
    """A theory that cuts a beam into so many parts."""
    kind = TheoryKind(BEAM_THEORIES)
    if word == "segments":
        return kind.convert(f"segments({count})")
    return kind.convert({word: {"elements": count, "order": 2}})


def _shapes(beam: Beam, count: int) -> dict[str, Any]:
    """As many functions in every direction that has some."""
    own = {field: getattr(beam.shapes, field) for field in FIELDS}
    changed = {field: replace(f, count=count) for field, f in own.items() if f.count}
    return {"shapes": replace(beam.shapes, **changed)}


def _difference(a: Result, b: Result, name: str) -> float:
    """Largest difference of deflections of a body over the largest deflection."""
    _, (ia, ib) = common_times((a, b))
    gap = size = 0.0
    for n, s in b.series.items():
        if n.startswith(f"{name}.") and n.endswith(_DEFLECTION) and n in a.series:
            size = max(size, float(np.abs(s.values).max(initial=0.0)))
            gap = max(gap, float(np.abs(a.series[n].values[ia] - s.values[ib]).max(initial=0.0)))
    return gap / size if size > 0 else 0.0
