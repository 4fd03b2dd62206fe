"""Why a run without expressions cannot go on: its formulas are worked out with recorded numbers.

Kernels of trees and systems of blocks have no equations that could be looked at as a whole. Their
laws are formulas of the model; the values of the names they read are known at the last state, and
shortly after it by their rates.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from pliant.errors import PliantError
from pliant.model.fields import kinds_of
from pliant.model.forces import JointSpring, Spring
from pliant.model.formulas import Formula
from pliant.model.formulas.undefined import why_undefined
from pliant.model.model import Model
from pliant.model.whose import titled

AHEAD = (0.0, 1e-12, 1e-9, 1e-6, 1e-4)
"""Parts of the elapsed time to look ahead."""
Look = Callable[[str, float], float]
"""Value of a name so many seconds after the last state; raises UnknownName."""


def numeric_cause(model: Model, look: Look, times: Iterable[float]) -> str:
    """The first law without a finite value at one of some times after the last state, by its
    element and formula; empty if there is none."""
    laws = list(_laws(model))
    with np.errstate(all="ignore"):
        for h in times:
            for owner, formula, own in laws:
                with contextlib.suppress(PliantError, KeyError, ArithmeticError):
                    values = {n: look(own.get(n, n), h) for n in formula.names}
                    if why := why_undefined(formula, values):
                        return f"{owner}: {why}{whole_formula(formula, why)}"
    return ""


def whole_formula(formula: Formula, why: str) -> str:
    """The whole formula, unless it has been written already."""
    return "" if why.endswith(f" in {formula.text}") else f" (formula {formula.text})"


def _laws(model: Model) -> Iterator[tuple[str, Formula, Mapping[str, str]]]:
    """Formulas that read something, with their elements and what their own variables are."""
    elements: dict[str, Any] = {**model.forces, **model.drivers, **model.events}
    for name, element in elements.items():
        own = _variables(model, name, element)
        for key, kind in kinds_of(element).items():
            value = getattr(element, key)
            for _, formula, _ in kind.formulas(value) if value is not None else ():
                if formula.names:
                    yield titled(model, name), formula, own
    yield from ((f"output '{n}'", f, {}) for n, f in model.outputs.items())


def _variables(model: Model, name: str, element: Any) -> dict[str, str]:
    """x and v of laws of springs."""
    if isinstance(element, Spring):
        return {"x": f"{name}.elongation", "v": f"{name}.rate"}
    if isinstance(element, JointSpring) and element.joint in model.joints:
        scalars = model.joints[element.joint].scalars
        c = next((c for c in scalars if element.coordinate in (None, c.name)), None)
        return {} if c is None else {"x": f"{element.joint}.{c.name}",
                                     "v": f"{element.joint}.{c.rate}"}  # fmt: skip
    return {}
