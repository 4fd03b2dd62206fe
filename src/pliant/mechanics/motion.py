"""Motion of bodies, frames and joints as expressions, however the coordinates are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from pliant.errors import UnknownName
from pliant.mechanics.flexible import Tables
from pliant.mechanics.placement import flexible_places, placements
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.formulas import Formula
from pliant.model.frames import is_orientation, oriented
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.spatial.ops import Ops, SymbolicOps
from pliant.spatial.pose import Pose, identity

RATE = "'"
"""Mark of the symbol of a rate; twice for an acceleration."""
_COMPONENT = {"x": 0, "y": 1, "z": 2}
_KINEMATIC = {"position": "p_WP", "velocity": "v_WP", "angular_velocity": "w_WP"}
_OWN = "own_"
"""Before a velocity: in the axes of the frame itself."""


@dataclass(frozen=True, slots=True)
class BodyMotion:
    """Pose X_WB; angular velocity w and velocity v of the origin, their accelerations alpha and
    acc (material, without gravity), all in axes of B. Of a flexible body B is the floating frame.
    """

    X_WB: Pose
    w: Any
    v: Any
    alpha: Any
    acc: Any


@dataclass(frozen=True, slots=True)
class FrameState:
    """Motion of frame P on a body, in world axes.

    v_P = v + w x p + v_r                        w_P = w + w_r
    a_P = acc + alpha x p + w x (w x p + 2 v_r) + a_r      alpha_P = alpha + w x w_r + alpha_r

    with the motion (r) of P in B where the body is flexible.
    """

    ops: Ops
    body: BodyMotion
    X_BP: Pose
    relative: RelativeToBody | None = None

    @property
    def R_WP(self) -> Any:
        return self.body.X_WB.R @ self.X_BP.R

    @property
    def p_WP(self) -> Any:
        return self.body.X_WB.p + self.body.X_WB.R @ self.X_BP.p

    @property
    def w_WP(self) -> Any:
        r = self.relative
        return self.body.X_WB.R @ (self.body.w if r is None else self.body.w + r.w)

    @property
    def v_WP(self) -> Any:
        b, r = self.body, self.relative
        v = b.v + self.ops.cross(b.w, self.X_BP.p)
        return b.X_WB.R @ (v if r is None else v + r.v)

    @property
    def alpha_WP(self) -> Any:
        b, r = self.body, self.relative
        turning = 0 if r is None else self.ops.cross(b.w, r.w) + r.alpha
        return b.X_WB.R @ (b.alpha + turning)

    @property
    def a_WP(self) -> Any:
        b, r, cross = self.body, self.relative, self.ops.cross
        turning = cross(b.alpha, self.X_BP.p) + cross(b.w, cross(b.w, self.X_BP.p))
        if r is not None:
            turning = turning + 2 * cross(b.w, r.v) + r.acc
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
    start: int
    X_FM: Pose
    H: Any
    E: Any
    tied: bool = False
    """Rows tie the coordinates to the pose: it is a cut joint."""
    a: Any = None
    """Column of u', where it is known."""


@dataclass(frozen=True, slots=True)
class RelativeToBody:
    """Motion of a frame in B, axes of B; J_w, J_v: w and v per rate of the elastic coordinates."""

    w: Any
    v: Any
    alpha: Any
    acc: Any
    J_w: Any
    J_v: Any


@dataclass(frozen=True, slots=True)
class ElasticState:
    """Elastic coordinates of a body, their rates and accelerations, and its tables."""

    names: tuple[str, ...]
    q: Any
    u: Any
    a: Any
    tables: Tables
    pairs: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        return len(self.names)


def elastic_state(values: SymbolicValues, body: str) -> ElasticState:
    """Symbols of the elastic coordinates of a body."""
    own = values.flexible[body]
    q, u, a = (
        values.ops.symbols([f"{body}.{name}{mark}" for name in own.names])
        for mark in ("", RATE, 2 * RATE)
    )
    return ElasticState(own.names, q, u, a, own.tables, own.packing.pairs)


def relative_to_body(ops: SymbolicOps, state: ElasticState, w: Any, v: Any) -> RelativeToBody:
    """Accelerations and derivatives of the velocity of a frame in B."""
    moving, rates = ops.stack([state.q, state.u]), ops.stack([state.u, state.a])
    alpha, acc = (ops.jtimes(x, moving, rates) for x in (w, v))
    return RelativeToBody(w, v, alpha, acc, ops.jacobian(w, state.u), ops.jacobian(v, state.u))


