"""The joint that lets segments move in chosen directions, and its coordinate for each of them.

Ordinary joints are used where there is one; `SegmentJoint` stands for every other choice of the six
directions. Its canonical axes are y, z, x of the beam, in which it moves by d and then turns by
Bryant angles:

    p_FM = d          R_FM = Rx(a1) Ry(a2) Rz(a3)          bend about y, bend about z, then twist

Directions that are not free are held: R_FM holds an angle of zero.

Ends of a segmented beam that are held: in which directions a spring of half a segment acts.

A section held at an end is a body without mass; between it and the first or last segment there is
the spring of the half segment. That makes sense only in directions that a joint holds against
something inert: a section that can move by itself would have no inertia.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model import joints
from pliant.model.bodies import Beam
from pliant.model.fields import Plain, has
from pliant.model.frames import IDENTITY
from pliant.model.joints import Joint
from pliant.model.joints.parts import angle_rate, locked, perpendicular, translation, upright
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC, Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_x, rot_y, rot_z

_AXIS = {"torsion": "x", "axial": "x", "bending_y": "z", "bending_z": "y",
         "shear_y": "y", "shear_z": "z"}  # fmt: skip
"""Axis of the rotation or displacement of each direction: bending in the x-y plane is about z."""
_TURNING = ("bending_z", "bending_y", "torsion")
"""Rotations in their order: about y, about z, about x."""
_MOVING = ("shear_y", "shear_z", "axial")
_CANONICAL = {"y": 0, "z": 1, "x": 2}
_E3 = np.eye(3)
_TURNS = (rot_x, rot_y, rot_z)
Arctangent = tuple[int, tuple[int, int], tuple[int, int]]
"""Sign, sine, cosine of an angle atan2(sign R[sine], R[cosine])."""
_BRYANT: dict[int, Arctangent] = {0: (-1, (1, 2), (2, 2)), 2: (-1, (0, 1), (0, 0))}
_PAIRS: dict[tuple[int, ...], dict[int, Arctangent]] = {
    (0, 1): {0: (1, (2, 1), (1, 1)), 1: (1, (0, 2), (0, 0))},
    (1, 2): {1: (1, (0, 2), (2, 2)), 2: (1, (1, 0), (1, 1))},
}
"""Where Bryant's angles would take from the rotation that is held."""


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
    if len(turns) == 2 and not moves:
        joint = joints.Universal(*ends, axis=axes[0], axis2=axes[1])
        return joint, dict(zip(turns, ("angle1", "angle2"), strict=True))
    if axes == ["x", "x"]:
        return joints.Cylindrical(*ends, axis="x"), {"torsion": "angle", "axial": "displacement"}
    own = SegmentJoint(
        *ends, moves=tuple(_CANONICAL[_AXIS[d]] for d in moves),
        turns=tuple(_CANONICAL[_AXIS[d]] for d in turns),
    )  # fmt: skip
    return own, dict(zip([*moves, *turns], own.coordinate_names, strict=True))


