"""What a joint is: the relative motion of frame M (on the child) in frame F (on the parent).

Every joint is written once, in its canonical axes J (its axis is z unless its file says otherwise):

    X_FM(q)                 pose
    V_FM = H(q) u           motion basis, (w; v) of M in F, in axes of F
    q' = N(q) u             ``qdot`` and its inverse ``speeds``
    residual(X_FM) = 0      what the joint holds, and
    d(residual)/dt = C(X_FM)^T V_FM

Tree methods read H, cut joints and natural coordinates read C, the multibond graph reads both.
Laws, tested for every registered joint: residual(X_FM(q)) = 0 and C^T H = 0.

Stiff springs may stand in place of an ideal joint, the oldest stand-in for a constraint (S0 7):

    0 = residual(X_FM)   becomes   F = -C (k s + d Cᵀ V_FM)   on the child

with s the displacements and angles by which the joint is missed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.fields import (
    Flag,
    Number,
    Optional,
    OptionalQuantity,
    Quantity,
    Reference,
    Table,
    Written,
    has,
    number,
    settle,
)
from pliant.model.formulas import Formula
from pliant.model.frozen import FrozenDict
from pliant.model.nested import NestedFields
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose

if TYPE_CHECKING:
    from pliant.model.forces.action import Symbol
    from pliant.model.joints.rotational import RotationSet


@dataclass(frozen=True, slots=True)
class JointSprings:
    """Stiffness and damping of what a joint would hold: per metre and per radian."""

    stiffness: OptionalQuantity = number(
        "N/m", None, doc="of translations the joint prevents", above=0
    )
    rotational_stiffness: OptionalQuantity = number(
        "N*m/rad", None, doc="of rotations the joint prevents", above=0
    )
    damping: Quantity = number("N*s/m", 0, doc="of these translations", least=0)
    rotational_damping: Quantity = number("N*m*s/rad", 0, doc="of these rotations", least=0)

    def __post_init__(self) -> None:
        settle(self, "springs", "springs")


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A scalar joint coordinate and its speed, as the user names them.

    ``wraps``: an angle that a pose gives only modulo a turn.
    """

    name: str
    rate: str
    unit: str
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Joint:
    """Common part of all joints. ``parent`` and ``child`` are frame references.

    ``initial`` gives coordinates and rates at the start, ``guess`` only where assembly should look
    for coordinates (which of two branches); ``cut`` makes this joint close a loop
    (True) or keeps it in the tree (False); by default the spanning tree decides. With ``springs``
    it is no constraint but a set of forces, and in no tree.

    >>> hinge: pl.Joint = pl.JOINTS["revolute"]("hinge", "ground", "box")
    >>> hinge.coordinate_names
    ('angle',)
    """

    name: str
    parent: str = has(Reference("frame"), doc="frame F, on the parent")
    child: str = has(Reference("frame"), doc="frame M, on the child")
    _: KW_ONLY
    initial: Written[Mapping[str, Formula]] = has(
        Table(Number("")), FrozenDict(), "coordinates at the start"
    )
    guess: Written[Mapping[str, Formula]] = has(
        Table(Number("")), FrozenDict(), "coordinates near which assembly looks"
    )
    cut: bool | None = has(Optional(Flag()), None, "true: this joint closes a loop")
    springs: Written[JointSprings | None] = has(
        Optional(NestedFields(JointSprings, "{stiffness: 1e8, rotational_stiffness: 1e5}")), None,
        "stiff springs hold what the joint would hold exactly",
    )  # fmt: skip

    kind: ClassVar[str] = ""
    main: ClassVar[str] = ""
    outside: ClassVar[tuple[str, ...]] = ("initial", "guess", "cut", "springs")
    pair: ClassVar[tuple[str, ...]] = ("parent", "child")
    scalars: ClassVar[tuple[Coordinate, ...]] = ()
    """Scalar coordinates with a rate each (angles and displacements)."""
    row_units: ClassVar[tuple[str, ...]] = ()
    row_names: ClassVar[tuple[str, ...]] = ()
    """Of the rows of ``residual``."""
    in_tree: ClassVar[bool] = True
    """Whether relative coordinates exist (a distance constraint has none)."""
    is_free: ClassVar[bool] = False
    """Whether it relates nothing and only counts coordinates of one frame in the other."""
    welds: ClassVar[bool] = False
    """Whether parent and child move as one."""
    pulls: ClassVar[bool] = False
    """Whether it acts on points only, whatever axes they have."""
    by_axes: ClassVar[bool] = False
    """Whether each speed turns about or moves along one axis, and does nothing else."""
    common: ClassVar[tuple[str, ...]] = ()
    """What both frames share however it moves: their origin (``point``), directions of its
    canonical axes x, y, z (``axis1``, ``axis2``, ``axis``)."""
    advances: ClassVar[bool] = False
    """Whether turning about its axis moves it along that."""
    multi_turn: ClassVar[bool] = False
    """Whether the residual needs an angle beyond one turn: as a cut joint it keeps coordinates."""

    def __post_init__(self) -> None:
        settle(self, "joints", "joint")

    @property
    def m(self) -> int:
        """Number of rows of ``residual``."""
        return len(self.row_names)

    # -- what each joint file supplies -------------------------------------------------------
    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.scalars)

    @property
    def told_names(self) -> tuple[str, ...]:
        """Names by which its coordinates are given at the start and read in formulas."""
        return self.coordinate_names

    @property
    def told_set(self) -> RotationSet | None:
        """What a full rotation is told in, if it has one."""
        return None

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        """Of coordinates along or about an axis fixed in a frame: the frame, and the axis in it."""
        return {}

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """How it is drawn besides pins, rails and balls."""
        return ()

    @property
    def angle_names(self) -> tuple[str, ...]:
        """Angles that tell its rotation and need not be coordinates."""
        return ()

    @property
    def measured(self) -> tuple[Coordinate, ...]:
        """What else its pose tells and things may act along, like a coordinate (``measure``)."""
        return ()

    @property
    def angle_rates(self) -> tuple[str, ...]:
        """Rates of ``angle_names``."""
        return tuple(c.rate for c in self.measured if c.name in self.angle_names)

    def acting(self, name: str | None) -> Coordinate | None:
        """The coordinate that something acts along; None as a name is the only scalar one."""
        if name is None:
            return self.scalars[0] if len(self.scalars) == 1 else None
        return next((c for c in (*self.scalars, *self.measured) if c.name == name), None)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return tuple(c.rate for c in self.scalars)

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        return tuple(c.unit for c in self.scalars)

    @property
    def rate_units(self) -> tuple[str, ...]:
        return tuple(f"{c.unit}/s" for c in self.scalars)

    @property
    def nq(self) -> int:
        return len(self.coordinate_names)

    @property
    def nu(self) -> int:
        return len(self.rate_names)

    @property
    def rotations(self) -> tuple[tuple[str, int], ...]:
        """Kind of a full rotation, and where it begins among the coordinates."""
        return ()

    @property
    def neutral(self) -> Array:
        """Coordinates at which F and M coincide."""
        return np.zeros(self.nq)

    def near(self, told: Mapping[str, float]) -> Array:
        """Coordinates with those that are told, neutral otherwise."""
        pairs = zip(self.coordinate_names, self.neutral, strict=True)
        return np.array([told.get(name, usual) for name, usual in pairs])

    def angles_of(self, ops: Ops, R: Any) -> tuple[Any, ...]:
        """Values of ``angle_names``."""
        return ()

    def angle_speeds(self, ops: Ops, R: Any, w: Any) -> tuple[Any, ...]:
        """Rates of ``angle_names``, with the angular velocity w in axes of F."""
        return ()

    def measure(self, ops: Ops, X: Pose, name: str) -> tuple[Any, Any]:
        """A quantity of ``measured`` and the column c with d(quantity)/dt = c · V_FM."""
        raise InputError(f"joint '{self.name}': a {self.kind} joint does not tell '{name}'")

    def canonical_axes(self) -> Array:
        """R_FJ: the canonical axes of the joint in frame F (the same in M)."""
        return np.eye(3)

    def evaluated(self, evaluate: Any) -> Any:
        """The joint with its formulas replaced by ``evaluate(formula)``; self if it has none."""
        return self

    def pose(self, ops: Ops, q: Any) -> Pose:
        """X_FM(q) in canonical axes."""
        raise InputError(f"joint '{self.name}': a {self.kind} joint has no relative coordinates")

    def motion(self, ops: Ops, q: Any) -> Any:
        """H(q), 6 x nu, in axes of F."""
        raise InputError(f"joint '{self.name}': a {self.kind} joint has no relative coordinates")

    def effort(self, ops: Ops, q: Any) -> Any:
        """E(q), 6 x nu with E^T H = 1: the wrench of a unit effort along each coordinate."""
        return self.motion(ops, q)

    def qdot(self, ops: Ops, q: Any, u: Any) -> Any:
        """q' = N(q) u."""
        return u

    def speeds(self, ops: Ops, q: Any, qdot: Any) -> Any:
        """u = N⁺(q) q'."""
        return qdot

    def residual(self, ops: Ops, X: Pose) -> Any:
        """Zero where the joint holds."""
        return ops.zeros(0)

    def wound(self, ops: Ops, X: Pose, q: Any) -> Any:
        """The residual of a pose whose angles beyond one turn are those of q."""
        return self.residual(ops, X)

    def constraint(self, ops: Ops, X: Pose) -> Any:
        """C, 6 x m, with d(residual)/dt = C^T V_FM."""
        return ops.zeros(6, 0)

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        """Numbers that are positive where the joint holds and negative on the false roots of its
        residual (axes opposed instead of aligned)."""
        return []

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        """q of a pose X_FM (angles within one turn; rotation sets of numeric poses only)."""
        return ops.zeros(0)

    def scalars_of(self, ops: Ops, X: Pose) -> Any:
        """Those of them that are scalars, also of poses in symbols."""
        return self.coordinates_of(ops, X)

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        """6 x nu with u = rates_ofᵀ V_FM, also where the joint does not hold: among u are
        d(scalars_of)/dt; of joints with scalar coordinates."""
        return ops.zeros(6, 0)
