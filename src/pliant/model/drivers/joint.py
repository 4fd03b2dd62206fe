"""Prescribed motion of a joint coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.fields import TIME, Number, Optional, Quantity, Reference, Text, Word, has, settle

LEVELS = ("position", "velocity", "acceleration")
_UNITS = " | ".join(f"{u}{p}" for p in ("", "/s", "/s^2") for u in ("rad", "m"))


@dataclass(frozen=True, slots=True)
class JointDriver:
    """Prescribes a joint coordinate, its rate or its acceleration as a formula of time."""

    kind: ClassVar[str] = "joint"

    name: str
    joint: str = has(Reference("joint"), doc="the joint it drives")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")
    level: str = has(Word(LEVELS), "position", "what the motion prescribes")
    motion: Quantity = has(Number(_UNITS, TIME), 0, "formula of t")

    def __post_init__(self) -> None:
        settle(self, "drivers", "driver")
