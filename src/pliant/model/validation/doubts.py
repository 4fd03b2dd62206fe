"""Doubts: what is allowed, but seldom meant."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.errors import Fault
from pliant.model.fields import kinds_of
from pliant.model.model import SECTIONS
from pliant.model.validation.angles import angle_doubts
from pliant.model.validation.context import Context
from pliant.model.validation.masses import insisted_inertias

_USUALLY_POSITIVE = ("stiffness", "damping", "coulomb", "viscous", "free_length")


def sign_doubts(context: Context) -> Iterator[Fault]:
    """Negative stiffness, damping and friction."""
    for name, element in context.model.forces.items():
        for key, kind in kinds_of(element).items():
            if key not in _USUALLY_POSITIVE:
                continue
            for label, f, _ in kind.formulas(getattr(element, key)):
                value = context.number(f)
                if value is not None and value < 0:
                    who = f"{SECTIONS['forces']} '{name}'"
                    what = f"{key}{label} is negative, {value:g}"
                    yield Fault(who, what, "check its sign", path=("forces", name, key))


DOUBTS = (insisted_inertias, angle_doubts, sign_doubts)
"""Physics allows them, users seldom mean them: inertias that no body has, if a model insists on
them, angles of many turns without unit, negative stiffness, damping and friction."""
