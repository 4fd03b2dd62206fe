"""What a model consists of: inertias, joints, springs, forces and drivers, each over few bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.elements.behaviour import kind_of
from pliant.backends.blocks.elements.forms import Form, Local, form_of
from pliant.backends.blocks.solver.element import ElementKind
from pliant.code import store
from pliant.formulations.derivation.state_map import joints_with_coordinates
from pliant.mechanics.inertia import rigid_inertia
from pliant.mechanics.values import Values
from pliant.records import dataclass

_UPPER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class BlockElement:
    """An element of a model: bodies and joint coordinates it touches, its numbers, its form."""

    owner: str
    role: str
    element: Any
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    numbers: Array
    form: tuple[Any, ...]
    rows: int
    label: str = ""
    """Of a part of a sensor: what it tells of."""

    @property
    def acts(self) -> bool:
        """Whether it is in the equations, or only looked at."""
        return self.role != "sensor" and (self.role != "joint" or self.rows > 0)


def parts_of(numbers: Values) -> list[BlockElement]:
    """Everything in a model, bodies first."""
    found = []
    for owner, role, element, label in _entries(numbers):
        local = Local(numbers)
        form = local.form(role, _localised(local, role, owner, element))
        found.append(BlockElement(
            owner, role, element, tuple(local.bodies), tuple(local.joints),
            np.array(local.numbers), form, _rows(role, element), label,
        ))  # fmt: skip
    return found


def _entries(numbers: Values) -> Iterator[tuple[str, str, Any, str]]:
    """Owner, role and element, and its label."""
    model = numbers.model
    for name, body in model.bodies.items():
        yield name, "inertia", body, ""
    asked = joints_with_coordinates(model)
    for name, joint in model.joints.items():
        if name in model.origin and joint.is_free:
            continue  # it only counts the coordinates of a node of a beam
        held = "turns" if joint.multi_turn else "joint"
        yield name, "springs" if joint.springs else held, joint, ""
        if joint.springs if joint.multi_turn else name in asked:
            yield name, "tie", joint, ""
    forces: Mapping[str, Any] = model.forces
    for name, force in forces.items():
        if force.couples:
            continue  # it damps: nothing at rest, and refused in motion
        yield name, "force", force, ""
    for name, sensor in model.sensors.items():
        for label, part in sensor.parts():
            yield name, "sensor", part, label
    for name, driver in model.drivers.items():
        yield name, "driver", driver, ""


def _localised(local: Local, role: str, owner: str, element: Any) -> Any:
    """The element in local names, its names and numbers noted in one fixed order."""
    if role == "inertia":
        local.body(owner)
        if owner not in local.source.flexible:
            # m, m c, I about the origin: xx yy zz xy xz yz
            own = rigid_inertia(local.source, element)
            local.numbers += [float(own.mass), *own.mc, *(own.I_o[i] for i in _UPPER)]
        local.numbers.extend(local.source.vector(local.source.model.gravity))
        return None
    if role in ("tie", "turns") or (role == "springs" and element.multi_turn):
        local.joint(owner)
    if role in ("joint", "springs", "tie", "turns"):
        return local.between(element, "j")
    return local.element(element, "d" if role == "driver" else "e")


def _rows(role: str, element: Any) -> int:
    """Constraints of an element."""
    if role == "joint":
        return int(element.m)
    if role in ("tie", "turns"):
        return len(element.scalars) if role == "tie" else 6
    return int(element.m) if role == "driver" else 0


# --- forms and kinds


class Kinds:
    """Forms and machine code of parts; those of equal form share them."""

    def __init__(self, numbers: Values) -> None:
        self.numbers = numbers
        self._forms: dict[Any, Form] = {}
        self._kinds: dict[Any, ElementKind] = {}

    def form(self, part: BlockElement, kept: tuple[int, ...]) -> Form:
        """The form of a part, with these of its rows."""
        key = part.form, kept
        if key not in self._forms:
            local = Local(self.numbers, build=True)
            element = _localised(local, part.role, part.owner, part.element)
            self._forms[key] = form_of(local, part.role, element, part.rows, kept)
        return self._forms[key]

    def kind(self, part: BlockElement, kept: tuple[int, ...]) -> ElementKind:
        """Its machine code."""
        key = part.form, kept
        if key not in self._kinds:
            name = store.key_of("form", repr(part.form), str(kept))
            self._kinds[key] = kind_of(self.form(part, kept), name)
        return self._kinds[key]
