"""The joint that locks what it is told to lock.

Of the six motions of frame M in frame F any may be locked: displacements x, y, z along the axes of
F, and rotations. Three rotations left over are a full rotation. Otherwise

    rx, ry, rz locked    no rotation                       R = 1
    two of them          one angle, about the third axis   R = R_k(a)       that axis stays parallel
    one of them, k       two angles, about the other two   R = R_i(a) R_j(b)   e_i · r_j = 0

in the cyclic order k, i, j of x, y, z: first about an axis of the parent, then about one of the
child, which stay perpendicular as in a universal joint. All of this is regular at every pose, which
angles of a sequence of three would not be: with rz locked the joint is a cross of x and y.

Canonical axes are those of F in cyclic order, so that z is the axis left over, or the one that is
locked: what is left are lower pairs, a universal joint and a ball with displacements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.errors import Fault, InputError, ModelError
from pliant.model.cures import Leave, curing
from pliant.model.fields import Plain, Written, has, is_sequence, shown
from pliant.model.frozen import did_you_mean
from pliant.model.joints.base import Coordinate, Joint
from pliant.model.joints.parts import (
    angle_rate,
    locked,
    perpendicular,
    tilted,
    translation,
    turn,
    upright,
)
from pliant.model.joints.rotational import (
    EULER_PARAMETERS,
    MOVES,
    ROTATION_SETS,
    SPINS,
    RotationalJoint,
    RotationSet,
)
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_x, rot_y, rot_z

TURNS = ("rx", "ry", "rz")
_MOTIONS = (*MOVES, *TURNS)


class MotionsKind(Plain):
    """A field holding some of the six motions, in their order."""

    def convert(self, value: Any) -> tuple[str, ...]:
        known = ", ".join(_MOTIONS)
        if not is_sequence(value):
            raise InputError(f"{shown(value)} stands where a list is expected",
                             f"give some of [{known}]")  # fmt: skip
        for name in value:
            if name not in _MOTIONS:
                cure = did_you_mean(str(name), _MOTIONS) or f"give some of {known}"
                raise InputError(f"{shown(name)} is no motion", cure)
        twice = next((name for k, name in enumerate(value) if name in value[:k]), None)
        if twice is not None:
            raise InputError(f"'{twice}' is there twice", "name each motion once")
        if not len(value):
            raise InputError("nothing is locked", f"give some of {known}; a free joint locks none")
        return tuple(name for name in _MOTIONS if name in value)

    def plain(self, value: Sequence[str]) -> list[str]:
        return list(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"enum": list(_MOTIONS)}, "minItems": 1,
                "uniqueItems": True}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Locks(RotationalJoint):
    """Locks chosen motions of the child in the parent: some of x, y, z, rx, ry, rz.

    The others are its coordinates; three rotations that are left over are told as those of a
    spherical joint, in ``coordinates``.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Locks("guide", "ground", "box", locked=["x", "ry", "rz"])
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    3
    """

    _: KW_ONLY
    locked: Written[tuple[str, ...]] = has(MotionsKind(), doc="some of x, y, z, rx, ry, rz")

    kind: ClassVar[str] = "locks"
    main: ClassVar[str] = "locked"

    def __post_init__(self) -> None:
        RotationalJoint.__post_init__(self)
        if self._turned < 3 and self.coordinates != "quaternion":
            what = f"coordinates: {self.coordinates}, but {self._still[0]} is locked"
            cure = curing("its rotations are angles; remove coordinates", Leave())
            path = ("joints", self.name, "coordinates")
            raise ModelError([Fault(f"joint '{self.name}'", what, cure, path=path)])

    # -- what is left over ---------------------------------------------------------------------
    @property
    def _still(self) -> tuple[str, ...]:
        """Rotations that are locked."""
        return tuple(name for name in TURNS if name in self.locked)

    @property
    def _turned(self) -> int:
        """How many rotations are free."""
        return 3 - len(self._still)

    @property
    def _first(self) -> int:
        """The axis of F that is canonical x."""
        alone = self._still if self._turned == 2 else set(TURNS) - set(self._still)
        return (TURNS.index(next(iter(alone))) + 1) % 3 if self._turned in (1, 2) else 0

    def _name(self, names: Sequence[str], canonical: int) -> str:
        return names[(self._first + canonical) % 3]

    @property
    def moves(self) -> str:  # type: ignore[override]
        """Canonical axes along which it moves."""
        return "".join(a for k, a in enumerate("xyz") if self._name(MOVES, k) not in self.locked)

    @property
    def _held(self) -> str:
        """Canonical axes along which it does not move."""
        return "".join(axis for axis in "xyz" if axis not in self.moves)

    @property
    def scalars(self) -> tuple[Coordinate, ...]:  # type: ignore[override]
        moved = [self._name(MOVES, "xyz".index(axis)) for axis in self.moves]
        about = {1: (2,), 2: (0, 1)}.get(self._turned, ())
        turned = [self._name(TURNS, k) for k in about]
        return (*(Coordinate(n, f"{n}_rate", "m") for n in moved),
                *(Coordinate(n, f"{n}_rate", "rad", wraps=True) for n in turned))  # fmt: skip

    @property
    def row_names(self) -> tuple[str, ...]:  # type: ignore[override]
        moved = (self._name(MOVES, "xyz".index(axis)) for axis in self._held)
        return (*moved, *(("tilt1", "tilt2") if self._turned == 1 else self._still))

    @property
    def row_units(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("m",) * len(self._held) + ("rad",) * len(self._still)

    @property
    def welds(self) -> bool:  # type: ignore[override]
        return len(self.locked) == 6

    @property
    def common(self) -> tuple[str, ...]:  # type: ignore[override]
        point = () if self.moves or self.welds else ("point",)
        axes = {0: () if self.welds else ("axis1", "axis2", "axis"), 1: ("axis",)}
        return (*point, *axes.get(self._turned, ()))

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        R, found = self.canonical_axes(), self._angle_directions()
        for c, (column, of) in zip(self.scalars, self._axes(), strict=True):
            found[c.name] = of, R[:, column]
        return found

    def _axes(self) -> list[tuple[int, str]]:
        """Canonical axis of every scalar coordinate, and the frame it is fixed in."""
        turned = {1: [(2, self.parent)], 2: [(0, self.parent), (1, self.child)]}
        return [*(("xyz".index(a), self.parent) for a in self.moves),
                *turned.get(self._turned, [])]  # fmt: skip

    def canonical_axes(self) -> Array:
        return np.roll(np.eye(3), self._first, axis=0)

    # -- coordinates: scalars, then a full rotation if there is one -------------------------------
    @property
    def told_set(self) -> RotationSet | None:  # type: ignore[override]
        return ROTATION_SETS[self.coordinates] if self._turned == 3 else None

    @property
    def _rotation(self) -> RotationSet | None:
        return self.rotation_set if self._turned == 3 else None

    @property
    def angle_names(self) -> tuple[str, ...]:
        return () if self.told_set in (None, EULER_PARAMETERS) else self.told_set.names

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        own = self._rotation
        return (*(c.name for c in self.scalars), *(own.names if own else ()))

    @property
    def told_names(self) -> tuple[str, ...]:
        own = self.told_set
        return (*(c.name for c in self.scalars), *(own.names if own else ()))

    @property
    def rate_names(self) -> tuple[str, ...]:
        return (*(c.rate for c in self.scalars), *(SPINS if self._rotation else ()))

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        own = self._rotation
        return (*(c.unit for c in self.scalars), *((own.unit,) * len(own.names) if own else ()))

    @property
    def rate_units(self) -> tuple[str, ...]:
        return (*(f"{c.unit}/s" for c in self.scalars), *(("rad/s",) * 3 if self._rotation else ()))

    @property
    def rotations(self) -> tuple[tuple[str, int], ...]:
        kind = self.coordinates if self.in_angles else "quaternion"
        return ((kind, len(self.moves)),) if self._rotation else ()

    @property
    def neutral(self) -> Array:
        own = self._rotation
        return np.concatenate([np.zeros(len(self.scalars)), own.neutral if own else ()])

    def near(self, told: Mapping[str, float]) -> Array:
        return (RotationalJoint if self._rotation else Joint).near(self, told)

    # -- motion ----------------------------------------------------------------------------------
    def pose(self, ops: Ops, q: Any) -> Pose:
        n, at = len(self.moves), {axis: q[k] for k, axis in enumerate(self.moves)}
        p = ops.vec(*(at.get(axis, 0) for axis in "xyz")) if n else ops.zeros(3)
        if self._rotation is not None:
            return Pose(self._rotation.matrix(ops, q[n:]), p)
        turned = {0: lambda: ops.const(np.eye(3)), 1: lambda: rot_z(ops, q[n]),
                  2: lambda: rot_x(ops, q[n]) @ rot_y(ops, q[n + 1])}  # fmt: skip
        return Pose(turned[self._turned](), p)

    def motion(self, ops: Ops, q: Any) -> Any:
        columns, n = translation(ops, self.moves), len(self.moves)
        if self._rotation is not None:
            columns += _spins(ops, self._rotation.matrix(ops, q[n:]))
        elif self._turned == 1:
            columns.append(ops.const(np.eye(6)[2]))
        elif self._turned == 2:
            second = ops.vec(0, ops.cos(q[n]), ops.sin(q[n]), 0, 0, 0)
            columns += [ops.const(np.eye(6)[0]), second]
        return ops.columns(columns) if columns else ops.zeros(6, 0)

    def qdot(self, ops: Ops, q: Any, u: Any) -> Any:
        return u if self._rotation is None else RotationalJoint.qdot(self, ops, q, u)

    def speeds(self, ops: Ops, q: Any, qdot: Any) -> Any:
        return qdot if self._rotation is None else RotationalJoint.speeds(self, ops, q, qdot)

    # -- what it holds ---------------------------------------------------------------------------
    def _stays(self, ops: Ops, X: Pose) -> tuple[list[Any], list[Any]]:
        """Rows that hold rotations, and their columns."""
        if self._turned == 2:
            row, column = perpendicular(ops, X, 0, 1)
            return [row], [column]
        return {0: locked, 1: tilted}.get(self._turned, _nothing)(ops, X)

    def residual(self, ops: Ops, X: Pose) -> Any:
        held = [X.p[k] for k, axis in enumerate("xyz") if axis in self._held]
        return ops.vec(*held, *self._stays(ops, X)[0])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, self._held), *self._stays(ops, X)[1]])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return {0: [upright(X.R)], 1: [X.R[2, 2]]}.get(self._turned, [])

    # -- coordinates of a pose -------------------------------------------------------------------
    def scalars_of(self, ops: Ops, X: Pose) -> Any:
        moved = [X.p[k] for k, axis in enumerate("xyz") if axis in self.moves]
        return ops.vec(*moved, *(angle for angle, _ in self._angles(ops, X)))

    def _angles(self, ops: Ops, X: Pose) -> list[tuple[Any, Any]]:
        """Scalar angles, and columns of their rates."""
        if self._turned == 1:
            return [turn(ops, X)]
        places = [((2, 1), (1, 1)), ((0, 2), (0, 0))] if self._turned == 2 else []
        return [(ops.atan2(X.R[s], X.R[c]), angle_rate(ops, X, s, c)) for s, c in places]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        own = self._rotation
        scalars = self.scalars_of(ops, X)
        return scalars if own is None else np.concatenate([scalars, own.of_matrix(ops, X.R)])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        columns = [*translation(ops, self.moves), *(c for _, c in self._angles(ops, X))]
        columns += _spins(ops, X.R) if self._rotation else []
        return ops.columns(columns) if columns else ops.zeros(6, 0)


def _spins(ops: Ops, R: Any) -> list[Any]:
    """Columns of the angular velocity in axes of the child."""
    return [ops.stack([R[:, k], ops.zeros(3)]) for k in range(3)]


def _nothing(ops: Ops, X: Pose) -> tuple[list[Any], list[Any]]:
    return [], []
