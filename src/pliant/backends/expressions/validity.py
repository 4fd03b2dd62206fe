"""Does a result stay where its model holds? Remarks on flexible bodies, by name.

Beams that buckle during a run are events: ``rod.buckling``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.body import BeamGeometry
from pliant.flex.buckling import Column, column
from pliant.flex.data import FlexibleData
from pliant.formulations.derivation.supports import ENDS, beam_places, compressible, supports
from pliant.mechanics.values import FlexibleNumbers
from pliant.solve.motion.events import OnsetRule
from pliant.solve.single_states import evaluate_function

if TYPE_CHECKING:
    from pliant.code.compiled import CompiledEquations
    from pliant.mechanics.values import Values
    from pliant.solve.motion.events import Crossing
    from pliant.study import Study


LARGE_ROTATION = 0.3
"""Radians a section may turn in the floating frame; the error of the shapes grows with its cube."""
_SUFFIX = ".buckling"


def validity_remarks(
    system: Study, compiled: CompiledEquations, X: Array, p: Array,
    params: Mapping[str, Any] | None,
) -> list[str]:  # fmt: skip
    """Remarks on rows of packed x: spin without geometric stiffness, large rotations."""
    if not compiled.layout.elastic or not len(X):
        return []

    @cache
    def motion() -> Array:
        return evaluate_function(compiled, "bodies", X, p).reshape(len(X), -1, 18)

    def spin(k: int) -> Array:
        return motion()[:, k, 15:18]

    values = system.code_values(params)
    remarks = []
    for name, (start, _, count) in compiled.layout.elastic.items():
        if not count:
            continue
        k, q = compiled.bodies.index(name), X[:, 1 + start : 1 + start + count]
        remarks += body_remarks(name, values.tables(name), partial(spin, k), q)
    return remarks


def body_remarks(
    name: str, numbers: FlexibleNumbers, w: Callable[[], Array], q: Array
) -> list[str]:
    """Remarks on one body with these angular velocities and elastic coordinates."""
    return [*_spin(name, numbers.data, w), *_rotation(name, numbers, q)]


def _spin(name: str, data: FlexibleData, turning: Callable[[], Array]) -> list[str]:
    """Without geometric stiffness a body that spins faster than it vibrates seems unstable."""
    bends = [k for k, kind in enumerate(data.kinds) if kind.startswith(("bending", "mode"))]
    if data.geometric_stiffness != "none" or not bends:
        return []
    w = turning()
    part = np.ix_(bends, bends)
    squares = np.linalg.eigvals(np.linalg.solve(data.M[part], data.K[part])).real
    first, spin = float(np.sqrt(max(squares.min(), 0.0))), float(np.linalg.norm(w, axis=1).max())
    if spin <= first:
        return []
    return [f"{name}: spin {spin:.3g} rad/s exceeds {first:.3g}, its first bending frequency; "
            "geometric stiffness is off"]  # fmt: skip


def _rotation(name: str, numbers: FlexibleNumbers, q: Array) -> list[str]:
    """Shapes are small deformations."""
    most = np.abs(q).max(axis=0, initial=0.0)
    if all((np.abs(f.psi) @ most).sum() <= LARGE_ROTATION for f in numbers.frames.values()):
        return []
    turned = [np.linalg.norm(q @ frame.psi.T, axis=1).max() for frame in numbers.frames.values()]
    largest = max(turned, default=0.0)
    if largest <= LARGE_ROTATION:
        return []
    return [f"{name}: a section turns by {largest:.2g} rad in the floating frame, more than "
            f"{LARGE_ROTATION:g}; its shapes are made for small deformation"]  # fmt: skip


def buckling_rules(
    system: Study, compiled: CompiledEquations, params: Mapping[str, Any] | None
) -> list[OnsetRule]:
    """A rule for every beam that axial forces can make buckle."""
    if not compiled.size.get("buckling"):
        return []
    values = system.code_values(params)
    rules, start = [], 0
    for name, beam in compressible(system.model).items():
        stop = start + 1 + len(beam.frames) + len(ENDS) + len(_moved(values, name))
        held = values.remembered(("column", name), partial(beam_column, name=name))
        rules.append(_rule(compiled, name, held, slice(start, stop)))
        start = stop
    return rules


def beam_column(values: Values, name: str) -> Column:
    """A beam of a model with what holds it."""
    model, value = values.model, values.number
    beam, geometry = compressible(model)[name], values.tables(name).data.geometry
    assert isinstance(geometry, BeamGeometry)
    held = supports(model, name, value)
    return column(geometry, beam_places(beam, value), ENDS, held, _moved(values, name))


def _moved(values: Values, name: str) -> list[tuple[int, int]]:
    """Directions in which coordinates of a beam move its axis, in the order of its loads."""
    found = np.argwhere(values.tables(name).data.masks["s1"])
    return [(int(i), int(a)) for i, a in found]


def _rule(compiled: CompiledEquations, name: str, beam: Column, own: slice) -> OnsetRule:
    def loads(X: Array, p: Array) -> Array:
        return evaluate_function(compiled, "buckling", X, p)[:, own]

    def margin(X: Array, p: Array) -> Array:
        return beam.margins(loads(X, p))

    def describe(x: Array, p: Array) -> str:
        force = beam.largest_compression(loads(x[None], p)[0])
        return f"{name} buckles: its axial force reaches {force:.4g} N"

    return OnsetRule(f"{name}{_SUFFIX}", -1, "falling", False, "", margin, describe)


def buckled_before(events: list[Crossing]) -> str:
    """What a run that failed says about beams that had buckled."""
    found = [c for c in events if isinstance(c.rule, OnsetRule)]
    parts = [
        f"{c.rule.name.removesuffix(_SUFFIX)} had buckled at t = {c.time:.6g} s" for c in found
    ]
    return "; ".join(parts)
