"""A mechanism in numbers: what holds it, how it can move, and where that puts its bodies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.start import body_motion, initial_state
from pliant.formulations.derivation.given import NEUTRAL, UNLOADED
from pliant.mechanics.layout import PoseAndTwist
from pliant.mechanics.placed import Placed
from pliant.model.joints import Joint
from pliant.solve.start.assembly import Assembler
from pliant.spatial.ops import NUMERIC
from pliant.study import Study

_UNLOADED_AT_START = 1e-9
Coordinates = dict[str, dict[str, float]]


class Linkage:
    """Everything is measured in the size of the model: residuals, and speeds along ``columns``.

    Springs in place of joints and elastic bodies stay without load, if they are at the start.
    """

    def __init__(self, system: Study, params: Mapping[str, Any] | None = None) -> None:
        self.system, self.named = system.with_numbers(params or {})
        self.model = self.system.model
        self.program = prepare(self.system, functions=STATES, interpret=True)
        self.values = self.system.values(self.named)
        begin = self.values.number(self.model.settings.t_start)
        state = initial_state(self.system, self.program, self.named, begin)
        self.c, self.p = self.program.compiled, state.p
        self.size = self.program.state_from.size(self.p)
        self.solver = Assembler(self.c, self.p, begin, self.size)
        self.start: Array = state.x[1 : 1 + self.c.nq].copy()
        self.held = self._held_ranks()

    def _held_ranks(self) -> tuple[int, ...]:
        wishes = self.solver.wishes(self.solver.packed(self.start), "position")
        if len(wishes) <= UNLOADED:
            return ()
        loaded = float(np.abs(wishes[UNLOADED][1]).max(initial=0.0))
        return (UNLOADED,) if loaded < _UNLOADED_AT_START else ()

    @cached_property
    def joints(self) -> dict[str, Joint]:
        """Joints with coordinates, in numbers."""
        own = self.model.joints.items()
        return {n: j.evaluated(self.values.number) for n, j in own if j.in_tree and j.nu}

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """Rows of ``likely`` by the joint they speak of."""
        names = self.c.wishes[NEUTRAL][0] if len(self.c.wishes) > NEUTRAL else ()
        found: dict[str, list[int]] = {}
        for k, (name, _) in enumerate(names):
            found.setdefault(name, []).append(k)
        return found

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where coordinates stand in q."""
        return {s.name: k for k, s in enumerate(self.c.layout.q)}

    @cached_property
    def unit(self) -> Mapping[tuple[str, str], str]:
        """Units of scalar coordinates."""
        return {(n, s.name): s.unit for n, j in self.joints.items() for s in j.scalars}

    def holding(self, q: Array) -> Array:
        """Rows that hold the mechanism: their derivatives along the speeds."""
        x = self.solver.packed(q)
        return self.solver.holding(x, self.held, self.solver.wishes(x, "position"))[0]

    def joint_rows(self, q: Array) -> Array:
        """Derivatives of the coordinates of all joints along the speeds, row by row."""
        wishes = self.solver.wishes(self.solver.packed(q), "position")
        return wishes[NEUTRAL][0] if len(wishes) > NEUTRAL else np.zeros((0, self.c.nu))

    def body_rows(self, q: Array) -> Array:
        """Velocity and angular velocity of every body for each unit speed: bodies x 6 x speeds."""
        c, x = self.c, self.solver.packed(q)
        first = 1 + c.nq
        drift = c.call("bodies", x, self.p).reshape(-1, 18)[:, 12:]
        found = np.zeros((len(drift), 6, c.nu))
        for k in range(c.nu):
            x[first + k] = self.solver.columns[k]
            found[:, :, k] = c.call("bodies", x, self.p).reshape(-1, 18)[:, 12:] - drift
            x[first + k] = 0.0
        return found

    def moved(self, q: Array, step: Array) -> Array:
        """q along a step of scaled speeds."""
        return self.solver.moved(q, step * self.solver.columns)

    def closed(self, q: Array) -> Array | None:
        """q onto what holds the mechanism, by the smallest change; None: not from here."""
        return self.solver.closed(q, self.held)

    def gap(self, q: Array) -> float:
        """By how much the constraints are missed, in m and rad."""
        g = self.solver.constraints(self.solver.packed(q))[0]
        return float(np.abs(g).max(initial=0.0))

    def bodies(self, q: Array) -> dict[str, PoseAndTwist]:
        """Where all bodies are."""
        return body_motion(self.program, self.solver.packed(q), self.p)

    def coordinates(self, q: Array, last: Coordinates | None = None) -> Coordinates:
        """Coordinates of all joints as their file names them; angles nearest to the ``last``."""
        placed, found = Placed(self.values, self.bodies(q)), dict[str, dict[str, float]]()
        for name, joint in self.joints.items():
            X, _ = placed.across(joint)
            if joint.told_set is not None:
                moved = [X.p[k] for k, n in enumerate("xyz") if n in joint.told_names]
                told = [*moved, *joint.told_set.of_matrix(NUMERIC, X.R)]
                found[name] = dict(zip(joint.told_names, map(float, told), strict=True))
                continue
            seen = np.asarray(joint.coordinates_of(NUMERIC, X), dtype=float)
            found[name] = {
                s.name: self._scalar(q, name, s, float(value), (last or {}).get(name))
                for s, value in zip(joint.scalars, seen, strict=True)
            }
        return found

    def _scalar(
        self, q: Array, joint: str, scalar: Any, seen: float, last: Mapping[str, float] | None
    ) -> float:
        """One coordinate: its own if it has one, else as the pose tells it."""
        own = self._places.get(f"{joint}.{scalar.name}")
        if own is not None:
            return float(q[own])
        if not scalar.wraps or last is None:
            return seen
        return seen + 2 * np.pi * round((last[scalar.name] - seen) / (2 * np.pi))
