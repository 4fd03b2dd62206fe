"""The mechanics of a form: the motion of its bodies and joints over symbols of its blocks.

Blocks of an element are its bodies (a pose, and elastic coordinates), the coordinates of joints it
asks for, and its multipliers. The speeds of a body are in its own axes, as mechanics has them; the
velocity v of its origin turns with it, so that its material acceleration is v' + w x v.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pliant.backends.blocks.local import Local, Place
from pliant.backends.blocks.solver.element import BlockShape, LocalMotion, multipliers
from pliant.flex.packing import Packing
from pliant.mechanics.motion import (
    BodyMotion,
    ElasticState,
    JointState,
    SystemMotion,
    relative_to_body,
)
from pliant.mechanics.placement import flexible_places
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.formulas import Formula
from pliant.model.frames import Frame
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import from_quaternion
from pliant.spatial.symbolic import SYMBOLIC


@dataclass(frozen=True, slots=True)
class TableForm:
    """Tables of a flexible body: where their numbers begin, and its frames."""

    start: int
    packing: Packing
    names: tuple[str, ...]
    body: Any
    constant: Any
    used: tuple[str, ...]
    """Frames that are spoken of."""

    @property
    def frames(self) -> Mapping[str, Frame]:
        """Those frames, and the ones they are placed on."""
        found: dict[str, Frame] = {}
        for name in self.used:
            while name and name not in found:
                found[name] = self.body.frames[name]
                name = found[name].on
        return found


@dataclass(frozen=True)
class Form:
    """An element in local names, ready to be written over symbols."""

    role: str
    element: Any
    bodies: tuple[str, ...]
    places: tuple[Place, ...]
    joints: Mapping[str, Joint]
    tables: Mapping[str, TableForm]
    numbers: int
    rows: int = 0
    kept: tuple[int, ...] = ()
    """Rows of constraints that are not left out."""

    @property
    def shapes(self) -> tuple[BlockShape, ...]:
        """Blocks of the element in order."""
        own = [BlockShape(reals=self.elastic(b)) for b in self.bodies]
        asked = [BlockShape(pose=False, reals=j.nu) for j in self.joints.values()]
        return (*own, *asked, *([multipliers(len(self.kept))] if self.kept else []))

    def elastic(self, body: str) -> int:
        """Elastic coordinates of a local body."""
        return len(self.tables[body].names) if body in self.tables else 0


def form_of(local: Local, role: str, element: Any, rows: int, kept: tuple[int, ...]) -> Form:
    """The form of an element that was rebuilt in local names."""
    source = local.source
    tables = {}
    for name, (body, start) in local.tables.items():
        own = source.default.tables(body)
        used = tuple(frame for frame in local.used.get(name, ()) if frame)
        tables[name] = TableForm(start, own.packing, own.data.names, source.model.bodies[body],
                                 source.number, used)  # fmt: skip
    joints = dict(local.joints.values())
    return Form(role, element, tuple(local.bodies.values()), tuple(local.places), joints, tables,
                len(local.numbers), rows, kept)  # fmt: skip


class LocalValues(SymbolicValues):
    """Time and the numbers #0, #1, ... of an element."""

    def __init__(self, t: Any, p: Any) -> None:
        self.ops, self.t = SYMBOLIC, t
        self._symbols = [p[k] for k in range(p.numel())]
        self._numbers = [0.0] * len(self._symbols)
        self.index = {f"#{k}": k for k in range(len(self._symbols))}
        self.flexible, self._signals, self.signal_slots = {}, {}, []

    def number(self, formula: Formula) -> Any:
        """Numbers are symbols here."""
        return self.evaluate(formula, self.look_up)


def local_motion(form: Form, m: LocalMotion, p: Any, **sections: Any) -> SystemMotion:
    """Everything of a form that moves; ``sections`` of the local model for those who ask for it."""
    joints = dict(form.joints)
    joints |= {j.name: j for j in sections.pop("joints", ())}
    model = Model(joints=joints, **sections)
    values = LocalValues(m.t, p)
    motion = SystemMotion(model, values, SYMBOLIC)
    for k, body in enumerate(form.bodies):
        motion.bodies[body] = _body(m.q[k], m.u[k], m.a[k])
        motion.places[body] = {"": Pose(SYMBOLIC.const(_UNIT), SYMBOLIC.zeros(3))}
        if body in form.tables:
            _flexible(motion, form.tables[body], body, p, m, k)
    for place in form.places:
        _place(motion, place, p)
    for k, (name, joint) in enumerate(form.joints.items()):
        _joint(motion, name, joint, m, len(form.bodies) + k)
    return motion


_UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _body(q: Any, u: Any, a: Any) -> BodyMotion:
    v, w = u[0:3], u[3:6]
    X_WB = Pose(from_quaternion(SYMBOLIC, q[3:7]), q[0:3])
    return BodyMotion(X_WB, w, v, a[3:6], a[0:3] + SYMBOLIC.cross(w, v))


def _place(motion: SystemMotion, place: Place, p: Any) -> None:
    at = p[place.start : place.start + 3]
    R = SYMBOLIC.const(_UNIT)
    if place.turned:
        R = SYMBOLIC.folded(p[place.start + 3 : place.start + 12], 3)
    motion.places[place.body] = {**motion.places[place.body], place.name: Pose(R, at)}


def _flexible(
    motion: SystemMotion, own: TableForm, body: str, p: Any, m: LocalMotion, k: int
) -> None:  # fmt: skip
    """Frames of a flexible body move with its elastic coordinates."""
    symbols = [p[own.start + i] for i in range(own.packing.size)]
    q, u, a = m.q[k][7:], m.u[k][6:], m.a[k][6:]
    state = ElasticState(own.names, q, u, a, own.packing.unpack(symbols), own.packing.pairs)
    motion.elastic[body] = state
    motion.places[body], moving = flexible_places(
        SYMBOLIC, state.tables, own.frames, own.constant, q, u
    )
    if state.count:
        for name, (w, v) in moving.items():
            motion._relative[body, name] = relative_to_body(SYMBOLIC, state, w, v)


def _joint(motion: SystemMotion, name: str, joint: Joint, m: LocalMotion, k: int) -> None:
    """A joint whose coordinates are a block."""
    own = joint.evaluated(motion.values.number)
    start = sum(s.joint.nu for s in motion.joints.values())
    q, u = m.q[k], m.u[k]
    motion.joints[name] = JointState(
        own, q, u, None, start, own.pose(SYMBOLIC, q), own.motion(SYMBOLIC, q),
        own.effort(SYMBOLIC, q),
    )  # fmt: skip
