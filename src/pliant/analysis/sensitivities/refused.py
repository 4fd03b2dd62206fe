"""Requests that have no answer, refused before anything is computed: one message each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pliant.analysis.sensitivities.functionals import SUMS, Functional
from pliant.analysis.sensitivities.parameters import Asked, formula_slopes
from pliant.backends.request import Plan
from pliant.errors import CapabilityError, InputError
from pliant.model.formulas.tree import Call, walk
from pliant.model.frozen import did_you_mean
from pliant.solve.transient.registry import INTEGRATORS
from pliant.study import Study

METHODS = ("auto", "forward", "adjoint")
"""Columns forward, rows backward."""
OPTIONS = {"rtol": None, "atol": None, "every": None, "integrator": "auto", "formulation": None,
            "tree": None, "cut": ()}  # fmt: skip
CURE = "put the condition into a force or a network, or write it smoothly"
"""What helps where a sum jumps."""


def refuse_options(method: str, options: Mapping[str, Any]) -> None:
    """What sensitivities do not take."""
    if method not in METHODS:
        cure = did_you_mean(method, METHODS) or f"known: {', '.join(METHODS)}"
        raise InputError(f"method: '{method}' is unknown", f"{cure} (integrator= names how the "
                         "motion is computed)")  # fmt: skip
    integrator = INTEGRATORS.get(options.get("integrator", ""))
    if integrator is not None and not integrator.adaptive:
        raise InputError(f"integrator: '{options['integrator']}' has fixed steps, and no motion "
                         "to rtol", "take auto, dop853 or radau")  # fmt: skip
    for name in options:
        if name not in OPTIONS:
            cure = did_you_mean(name, OPTIONS) or f"known: {', '.join(OPTIONS)}"
            raise InputError(f"sensitivities take no option '{name}'", cure)


def refuse_start(plan: Plan) -> None:
    """A start that is not an assembled one."""
    if plan.at_rest:
        raise CapabilityError("start: equilibrium: derivatives are taken of motions from the "
                              "initial state; take simulate: {start: undeformed}")  # fmt: skip


def refuse_jumping_sums(study: Study, functionals: Sequence[Functional]) -> None:
    """Sums of formulas that jump by themselves: no step ends there."""
    known = {**study.model.formulas, **study.model.outputs}
    for f in functionals:
        named = known.get(f.scalar.owner) if f.scalar and f.taken in SUMS else None
        own = named.formula if named is not None else None
        calls = [n.function for n in walk(own.tree) if isinstance(n, Call)] if own else []
        jumps = next((name for name in calls if name in _JUMPING), None)
        if own is not None and jumps is not None:
            raise CapabilityError(
                f"'{f.text}': {jumps} in the formula '{own}' may jump where no step ends: its sum "
                f"has a derivative that is not told; {CURE}"
            )


_JUMPING = ("piecewise", "sign", "floor", "mod")
"""Functions with jumps; those with kinks only change sums smoothly."""


def refuse_moving_start(study: Study, plan: Plan, asked: Asked) -> None:
    """A time of start that follows from a parameter."""
    begin = study.model.settings.t_start
    if begin is None or not begin.names:
        return
    slopes = formula_slopes(study, asked, plan.params, begin)
    moving = [name for name, slope in zip(asked.names, slopes, strict=True) if slope]
    if moving:
        raise CapabilityError(f"'{moving[0]}': the motion starts at t_start = {begin}, which moves "
                              "with it; give t_start as a number")  # fmt: skip
