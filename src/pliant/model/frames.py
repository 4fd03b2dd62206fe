"""Frames on bodies: a position and an orientation, in any of the usual parametrisations.

Formulas may read the motion of a frame by name: `<frame>.velocity.x`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import (
    CONSTANT,
    Numbers,
    Numeric,
    Reference,
    Vector,
    Written,
    check_keys,
    has,
    is_sequence,
    made,
    settle,
    settled,
    shown,
    vector,
)
from pliant.model.fields import Number as NumberKind
from pliant.model.formulas import Formula
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.rotation import to_bryant123, to_euler313

_UNITS: dict[str, tuple[str, ...]] = {
    "identity": (),
    "euler313": ("rad",) * 3,
    "bryant123": ("rad",) * 3,
    "quaternion": ("1",) * 4,
    "axis_angle": ("", "", "", "rad"),
    "axes": ("",) * 6,
}
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
COMPONENTS = ("x", "y", "z")
VELOCITIES = ("velocity", "angular_velocity", "own_velocity", "own_angular_velocity")
"""Those that are linear in the rates of coordinates; own: in the axes of the frame itself."""
MOTIONS = ("position", *VELOCITIES)
DIRECTIONS = ("x_axis", "y_axis", "z_axis")
"""Axes of a frame, in world axes."""
ANGLES = ("angle1", "angle2", "angle3")
ANGLE_SETS = {"bryant123": to_bryant123, "euler313": to_euler313}
"""Of a frame against the world."""


def is_orientation(quantity: str, component: str) -> bool:
    """Whether formulas may read this of a frame: `x_axis.z`, `bryant123.angle2`."""
    return (quantity in DIRECTIONS and component in COMPONENTS) or (
        quantity in ANGLE_SETS and component in ANGLES
    )


def oriented(ops: Ops, R_WP: Any, quantity: str, component: str) -> Any:
    """Its value, of a frame with the rotation matrix R_WP."""
    if quantity in DIRECTIONS:
        return R_WP[COMPONENTS.index(component), DIRECTIONS.index(quantity)]
    return ANGLE_SETS[quantity](ops, R_WP)[ANGLES.index(component)]


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a frame is turned relative to the one it is placed in.

    kind          values
    identity      none
    euler313      three angles: about z, then the new x, then the new z
    bryant123     three angles: about x, then the new y, then the new z
    quaternion    w, x, y, z (normalised when used)
    axis_angle    x, y, z of the axis (normalised when used), angle
    axes          direction of the new z axis, then of the new x axis (made square to it)

    >>> pl.Orientation("bryant123", ["10 deg", 0, 0]).values[0]
    Formula('10 deg')
    """

    kind: str = "identity"
    values: Written[tuple[Formula, ...]] = settled(())

    def __post_init__(self) -> None:
        if self.kind not in _UNITS:
            raise InputError(
                f"unknown orientation '{self.kind}'",
                did_you_mean(str(self.kind), _UNITS),
            )
        units = _UNITS[self.kind]
        if not units and not len(self.values):
            return
        object.__setattr__(self, "values", Numbers(len(units), units, "time").convert(self.values))

    @classmethod
    def euler313(cls, angles: Sequence[Numeric]) -> Orientation:
        """Turn about z, then the new x, then the new z."""
        return cls("euler313", tuple(angles))

    @classmethod
    def bryant123(cls, angles: Sequence[Numeric]) -> Orientation:
        """Turn about x, then the new y, then the new z."""
        return cls("bryant123", tuple(angles))

    @classmethod
    def quaternion(cls, wxyz: Sequence[Numeric]) -> Orientation:
        """Euler parameters w, x, y, z."""
        return cls("quaternion", tuple(wxyz))

    @classmethod
    def about(cls, axis: str | Sequence[Numeric], angle: Numeric) -> Orientation:
        """Turn by an angle about an axis: "x", "y", "z" or three numbers."""
        direction = AXES.get(axis, axis) if isinstance(axis, str) else axis
        if not is_sequence(direction) or len(direction) != 3:
            raise InputError(f"axis: {shown(axis)} is not an axis", "write x, y, z or 3 numbers")
        return cls("axis_angle", (*direction, angle))

    @classmethod
    def axes(cls, z: Sequence[Numeric], x: Sequence[Numeric]) -> Orientation:
        """Direction of the new z axis and of the new x axis."""
        return cls("axes", (*z, *x))


IDENTITY = Orientation()


@dataclass(frozen=True, slots=True)
class OrientationKind:
    """A field holding an orientation."""

    scope: str = CONSTANT

    def convert(self, value: Any) -> Orientation:
        if isinstance(value, Orientation):
            return value
        if value is None:
            return IDENTITY
        if isinstance(value, Mapping):
            return _orientation_from(value)
        raise InputError(
            f"{shown(value)} is not an orientation", "write for example {axis: z, angle: 30 deg}"
        )

    def plain(self, value: Orientation) -> dict[str, Any]:
        numbers = Numbers(len(value.values)).plain(value.values)
        if value.kind == "identity":
            return {}
        if value.kind == "axis_angle":
            return {"axis": numbers[:3], "angle": numbers[3]}
        if value.kind == "axes":
            return {"z": numbers[:3], "x": numbers[3:]}
        return {value.kind: numbers}

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/orientation"}

    def formulas(self, value: Orientation) -> Iterator[tuple[str, Formula, NumberKind]]:
        units = _UNITS[value.kind]
        for k, (f, unit) in enumerate(zip(value.values, units, strict=True)):
            yield f".{value.kind}[{k + 1}]", f, NumberKind(unit, self.scope)


