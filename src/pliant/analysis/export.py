"""Stand-alone source of a system: its equations, its initial state, its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.internal import known_sections
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import initial_state
from pliant.backends.request import output_times, setting_numbers
from pliant.observe.catalogue import Quantity, SymbolicObservable
from pliant.observe.selection import meant
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

    wanted = outputs if outputs is not None else system.model.settings.observe or None
    system, internal = _with_sections(system, wanted or ())
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
    equations = _named(scaled_loops(derive(system, choice, free=True, written=True)), internal)
    own = state.p[: equations.p.numel()]  # without modes of conditions, which stand last
    return source(
        equations, language, x0=written_state(system, prepared, equations, state.x), p=own,
        t_end=float(grid[-1]), every=float(grid[1] - grid[0]), name=system.model.name or "model",
        outputs=wanted,
    )  # fmt: skip


_Internal = Mapping[str, tuple[Quantity, tuple[str, ...]]]
"""Internal forces by name, with the outputs that read their components."""


def _with_sections(system: Study, wanted: Sequence[str]) -> tuple[Study, _Internal]:
    """The system with outputs for the components of internal forces that are asked for by name or
    by a pattern: equations tell those that formulas read."""
    known = known_sections(system) if wanted else {}
    asked = dict.fromkeys(name for item in wanted for name in meant(known, item))
    if not asked:
        return system, {}
    found: dict[str, tuple[Quantity, tuple[str, ...]]] = {}
    outputs: dict[str, Any] = {}
    taken = {name for _, name, _ in system.model.elements()}
    taken |= {*system.model.parameters, *system.model.outputs, *system.model.formulas}
    for name in asked:
        own = []
        for label in known[name].labels:
            own.append(next(k for k in map("section{}".format, count()) if k not in taken))
            taken.add(own[-1])
            outputs[own[-1]] = f"{name}.{label}"
        found[name] = known[name], tuple(own)
    more = {**system.described.outputs, **outputs}
    return type(system)(system.described, outputs=more), found


def _named(equations: Equations, internal: _Internal) -> Equations:
    """Internal forces under their own names in place of the outputs that read them."""
    observables = dict(equations.told.observables)
    for name, (quantity, outputs) in internal.items():
        parts = [observables.pop(output).expression for output in outputs]
        observables[name] = SymbolicObservable(
            quantity.unit, quantity.owner, quantity.kind, quantity.labels,
            expression=equations.ops.vec(*parts),
        )  # fmt: skip
    return equations.telling(observables=observables)


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
