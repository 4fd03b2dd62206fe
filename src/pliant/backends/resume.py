"""Runs that go on from the end of an earlier one, possibly in a changed model.

Bodies keep their poses and velocities. What other joints, drivers or constraints do not allow ends
by an impulse (``backends.expressions.impact``), and the result says what was lost; poses in which
they do not hold are refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.expressions.prepare import Program
from pliant.backends.expressions.start import InitialState, body_motion, parameters, state_of
from pliant.errors import InputError, StartError
from pliant.mechanics.layout import PoseAndTwist
from pliant.mechanics.placed import Placed
from pliant.records import dataclass
from pliant.results import Result
from pliant.solve.start.assembly import Assembler

if TYPE_CHECKING:
    from pliant.study import Study

_OPEN = 1e-6
"""Gaps beyond that, in radians or sizes of the model, are no drift of the earlier run."""
JUMP = 1e-6
"""Likewise of rates, over the largest rate of a body."""


@dataclass(frozen=True, slots=True)
class State:
    """A state that every back end can end and begin in: the motion of bodies with their elastic
    coordinates; ``q``: coordinates of joints by name, which tell their turns; ``x``: states of
    networks and drivers by name."""

    t: float
    bodies: Mapping[str, PoseAndTwist]
    q: Mapping[str, float]
    x: Mapping[str, float]

    @property
    def text(self) -> str:
        """As results keep it."""
        bodies = {
            name: np.concatenate([m.R_WB.ravel(), m.p_WB, m.v_WB, m.w_WB, m.elastic,
                                  m.elastic_rates]).tolist()
            for name, m in self.bodies.items()
        }  # fmt: skip
        return json.dumps({"t": self.t, "bodies": bodies, "q": {**self.q}, "x": {**self.x}})

    @classmethod
    def read(cls, text: str) -> State:
        """The inverse of ``text``."""
        saved = json.loads(text)
        bodies = {
            name: PoseAndTwist(
                np.array(v[:9]).reshape(3, 3),
                *np.array(v[9:18]).reshape(3, 3),
                *np.array(v[18:]).reshape(2, -1),
            )
            for name, v in saved["bodies"].items()
        }
        return cls(float(saved["t"]), bodies, saved["q"], saved["x"])

    def of(self, names: Iterable[str]) -> State:
        """Itself, if its bodies are those of the model."""
        if set(self.bodies) != set(names):
            raise InputError("start: this result is of another model", "its bodies differ")
        return self


def saved_state(start: Result) -> State:
    """The state an earlier result ended in."""
    text = start.info.get("end_state")
    if not text:
        raise InputError("start: this result holds no state to continue from", "save it as .nc")
    return State.read(text)


def nearest_turn(angle: float, near: float) -> float:
    """The angle on the turn that is nearest to another one."""
    return angle + 2 * np.pi * float(np.round((near - angle) / (2 * np.pi)))


def state_at(prepared: Program, x: Array, p: Array, angles: Array | None = None) -> State:
    """The state of expressions at a packed x; ``angles``: wrapped ones, on their turns."""
    c = prepared.compiled
    q = {s.name: float(x[1 + k]) for k, s in enumerate(c.layout.q)}
    if angles is not None:
        q |= dict(zip(c.wrapped, map(float, angles), strict=True))
    xs = {s.name: float(x[1 + c.nq + c.nu + k]) for k, s in enumerate(c.layout.x)}
    return State(float(x[0]), body_motion(prepared, x[: c.x_size].copy(), p), q, xs)


def fits(system: Study, params: Mapping[str, Any] | None, saved: State) -> bool:
    """Whether all joints hold at the end of an earlier result, in position and velocity."""
    values = system.values(params)
    bodies = saved.of(system.model.bodies).bodies
    largest = _largest_rate(bodies, values.size)
    sizes = [gap.sizes(values.size) for gap in Placed(values, bodies).gaps().values()]
    return all(gap <= _OPEN and rate <= JUMP * largest for gap, rate in sizes)


def _largest_rate(bodies: Mapping[str, PoseAndTwist], size: float) -> float:
    """In radians or sizes of the model per second."""
    rates = [max(np.abs(m.v_WB).max() / size, np.abs(m.w_WB).max()) for m in bodies.values()]
    return max(1e-9, float(max(rates, default=0.0)))


def resumed(
    system: Study, prepared: Program, params: Mapping[str, Any] | None, saved: State
) -> InitialState:
    """The end of an earlier result as the start of this model."""
    c = prepared.compiled
    bodies = saved.of(c.bodies).bodies
    p = parameters(system, prepared, params)
    near = np.array([saved.q.get(s.name, 0.0) for s in c.layout.q])
    x = state_of(prepared, p, saved.t, bodies, saved.x, near)
    resumption = _Resumption(system, prepared, params, saved)
    resumption.refuse_open(x, p)
    stopped = resumption.stopped(x, p)
    if not stopped:
        return InitialState(p, x, ())
    return resumption.after_impact(p, near, stopped)


class _Resumption:
    """What becomes of a motion in a model whose joints it may not fit."""

    def __init__(
        self, system: Study, prepared: Program, params: Mapping[str, Any] | None,
        saved: State,
    ) -> None:  # fmt: skip
        self.system, self.prepared, self.params, self.saved = system, prepared, params, saved
        values = system.values(params)
        self.size, self.found = values.size, Placed(values, saved.bodies).gaps()
        self.gaps = {name: gap.sizes(self.size) for name, gap in self.found.items()}

    def _rows(self, x: Array, p: Array) -> tuple[dict[str, float], dict[str, float]]:
        """Gaps of constraint rows by owner, and of their rates."""
        c = self.prepared.compiled
        solver = Assembler(c, p, float(x[0]), self.size)
        g, cv, _ = solver.constraints(x)
        kept = solver.rows_without_states(x)
        found: tuple[dict[str, float], dict[str, float]] = ({}, {})
        for k, row in enumerate(c.layout.rows):
            for level, column in enumerate((g, cv)):
                if k < len(column) and (kept[k] or level == 0):
                    size = abs(float(column[k])) * solver.rows[k]
                    found[level][row.owner] = max(found[level].get(row.owner, 0.0), size)
        return found

    def refuse_open(self, x: Array, p: Array) -> None:
        """Raise StartError if joints, drivers or constraints do not hold in these poses."""
        gaps = {name: gap for name, (gap, _) in self.gaps.items()}
        gaps = {**self._rows(x, p)[0], **gaps}
        texts = {name: gap.text() for name, gap in self.found.items()}
        named = [f"'{name}' ({texts.get(name, f'gap {gap:.3g}')})"
                 for name, gap in gaps.items() if gap > _OPEN]  # fmt: skip
        if named:
            raise StartError(
                f"start: where the earlier run ended, {', '.join(named)} of this model does not "
                "hold; begin where it does, or let the model start anew"
            )

    def stopped(self, x: Array, p: Array) -> list[str]:
        """Joints, drivers and constraints that the motion contradicts."""
        largest = _largest_rate(self.saved.bodies, self.size)
        rates = {name: rate for name, (_, rate) in self.gaps.items()}
        rates = {**self._rows(x, p)[1], **rates}
        return [name for name, rate in rates.items() if rate > JUMP * largest]

    def after_impact(self, p: Array, near: Array, stopped: list[str]) -> InitialState:
        """The motion that the impulse leaves, and what was lost, or StartError."""
        from pliant.backends.expressions.impact import after_impact

        names = ", ".join(f"'{name}'" for name in stopped)
        if self.system.model.settings.assemble == "strict":
            raise StartError(f"start: {names} of this model contradict the velocities at the end "
                             "of the earlier run")  # fmt: skip
        bodies, before, after = after_impact(
            self.system, self.params, self.saved.t, self.saved.bodies, self.saved.x
        )
        x = state_of(self.prepared, p, self.saved.t, bodies, self.saved.x, near)
        remark = (
            f"start: {names} of this model stop motion of the earlier run by an impulse; momentum "
            f"is kept, kinetic energy goes from {before:.6g} J to {after:.6g} J, "
            f"{before - after:.4g} J are lost"
        )
        return InitialState(p, x, (remark,))
