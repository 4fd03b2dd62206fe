"""The joint that lets segments move in chosen directions, and its coordinate for each of them.

Ordinary joints are used where there is one; `SegmentJoint` stands for every other choice of the six
directions. Its canonical axes are y, z, x of the beam. Its coordinates are a rotation vector θ and
a displacement d, seen from half way of the rotation:

    R_FM = exp([θ]x)          p_FM = exp([θ/2]x) d

Both are the same from either side, with opposite signs: no axis comes before another one, and
springs along θ and d are the law of a piece of a beam with constant curvature up to the square of
its angle. (Angles one after the other twist by half of the product of two of them, always the
same way.) Directions that are not free are held: there θ and d are zero.

    θ' = A w     d' = exp([θ/2]x)ᵀ (v - w_h x p),  w_h the angular velocity half way
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.model import joints
from pliant.model.fields import Plain, has
from pliant.model.joints.parts import locked, upright
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import (
    angular_velocity,
    exponential,
    rotation_vector_rate,
    vee,
)
from pliant.spatial.turns import rotation_vector

_AXIS = {"torsion": "x", "axial": "x", "bending_y": "z", "bending_z": "y",
         "shear_y": "y", "shear_z": "z"}  # fmt: skip
"""Axis of the rotation or displacement of each direction: bending in the x-y plane is about z."""
_TURNING = ("bending_z", "bending_y", "torsion")
_MOVING = ("shear_y", "shear_z", "axial")
"""In the order of the canonical axes."""
_CANONICAL = {"y": 0, "z": 1, "x": 2}
_E3 = np.eye(3)


def axis_of(direction: str) -> tuple[str, bool]:
    """Axis of the beam a direction belongs to, and whether it is a rotation."""
    return _AXIS[direction], direction in _TURNING


def joint_between(
    name: str, parent: str, child: str, directions: Sequence[str]
) -> tuple[joints.Joint, Mapping[str, str]]:
    """The joint, and its coordinate for each direction."""
    turns = [d for d in _TURNING if d in directions]
    moves = [d for d in _MOVING if d in directions]
    axes = [_AXIS[d] for d in (*turns, *moves)]
    ends: tuple[Any, ...] = (name, parent, child)
    if not axes:
        return joints.Fixed(*ends), {}
    if len(axes) == 1:
        one = joints.Revolute if turns else joints.Prismatic
        return one(*ends, axis=axes[0]), {(turns or moves)[0]: "angle" if turns else "displacement"}
    if axes == ["x", "x"]:
        return joints.Cylindrical(*ends, axis="x"), {"torsion": "angle", "axial": "displacement"}
    own = SegmentJoint(
        *ends, moves=tuple(_CANONICAL[_AXIS[d]] for d in moves),
        turns=tuple(_CANONICAL[_AXIS[d]] for d in turns),
    )  # fmt: skip
    return own, dict(zip([*moves, *turns], own.coordinate_names, strict=True))


@dataclass(frozen=True, slots=True)
class SegmentJoint(joints.Joint):
    """Displacements ``moves`` and rotations ``turns``: numbers of canonical axes, ascending."""

    _: KW_ONLY
    moves: tuple[int, ...] = has(Plain(), ())
    turns: tuple[int, ...] = has(Plain(), ())

    kind: ClassVar[str] = "segment"

    @property
    def row_units(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("m",) * (3 - len(self.moves)) + ("rad",) * (3 - len(self.turns))

    @property
    def row_names(self) -> tuple[str, ...]:  # type: ignore[override]
        still = _others(self.turns)
        return (*("xyz"[k] for k in _others(self.moves)), *(f"r{k + 1}" for k in still))

    @property
    def scalars(self) -> tuple[joints.Coordinate, ...]:  # type: ignore[override]
        moves = [joints.Coordinate(f"d{k + 1}", f"d{k + 1}_rate", "m") for k in self.moves]
        turns = [
            joints.Coordinate(f"angle{k + 1}", f"angle{k + 1}_rate", "rad") for k in self.turns
        ]
        return (*moves, *turns)

    @property
    def _present(self) -> tuple[bool, bool, bool]:
        """Which components of θ there are."""
        return 0 in self.turns, 1 in self.turns, 2 in self.turns

    def canonical_axes(self) -> Array:
        return np.roll(_E3, 1, axis=0)

    def _parts(self, ops: Ops, q: Any) -> tuple[Any, Any]:
        """d and θ."""
        full: list[Any] = [0.0] * 6
        for i, k in enumerate((*self.moves, *(3 + k for k in self.turns))):
            full[k] = q[i]
        return ops.vec(*full[:3]), ops.vec(*full[3:])

    def _half(self, ops: Ops, theta: Any) -> Any:
        """Half of the rotation."""
        return exponential(ops, 0.5 * theta, self._present)

    def pose(self, ops: Ops, q: Any) -> Pose:
        d, theta = self._parts(ops, q)
        p = self._half(ops, theta) @ d if self.moves and self.turns else d
        return Pose(exponential(ops, theta, self._present), p)

    def motion(self, ops: Ops, q: Any) -> Any:
        d, theta = self._parts(ops, q)
        half = self._half(ops, theta)
        p, y = half @ d, _tangents(ops, half)
        columns = [ops.stack([ops.zeros(3), half[:, k]]) for k in self.moves]
        for k in self.turns:
            w = angular_velocity(ops, theta, ops.const(_E3[k]), self._present)
            v = ops.cross(0.5 * (w - ops.cross(y, w)), p) if self.moves else ops.zeros(3)
            columns.append(ops.stack([w, v]))
        return ops.columns(columns) if columns else ops.zeros(6, 0)

    def effort(self, ops: Ops, q: Any) -> Any:
        """The rates of a pose that the joint holds; so springs and reactions share a torque in the
        same way everywhere."""
        d, theta = self._parts(ops, q)
        half = self._half(ops, theta)
        A = rotation_vector_rate(ops, theta, self._present)
        return self._columns(ops, self.moves, half @ d, half, self.turns, A)

    def _columns(
        self, ops: Ops, moves: Sequence[int], p: Any, half: Any, turns: Sequence[int], A: Any
    ) -> Any:
        """Of the rates of d and of θ."""
        columns, y = [], _tangents(ops, half)
        for k in moves:
            arm = ops.cross(half[:, k], p) if self.turns else ops.zeros(3)
            columns.append(ops.stack([0.5 * (arm - ops.cross(arm, y)), half[:, k]]))
        columns += [ops.stack([A.T[:, k], ops.zeros(3)]) for k in turns]
        return ops.columns(columns) if columns else ops.zeros(6, 0)

    def _seen(self, ops: Ops, X: Pose) -> tuple[Any, Any, Any, Any]:
        """d, θ, half of the rotation and A of a pose, which need not be one that the joint
        holds."""
        if not self.turns:
            rows, columns = locked(ops, X)
            half, A = ops.const(_E3), ops.columns([c[:3] for c in columns]).T
            return X.p, ops.vec(*rows), half, A
        theta, A = rotation_vector(ops, X.R)
        half = exponential(ops, 0.5 * theta)
        return half.T @ X.p, theta, half, A

    def residual(self, ops: Ops, X: Pose) -> Any:
        d, theta, _, _ = self._seen(ops, X)
        rows = [*(d[k] for k in _others(self.moves)), *(theta[k] for k in _others(self.turns))]
        return ops.vec(*rows) if rows else ops.zeros(0)

    def constraint(self, ops: Ops, X: Pose) -> Any:
        _, _, half, A = self._seen(ops, X)
        return self._columns(ops, _others(self.moves), X.p, half, _others(self.turns), A)

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [] if self.turns else [upright(X.R)]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        d, theta, _, _ = self._seen(ops, X)
        return ops.vec(*(d[k] for k in self.moves), *(theta[k] for k in self.turns))

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        _, _, half, A = self._seen(ops, X)
        return self._columns(ops, self.moves, X.p, half, self.turns, A)


def _others(axes: Sequence[int]) -> list[int]:
    return [k for k in range(3) if k not in axes]


def _tangents(ops: Ops, half: Any) -> Any:
    """y, along the axis, as long as the tangent of half the angle of this rotation R. As R is what
    comes before it and after it, w = w_h + R w_h, and  w_h = (1 + R)⁻¹ w = (w - y x w) / 2."""
    return 2 * vee(ops, half) / (1 + half[0, 0] + half[1, 1] + half[2, 2])
