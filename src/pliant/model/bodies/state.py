"""The initial state of a body: any part of it may be given, the rest is assembled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import (
    Number,
    Optional,
    OptionalVector,
    Table,
    has,
    kinds_of,
    settle,
    shown,
    vector,
)
from pliant.model.formulas import Formula
from pliant.model.frames import Orientation, OrientationKind
from pliant.model.named import Named, did_you_mean


@dataclass(frozen=True, slots=True)
class BodyState:
    """Pose and velocity of the body frame in world axes; None = not given."""

    position: OptionalVector = vector("m", None, doc="of the body origin")
    orientation: Orientation | None = has(Optional(OrientationKind()), None, "of the body frame")
    velocity: OptionalVector = vector("m/s", None, doc="of the body origin")
    angular_velocity: OptionalVector = vector("rad/s", None, doc="in world axes")

    def __post_init__(self) -> None:
        settle(self, "initial", "initial")


@dataclass(frozen=True, slots=True)
class FlexibleState(BodyState):
    """The state of a flexible body: also its elastic coordinates and their rates, by name."""

    elastic: Mapping[str, Formula] = has(Table(Number("")), Named(), "elastic coordinates")
    elastic_rates: Mapping[str, Formula] = has(Table(Number("")), Named(), "and their rates")


@dataclass(frozen=True, slots=True)
class StateKind:
    """A field holding a BodyState, or one of the class `cls`."""

    cls: type[BodyState] = BodyState

    def convert(self, value: Any) -> BodyState:
        if isinstance(value, self.cls):
            return value
        if isinstance(value, BodyState):
            return self.cls(**{k: getattr(value, k) for k in kinds_of(BodyState)})
        if not isinstance(value, Mapping):
            raise InputError(f"{shown(value)} is not a state", "write {position: [x, y, z]}")
        known = kinds_of(self.cls)
        for key in value:
            if key not in known:
                raise InputError(f"unknown key '{key}'", did_you_mean(str(key), known))
        return self.cls(**value)

    def plain(self, value: BodyState) -> dict[str, Any]:
        given = {k: kind.plain(getattr(value, k)) for k, kind in kinds_of(value).items()}
        return {k: v for k, v in given.items() if v is not None and (v or k not in _ELASTIC)}

    def schema(self) -> dict[str, Any]:
        parts = {k: kind.schema() for k, kind in kinds_of(self.cls).items()}
        return {"type": "object", "properties": parts, "additionalProperties": False}

    def formulas(self, value: BodyState) -> Iterator[tuple[str, Formula, Number]]:
        for key, kind in kinds_of(value).items():
            for label, f, number in kind.formulas(getattr(value, key)):
                yield f".{key}{label}", f, number


_ELASTIC = ("elastic", "elastic_rates")
