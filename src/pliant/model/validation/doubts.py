"""Doubts: what is allowed, but seldom meant."""

from __future__ import annotations

from collections.abc import Iterator

from pliant.errors import Fault
from pliant.model.fields import kinds_of
from pliant.model.model import SECTIONS, Model
from pliant.model.validation.context import Context

_USUALLY_POSITIVE = ("stiffness", "damping", "coulomb", "viscous", "free_length")


def doubts_of(model: Model) -> Iterator[Fault]:
    """Negative stiffness, damping and friction: physics allows them, users seldom mean them."""
    context = Context.of(model)
    for name, element in model.forces.items():
        for key, kind in kinds_of(element).items():
            if key not in _USUALLY_POSITIVE:
                continue
            for label, f, _ in kind.formulas(getattr(element, key)):
                value = context.number(f)
                if value is not None and value < 0:
                    who = f"{SECTIONS['forces']} '{name}'"
                    what = f"{key}{label} is negative, {value:g}"
                    yield Fault(who, what, "check its sign", path=("forces", name, key))
