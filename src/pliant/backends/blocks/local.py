"""An element in local names: bodies b0, b1, ..., joints j0, ..., numbers #0, #1, ...

Formulas of parameters become numbers, frames their place on the body (as short as it can be:
nothing, a position, or position and axes). What is left is the form of the element: elements of
equal form are the same function of their blocks and numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.values import Values
from pliant.model.fields import Optional, Reference, kinds_of
from pliant.model.forces.beam_element import NodeElement
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name, renamed
from pliant.model.joints import Joint
from pliant.model.named import Named
from pliant.spatial.pose import Pose

_QUANTITIES = ("position", "velocity", "angular_velocity", "own_velocity", "own_angular_velocity")
_FRAMES = ("frame", "frame_a", "frame_b", "node")
"""Fields that hold frames without saying so."""
_JOINT_OWN = ("initial", "guess", "cut", "parent", "child")


@dataclasses.dataclass(frozen=True, slots=True)
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
        """Local name of a joint whose coordinates are asked for."""
        if name not in self.joints:
            joint, local = self.source.model.joints[name], f"j{len(self.joints)}"
            self.joints[name] = local, self.element(joint, local, skip=_JOINT_OWN)
        return str(self.joints[name][0])

    # -- elements ----------------------------------------------------------------------------
    def between(self, joint: Joint, name: str) -> Any:
        """A joint with the frames it is between; its axes become those of the frames, unless a body
        is flexible: R_P R_J = (R_P R_J R_U^T) R_U with the canonical axes R_U of the joint that is
        left, whose ``axis`` has its usual value."""
        bodies = {r.partition(".")[0] for r in (joint.parent, joint.child)}
        usual = _usual_axes(joint) if bodies.isdisjoint(self.source.flexible) else {}
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
            found[f.name] = self._field(element, f.name, getattr(element, f.name), kind)
        found |= own
        if self.build:
            return dataclasses.replace(element, **{**_usual(element, skip), **found, "name": name})
        return type(element).__name__, tuple(found.items())

    def _field(self, element: Any, name: str, value: Any, kind: Any) -> Any:
        if name == "frames" and isinstance(element, NodeElement):
            return tuple(self.frame(reference) for reference in value)
        if isinstance(kind, Reference):
            return self.joint(value) if kind.to == "joint" else self.frame(value)
        if name in _FRAMES and isinstance(value, str):
            return self.frame(value)
        return self._value(value)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Formula):
            return self._formula(value)
        if isinstance(value, Mapping):
            pairs = [(k, self._value(v)) for k, v in value.items()]
            return Named(pairs) if self.build else tuple(pairs)
        if isinstance(value, tuple):
            return tuple(self._value(v) for v in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._inner(value)
        return value

    def _inner(self, value: Any) -> Any:
        """A dataclass within an element."""
        if isinstance(value, NodeElement):
            self._inside += 1
            return self.element(value, f"e{self._inside}")
        fields = {
            f.name: self._field(value, f.name, getattr(value, f.name), None)
            for f in dataclasses.fields(value)
            if f.init
        }
        if self.build:
            return dataclasses.replace(value, **fields)
        return type(value).__name__, tuple(fields.items())

    # -- formulas ----------------------------------------------------------------------------
    def _formula(self, f: Formula) -> Any:
        if f.names <= self.source.parameters.keys():
            return self._number(self.source.number(f))
        tree = renamed(f.tree, self._name)
        return from_tree(tree) if self.build else tree

    def _number(self, value: float) -> Any:
        self.numbers.append(value)
        return from_tree(Name(f"#{len(self.numbers) - 1}")) if self.build else "#"

    def _name(self, name: str) -> str:
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
        if quantity in _QUANTITIES and reference:
            return f"{self.frame(reference)}.{quantity}.{component}"
        return f"{self.body(owner)}.{rest}"

    # -- result ------------------------------------------------------------------------------
    def flexible(self) -> tuple[Any, ...]:
        """What the frames of flexible bodies are made of: part of the form."""
        return tuple((local, _table_form(self.source, body), tuple(self.used.get(local, ())))
                     for local, (body, _) in self.tables.items())  # fmt: skip

    def form(self, role: str, described: Any) -> tuple[Any, ...]:
        """Everything the code of an element depends on."""
        return (role, described, tuple(self.bodies.values()), tuple(self.places),
                tuple(own for own in self.joints.values()), self.flexible(),
                len(self.numbers))  # fmt: skip


def _usual_axes(joint: Joint) -> dict[str, Any]:
    """Usual values of the directions a joint is given."""
    return {f.name: f.default for f in dataclasses.fields(joint) if f.name in ("axis", "axis2")}


def _usual(element: Any, skip: tuple[str, ...]) -> dict[str, Any]:
    """Values of fields that are left out."""
    usual: dict[str, Any] = {"parent": "ground", "child": "ground", "cut": None}
    usual |= {"initial": Named(), "guess": Named()}
    return {k: usual[k] for k in skip if hasattr(element, k) and k in usual}


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
