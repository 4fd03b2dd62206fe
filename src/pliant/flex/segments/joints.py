"""Which joint lets segments move in chosen directions, and its coordinate for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pliant.flex.segments.hinge import SegmentJoint
from pliant.model.joints import Cylindrical, Fixed, Joint, Prismatic, Revolute, Universal

_AXIS = {"torsion": "x", "axial": "x", "bending_y": "z", "bending_z": "y",
         "shear_y": "y", "shear_z": "z"}  # fmt: skip
"""Axis of the rotation or displacement of each direction: bending in the x-y plane is about z."""
_TURNING = ("bending_z", "bending_y", "torsion")
"""Rotations in their order: about y, about z, about x."""
_MOVING = ("shear_y", "shear_z", "axial")
_CANONICAL = {"y": 0, "z": 1, "x": 2}


def axis_of(direction: str) -> tuple[str, bool]:
    """Axis of the beam a direction belongs to, and whether it is a rotation."""
    return _AXIS[direction], direction in _TURNING


def joint_between(
    name: str, parent: str, child: str, directions: Sequence[str]
) -> tuple[Joint, Mapping[str, str]]:
    """The joint, and its coordinate for each direction."""
    turns = [d for d in _TURNING if d in directions]
    moves = [d for d in _MOVING if d in directions]
    axes = [_AXIS[d] for d in (*turns, *moves)]
    ends: tuple[Any, ...] = (name, parent, child)
    if not axes:
        return Fixed(*ends), {}
    if len(axes) == 1:
        one = Revolute if turns else Prismatic
        return one(*ends, axis=axes[0]), {(turns or moves)[0]: "angle" if turns else "displacement"}
    if len(turns) == 2 and not moves:
        joint = Universal(*ends, axis=axes[0], axis2=axes[1])
        return joint, dict(zip(turns, ("angle1", "angle2"), strict=True))
    if axes == ["x", "x"]:
        return Cylindrical(*ends, axis="x"), {"torsion": "angle", "axial": "displacement"}
    own = SegmentJoint(
        *ends, moves=tuple(_CANONICAL[_AXIS[d]] for d in moves),
        turns=tuple(_CANONICAL[_AXIS[d]] for d in turns),
    )  # fmt: skip
    return own, dict(zip([*moves, *turns], own.coordinate_names, strict=True))
