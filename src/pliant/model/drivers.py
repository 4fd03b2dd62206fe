"""Drivers: prescribed motions of a joint coordinate or of a frame, registered in `DRIVERS`.

Others derive from `Driving` and say themselves what they prescribe.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from pliant.errors import Fault, InputError, ModelError
from pliant.model.fields import (
    TIME,
    Number,
    Optional,
    OptionalVector,
    PartialVector,
    Quantity,
    Reference,
    Text,
    Word,
    Written,
    has,
    is_sequence,
    kinds_of,
    plain_number,
    settle,
    shown,
    vector,
)
from pliant.model.forces.action import Acting, Arrow, Load, Motion, Symbol
from pliant.model.formulas import Formula
from pliant.model.frames import COMPONENTS, Orientation, OrientationKind
from pliant.records import dataclass

LEVELS = ("position", "velocity", "acceleration")
_UNITS = " | ".join(f"{u}{p}" for p in ("", "/s", "/s^2") for u in ("rad", "m"))


@dataclass(frozen=True, slots=True)
class Driven:
    """Scalars of m or rad that follow targets, functions of time, at the level of their driver.

    ``push``: loads of the multipliers, the first of them on what is driven; their power is that of
    the multipliers on the velocities.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    positions: Any
    velocities: Any
    targets: Sequence[Any]
    push: Callable[[Any], tuple[Load, ...]]


def _levels(level: str) -> tuple[str, ...]:
    """The levels that follow from one by differentiation."""
    return LEVELS[LEVELS.index(level) :]


class MotionDriver:
    """A driver of a joint or a frame: what it says of itself."""

    __slots__ = ()
    joint: str = ""
    """The joint it drives; empty where it drives a frame."""
    coordinate: str | None = None
    """The coordinate it drives; None is the only one."""

    @property
    def positions(self) -> tuple[Formula, ...]:
        """Formulas it prescribes for displacements or an angle, or their rates."""
        return ()

    @property
    def prescribed(self) -> dict[str, tuple[Formula, int]]:
        """What formulas may read of the motion it gives, by name (`acceleration`): a formula of
        time, and how often it is to be differentiated."""
        return {}

    @property
    def m(self) -> int:
        """Number of rows."""
        return 1

    @property
    def pulls(self) -> bool:
        """Whether it acts on points only, whatever axes they have."""
        return False

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """Outputs that are drawn as arrows."""
        return ()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """How it is drawn: at the joint it drives, if it drives one."""
        drives = self.joint and Symbol("actuator", joint=self.joint, coordinate=self.coordinate)
        return (drives,) if drives else ()

    def __post_init__(self) -> None:
        settle(self, "drivers", "driver")


@dataclass(frozen=True, slots=True)
class JointDriver(MotionDriver):
    """Prescribes a joint coordinate, its rate or its acceleration as a formula of time.

    >>> pl.JointDriver("turn", "pin", level="velocity", motion="3 rad/s").motion
    Formula('3 rad/s')
    """

    kind: ClassVar[str] = "joint"

    name: str
    joint: str = has(Reference("joint"), doc="the joint it drives")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")
    level: str = has(Word(LEVELS), "position", "what the motion prescribes")
    motion: Quantity = has(Number(_UNITS, TIME), 0, "formula of t")

    @property
    def positions(self) -> tuple[Formula, ...]:
        return (self.motion,)

    @property
    def prescribed(self) -> dict[str, tuple[Formula, int]]:
        return {word: (self.motion, k) for k, word in enumerate(_levels(self.level))}


@dataclass(frozen=True, slots=True)
class PartialKind:
    """Three numbers, null where a direction is left free."""

    number: Number

    def convert(self, value: Any) -> tuple[Formula | None, ...]:
        if not is_sequence(value) or len(value) != 3:
            raise InputError(f"{shown(value)} stands where a list is expected",
                             "give 3 numbers, null where free")  # fmt: skip
        return tuple(None if v is None else self.number.convert(v) for v in value)

    def plain(self, value: Sequence[Formula | None]) -> list[Any]:
        return [None if v is None else plain_number(v) for v in value]

    def schema(self) -> dict[str, Any]:
        entry = {"anyOf": [{"$ref": "#/$defs/number"}, {"type": "null"}]}
        return {"type": "array", "items": entry, "minItems": 3, "maxItems": 3}

    def formulas(self, value: Sequence[Formula | None]) -> Iterator[tuple[str, Formula, Number]]:
        for k, v in enumerate(value):
            if v is not None:
                yield f"[{k + 1}]", v, self.number


