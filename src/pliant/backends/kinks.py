"""What a run says about conditions in formulas: where steps do not end at them, where one slides.

Conditions are found, held and switched in the equations (``pliant.code.conditions``) by the
adaptive methods. Methods with fixed steps, the kernel of large trees and the solver of blocks take
laws as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.model.formulas.functions import KINKED
from pliant.model.formulas.tree import Call, walk
from pliant.model.model import Model
from pliant.solve.motion.run import Trajectory
from pliant.solve.transient.registry import INTEGRATORS

if TYPE_CHECKING:
    from pliant.study import Study

_ACTING = ("forces", "drivers", "constraints", "outputs", "speeds", "gravity")
"""Sections whose formulas make the motion (outputs, since forces may read them)."""

_KNOWN: WeakKeyDictionary[Study, tuple[str, ...]] = WeakKeyDictionary()


def kinked(system: Study) -> tuple[str, ...]:
    """Who has a formula with a condition on something that moves, or with corners of a signal."""
    if system not in _KNOWN:
        _KNOWN[system] = tuple(dict.fromkeys(_kinked(system.model)))
    return _KNOWN[system]


def _kinked(model: Model) -> Iterator[str]:
    still = set(model.parameters)
    lines = {name for name, s in model.signals.items() if s.interpolation == "linear"}
    for who, path, _, formula, _ in model.each_formula():
        if path[0] not in _ACTING or not formula.names - still:
            continue
        calls = (n for n in walk(formula.tree) if isinstance(n, Call))
        if formula.names & lines or any(c.function in KINKED for c in calls):
            yield who
    yield from (f"force '{name}'" for name, force in model.forces.items() if force.switches)


def remarks_of_laws(system: Study, method: str, others: Sequence[str] = ()) -> tuple[str, ...]:
    """For what takes laws as they are written. ``others``: what has conditions if no element of the
    mechanism is to be named."""
    names = kinked(system) or tuple(others)
    if not names:
        return ()
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return (
        f"{names[0]}{more}: its formula has conditions (piecewise, min, max, abs, table, ...) or "
        f"corners of signals, and {method} does not end steps where they change: errors there are "
        "of the size of a step; take short steps, or auto, dop853 or radau with a formulation",
    )


def remarks_of_run(
    system: Study, compiled: CompiledEquations, method: str, data: Trajectory
) -> tuple[str, ...]:
    """For an integration of equations."""
    others = [f"the condition '{guard}'" for guard in compiled.guards]
    others += ["a linear signal" for s in compiled.signals if s.corners]
    if others and not INTEGRATORS[method].adaptive:
        return remarks_of_laws(system, f"method '{method}' (fixed steps)", others)
    slid = sliding(compiled, data.p_end) if compiled.guards else ""
    return (f"{slid}; its law was smoothed over that width there",) if slid else ()


def sliding(compiled: CompiledEquations, p: Array) -> str:
    """Conditions that slid along zero, and the width they are smoothed over; empty if none did."""
    n = len(compiled.guards)
    widths = p[len(p) - n :]
    found = [f"'{compiled.guards[k]}' (width {widths[k]:.2g})" for k in np.flatnonzero(widths)]
    if not found:
        return ""
    what = "the condition" if len(found) == 1 else "the conditions"
    return f"{what} {', '.join(found)} changed back at once from both sides"


def why_stopped(compiled: CompiledEquations, p: Array) -> str:
    """Why a run with a sliding condition may have stopped."""
    slid = sliding(compiled, p)
    cure = "a stiff motion; use auto or radau, or write tanh(v/v0) for sign(v)"
    return f"{slid}: {cure}" if slid else ""
