"""Rows of constraints: rolling, skates, formulas of velocities, relations of positions.

Rows with g are the rates of it; the others are not the derivative of anything (non-holonomic).

Formulas that read velocities are linear in them:

    f = sum_k c_k(q, t) v_k + b(q, t)

v_k: rates of joints, components of the velocity or angular velocity of frames. Relations of
positions p_k, with v_k = p_k', have c_k = df/dp_k and b = df/dt.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import ConstraintRows, Reaction, push_along
from pliant.model.constraints import Held, Holding
from pliant.model.constraints.couplings import positions_read
from pliant.model.forces.action import Load
from pliant.model.formulas import Formula
from pliant.model.frames import COMPONENTS, VELOCITIES
from pliant.model.joints import Joint
from pliant.records import dataclass


def constraint_rows(motion: SystemMotion) -> Iterator[ConstraintRows]:
    """Rows of all constraints of a model."""
    for element in motion.model.constraints.values():
        if element.formula is not None:
            reading = read(motion, element.formula)
            react = partial(reading.reaction, motion)
            yield ConstraintRows(element.name, element.row_names, ("",), None, reading.value, react)
            continue
        relation = element.relation(motion.model)
        if relation is not None:
            yield related(motion, element, relation)
            continue
        for held in element.hold(motion):
            yield ConstraintRows(element.name, held.names, held.units, held.positions,
                                 held.velocities, partial(_pushed, held),
                                 outputs=held.outputs)  # fmt: skip


def _pushed(held: Held, lam: Any) -> Reaction:
    return Reaction(held.push(lam))


@dataclass(frozen=True, slots=True)
class Reading:
    """A formula that is linear in velocities: its value, and c_k of each of their names."""

    value: Any
    names: tuple[str, ...]
    coefficients: tuple[Any, ...]

    def reaction(self, motion: SystemMotion, multipliers: Any) -> Reaction:
        """What its multiplier does: c_k lam along each velocity."""
        lam = multipliers[0]
        loads: list[Load] = []
        efforts: list[tuple[int, Any]] = []
        for name, c in zip(self.names, self.coefficients, strict=True):
            place = rate_place(motion, name)
            told = told_rate(motion, name)
            if place is not None:
                efforts.append((place, c * lam))
            elif told is not None:
                loads += push_along(motion, *told, c * lam)
            else:
                loads.append(_load(motion, name, c * lam))
        return Reaction(tuple(loads), tuple(efforts), lam)


def read(motion: SystemMotion, formula: Formula) -> Reading:
    """A formula with its coefficients."""
    ops = motion.ops
    names = tuple(sorted(n for n in formula.names if is_velocity(motion, n)))
    held = ops.symbols([f"read.{n}" for n in names])
    local = {n: held[k] for k, n in enumerate(names)}
    value = ops.full(motion.values.evaluate(formula, lambda n: local.get(n) if n in local
                                            else motion.look_up(n)))  # fmt: skip
    slopes = ops.full(ops.jacobian(value, held)) if names else ops.zeros(1, 0)
    now = ops.stack([motion.look_up(n) for n in names]) if names else held
    parts = [value, *(slopes[0, k] for k in range(len(names)))]
    found = ops.substitute(parts, held, now) if names else parts
    return Reading(found[0], names, tuple(found[1:]))


def related(motion: SystemMotion, element: Holding, relation: Formula) -> ConstraintRows:
    """The row of a relation f(p, t) = 0 of positions."""
    ops = motion.ops
    read = positions_read(motion.model, relation)
    held = ops.symbols([f"read.{p.name}" for p in read])
    local = {p.name: held[k] for k, p in enumerate(read)}
    value = ops.full(motion.values.evaluate(relation, lambda n: local.get(n) if n in local
                                            else motion.look_up(n)))  # fmt: skip
    slopes = ops.full(ops.jacobian(value, held))
    parts = [value, ops.full(motion.values.time_derivative(value)),
             *(slopes[0, k] for k in range(len(read)))]  # fmt: skip
    now = ops.stack([motion.look_up(p.name) for p in read])
    g, drift, *slopes_now = ops.substitute(parts, held, now)
    cv = drift + sum(c * motion.look_up(p.rate) for c, p in zip(slopes_now, read, strict=True))
    react = partial(Reading(cv, tuple(p.rate for p in read), tuple(slopes_now)).reaction, motion)
    unit = element.unit(motion.model)
    return ConstraintRows(element.name, element.row_names, (unit,), g, cv, react)


def is_velocity(motion: SystemMotion, name: str) -> bool:
    """Whether a name is that of a velocity."""
    parts = name.split(".")
    framed = len(parts) > 2 and parts[-1] in COMPONENTS and parts[-2] in VELOCITIES
    return framed or rate_place(motion, name) is not None or told_rate(motion, name) is not None


def told_rate(motion: SystemMotion, name: str) -> tuple[Joint, str] | None:
    """The joint, and what its pose tells whose rate has this name."""
    owner, _, quantity = name.partition(".")
    joint = motion.model.joints.get(owner)
    own = (c.name for c in (joint.measured if joint else ()) if c.rate == quantity)
    told = next(own, None)
    return None if joint is None or told is None else (joint, told)


def rate_place(motion: SystemMotion, name: str) -> int | None:
    """Where the rate of a joint stands among all of them; None if the name is no such rate."""
    owner, _, quantity = name.partition(".")
    state = motion.joints.get(owner)
    if state is None or quantity not in state.joint.rate_names:
        return None
    return state.start + state.joint.rate_names.index(quantity)


def _load(motion: SystemMotion, name: str, effort: Any) -> Load:
    """The force or torque whose power is effort times the velocity."""
    reference, kind, component = name.rsplit(".", 2)
    ops = motion.ops
    direction = ops.const(np.eye(3)[COMPONENTS.index(component)])
    if kind.startswith("own_"):
        direction = motion.frame(reference).R_WP @ direction
    pushed, none = effort * direction, ops.zeros(3)
    turns = kind.endswith("angular_velocity")
    return Load(reference, none, pushed) if turns else Load(reference, pushed, none)
