"""Forms of elements: in local names, and their mechanics over symbols of their blocks.

Bodies are b0, b1, ..., joints j0, ..., numbers #0, #1, ... Formulas of parameters become numbers,
frames their place on the body (as short as it can be: nothing, a position, or position and axes).
What is left is the form of the element: elements of equal form are the same function of their
blocks and numbers.

Blocks of an element are its bodies (a pose, and elastic coordinates), the coordinates of joints it
asks for, and its multipliers. The speeds of a body are in its own axes, as mechanics has them; the
velocity v of its origin turns with it, so that its material acceleration is v' + w x v.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
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
from pliant.mechanics.values import Values
from pliant.model.fields import FrameReferences, Optional, Reference, kinds_of
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name, renamed
from pliant.model.frames import Frame, is_orientation
from pliant.model.frozen import FrozenDict
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.numbers.literals import known_as
from pliant.records import dataclass
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import from_quaternion
from pliant.spatial.symbolic import SYMBOLIC

_QUANTITIES = ("position", "velocity", "angular_velocity", "own_velocity", "own_angular_velocity")
_AXES = ("axis", "axis2", "slot")
"""Fields of a joint that only turn its canonical axes."""
_FRAMES = ("frame", "frame_a", "frame_b", "node")
"""Fields that hold frames without saying so."""
_USUAL: dict[str, Any] = {"initial": FrozenDict(), "guess": FrozenDict(), "cut": None,
                          "parent": "ground", "child": "ground"}  # fmt: skip
_JOINT_OWN = tuple(_USUAL)
"""Fields of a joint that are left out, and their values then."""


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of a local body: where its numbers begin, and whether it has axes of its own."""

    body: str
    name: str
    start: int
    turned: bool


