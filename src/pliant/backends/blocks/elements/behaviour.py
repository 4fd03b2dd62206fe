"""What an element does to its blocks: loads, efforts and constraints, as a residual.

    r = -(loads in the axes of the bodies | efforts along coordinates | -g)

Loads F, T at frame P of a body with pose R are R^T F, R^T T + p_P x R^T F, and on its elastic
coordinates J_v^T R^T F + J_w^T R^T T. Multipliers act with G^T, as reactions do in every
formulation. The load factor multiplies what is applied from outside: weight, forces, torques,
actuators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pliant.backends.blocks.elements.exact_tangent import exact_stiffness
from pliant.backends.blocks.elements.forms import Form, local_motion
from pliant.backends.blocks.solver.element import ElementKind, LocalMotion, element_kind
from pliant.mechanics.inertia import FlexibleInertia, Inertia, Wrench, flexible_inertia
from pliant.mechanics.joint_springs import spring_action, spring_coordinate_rows
from pliant.mechanics.motion import BodyMotion, SystemMotion
from pliant.mechanics.rows import (
    ConstraintRows,
    Reaction,
    coordinate_rows,
    cut_rows,
    driver_rows,
    with_loads,
)
from pliant.model.forces.action import Action, Effort, Load
from pliant.records import dataclass
from pliant.spatial.rotation import from_quaternion
from pliant.spatial.symbolic import SYMBOLIC


@dataclass(frozen=True, slots=True)
class Behaviour:
    """All an element does: actions, rows with their reactions, inertia of its first body."""

    motion: SystemMotion
    action: Action | None = None
    rows: tuple[ConstraintRows, ...] = ()
    reactions: tuple[Reaction, ...] = ()
    inertia: Inertia | FlexibleInertia | None = None


def behaviour(form: Form, m: LocalMotion, p: Any) -> Behaviour:
    """The mechanics of a form; without rows a joint is only looked at."""
    if form.role in _ROLES:
        return _ROLES[form.role](form, m, p)
    if form.role in ("tie", "turns"):
        motion = _tied(form, m, p)
    else:
        section = "drivers" if form.role == "driver" else "joints"
        motion = local_motion(form, m, p, **{section: [form.element]})
    if not form.rows:
        return Behaviour(motion)
    rows = tuple(_ROWS[form.role](motion, form.element))
    lam = SYMBOLIC.zeros(form.rows)
    for place, row in enumerate(form.kept):  # a body with too many constraints leaves some out
        lam[row] = m.q[-1][place]
    reactions, start = [], 0
    for own in rows:
        reactions.append(own.react(lam[start : start + own.size]))
        start += own.size
    return Behaviour(motion, rows=rows, reactions=tuple(reactions))


def _inertia(form: Form, m: LocalMotion, p: Any) -> Behaviour:
    """Numbers of a rigid body: m, mc (3), I_o (xx yy zz xy xz yz), gravity (3); of a flexible one
    gravity follows its tables."""
    motion = local_motion(form, m, p)
    body = form.bodies[0]
    if body in form.tables:
        return Behaviour(motion, inertia=flexible_inertia(SYMBOLIC, motion.elastic[body]))
    xx, yy, zz, xy, xz, yz = (p[4 + k] for k in range(6))
    I_o = SYMBOLIC.mat([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Behaviour(motion, inertia=Inertia(p[0], p[1:4], I_o))


def _force(form: Form, m: LocalMotion, p: Any) -> Behaviour:
    motion = local_motion(form, m, p, forces=[form.element])
    action, load = with_loads(motion, form.element.act(motion)), m.load
    if not form.element.is_applied:
        return Behaviour(motion, action)
    return Behaviour(motion, Action(
        tuple(Load(own.frame, load * own.force, load * own.torque) for own in action.loads),
        tuple(Effort(own.joint, own.coordinate, load * own.value) for own in action.efforts),
        None if action.potential is None else load * action.potential,
        dissipated=None if action.dissipated is None else load * action.dissipated,
        outputs={name: (load * value, unit) for name, (value, unit) in action.outputs.items()},
    ))  # fmt: skip


def _sensor(form: Form, m: LocalMotion, p: Any) -> Behaviour:
    return Behaviour(local_motion(form, m, p, sensors=[form.element]))


def _springs(form: Form, m: LocalMotion, p: Any) -> Behaviour:
    motion = _tied(form, m, p) if form.joints else local_motion(form, m, p, joints=[form.element])
    return Behaviour(motion, spring_action(motion, form.element))


def _tied(form: Form, m: LocalMotion, p: Any) -> SystemMotion:
    """The joint itself has the coordinates of its block."""
    motion = local_motion(form, m, p, joints=[form.element])
    (asked,) = form.joints
    state = motion.joints.pop(asked)
    joint = form.element.evaluated(motion.values.number)
    motion.joints[joint.name] = type(state)(
        joint, state.q, state.u, 0, state.X_FM, state.H, state.E
    )
    return motion


_ROLES: dict[str, Callable[[Form, LocalMotion, Any], Behaviour]] = {
    "inertia": _inertia, "force": _force, "sensor": _sensor, "springs": _springs,
}  # fmt: skip
_ROWS: dict[str, Callable[[SystemMotion, Any], Iterable[ConstraintRows]]] = {
    "joint": lambda motion, joint: (cut_rows(motion, joint),),
    "tie": lambda motion, joint: (spring_coordinate_rows(motion, joint),),
    "turns": lambda motion, joint: (coordinate_rows(motion, joint),),
    "driver": driver_rows,
}
"""Constraints by role. A tie: coordinates that something asks for follow the pose of their joint;
turns: a joint whose constraints need its coordinates."""


# --- residual


def residual(form: Form) -> Callable[[LocalMotion, Any], Any]:
    """r of a form over symbols of its blocks."""

    def written(m: LocalMotion, p: Any) -> Any:
        done = behaviour(form, m, p)
        total = _Total(done.motion, form)
        if done.inertia is not None:
            total.inertia(done.inertia, m.load * p[form.numbers - 3 :])
        if done.action is not None:
            total.act(done.action.loads)
            for effort in done.action.efforts:
                k = done.motion.coordinate_index(effort.joint, effort.coordinate)
                state = done.motion.joints[effort.joint]
                total.effort(state.start + k, effort.value)
        for reaction in done.reactions:
            total.act(reaction.loads)
            for k, value in reaction.efforts:
                total.effort(k, value)
        g: Any = SYMBOLIC.stack([own.g for own in done.rows]) if done.rows else ()
        return total.column([g[k] for k in form.kept])

    return written


class _Total:
    """Sums up what acts on the blocks of a form."""

    def __init__(self, motion: SystemMotion, form: Form) -> None:
        self.motion, self.form = motion, form
        self.on_bodies = {
            b: Wrench(SYMBOLIC.zeros(3), SYMBOLIC.zeros(3), SYMBOLIC.zeros(form.elastic(b)))
            for b in form.bodies
        }
        self.along = [SYMBOLIC.zeros(1) for j in form.joints.values() for _ in range(j.nu)]

    def inertia(self, inertia: Inertia | FlexibleInertia, gravity: Any) -> None:
        """What the acceleration of the first body needs beyond its weight."""
        body = self.form.bodies[0]
        b, total = self.motion.bodies[body], self.on_bodies[body]
        falling = BodyMotion(b.X_WB, b.w, b.v, b.alpha, b.acc - b.X_WB.R.T @ gravity)
        needed = inertia.wrench(SYMBOLIC, falling)
        total.n, total.f = total.n - needed.n, total.f - needed.f
        if needed.e is not None:
            total.e = total.e - needed.e

    def act(self, loads: Sequence[Load]) -> None:
        """Loads on frames."""
        for load in loads:
            body, X_BP = self.motion.placement(load.frame)
            if body == "ground":
                continue
            R, total = self.motion.bodies[body].X_WB.R, self.on_bodies[body]
            force, torque = R.T @ load.force, R.T @ load.torque
            total.f = total.f + force
            total.n = total.n + torque + SYMBOLIC.cross(X_BP.p, force)
            moving = self.motion.relative(load.frame)
            if moving is not None:
                total.e = total.e + moving.J_v.T @ force + moving.J_w.T @ torque

    def effort(self, k: int, value: Any) -> None:
        """An effort along an asked coordinate."""
        self.along[k] = self.along[k] + value

    def column(self, g: Sequence[Any]) -> Any:
        """r of all blocks."""
        parts = []
        for own in self.on_bodies.values():
            parts += [-own.f, -own.n, -own.e]
        return SYMBOLIC.full(SYMBOLIC.stack([*parts, *(-value for value in self.along), *g]))


def potential(form: Form) -> Callable[[LocalMotion, Any], Any] | None:
    """The energy whose derivative a force at rest, or the weight of a rigid body, is; forces that
    need not have one are averaged along a step that conserves it."""
    if form.role == "inertia":
        return None if form.tables else _weight
    if form.role != "springs" and (form.role != "force" or not form.element.is_elastic):
        return None

    def energy(m: LocalMotion, p: Any) -> Any:
        u, a = ([None if v is None else SYMBOLIC.zeros(v.numel()) for v in group]
                for group in (m.u, m.a))  # fmt: skip
        done = behaviour(form, LocalMotion(m.t, m.load, m.q, u, a), p)
        return done.action.potential if done.action is not None else None

    return energy


def _weight(m: LocalMotion, p: Any) -> Any:
    """-g . (m p + R m c)."""
    R = from_quaternion(SYMBOLIC, m.q[0][3:7])
    return -m.load * SYMBOLIC.dot(p[10:13], p[0] * m.q[0][0:3] + R @ p[1:4])


def kind_of(form: Form, key: str) -> ElementKind:
    """Machine code of a form."""
    return element_kind(
        form.role, form.shapes, form.numbers, residual(form), exact_stiffness(form),
        potential=potential(form), key=key,
    )  # fmt: skip
