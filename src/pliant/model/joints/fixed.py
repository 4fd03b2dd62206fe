"""Fixed joint: no relative motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pliant.model.joints.base import Joint
from pliant.model.joints.parts import locked, translation, upright
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose, identity


@dataclass(frozen=True, slots=True)
class Fixed(Joint):
    """Child welded to parent: the two frames coincide."""

    kind: ClassVar[str] = "fixed"
    m: ClassVar[int] = 6
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z", "rx", "ry", "rz")

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return identity(ops)

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.zeros(6, 0)

    def residual(self, ops: Ops, X: Pose) -> Any:
        return ops.stack([X.p, *locked(ops, X)[0]])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, "xyz"), *locked(ops, X)[1]])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [upright(X.R)]
