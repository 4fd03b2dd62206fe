"""Translation in space without rotation: what carries a point mass that nothing turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pliant.model.joints.base import Coordinate, Joint
from pliant.model.joints.parts import locked, upright
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Translation(Joint):
    """Position x, y, z in parent axes; the axes stay parallel. Not to be written in models: a free
    body without inertia gets it in place of a free joint (``pliant.graphs.spanning_tree``)."""

    kind: ClassVar[str] = "translation"
    m: ClassVar[int] = 3
    row_units: ClassVar[tuple[str, ...]] = ("rad", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("rx", "ry", "rz")

    @property
    def scalars(self) -> tuple[Coordinate, ...]:
        return tuple(Coordinate(axis, f"v{axis}", "m") for axis in "xyz")

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(ops.const(np.eye(3)), ops.vec(q[0], q[1], q[2]))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.const(np.eye(6)[:, 3:])

    def residual(self, ops: Ops, X: Pose) -> Any:
        return ops.stack(locked(ops, X)[0])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns(locked(ops, X)[1])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [upright(X.R)]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.vec(X.p[0], X.p[1], X.p[2])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.const(np.eye(6)[:, 3:])
