"""A six-component bushing between two frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pliant.errors import InputError
from pliant.model.fields import (
    Numbers,
    Quantities,
    Reference,
    Word,
    has,
    is_sequence,
    shown,
)
from pliant.model.forces.action import Acting, Action, Arrow, Load, Motion, Symbol
from pliant.model.formulas import Formula
from pliant.records import dataclass
from pliant.spatial.turns import MEASURES

_ZERO = (0,) * 36


def _units(moment: str, coupling: str, force: str) -> tuple[str, ...]:
    """Units of a 6x6 matrix with rotations first, row by row."""
    upper = [moment] * 3 + [coupling] * 3
    lower = [coupling] * 3 + [force] * 3
    return tuple(upper * 3 + lower * 3)


@dataclass(frozen=True, slots=True)
class MatrixKind(Numbers):
    """A 6x6 matrix, rotations first: rows, 36 numbers, or {rotational: [3], translational: [3]}."""

    def convert(self, value: Any) -> tuple[Formula, ...]:
        if isinstance(value, Mapping):
            return Numbers.convert(self, _diagonal(value))
        if is_sequence(value) and len(value) == 6 and all(map(is_sequence, value)):
            value = [entry for row in value for entry in row]
        if not is_sequence(value) or len(value) != 36:
            raise InputError(
                f"{shown(value)} is not a 6x6 matrix",
                "give 6 rows of 6, or {rotational: [3 numbers], translational: [3 numbers]}",
            )
        return Numbers.convert(self, value)

    def plain(self, value: Sequence[Formula]) -> Any:
        numbers = Numbers.plain(self, value)
        rest = [numbers[6 * i + j] for i in range(6) for j in range(6) if i != j]
        if all(entry == 0 for entry in rest):
            diagonal = numbers[::7]
            return {"rotational": diagonal[:3], "translational": diagonal[3:]}
        return [numbers[6 * i : 6 * i + 6] for i in range(6)]

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/matrix6"}


def _diagonal(value: Mapping[str, Any]) -> list[Any]:
    parts: list[Any] = []
    for key in ("rotational", "translational"):
        part = value.get(key, (0, 0, 0))
        if not is_sequence(part) or len(part) != 3:
            raise InputError(f"{key}: {shown(part)} stands where a list is expected",
                             "give 3 numbers")  # fmt: skip
        parts.extend(part)
    unknown = set(value) - {"rotational", "translational"}
    if unknown:
        raise InputError(f"unknown key '{min(map(str, unknown))}'",
                         "known: rotational, translational")  # fmt: skip
    return [parts[i] if i == j else 0 for i in range(6) for j in range(6)]


@dataclass(frozen=True, slots=True)
class Bushing(Acting):
    """Acts on frame_b with Q = preload - K x - D x', and with the opposite on frame_a.

    x: the rotation of frame_b in frame_a, then the three displacements, in the axes of frame_a. The
    rotation is the vector angle times axis, up to half a turn, or three Bryant angles 1-2-3, the
    second up to a quarter turn. The wrench does the power Q . x', so that an undamped bushing has
    the energy 1/2 x K x at any rotation. It dissipates x' D x', and what the skew part of K takes.
    Matrices are row by row, rotations first.

    >>> mount = pl.Bushing("mount", "ground", "box", stiffness={"translational": [9e4, 9e4, 2e5]})
    >>> mount.rotation
    'vector'
    """

    kind: ClassVar[str] = "bushing"
    is_elastic: ClassVar[bool] = True
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="the frame the components refer to")
    frame_b: str = has(Reference("frame"), doc="the other frame")
    stiffness: Quantities = has(
        MatrixKind(36, _units("N*m/rad", "N | N/rad", "N/m"), usual=0),
        _ZERO,
        "6x6, rotations first",
    )
    damping: Quantities = has(
        MatrixKind(36, _units("N*m*s/rad", "N*s | N*s/rad", "N*s/m"), usual=0),
        _ZERO,
        "6x6, rotations first",
    )
    preload: Quantities = has(
        Numbers(6, ("N*m",) * 3 + ("N",) * 3), (0,) * 6, "three moments, then three forces"
    )
    rotation: str = has(Word(tuple(MEASURES)), "vector", "how the rotation is measured")

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return (Symbol("bushing", self.frame_a, self.frame_b),)

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        return tuple(Arrow(quantity, self.frame_b) for quantity in ("force", "torque"))

    def act(self, motion: Motion) -> Action:
        """Wrench conjugate to x: torque A^T Q_r and force Q_t, where x_r' = A w."""
        ops = motion.ops
        a, b = motion.frame(self.frame_a), motion.frame(self.frame_b)
        R_AW = a.R_WP.T
        R, p = R_AW @ b.R_WP, R_AW @ (b.p_WP - a.p_WP)
        w = R_AW @ (b.w_WP - a.w_WP)
        v = R_AW @ (b.v_WP - a.v_WP - ops.cross(a.w_WP, b.p_WP - a.p_WP))
        turned, A = MEASURES[self.rotation](ops, R)
        x = ops.stack([turned, p])
        rate = ops.stack([A @ w, v])
        K, D = (ops.mat([[motion.value(f) for f in entries[6 * i : 6 * i + 6]] for i in range(6)])
                for entries in (self.stiffness, self.damping))  # fmt: skip
        preload = ops.vec(*(motion.value(f) for f in self.preload))
        Q = preload - K @ x - D @ rate
        torque, force = a.R_WP @ (A.T @ Q[:3]), a.R_WP @ Q[3:]
        back = -torque - ops.cross(b.p_WP - a.p_WP, force)
        return Action(
            loads=(Load(self.frame_b, force, torque), Load(self.frame_a, -force, back)),
            potential=0.5 * ops.dot(x, K @ x) - ops.dot(preload, x),
            dissipated=ops.dot(rate, D @ rate + 0.5 * (K @ x - K.T @ x)),
            outputs={"force": (force, "N"), "torque": (torque, "N*m")},
        )