@dataclass(slots=True)
class SystemMotion:
    """Everything that moves; answers the questions of force elements, drivers and formulas."""

    model: Model
    values: SymbolicValues
    ops: SymbolicOps
    bodies: dict[str, BodyMotion] = field(default_factory=dict)
    joints: dict[str, JointState] = field(default_factory=dict)
    places: dict[str, Mapping[str, Pose]] = field(default_factory=dict)
    elastic: dict[str, ElasticState] = field(default_factory=dict)
    """Of bodies that are not plain rigid ones."""
    carried: dict[str, Any] = field(default_factory=dict)
    """Efforts, flows and displacements in networks, by their names."""
    _relative: dict[tuple[str, str], RelativeToBody] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ops, zero, constant = self.ops, self.ops.zeros(3), self.values.number
        self.bodies["ground"] = BodyMotion(identity(ops), zero, zero, zero, zero)
        self.places["ground"] = placements(ops, self.model.ground.frames, constant)
        for name, body in self.model.bodies.items():
            if name not in self.values.flexible:
                self.places[name] = placements(ops, body.frames, constant)
                continue
            state = self.elastic[name] = elastic_state(self.values, name)
            self.places[name], moving = flexible_places(ops, state.tables, body.frames, constant,
                                                        state.q, state.u)  # fmt: skip
            for frame, (w, v) in moving.items() if state.count else ():
                self._relative[name, frame] = relative_to_body(ops, state, w, v)

    def relative(self, reference: str) -> RelativeToBody | None:
        """Motion of a frame in its body, if it is flexible there."""
        body, _, frame = reference.partition(".")
        return self._relative.get((body, frame))

    def placement(self, reference: str) -> tuple[str, Pose]:
        """Body and pose X_BP of a frame reference such as "crank.A"."""
        body, _, frame = reference.partition(".")
        return body, self.places[body][frame]

    def frame(self, reference: str) -> FrameState:
        """Motion of a frame."""
        body, X_BP = self.placement(reference)
        return FrameState(self.ops, self.bodies[body], X_BP, self.relative(reference))

    def coordinate(self, joint: str, name: str | None) -> tuple[Any, Any]:
        """A scalar joint coordinate and its rate, or what the pose of the joint tells."""
        if self.is_measured(joint, name):
            return self.measured(self.model.joints[joint], str(name))
        state = self.joints[joint]
        k = self.coordinate_index(joint, name)
        return state.q[k], state.u[k]

    def acceleration(self, joint: str, name: str | None) -> Any:
        """The second derivative of a scalar joint coordinate."""
        return self.joints[joint].a[self.coordinate_index(joint, name)]

    def away(self, joint: str, name: str | None, value: Any) -> Any:
        """A coordinate less a value; of angles that the pose tells the shortest way round."""
        off = self.coordinate(joint, name)[0] - value
        if not self.is_measured(joint, name) or not self.wraps(joint, name):
            return off
        return self.ops.atan2(self.ops.sin(off), self.ops.cos(off))

    def is_measured(self, joint: str, name: str | None) -> bool:
        """Whether something acts along what only the pose of a joint tells."""
        return any(c.name == name for c in self.model.joints[joint].measured)

    def wraps(self, joint: str, name: str | None) -> bool:
        """Whether a coordinate is an angle."""
        own = self.model.joints[joint].acting(name)
        return own is not None and own.wraps

    def measured(self, joint: Joint, name: str) -> tuple[Any, Any]:
        """A quantity that the pose of a joint tells, and its rate."""
        if self.is_own(joint, name):
            state = self.joints[joint.name]
            k = state.joint.coordinate_names.index(name)
            return state.q[k], state.joint.qdot(self.ops, state.q, state.u)[k]
        X, V = self.across(joint)
        value, column = joint.measure(self.ops, X, name)
        return value, self.ops.dot(column, V)

    def is_own(self, joint: Joint, name: str) -> bool:
        """Whether what a pose tells is one of the coordinates of its joint in the tree."""
        state = self.joints.get(joint.name)
        return state is not None and not state.tied and name in state.joint.coordinate_names

    def rate_column(self, joint: Joint, name: str) -> Any:
        """c with d(quantity)/dt = c · V_FM of a quantity that the pose of a joint tells."""
        if self.is_own(joint, name):
            own: Any = self.joints[joint.name].joint
            return own.rate_column(self.ops, self.joints[joint.name].q, name)
        return joint.measure(self.ops, self.across(joint)[0], name)[1]

    def across(self, joint: Joint) -> tuple[Pose, Any]:
        """X_FM and V_FM, by the joint's own coordinates if it is in the tree."""
        state = self.joints.get(joint.name)
        if state is not None and not state.tied:
            return state.X_FM, state.H @ state.u
        rel = relative_motion(self, joint)
        return rel.X_FM, rel.V_FM

    def coordinate_index(self, joint: str, name: str | None) -> int:
        """Position of a scalar coordinate among the joint's own."""
        names = [c.name for c in self.model.joints[joint].scalars]
        return 0 if name is None else names.index(name)

    def carry(self, name: str, value: Any) -> None:
        """A quantity of a network: one number by its name, components as flow1, flow2, ..."""
        n = value.numel()
        self.carried |= {f"{name}{k + 1}" if n > 1 else name: value[k] for k in range(n)}

    def value(self, formula: Formula, **local: Any) -> Any:
        """A formula with the motion of the system at hand."""
        return self.values.evaluate(
            formula, lambda name: local[name] if name in local else self.look_up(name)
        )

    def look_up(self, name: str) -> Any:
        """Value of a dotted name: parameter, time, joint coordinate or rate, frame component,
        effort or flow in a network."""
        if "." not in name or name in self.values.index:
            return self.values.look_up(name)
        if name in self.carried:
            return self.carried[name]
        owner, _, quantity = name.partition(".")
        if owner in self.elastic and quantity in self.elastic[owner].names:
            return self.elastic[owner].q[self.elastic[owner].names.index(quantity)]
        if owner in self.joints:
            state, joint = self.joints[owner], self.joints[owner].joint
            if quantity in joint.coordinate_names:
                return state.q[joint.coordinate_names.index(quantity)]
            if quantity in joint.rate_names:
                return state.u[joint.rate_names.index(quantity)]
        if owner in self.model.joints:
            for c in self.model.joints[owner].measured:
                if quantity in (c.name, c.rate):
                    return self.measured(self.model.joints[owner], c.name)[quantity == c.rate]
        if owner in self.model.drivers:
            return self._prescribed(owner, quantity)
        reference, _, rest = name.rpartition(".")
        reference, _, kind = reference.rpartition(".")
        if is_orientation(kind, rest) and reference:
            return oriented(self.ops, self.frame(reference).R_WP, kind, rest)
        if rest in _COMPONENT and kind.removeprefix(_OWN) in _KINEMATIC and reference:
            frame = self.frame(reference)
            column = getattr(frame, _KINEMATIC[kind.removeprefix(_OWN)])
            return (frame.R_WP.T @ column if kind.startswith(_OWN) else column)[_COMPONENT[rest]]
        raise UnknownName(f"formula: nothing is named '{name}'")

    def _prescribed(self, driver: str, quantity: str) -> Any:
        """A motion that is given as a function of time, or its derivative."""
        told = self.model.drivers[driver].prescribed
        if quantity not in told:
            raise UnknownName(f"formula: nothing is named '{driver}.{quantity}'")
        formula, order = told[quantity]
        value = self.ops.full(self.value(formula))
        for _ in range(order):
            value = self.values.time_derivative(value)
        return value


@dataclass(frozen=True, slots=True)
class RelativeMotion:
    """Motion of joint frame M in joint frame F, canonical axes: X_FM and V_FM (in F)."""

    F: FrameState
    M: FrameState
    R_WF: Any
    X_FM: Pose
    V_FM: Any


def relative_motion(motion: SystemMotion, joint: Joint) -> RelativeMotion:
    """X_FM and V_FM of any joint from the motion of its two frames."""
    ops = motion.ops
    F, M = motion.frame(joint.parent), motion.frame(joint.child)
    R_FJ = ops.const(joint.canonical_axes())
    R_WF, R_WM = F.R_WP @ R_FJ, M.R_WP @ R_FJ
    r = M.p_WP - F.p_WP
    w = R_WF.T @ (M.w_WP - F.w_WP)
    v = R_WF.T @ (M.v_WP - F.v_WP - ops.cross(F.w_WP, r))
    return RelativeMotion(F, M, R_WF, Pose(R_WF.T @ R_WM, R_WF.T @ r), ops.stack([w, v]))
