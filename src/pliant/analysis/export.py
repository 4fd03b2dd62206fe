"""Stand-alone source of a system: its equations, its initial state, its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import initial_state
from pliant.backends.request import output_times, setting_numbers
from pliant.errors import UnknownName
from pliant.observe.internal import is_of_section
from pliant.spatial.ops import NUMERIC
from pliant.study import Study

if TYPE_CHECKING:
    from pliant.code.export import Language
    from pliant.formulations.equations import Equations

_STATES = ("constraints", "initial", "tangent", "bodies", "start_states")
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
    from pliant.code.export import source
    from pliant.formulations.loops import scaled_loops

    for name in outputs or ():
        if is_of_section(name):
            raise UnknownName(
                f"export: '{name}' is written only as part of a formula",
                f"give the model an output that reads a component of it (outputs: {{F: {name}.x}}) "
                "and export that",
            )
    settings, number = system.model.settings, setting_numbers(system, params)
    choice = choice or Choice.of(system)
    t_start = number["t_start"] or 0.0
    grid = output_times(t_start, t_end, number, every, None)
    if settings.start == "equilibrium":
        from pliant.backends.expressions.rest import equilibrium_start

        prepared = prepare(system, choice)
        state = equilibrium_start(system, prepared, params, t_start)
    else:
        prepared = prepare(system, choice, functions=_STATES)
        state = initial_state(system, prepared, params, t_start)
    equations = scaled_loops(derive(system, choice, free=True, written=True))
    own = state.p[: equations.p.numel()]  # without modes of conditions, which stand last
    return source(
        equations, language, x0=written_state(system, prepared, equations, state.x), p=own,
        t_end=float(grid[-1]), every=float(grid[1] - grid[0]), name=system.model.name or "model",
        outputs=outputs if outputs is not None else settings.observe or None,
    )  # fmt: skip


def written_state(system: Study, prepared: Program, equations: Equations, x: Array) -> Array:
    """The state x with angles of rotations in place of quaternions, as far as equations have
    them."""
    moving = prepared.compiled.layout.q
    q = {s.name: float(value) for s, value in zip(moving, x[1:], strict=False)}
    for joint in system.model.joints.values():
        own = [q.get(f"{joint.name}.{name}", np.nan) for name in joint.coordinate_names]
        angles = joint.angles_of(NUMERIC, joint.pose(NUMERIC, own).R) if joint.angle_names else ()
        q |= {f"{joint.name}.{n}": a for n, a in zip(joint.angle_names, angles, strict=True)}
    return np.array([x[0], *(q[s.name] for s in equations.layout.q), *x[1 + len(moving) :]])
