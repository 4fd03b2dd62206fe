"""Equations as a stand-alone program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pliant.analysis.choice import Choice
from pliant.analysis.prepare import derive, initial_state, prepare, selected
from pliant.analysis.simulate import setting_numbers
from pliant.errors import InputError
from pliant.solve.dynamics import dense_dynamics

if TYPE_CHECKING:
    from pliant.system import System

_FUNCTIONS = ("F", "C", "I", "T", "P", "X", "S", "U")


def source(
    system: System, language: str, choice: Choice, params: Mapping[str, Any] | None,
    outputs: Sequence[str] | None,
) -> str:  # fmt: skip
    """The program, starting where the model starts and running as its ``simulate`` says."""
    from pliant.equations.export import LANGUAGES
    from pliant.equations.export import source as written

    if language not in LANGUAGES:
        raise InputError(f"unknown language '{language}'", f"use {', '.join(LANGUAGES)}")
    numbers = setting_numbers(system, params)
    t_end = numbers["t_end"] or 1.0
    equations = derive(system, choice)
    prepared = prepare(system, choice, observe=(), functions=_FUNCTIONS)
    state = initial_state(system, prepared, params, numbers["t_start"] or 0.0)
    x0 = dense_dynamics(prepared.compiled, p=state.p, implicit=False).consistent(state.x, state.p)
    asked = outputs if outputs is not None else (system.model.settings.observe or None)
    names = None if asked is None else selected(equations.observables, asked)
    return written(
        equations, language, x0=x0,  # type: ignore[arg-type]
        p=state.p, t_end=t_end,
        every=numbers["every"] or t_end / 100, name=system.model.name, outputs=names,
    )  # fmt: skip