@dataclass(frozen=True, slots=True)
class SegmentJoint(joints.Joint):
    """Displacements ``moves`` and angles ``turns``: numbers of canonical axes, ascending."""

    _: KW_ONLY
    moves: tuple[int, ...] = has(Plain(), ())
    turns: tuple[int, ...] = has(Plain(), ())

    kind: ClassVar[str] = "segment"

    @property
    def row_units(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("m",) * (3 - len(self.moves)) + ("rad",) * (3 - len(self.turns))

    @property
    def row_names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (
            *("xyz"[k] for k in self._still),
            *(f"r{k + 1}" for k in range(3 - len(self.turns))),
        )

    @property
    def scalars(self) -> tuple[joints.Coordinate, ...]:  # type: ignore[override]
        moves = [joints.Coordinate(f"d{k + 1}", f"d{k + 1}_rate", "m") for k in self.moves]
        turns = [
            joints.Coordinate(f"angle{k + 1}", f"angle{k + 1}_rate", "rad") for k in self.turns
        ]
        return (*moves, *turns)

    @property
    def _still(self) -> list[int]:
        """Axes without displacement."""
        return [k for k in range(3) if k not in self.moves]

    def canonical_axes(self) -> Array:
        return np.roll(_E3, 1, axis=0)

    def pose(self, ops: Ops, q: Any) -> Pose:
        n = len(self.moves)
        p: list[Any] = [0.0, 0.0, 0.0]
        for i, k in enumerate(self.moves):
            p[k] = q[i]
        R = ops.const(_E3)
        for i, k in enumerate(self.turns):
            turned = _TURNS[k](ops, q[n + i])
            R = R @ turned if i else turned
        return Pose(R, ops.vec(*p))

    def motion(self, ops: Ops, q: Any) -> Any:
        """Each axis of rotation is turned by the angles before it."""
        columns = [ops.const(np.eye(6)[3 + k]) for k in self.moves]
        n, R = len(self.moves), None
        for i, k in enumerate(self.turns):
            axis = ops.const(_E3[k]) if R is None else R[:, k]
            columns.append(ops.stack([axis, ops.zeros(3)]))
            turned = _TURNS[k](ops, q[n + i])
            R = turned if R is None else R @ turned
        return ops.columns(columns) if columns else ops.zeros(6, 0)

    def effort(self, ops: Ops, q: Any) -> Any:
        """H itself, but with three angles the dual basis: (1, 0, -tan a2), (0, 1, 0) and
        (0, 0, 1/cos a2) turned by a1."""
        if len(self.turns) < 3:
            return self.motion(ops, q)
        n = len(self.moves)
        R, c, s = rot_x(ops, q[n]), ops.cos(q[n + 1]), ops.sin(q[n + 1])
        dual = (ops.vec(1, 0, -s / c), ops.vec(0, 1, 0), ops.vec(0, 0, 1 / c))
        moves = [ops.const(np.eye(6)[3 + k]) for k in self.moves]
        return ops.columns([*moves, *(ops.stack([R @ e, ops.zeros(3)]) for e in dual)])

    def _held(self, ops: Ops, X: Pose) -> tuple[list[Any], list[Any]]:
        """Rows that hold the remaining rotations, and their columns."""
        if not self.turns:
            return locked(ops, X)
        pairs = [(i, self.turns[0]) for i in range(3) if i != self.turns[0]]
        if len(self.turns) > 1:
            pairs = [(self.turns[0], self.turns[1])] if len(self.turns) == 2 else []
        found = [perpendicular(ops, X, *pair) for pair in pairs]
        return [r for r, _ in found], [c for _, c in found]

    def residual(self, ops: Ops, X: Pose) -> Any:
        rows = [*(X.p[k] for k in self._still), *self._held(ops, X)[0]]
        return ops.vec(*rows) if rows else ops.zeros(0)

    def constraint(self, ops: Ops, X: Pose) -> Any:
        still = "".join("xyz"[k] for k in self._still)
        columns = [*translation(ops, still), *self._held(ops, X)[1]]
        return ops.columns(columns) if columns else ops.zeros(6, 0)

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        if not self.turns:
            return [upright(X.R)]
        return [X.R[self.turns[0], self.turns[0]]] if len(self.turns) == 1 else []

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        """Bryant angles of R_FM: atan2(-R23, R33), asin R13, atan2(-R12, R11). Of two angles the
        first is that of the second axis about the first, the second that of the first axis about
        the second: their rates then take nothing from rotations that are held, and efforts along
        them are E, so that joint and springs share the torque in the same way everywhere."""
        R = X.R
        angles = {
            k: ops.atan2(sign * R[sine], R[cosine]) for k, (sign, sine, cosine) in self._angles()
        }
        if 1 in self.turns and 1 not in angles:
            angles[1] = ops.atan2(R[0, 2], ops.hypot(R[0, 0], R[0, 1]))
        return ops.vec(*(X.p[k] for k in self.moves), *(angles[k] for k in self.turns))

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        rates = {
            k: sign * angle_rate(ops, X, sine, cosine) for k, (sign, sine, cosine) in self._angles()
        }
        if 1 in self.turns and 1 not in rates:
            _, column = perpendicular(ops, X, 0, 2)
            rates[1] = column / ops.hypot(X.R[0, 0], X.R[0, 1])
        moves = translation(ops, "".join("xyz"[k] for k in self.moves))
        return ops.columns([*moves, *(rates[k] for k in self.turns)])

    def _angles(self) -> Iterable[tuple[int, Arctangent]]:
        """Angles by an arctangent; the middle one of three, or alone, has another form."""
        pair = _PAIRS.get(self.turns, _BRYANT)
        return ((k, pair[k]) for k in self.turns if k in pair)


def base_of(beam: Beam, frame: str) -> str:
    """The frame on the axis that carries a frame; "" is the body frame."""
    while frame and beam.frames[frame].on:
        frame = beam.frames[frame].on.rpartition(".")[2]
    return frame


def held_directions(
    model: Model, beam: Beam, end: str, on: Mapping[str, str], directions: tuple[str, ...]
) -> tuple[str, ...]:
    """Directions with a spring at an end, "root" or "tip"; ``on``: which end frames are at."""
    assert beam.theory.segments is not None
    wish = getattr(beam.theory.segments, end)
    if wish == "none":
        return ()
    found: set[str] = set()
    for joint in model.joints.values():
        for ref, other in ((joint.parent, joint.child), (joint.child, joint.parent)):
            body, _, frame = ref.partition(".")
            if body != beam.name or on.get(base_of(beam, frame)) != end or joint.springs:
                continue
            free = _free(model, beam, joint, frame)
            held = {d for d in directions if axis_of(d) not in free}
            found |= {d for d in held if _inert(model, joint, other, turning=axis_of(d)[1])}
    if wish != "auto" and not found:
        raise InputError(f"body '{beam.name}': segments: {end}: {wish}, but nothing holds this end",
                         "write auto, or hold it by a joint to something inert")  # fmt: skip
    return tuple(d for d in directions if d in found)


def welded(model: Model, beam: Beam, end: str, on: Mapping[str, str]) -> tuple[Beam, str] | None:
    """The segmented beam, and its frame, that an end is welded to: section on section, with the
    same axes, this beam as the child. Its last half segment is then in series with the spring."""
    for joint in model.joints.values():
        child, _, frame = joint.child.partition(".")
        parent, _, far = joint.parent.partition(".")
        other = model.beams.get(parent)
        if not joint.welds or child != beam.name or on.get(frame) != end:
            continue
        if other is None or other.theory.segments is None:
            continue
        if _section(beam, frame) and _section(other, far):
            return other, far
    return None


def _section(beam: Beam, frame: str) -> bool:
    """Whether a frame is on the axis of the beam, with its axes."""
    if not frame:
        return True
    own = beam.frames[frame]
    beside = any(not f.is_zero for f in own.position[1:])
    return not own.on and not beside and own.orientation == IDENTITY


def _free(model: Model, beam: Beam, joint: Joint, frame: str) -> set[tuple[str, bool]]:
    """Axes of the beam about which (True) or along which (False) a joint lets the end move."""
    everything = {(a, turning) for a in "xyz" for turning in (True, False)}
    if not joint.by_axes:
        return everything
    H = np.asarray(joint.motion(NUMERIC, joint.neutral), dtype=float).reshape(6, -1)
    names = [c.name for c in joint.scalars]
    driven = {
        0 if d.coordinate is None else names.index(d.coordinate)
        for d in model.joint_drivers.values()
        if d.joint == joint.name and d.coordinate in (None, *names)
    }
    H = H[:, [k for k in range(joint.nu) if k not in driven]]
    R = joint.canonical_axes()
    moving = {True: R @ H[:3], False: R @ H[3:]}
    found = set()
    for turning, rows in moving.items():
        axes = {a for a, row in zip("xyz", rows, strict=True) if np.abs(row).max(initial=0) > 1e-9}
        if axes and not _aligned(beam, frame):
            axes = set("xyz")
        found |= {(a, turning) for a in axes}
    return found


def _aligned(beam: Beam, frame: str) -> bool:
    """Whether a frame has the axes of the beam."""
    while frame:
        if beam.frames[frame].orientation != IDENTITY:
            return False
        frame = beam.frames[frame].on.rpartition(".")[2]
    return True


def _inert(model: Model, joint: Joint, other: str, *, turning: bool) -> bool:
    """Whether what holds an end has inertia of its own, for certain.

    Where two segmented beams meet, the spring is at the end of the child: between two springs the
    sections would have no inertia.
    """
    name = other.partition(".")[0]
    if name == "ground":
        return True
    segmented = name in model.beams and model.beams[name].theory.segments is not None
    return model.bodies[name].resists(turning=turning) and (not segmented or other == joint.parent)
