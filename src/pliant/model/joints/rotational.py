"""Spherical and free joints: a full rotation.

Every body that is not otherwise attached has a free joint to the ground.

A rotation moves by Euler parameters, which are regular everywhere. An angle set tells it besides:
at the start, in formulas, in results, and in equations that are read or exported (``in_angles``).
Speeds are components of the angular velocity either way. Source: S0.8; spherical joint S0 7.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.model.fields import Word, has
from pliant.model.joints.base import Coordinate, Joint
from pliant.model.joints.parts import translation
from pliant.records import dataclass
from pliant.spatial import rotation
from pliant.spatial.angle_sequences import BRYANT_123, EULER_313, AngleSequence
from pliant.spatial.ops import NUMERIC, Ops
from pliant.spatial.pose import Pose

if TYPE_CHECKING:
    from pliant.model.model import Model


@dataclass(frozen=True, slots=True)
class RotationSet:
    """Coordinates of a rotation: ``matrix(ops, q)``, its inverse ``of_matrix(ops, R)``, ``rate``
    q'(q, w), ``speed`` w(q, q')."""

    names: tuple[str, ...]
    unit: str
    matrix: Callable[[Ops, Any], Any]
    rate: Callable[[Ops, Any, Any], Any]
    speed: Callable[[Ops, Any, Any], Any]
    of_matrix: Callable[[Ops, Any], Any]
    sequence: AngleSequence | None = None
    """Of angles about three axes in turn."""

    @property
    def neutral(self) -> Array:
        """Coordinates of no rotation."""
        return np.array(self.of_matrix(NUMERIC, np.eye(3)))


MOVES, SPINS = ("x", "y", "z"), ("wx", "wy", "wz")
"""Names of displacements, and of the components of an angular velocity."""
_ANGLES = ("angle1", "angle2", "angle3")
EULER_PARAMETERS = RotationSet(
    ("e0", "e1", "e2", "e3"), "1", rotation.from_quaternion, rotation.quaternion_rate,
    rotation.quaternion_speed, lambda _, R: rotation.to_quaternion(R),
)  # fmt: skip
ROTATION_SETS: dict[str, RotationSet] = {
    "quaternion": EULER_PARAMETERS,
    "euler313": RotationSet(
        _ANGLES, "rad", rotation.euler313, rotation.euler313_rate, rotation.euler313_speed,
        rotation.to_euler313, EULER_313,
    ),
    "bryant123": RotationSet(
        _ANGLES, "rad", rotation.bryant123, rotation.bryant123_rate, rotation.bryant123_speed,
        rotation.to_bryant123, BRYANT_123,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RotationalJoint(Joint):
    """A joint with a full rotation; ``coordinates`` names what it is told in.

    Its speeds are vx, vy, vz in parent axes, if it ``moves``, and wx, wy, wz in child axes.
    """

    _: KW_ONLY
    coordinates: str = has(Word(tuple(ROTATION_SETS)), "quaternion", "rotation coordinates")
    in_angles: bool = False
    """Its angles are its coordinates q."""

    by_axes: ClassVar[bool] = True
    moves: ClassVar[str] = ""
    """Its displacements, in parent axes."""

    @property
    def told_set(self) -> RotationSet:
        return ROTATION_SETS[self.coordinates]

    @property
    def rotation_set(self) -> RotationSet:
        """What its rotation moves by."""
        return self.told_set if self.in_angles else EULER_PARAMETERS

    @property
    def angle_names(self) -> tuple[str, ...]:
        return () if self.told_set is EULER_PARAMETERS else self.told_set.names

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        return self._angle_directions()

    def _angle_directions(self) -> dict[str, tuple[str, Array]]:
        """The first angle is about an axis of the parent, the third about one of the child."""
        sequence = self.told_set.sequence if self.told_set else None
        if sequence is None:
            return {}
        first, _, third = self.angle_names
        E3 = np.eye(3)
        return {first: (self.parent, E3[sequence.first]), third: (self.child, E3[2])}

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return (*self.moves, *self.rotation_set.names)

    @property
    def told_names(self) -> tuple[str, ...]:
        return (*self.moves, *self.told_set.names)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return (*(f"v{axis}" for axis in self.moves), *SPINS)

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        return ("m",) * len(self.moves) + (self.rotation_set.unit,) * len(self.rotation_set.names)

    @property
    def rate_units(self) -> tuple[str, ...]:
        return ("m/s",) * len(self.moves) + ("rad/s",) * 3

    @property
    def rotations(self) -> tuple[tuple[str, int], ...]:
        return ((self.coordinates if self.in_angles else "quaternion", len(self.moves)),)

    @property
    def neutral(self) -> Array:
        return np.concatenate([np.zeros(len(self.moves)), self.rotation_set.neutral])

    def near(self, told: Mapping[str, float]) -> Array:
        n, own = len(self.moves), self.told_set
        usual = zip(self.told_names, (*[0.0] * n, *own.neutral), strict=True)
        found = np.array([told.get(name, value) for name, value in usual])
        R = own.matrix(NUMERIC, found[n:])
        return np.concatenate([found[:n], self.rotation_set.of_matrix(NUMERIC, R)])

    @property
    def measured(self) -> tuple[Coordinate, ...]:
        angles = (
            Coordinate(n, f"{n}_rate", "rad", wraps=n != _ANGLES[1]) for n in self.angle_names
        )
        moved = () if self.scalars else zip(self.moves, self.rate_names, strict=False)
        return (*(Coordinate(n, rate, "m") for n, rate in moved), *angles)

    def measure(self, ops: Ops, X: Pose, name: str) -> tuple[Any, Any]:
        if name in MOVES:
            return X.p[MOVES.index(name)], translation(ops, name)[0]
        assert self.told_set is not None
        assert self.told_set.sequence is not None
        k = self.angle_names.index(name)
        column = self.told_set.sequence.rates(ops, X.R)[k]
        return self.told_set.of_matrix(ops, X.R)[k], ops.stack([column, ops.zeros(3)])

    def angle_speeds(self, ops: Ops, R: Any, w: Any) -> tuple[Any, ...]:
        own = self.told_set.sequence if self.told_set else None
        return () if own is None else tuple(ops.dot(d, w) for d in own.rates(ops, R))

    def rate_column(self, ops: Ops, q: Any, name: str) -> Any:
        """The column of ``measure`` of a quantity that is one of the coordinates q, in these."""
        if name in MOVES:
            return translation(ops, name)[0]
        n, k = len(self.moves), self.coordinate_names.index(name)
        units = [ops.vec(*([0.0] * n), *row) for row in np.eye(3)]
        own = ops.vec(*(self.qdot(ops, q, u)[k] for u in units))
        return ops.stack([self.rotation_set.matrix(ops, q[n:]) @ own, ops.zeros(3)])

    def angles_of(self, ops: Ops, R: Any) -> tuple[Any, ...]:
        return tuple(self.told_set.of_matrix(ops, R)) if self.angle_names else ()

    def pose(self, ops: Ops, q: Any) -> Pose:
        n = len(self.moves)
        return Pose(self.rotation_set.matrix(ops, q[n:]), q[:n] if n else ops.zeros(3))

    def motion(self, ops: Ops, q: Any) -> Any:
        n = len(self.moves)
        R = self.rotation_set.matrix(ops, q[n:])
        move = [ops.const(np.eye(6)[3 + k]) for k in range(n)]
        return ops.columns([*move, *(ops.stack([R[:, k], ops.zeros(3)]) for k in range(3))])

    def qdot(self, ops: Ops, q: Any, u: Any) -> Any:
        n = len(self.moves)
        turned = self.rotation_set.rate(ops, q[n:], u[n:])
        return ops.stack([u[:n], turned]) if n else turned

    def speeds(self, ops: Ops, q: Any, qdot: Any) -> Any:
        n = len(self.moves)
        turned = self.rotation_set.speed(ops, q[n:], qdot[n:])
        return ops.stack([qdot[:n], turned]) if n else turned

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        n = len(self.moves)
        return np.concatenate([X.p[:n], self.rotation_set.of_matrix(ops, X.R)])


@dataclass(frozen=True, slots=True)
class Spherical(RotationalJoint):
    """Any rotation about a common point. Speeds wx, wy, wz: angular velocity in child axes.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Spherical("ball", "ground", "box")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    3
    """

    kind: ClassVar[str] = "spherical"
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    common: ClassVar[tuple[str, ...]] = ("point",)

    def residual(self, ops: Ops, X: Pose) -> Any:
        return X.p

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns(translation(ops, "xyz"))


@dataclass(frozen=True, slots=True)
class Free(RotationalJoint):
    """Position x, y, z in parent axes and any rotation.

    Speeds vx, vy, vz in parent axes; wx, wy, wz in child axes.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Free("free", "ground", "box", initial={"vz": "2 m/s"})
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    6
    """

    kind: ClassVar[str] = "free"
    is_free: ClassVar[bool] = True
    moves: ClassVar[str] = "xyz"


def in_angles(model: Model) -> Model:
    """The model as it is read and exported: q of joints told in angles are these angles."""
    joints = [replace(j, in_angles=True) for j in model.joints.values()
              if isinstance(j, RotationalJoint) and j.angle_names]  # fmt: skip
    return model.with_(joints={**model.joints, **{j.name: j for j in joints}}) if joints else model
