"""What a beam becomes, and the numbers its parts are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from pliant.flex import beam as flex
from pliant.flex.from_model import beam_of
from pliant.flex.rewriting.names import Rename
from pliant.model.bodies import Beam, RigidBody
from pliant.model.events import Event
from pliant.model.fields import kinds_of
from pliant.model.formulas import Formula, formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.sensors import Sensing
from pliant.records import dataclass
from pliant.spatial.pose import Pose


def formulas_of(model: Model, beam: Beam) -> list[Formula]:
    """Everything the numbers of a beam may depend on."""
    material = model.materials.get(beam.material)
    found = [f for frame in beam.frames.values() for f in frame.position]
    for owner in (beam,) if material is None else (beam, material):
        for key, kind in kinds_of(owner).items():
            found += [f for _, f, _ in kind.formulas(getattr(owner, key))]
    return found


Value = Callable[[Formula], float]


@dataclass(slots=True)
class Numbers:
    """Numbers of a beam as formulas: themselves, or hidden parameters where the beam depends on
    parameters, so that new values need no new code."""

    beam: str
    free: bool
    parameters: dict[str, Formula] = field(default_factory=dict)

    def __call__(self, name: str, number: float) -> Formula:
        if not self.free:
            return formula(float(number))
        key = f"{self.beam}:{name}"
        self.parameters[key] = formula(float(number))
        return from_tree(Name(key))


@dataclass(frozen=True)
class Task:
    """A beam to rewrite: its model, values of formulas by default (they decide how it is cut) and
    in force (they give the numbers), and its numbers as formulas."""

    model: Model
    beam: Beam
    default: Value
    value: Value
    number: Numbers

    @classmethod
    def of(
        cls, model: Model, beam: Beam, defaults: Mapping[str, float], values: Mapping[str, float]
    ) -> Task:
        """The task for values of the parameters of the model."""
        free = any(not f.is_constant for f in formulas_of(model, beam))
        numbers = Numbers(beam.name, free)
        return cls(model, beam, lambda f: f.number(defaults), lambda f: f.number(values), numbers)

    @cached_property
    def along(self) -> flex.Beam:
        """Stiffness and mass along the beam."""
        return beam_of(self.beam, self.value, self.model.materials)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Parts of a beam. ``forces`` and ``sensors`` may hold elements that no file knows; ``rename``
    gives names of the user's model that belong to the beam those of its parts."""

    bodies: tuple[RigidBody, ...]
    joints: tuple[Joint, ...]
    forces: tuple[Any, ...]
    sensors: tuple[Sensing, ...]
    parameters: Mapping[str, Formula]
    rename: Rename
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Knot:
    """A section of a beam that was taken apart: its place along the axis, the body that carries it,
    where it is on that body, and where it is without stress as seen from the first body."""

    x: float
    body: str
    local: Pose
    rest: Pose


@dataclass(frozen=True, slots=True)
class CutAxis:
    """The axis of a beam that was taken apart: sections its bodies carry, from root to tip (at a
    corner two at one place), and those of the stress-free beam anywhere."""

    knots: tuple[Knot, ...]
    section: Callable[[float], Pose]
    along: flex.Beam
