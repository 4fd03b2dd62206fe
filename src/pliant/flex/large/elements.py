"""The elements of a beam of large rotation: elastic, and of the large-rotation theory with mass."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from pliant.flex.large.numbers import MASS, BeamNumbers
from pliant.model.forces.beam_element import (
    BeamElement,
    DirectorElement,
    DirectorMass,
    DirectorWeight,
    ExactElement,
    NodeElement,
)
from pliant.model.forces.director_element import director_points, director_rule, directors
from pliant.model.forces.director_inertia import mass_rule
from pliant.model.forces.exact_element import exact_rule, exact_strains
from pliant.model.formulas import Formula, formula
from pliant.spatial.interpolation import Interpolation
from pliant.spatial.ops import NUMERIC

Strains = tuple[tuple[Formula, ...], ...]
_EXACT = ("GJ", "EIy", "EIz", "EA", "GAy", "GAz")
_DIRECTOR = ("EA", "EIy", "EIz", "GAy", "GAz", "GJ")


def elements_of(
    numbers: BeamNumbers, e: int, member: range, gravity: tuple[Formula, ...]
) -> tuple[NodeElement, ...]:
    """Element e, with its inertia and weight where they are not lumped in its nodes."""
    elastic = _elastic(numbers, e, member)
    if numbers.beam.theory.kind == "exact":
        return (elastic,)
    return (elastic, *_masses(numbers, e, member, gravity))


def _elastic(numbers: BeamNumbers, e: int, member: range) -> BeamElement:
    beam = numbers.beam
    own = _between(numbers, e, member)
    own |= {"damping": None if beam.damping is None else beam.damping.values[-1]}
    if beam.theory.kind == "exact":
        rule = exact_rule(len(member) - 1)
        return ExactElement(f"{beam.name}:e{e}", **own, stiffness=numbers.section(_EXACT, e, rule),
                            free=_exact_strains(numbers, e, rule))  # fmt: skip
    rule = director_rule(len(member))
    return DirectorElement(
        f"{beam.name}:e{e}", **own, stiffness=numbers.section(_DIRECTOR, e, rule),
        free=_director_strains(numbers, e, rule),
    )  # fmt: skip


def _between(numbers: BeamNumbers, e: int, member: range) -> dict[str, Any]:
    """Frames and length of an element."""
    span = int(np.searchsorted(np.cumsum(numbers.mesh.counts), e, side="right"))
    return {
        "frames": numbers.references(e, member),
        "length": numbers.number(f"h{span}", float(numbers.lengths[e])),
    }


def _masses(
    numbers: BeamNumbers, e: int, member: range, gravity: tuple[Formula, ...]
) -> list[NodeElement]:
    """Inertia and, where there is gravity, weight of a large-rotation element."""
    name, own = numbers.beam.name, _between(numbers, e, member)
    mass = numbers.section(MASS, e, mass_rule(len(member)))
    found: list[NodeElement] = [DirectorMass(f"{name}:m{e}", **own, mass=mass)]
    if any(not f.is_constant or f.value for f in gravity):
        rhoA = tuple(point[0] for point in mass)
        found.append(DirectorWeight(f"{name}:w{e}", **own, mass=rhoA, gravity=gravity))
    return found


def _exact_strains(numbers: BeamNumbers, e: int, rule: Interpolation) -> Strains:
    """Strains of the stress-free element: given by the curvature, or those of its nodes."""
    if numbers.axis.uniform:
        kappa: Sequence[Any] = numbers.beam.curvature or (0, 0, 0)
        return (tuple(formula(f) for f in (*kappa, 1, 0, 0)),) * len(rule.points)
    strains = exact_strains(NUMERIC, float(numbers.lengths[e]), numbers.members(e))
    return tuple(numbers.numbers(f"g{e}_{k}_", [*s.real, *s.dual]) for k, s in enumerate(strains))


def _director_strains(numbers: BeamNumbers, e: int, rule: Interpolation) -> Strains:
    """Strains of the stress-free nodes; of a straight element none."""
    if numbers.axis.uniform and numbers.beam.curvature is None:
        return ((formula(0.0),) * 6,) * len(rule.points)
    own = [directors(SimpleNamespace(R_WP=X.R, p_WP=X.p)) for X in numbers.members(e)]
    points = director_points(rule, float(numbers.lengths[e]), own)
    return tuple(
        numbers.numbers(f"g{e}_{k}_", point.strains(NUMERIC)) for k, point in enumerate(points)
    )
