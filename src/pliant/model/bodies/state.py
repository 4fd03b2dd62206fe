"""The initial state of a body: any part of it may be given, the rest is assembled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import (
    Number,
    Optional,
    OptionalVector,
    Table,
    Written,
    check_keys,
    has,
    kinds_of,
    settle,
    shown,
    vector,
)
from pliant.model.formulas import Formula
from pliant.model.frames import Orientation, OrientationKind
from pliant.model.frozen import FrozenDict
from pliant.model.nested import NestedFields
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class BodyState:
    """Pose and velocity of the body frame in world axes; None = not given.

    >>> pl.RigidBody("ball", mass=1, initial=pl.BodyState(velocity=["3 m/s", 0, 0])).name
    'ball'
    """

    position: OptionalVector = vector("m", None, doc="of the body origin")
    orientation: Written[Orientation | None] = has(
        Optional(OrientationKind()), None, "of the body frame"
    )
    velocity: OptionalVector = vector("m/s", None, doc="of the body origin")
    angular_velocity: OptionalVector = vector("rad/s", None, doc="in world axes")

    def __post_init__(self) -> None:
        settle(self, "initial", "initial")


@dataclass(frozen=True, slots=True)
class FlexibleState(BodyState):
    """The state of a flexible body: also its elastic coordinates and their rates, by name.

    >>> pl.FlexibleState(elastic={"v1": "1 mm"}).elastic
    {'v1': Formula('1 mm')}
    """

    elastic: Written[Mapping[str, Formula]] = has(
        Table(Number("")), FrozenDict(), "elastic coordinates"
    )
    elastic_rates: Written[Mapping[str, Formula]] = has(
        Table(Number("")), FrozenDict(), "and their rates"
    )


@dataclass(frozen=True, slots=True)
class StateKind(NestedFields):
    """A field holding a BodyState, or one of the class `cls`; each of its faults is its own."""

    cls: Any = BodyState
    example: str = "{position: [x, y, z]}"

    def convert(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        if isinstance(value, BodyState):
            return self.cls(**{k: getattr(value, k) for k in kinds_of(BodyState)})
        if not isinstance(value, Mapping):
            raise InputError(f"{shown(value)} is not a state", f"write {self.example}")
        check_keys(value, kinds_of(self.cls))
        return self.cls(**value)
