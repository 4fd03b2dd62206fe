"""Beams of large rotation: their axis, and options that mean nothing to them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import hypot

from pliant.model.bodies import Beam
from pliant.model.bodies.beam_shapes import BeamShapes, Functions
from pliant.model.validation.context import Context

Found = Iterator[tuple[str, str, str]]
_PLAIN = {
    "shapes": BeamShapes(Functions(3), Functions(3)),
    "type": "euler-bernoulli",
    "geometric_stiffness": "second-order",
    "floating_frame": "root",
}
"""Options of modal beams, and their values where nothing was chosen."""
_LONG = 1e-6
"""A length may differ from that of its points by this part."""


def large_beam_faults(context: Context, beam: Beam) -> Found:
    """What means nothing to a theory, and must not be taken for more than it is."""
    word = beam.theory.kind
    if not beam.theory.large:
        for key in ("curvature", "axis"):
            if getattr(beam, key) is not None:
                yield key, f"a beam of theory {word} is straight", "write theory: exact"
        return
    yield from _modal_options(beam)
    yield from _axis(context, beam)
    if beam.damping is not None and beam.damping.kind != "stiffness":
        what = f"{beam.damping.kind} damping means nothing with theory {word}"
        yield "damping", what, "write {stiffness: 1e-5}"
    if beam.initial is not None and (beam.initial.elastic or beam.initial.elastic_rates):
        what = f"theory {word} has no elastic coordinates"
        yield "initial", what, "give position, orientation and velocities"
    if beam.rotary_inertia not in (None, "full"):
        what = f"theory {word} with rotary_inertia: {beam.rotary_inertia} leaves sections massless"
        yield "rotary_inertia", what, "write full"


def _modal_options(beam: Beam) -> Found:
    """Options of modal beams, all in one message."""
    own = {key: getattr(beam, key) for key in _PLAIN}
    own["floating_frame"] = own["floating_frame"].kind
    given = [key for key, plain in _PLAIN.items() if own[key] != plain]
    if given:
        several = len(given) > 1
        what = f"{', '.join(given)} {'mean' if several else 'means'} nothing"
        cure = f"remove {'them' if several else 'it'}, or write theory: modal"
        yield given[0], f"{what} with theory {beam.theory.kind}", cure


def _axis(context: Context, beam: Beam) -> Found:
    if beam.axis is None:
        return
    if beam.curvature is not None:
        yield "axis", "both axis and curvature are given", "keep one of them"
    points = [[context.number(f) for f in point] for point in beam.axis.points]
    up = [context.number(f) for f in beam.axis.up]
    if any(x is None for point in (*points, up) for x in point):
        return
    steps = [[b - a for a, b in zip(*pair, strict=True)] for pair in pairwise(points)]  # type: ignore[operator]
    for k, step in enumerate(steps):
        across = _cross(step, up)  # type: ignore[arg-type]
        if not hypot(*step):
            yield "axis", f"axis: points {k + 1} and {k + 2} are the same", "leave one out"
        elif not hypot(*across) > 1e-6 * hypot(*step) * hypot(*up):  # type: ignore[arg-type]
            what = f"axis: from point {k + 1} to {k + 2} it runs along up, so that z is open"
            yield "axis", what, "give another direction up"
    wanted, given = context.number(beam.axis.length), context.number(beam.length)
    if wanted is not None and given is not None and abs(given - wanted) > _LONG * wanted:
        what = f"length is {given:g} m, that of the axis through its points {wanted:g} m"
        yield "length", what, "leave length out"


def _cross(a: list[float], b: list[float]) -> list[float]:
    return [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
