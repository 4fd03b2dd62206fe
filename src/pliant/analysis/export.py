"""Stand-alone source of a system: its equations, its initial state, its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import initial_state, prepare
from pliant.backends.request import output_times, setting_numbers
from pliant.study import Study

if TYPE_CHECKING:
    from pliant.equations.export import Language

_STATES = ("C", "I", "T", "P", "X")
"""What assembly needs."""


def exported(
    system: Study,
    language: Language,
    *,
    choice: Choice | None = None,
    t_end: float | None = None,
    every: float | None = None,
    params: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
) -> str:
    """One self-contained source file in ``"c"``, ``"fortran"`` or ``"python"``.

    What is not given is taken from the ``simulate`` section of the model, as by
    ``System.simulate``.
    """
    from pliant.equations.export import source
    from pliant.equations.loops import scaled_loops

    settings, number = system.model.settings, setting_numbers(system, params)
    choice = choice or Choice.of(system)
    t_start = number["t_start"] or 0.0
    grid = output_times(t_start, t_end, number, every, None)
    if settings.start == "equilibrium":
        from pliant.backends.expressions.rest import equilibrium_start

        state = equilibrium_start(system, prepare(system, choice), params, t_start)
    else:
        state = initial_state(system, prepare(system, choice, functions=_STATES), params, t_start)
    equations = scaled_loops(derive(system, choice, free=True))
    own = state.p[: equations.p.numel()]  # without modes of conditions, which stand last
    return source(
        equations, language, x0=state.x, p=own,
        t_end=float(grid[-1]), every=float(grid[1] - grid[0]), name=system.model.name or "model",
        outputs=outputs if outputs is not None else settings.observe or None,
    )  # fmt: skip