_FORMS = (
    "{euler313: [..]}, {bryant123: [..]}, {quaternion: [..]}, {axis: z, angle: a} or {z: , x: }"
)


def _orientation_from(value: Mapping[str, Any]) -> Orientation:
    keys = set(value)
    if not keys:
        return IDENTITY
    if keys == {"axis", "angle"}:
        return Orientation.about(value["axis"], value["angle"])
    if keys == {"z", "x"}:
        if not all(is_sequence(value[k]) and len(value[k]) == 3 for k in "zx"):
            raise InputError("z and x are directions", "give 3 numbers each")
        return Orientation.axes(value["z"], value["x"])
    if len(keys) == 1 and keys < {"euler313", "bryant123", "quaternion"}:
        (kind,) = keys
        return Orientation(kind, value[kind])
    given = ", ".join(sorted(map(str, keys)))
    raise InputError(f"{{{given}}} is not an orientation", f"write one of {_FORMS}")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame fixed on a body, placed in the body frame or in another frame `on` the same body.

    `node` places it at a node of a body with given modes; `position` is then its offset from the
    node. `implied` marks frames that a body has of itself.

    >>> pl.Frame("tip", position=["1 m", 0, 0]).position
    (Formula('1 m'), Formula('0'), Formula('0'))
    """

    name: str
    position: Vector = vector("m", (0, 0, 0), doc="origin, in the frame it is placed in")
    orientation: Written[Orientation] = has(OrientationKind(), IDENTITY, "how it is turned")
    on: str = ""
    node: int | None = None
    implied: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        settle(self, "frames", "frame")


@dataclass(frozen=True, slots=True)
class FramesKind:
    """A field holding the frames of a body, by name."""

    def convert(self, value: Any) -> FrozenDict[Frame]:
        if isinstance(value, Mapping):
            return FrozenDict((str(k), _frame_from(str(k), v)) for k, v in value.items())
        if is_sequence(value) and all(isinstance(v, Frame) for v in value):
            names = [frame.name for frame in value]
            for name in names:
                if names.count(name) > 1:
                    raise InputError(f"two frames named '{name}'", "rename one of them")
            return FrozenDict((frame.name, frame) for frame in value)
        raise InputError(f"{shown(value)} stands where frames are expected",
                         "write A: {at: [x, y, z]}")  # fmt: skip

    def plain(self, value: Mapping[str, Frame]) -> dict[str, Any]:
        return {name: _frame_plain(f) for name, f in value.items() if not f.implied}

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/frames"}

    def formulas(self, value: Mapping[str, Frame]) -> Iterator[tuple[str, Formula, NumberKind]]:
        for name, frame in value.items():
            if frame.implied:
                continue
            for label, f, kind in Numbers(3, ("m",)).formulas(frame.position):
                yield f".{name}.at{label}", f, kind
            for label, f, kind in OrientationKind().formulas(frame.orientation):
                yield f".{name}{label}", f, kind


def _frame_from(name: str, value: Any) -> Any:
    """A frame from a Frame, a position, or the mapping of a file."""
    try:
        if isinstance(value, Frame):
            if value.name != name:
                raise InputError(f"its name is '{value.name}'", "use one name")
            return value
        if is_sequence(value):
            return made(Frame, name=name, position=value)
        if not isinstance(value, Mapping):
            raise InputError(f"{shown(value)} is not a frame", "write {at: [x, y, z]}")
        check_keys(value, ("at", "orientation", "on", "node"))
        on, node = value.get("on", ""), value.get("node")
        placed = {"position": value.get("at", (0, 0, 0)),
                  "orientation": OrientationKind().convert(value.get("orientation")),
                  "on": Reference("frame").convert(on) if on else "",
                  "node": None if node is None else node_number(node)}  # fmt: skip
        return made(Frame, name=name, **placed)
    except InputError as error:
        raise InputError(f"frame '{name}': {error.what}", error.cure) from None


def _frame_plain(frame: Frame) -> dict[str, Any]:
    out: dict[str, Any] = {"at": Numbers(3).plain(frame.position)}
    if frame.orientation != IDENTITY:
        out["orientation"] = OrientationKind().plain(frame.orientation)
    if frame.on:
        out["on"] = frame.on
    if frame.node is not None:
        out["node"] = frame.node
        if out["at"] == [0, 0, 0]:
            del out["at"]
    return out


def node_number(value: Any) -> int:
    """The number of a node, counted from 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(f"node {shown(value)} is not a whole number", "count nodes from 0")
    return value
