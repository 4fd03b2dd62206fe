"""What a constraint says of itself: what it holds, and what its multipliers do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any, ClassVar

from pliant.model.forces.action import Acting, Load, Motion
from pliant.model.formulas import Formula
from pliant.model.numbers.units import Dimension
from pliant.records import dataclass


class Holding(Acting):
    """A constraint on positions or velocities."""

    __slots__ = ()
    belongs: ClassVar[tuple[str, str]] = ("constraints", "constraint")
    row_names: ClassVar[tuple[str, ...]]
    """Of all rows that it may have; each has a multiplier."""
    formula: Formula | None = None
    """What is held at zero, linear in velocities; without it and without a ``relation``, ``hold``
    says what is."""

    name: str

    def hold(self, motion: Motion) -> Iterator[Held]:
        """What it holds, if neither a formula nor a relation says it."""
        return iter(())

    def relation(self, model: Any) -> Formula | None:
        """What is held at zero, a formula of joint coordinates, positions of frames and time."""
        return None

    def unit(self, model: Any) -> str:
        """That of the relation, if it is known."""
        return ""

    def units(self, of: Callable[[Formula], Dimension | None]) -> Mapping[str, str]:
        """Of fields whose unit follows from what others read; ``of``: the dimension of a formula,
        if it is known."""
        return {}


@dataclass(frozen=True, slots=True)
class Held:
    """Velocities that are held at zero; ``positions`` where they are the rates of something.

    ``push``: loads of the multipliers, the first of them on what is held; their power is that of
    the multipliers on the velocities. ``outputs`` maps a quantity to (value, unit).
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    velocities: Any
    push: Callable[[Any], tuple[Load, ...]]
    positions: Any = None
    outputs: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
