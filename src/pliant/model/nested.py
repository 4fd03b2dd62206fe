"""Fields that hold a small class of their own, given as an instance or as a mapping."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import Number, check_keys, described, kinds_of, made, shown
from pliant.model.formulas import Formula
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass
from pliant.registry import offered


@dataclass(frozen=True, slots=True)
class NestedFields:
    """A value of a dataclass `cls` whose fields are declared like those of elements."""

    cls: Any
    example: str

    def convert(self, value: Any) -> Any:
        if isinstance(value, self.cls):
            return value
        if not isinstance(value, Mapping):
            raise InputError(f"{shown(value)} stands where a mapping is expected",
                             f"write {self.example}")  # fmt: skip
        check_keys(value, kinds_of(self.cls), self.required)
        return made(self.cls, **value)

    @property
    def required(self) -> list[str]:
        """Fields that must be given."""
        declared = dataclasses.fields(self.cls)
        return [f.name for f in declared if f.default is dataclasses.MISSING]

    def plain(self, value: Any) -> dict[str, Any]:
        defaults = {f.name: f.default for f in dataclasses.fields(self.cls)}
        out: dict[str, Any] = {}
        for key, kind in kinds_of(self.cls).items():
            default, own = defaults[key], getattr(value, key)
            if default is dataclasses.MISSING or own != kind.convert(default):
                out[key] = kind.plain(own)
        return out

    def schema(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "type": "object", "properties": described(self.cls), "additionalProperties": False
        }  # fmt: skip
        return out | ({"required": self.required} if self.required else {})

    def formulas(self, value: Any) -> Iterator[tuple[str, Formula, Number]]:
        for key, kind in kinds_of(self.cls).items():
            for label, f, number in kind.formulas(getattr(value, key)):
                yield f".{key}{label}", f, number


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several classes: {circle: {radius: 3 mm}}. Each class names its own `kind`."""

    classes: Mapping[str, Any]
    """By their kinds; more may be registered."""
    noun: str
    example: str

    @property
    def parts(self) -> dict[str, NestedFields]:
        """The kinds by name."""
        return {kind: NestedFields(cls, self.example) for kind, cls in self.classes.items()}

    def convert(self, value: Any) -> Any:
        if isinstance(value, tuple(self.classes.values())):
            return value
        if not isinstance(value, Mapping) or len(value) != 1:
            raise InputError(f"{shown(value)} is not a {self.noun}", f"write {self.example}")
        ((kind, fields),) = value.items()
        if kind not in self.parts:
            offered()
        if kind not in self.parts:
            raise InputError(f"unknown {self.noun} '{kind}'", did_you_mean(str(kind), self.parts))
        try:
            return self.parts[kind].convert(fields)
        except InputError as error:
            raise type(error)(f"{kind}: {error.what}", error.cure) from None

    def plain(self, value: Any) -> dict[str, Any]:
        return {value.kind: self.parts[value.kind].plain(value)}

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "object", "properties": {kind: part.schema()}, "required": [kind],
                 "additionalProperties": False}
                for kind, part in self.parts.items()
            ]
        }  # fmt: skip

    def formulas(self, value: Any) -> Iterator[tuple[str, Formula, Number]]:
        for label, f, number in self.parts[value.kind].formulas(value):
            yield f".{value.kind}{label}", f, number