@dataclass(frozen=True, slots=True)
class FrameDriver(MotionDriver):
    """Prescribes the motion of a frame in world axes, at position, velocity or acceleration level.

    `translation` moves the origin (None entries stay free); the rotation is given by `orientation`
    at position level, by `angular` (angular velocity or acceleration) at the other levels.

    >>> pl.FrameDriver("shaker", "table", translation=[None, None, "0.01*sin(60*t)"]).level
    'position'
    """

    kind: ClassVar[str] = "frame"

    name: str
    frame: str = has(Reference("frame"), doc="the frame it drives")
    level: str = has(Word(LEVELS), "position", "what is prescribed")
    translation: PartialVector = has(
        Optional(PartialKind(Number("m | m/s | m/s^2", TIME))), None, "of the origin"
    )
    orientation: Written[Orientation | None] = has(
        Optional(OrientationKind(TIME)), None, "formulas of t, at position level"
    )
    angular: OptionalVector = vector("rad/s | rad/s^2", None, scope=TIME, doc="in world axes")

    def __post_init__(self) -> None:
        MotionDriver.__post_init__(self)
        faults = [
            Fault(f"driver '{self.name}'", what, cure, path=("drivers", self.name))
            for what, cure in self._contradictions()
        ]
        if faults:
            raise ModelError(faults)

    @property
    def positions(self) -> tuple[Formula, ...]:
        return tuple(f for f in self.translation or () if f is not None)

    @property
    def prescribed(self) -> dict[str, tuple[Formula, int]]:
        told = zip(COMPONENTS, self.translation or (), strict=False)
        given = [(c, f) for c, f in told if f is not None]
        return {f"{word}.{c}": (f, k) for k, word in enumerate(_levels(self.level))
                for c, f in given}  # fmt: skip

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        return tuple(Arrow(quantity, self.frame) for quantity in ("force", "torque"))

    @property
    def m(self) -> int:
        turned = self.orientation is not None or self.angular is not None
        return len(self.positions) + 3 * turned

    @property
    def pulls(self) -> bool:
        return self.translation is not None and self.orientation is None and self.angular is None

    def _contradictions(self) -> Iterator[tuple[str, str]]:
        if self.level == "position" and self.angular is not None:
            yield "an angular motion at position level", "give an orientation"
        if self.level != "position" and self.orientation is not None:
            yield f"an orientation at {self.level} level", f"give an angular {self.level}"
        if not self.m:
            yield "nothing is prescribed", "give a position, a velocity or an orientation"


class Driving(Acting, ABC):
    """A driver that says itself what it prescribes; in files it stands under its kind."""

    __slots__ = ()
    kind: ClassVar[str]
    belongs: ClassVar[tuple[str, str]] = ("drivers", "driver")
    level: ClassVar[str] = "position"
    row_names: ClassVar[tuple[str, ...]]
    """Of all scalars that it prescribes."""
    name: str

    @property
    def prescribed(self) -> dict[str, tuple[Formula, int]]:
        """Nothing that formulas may read."""
        return {}

    @property
    def positions(self) -> tuple[Formula, ...]:
        """All its formulas."""
        own = ((kind, getattr(self, key)) for key, kind in kinds_of(self).items())
        return tuple(f for kind, value in own for _, f, _ in kind.formulas(value))

    @property
    def m(self) -> int:
        """Number of rows."""
        return len(self.row_names)

    @abstractmethod
    def drive(self, motion: Motion) -> Iterator[Driven]:
        """What it prescribes, and the loads of the multipliers."""


Driver = JointDriver | FrameDriver | Driving
DRIVERS: dict[str, type[Driver]] = {"joint": JointDriver, "frame": FrameDriver}
