"""Distance constraint: two points stay a given length apart (a massless rod with ball ends)."""

from __future__ import annotations

from dataclasses import KW_ONLY
from dataclasses import replace as _replace
from typing import Any, ClassVar

from pliant.model.fields import Quantity, number
from pliant.model.forces.action import Symbol
from pliant.model.joints.base import Joint
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Distance(Joint):
    """Two points stay a given length apart: (|p|² - L²) / 2L = 0. Always a cut joint: it has no
    relative coordinates.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Distance("link", "ground", "box", length="1 m")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    5
    """

    _: KW_ONLY
    length: Quantity = number("m", doc="distance between the frame origins", above=0)

    kind: ClassVar[str] = "distance"
    row_units: ClassVar[tuple[str, ...]] = ("m",)
    row_names: ClassVar[tuple[str, ...]] = ("length",)
    in_tree: ClassVar[bool] = False
    pulls: ClassVar[bool] = True

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return (Symbol("distance", self.parent, self.child),)

    def evaluated(self, evaluate: Any) -> Any:
        copy = _replace(self)
        object.__setattr__(copy, "length", evaluate(self.length))
        return copy

    def residual(self, ops: Ops, X: Pose) -> Any:
        L: Any = self.length
        return ops.stack([(ops.dot(X.p, X.p) - L * L) / (2 * L)])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        L: Any = self.length
        return ops.columns([ops.stack([ops.zeros(3), X.p / L])])