class Local:
    """Collects the local names and numbers of one element.

    With ``build`` elements are rebuilt in local names, otherwise they are only described, which is
    quicker: (type, fields).
    """

    def __init__(self, numbers: Values, *, build: bool = False) -> None:
        self.source, self.build = numbers, build
        self.bodies: dict[str, str] = {}
        self.joints: dict[str, Any] = {}
        self.told: dict[str, Any] = {}
        self.places: list[Place] = []
        self.numbers: list[float] = []
        self.tables: dict[str, tuple[str, int]] = {}
        self.used: dict[str, dict[str, None]] = {}
        self._frames: dict[tuple[str, str, bytes], str] = {}
        self._inside = 0

    # -- names -------------------------------------------------------------------------------
    def body(self, name: str) -> str:
        """Local name of a body."""
        if name == "ground":
            return name
        if name not in self.bodies:
            self.bodies[name] = f"b{len(self.bodies)}"
            if name in self.source.flexible:
                self.tables[self.bodies[name]] = (name, len(self.numbers))
                self.numbers.extend(self.source.packed(name))
        return self.bodies[name]

    def frame(self, reference: str, axes: Array | None = None) -> str:
        """Local reference of a frame, turned by ``axes``."""
        body, _, frame = reference.partition(".")
        local = self.body(body)
        if body in self.source.flexible:
            self.used.setdefault(local, {})[frame] = None
            return f"{local}.{frame}" if frame else local
        key = body, frame, b"" if axes is None else axes.tobytes()
        if key not in self._frames:
            X = self.source.places(body)[frame]
            R = np.asarray(X.R if axes is None else X.R @ axes, dtype=float)
            self._frames[key] = self._placed(local, Pose(R, np.asarray(X.p, dtype=float)))
        return self._frames[key]

    def _placed(self, body: str, X: Pose) -> str:
        turned = not np.array_equal(X.R, np.eye(3))
        if not turned and not np.any(X.p):
            return body
        name = f"f{len(self.places)}"
        self.places.append(Place(body, name, len(self.numbers), turned))
        self.numbers.extend([*X.p, *(X.R.T.ravel() if turned else ())])
        return f"{body}.{name}"

    def joint(self, name: str) -> str:
        """Local name of a joint whose coordinates are asked for, or what its pose tells."""
        joint = self.source.model.joints[name]
        if joint.measured and not joint.scalars:
            if name not in self.told:
                local = f"m{len(self.told)}"
                self.told[name] = local, self.between(joint, local)
            return str(self.told[name][0])
        if name not in self.joints:
            local = f"j{len(self.joints)}"
            self.joints[name] = local, self.element(joint, local, skip=_JOINT_OWN)
        return str(self.joints[name][0])

    # -- elements ----------------------------------------------------------------------------
    def between(self, joint: Joint, name: str) -> Any:
        """A joint with the frames it is between; its axes become those of the frames, unless a body
        is flexible: R_P R_J = (R_P R_J R_U^T) R_U with the canonical axes R_U of the joint that is
        left, whose ``axis`` has its usual value."""
        bodies = {r.partition(".")[0] for r in (joint.parent, joint.child)}
        usual: dict[str, Any] = {}
        if bodies.isdisjoint(self.source.flexible):
            own_fields = dataclasses.fields(joint)
            usual = {f.name: f.default for f in own_fields if f.name in _AXES}
        axes = None
        if usual:
            left = dataclasses.replace(joint, **usual).canonical_axes()
            axes = joint.canonical_axes() @ left.T
        own = {"parent": self.frame(joint.parent, axes), "child": self.frame(joint.child, axes)}
        return self.element(joint, name, skip=_JOINT_OWN, **own, **usual)

    def element(self, element: Any, name: str, skip: tuple[str, ...] = (), **own: Any) -> Any:
        """A dataclass in local names; fields left out have their usual values."""
        kinds = kinds_of(element)
        found: dict[str, Any] = {}
        for f in dataclasses.fields(element):
            if not f.init or f.name == "name" or f.name in skip or f.name in own:
                continue
            kind = kinds.get(f.name)
            kind = kind.kind if isinstance(kind, Optional) else kind
            found[f.name] = self._field(f.name, getattr(element, f.name), kind)
        found |= own
        if self.build:
            usual = {k: _USUAL[k] for k in skip if hasattr(element, k) and k in _USUAL}
            return dataclasses.replace(element, **{**usual, **found, "name": name})
        return known_as(type(element)), tuple(found.items())

    def _field(self, name: str, value: Any, kind: Any) -> Any:
        if isinstance(kind, FrameReferences):
            return tuple(self.frame(reference) for reference in value)
        if isinstance(kind, Reference):
            return self.joint(value) if kind.to == "joint" else self.frame(value)
        if name in _FRAMES and isinstance(value, str):
            return self.frame(value)
        return self._value(value)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Formula):
            if value.names <= self.source.parameters.keys():
                self.numbers.append(self.source.number(value))
                return from_tree(Name(f"#{len(self.numbers) - 1}")) if self.build else "#"
            tree = renamed(value.tree, self._name)
            return from_tree(tree) if self.build else tree
        if isinstance(value, Mapping):
            pairs = [(k, self._value(v)) for k, v in value.items()]
            return FrozenDict(pairs) if self.build else tuple(pairs)
        if isinstance(value, tuple):
            return tuple(self._value(v) for v in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._inner(value)
        return value

    def _inner(self, value: Any) -> Any:
        """A dataclass within an element."""
        if "name" in value.__dataclass_fields__:  # it is an element itself
            self._inside += 1
            return self.element(value, f"e{self._inside}")
        fields = {
            f.name: self._field(f.name, getattr(value, f.name), None)
            for f in dataclasses.fields(value)
            if f.init
        }
        if self.build:
            return dataclasses.replace(value, **fields)
        return known_as(type(value)), tuple(fields.items())

    def _name(self, name: str) -> str:
        """A name in a formula."""
        if name in self.source.parameters:
            self.numbers.append(self.source.parameters[name])
            return f"#{len(self.numbers) - 1}"
        owner, _, rest = name.partition(".")
        if not rest:
            return name
        if owner in self.source.model.joints:
            return f"{self.joint(owner)}.{rest}"
        reference, _, component = name.rpartition(".")
        reference, _, quantity = reference.rpartition(".")
        oriented = is_orientation(quantity, component)
        if (quantity in _QUANTITIES or oriented) and reference:
            return f"{self.frame(reference)}.{quantity}.{component}"
        return f"{self.body(owner)}.{rest}"

    # -- result ------------------------------------------------------------------------------
    def form(self, role: str, described: Any) -> tuple[Any, ...]:
        """Everything the code of an element depends on, also what the frames of flexible bodies
        are made of."""
        flexible = tuple((local, _table_form(self.source, body), tuple(self.used.get(local, ())))
                         for local, (body, _) in self.tables.items())  # fmt: skip
        return (role, described, tuple(self.bodies.values()), tuple(self.places),
                tuple(self.joints.values()), tuple(self.told.values()), flexible,
                len(self.numbers))  # fmt: skip


def _table_form(numbers: Values, body: str) -> tuple[Any, ...]:
    """Structure of the tables of a body, and the numbers that are folded into the code."""
    own, frames = numbers.default.tables(body), numbers.model.bodies[body].frames
    tables = tuple((t.name, tuple(t.places.items())) for t in own.packing.tables)
    folded = tuple(
        (f.name, f.on, f.orientation.kind, tuple(map(numbers.number, f.orientation.values)),
         tuple(map(numbers.number, f.position)) if f.on else ())
        for f in frames.values()
    )  # fmt: skip
    return tables, own.packing.pairs, own.data.names, folded


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
    told: Mapping[str, Joint]
    """Joints with coordinates, and those of which only the pose is asked."""
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
    joints, told = dict(local.joints.values()), dict(local.told.values())
    return Form(role, element, tuple(local.bodies.values()), tuple(local.places), joints, told,
                tables, len(local.numbers), rows, kept)  # fmt: skip


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
    joints = {**form.joints, **form.told}
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
        at, R = p[place.start : place.start + 3], SYMBOLIC.const(_UNIT)
        if place.turned:
            R = SYMBOLIC.folded(p[place.start + 3 : place.start + 12], 3)
        motion.places[place.body] = {**motion.places[place.body], place.name: Pose(R, at)}
    for k, (name, joint) in enumerate(form.joints.items()):
        _joint(motion, name, joint, m, len(form.bodies) + k)
    return motion


_UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _body(q: Any, u: Any, a: Any) -> BodyMotion:
    v, w = u[0:3], u[3:6]
    X_WB = Pose(from_quaternion(SYMBOLIC, q[3:7]), q[0:3])
    return BodyMotion(X_WB, w, v, a[3:6], a[0:3] + SYMBOLIC.cross(w, v))


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
        own, q, u, start, own.pose(SYMBOLIC, q), own.motion(SYMBOLIC, q), own.effort(SYMBOLIC, q)
    )
