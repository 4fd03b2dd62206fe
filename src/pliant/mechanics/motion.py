"""Motion of bodies, frames and joints as expressions, however the coordinates are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pliant.errors import UnknownName
from pliant.mechanics.placement import placements
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose, identity

_COMPONENT = {"x": 0, "y": 1, "z": 2}
_KINEMATIC = {"position": "p_WP", "velocity": "v_WP", "angular_velocity": "w_WP"}


@dataclass(frozen=True, slots=True)
class BodyMotion:
    """Pose X_WB; angular velocity w and velocity v of the origin, their accelerations alpha and
    acc (material, without gravity), all in axes of B."""

    X_WB: Pose
    w: Any
    v: Any
    alpha: Any
    acc: Any


@dataclass(frozen=True, slots=True)
class FrameState:
    """Motion of frame P on a body, in world axes."""

    ops: Ops
    body: BodyMotion
    X_BP: Pose

    @property
    def R_WP(self) -> Any:
        return self.body.X_WB.R @ self.X_BP.R

    @property
    def p_WP(self) -> Any:
        return self.body.X_WB.p + self.body.X_WB.R @ self.X_BP.p

    @property
    def w_WP(self) -> Any:
        return self.body.X_WB.R @ self.body.w

    @property
    def v_WP(self) -> Any:
        b = self.body
        return b.X_WB.R @ (b.v + self.ops.cross(b.w, self.X_BP.p))

    @property
    def alpha_WP(self) -> Any:
        return self.body.X_WB.R @ self.body.alpha

    @property
    def a_WP(self) -> Any:
        b, cross = self.body, self.ops.cross
        turning = cross(b.alpha, self.X_BP.p) + cross(b.w, cross(b.w, self.X_BP.p))
        return b.X_WB.R @ (b.acc + turning)


@dataclass(frozen=True, slots=True)
class JointState:
    """A joint with coordinates: tree joint, or cut joint that keeps its own.

    ``joint`` has its formulas evaluated; q, u are its columns; ``start`` where u begins in the
    system's u. Poses and bases are in the joint's canonical axes.
    """

    joint: Joint
    q: Any
    u: Any
    chart: Any
    start: int
    X_FM: Pose
    H: Any
    E: Any


@dataclass(slots=True)
class SystemMotion:
    """Everything that moves; answers the questions of force elements, drivers and formulas."""

    model: Model
    values: Values
    ops: Ops
    bodies: dict[str, BodyMotion] = field(default_factory=dict)
    joints: dict[str, JointState] = field(default_factory=dict)
    places: dict[str, Mapping[str, Pose]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ops, zero = self.ops, self.ops.zeros(3)
        self.bodies["ground"] = BodyMotion(identity(ops), zero, zero, zero, zero)
        owners = {"ground": self.model.ground.frames}
        owners |= {name: body.frames for name, body in self.model.bodies.items()}
        self.places = {
            name: placements(ops, frames, self.values.constant) for name, frames in owners.items()
        }

    def placement(self, reference: str) -> tuple[str, Pose]:
        """Body and pose X_BP of a frame reference such as "crank.A"."""
        body, _, frame = reference.partition(".")
        return body, self.places[body][frame]

    def frame(self, reference: str) -> FrameState:
        """Motion of a frame."""
        body, X_BP = self.placement(reference)
        return FrameState(self.ops, self.bodies[body], X_BP)

    def coordinate(self, joint: str, name: str | None) -> tuple[Any, Any]:
        """A scalar joint coordinate and its rate."""
        state = self.joints[joint]
        k = self.coordinate_index(joint, name)
        return state.q[k], state.u[k]

    def coordinate_index(self, joint: str, name: str | None) -> int:
        """Position of a scalar coordinate among the joint's own."""
        names = [c.name for c in self.model.joints[joint].scalars]
        return 0 if name is None else names.index(name)

    def value(self, formula: Formula, **local: Any) -> Any:
        """A formula with the motion of the system at hand."""
        return self.values.evaluate(
            formula, lambda name: local[name] if name in local else self.look_up(name)
        )

    def look_up(self, name: str) -> Any:
        """Value of a dotted name: parameter, time, joint coordinate or rate, frame component."""
        if "." not in name:
            return self.values.look_up(name)
        owner, _, quantity = name.partition(".")
        if owner in self.joints:
            state, joint = self.joints[owner], self.joints[owner].joint
            if quantity in joint.coordinate_names:
                return state.q[joint.coordinate_names.index(quantity)]
            if quantity in joint.rate_names:
                return state.u[joint.rate_names.index(quantity)]
        reference, _, rest = name.rpartition(".")
        reference, _, kind = reference.rpartition(".")
        if rest in _COMPONENT and kind in _KINEMATIC and reference:
            column = getattr(self.frame(reference), _KINEMATIC[kind])
            return column[_COMPONENT[rest]]
        raise UnknownName(f"formula: nothing is named '{name}'")
