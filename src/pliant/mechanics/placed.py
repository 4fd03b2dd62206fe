"""Where frames are in the world, in numbers: ``Placed(values, bodies).frame("rod.tip")``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.arrays import Array
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.layout import PoseAndTwist
from pliant.mechanics.placement import Velocities
from pliant.mechanics.values import Values
from pliant.model.joints import Joint
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose

_STILL = np.zeros(3)
_AT_REST = PoseAndTwist(np.eye(3), _STILL, _STILL, _STILL)


@dataclass(frozen=True, slots=True)
class PlacedFrame:
    """Pose of a frame P, velocity of its origin and its angular velocity, in world axes."""

    R_WP: Array
    p_WP: Array
    v_WP: Array
    w_WP: Array


@dataclass(frozen=True, slots=True)
class JointGap:
    """Residual of a joint and its rate; ``aligned``: not at a false root."""

    gap: Array
    rate: Array
    units: tuple[str, ...]
    aligned: bool

    def sizes(self, size: float) -> tuple[float, float]:
        """Largest gap and rate, lengths over the size of the model."""
        scale = np.array([1 / size if unit == "m" else 1.0 for unit in self.units])
        gap = float(np.abs(self.gap * scale).max(initial=0.0))
        return gap if self.aligned else np.inf, float(np.abs(self.rate * scale).max(initial=0.0))

    def text(self) -> str:
        """The largest gap with its unit."""
        if not self.aligned:
            return "half a turn off"
        k = int(np.argmax(np.abs(self.gap)))
        return f"gap {abs(float(self.gap[k])):.3g} {self.units[k]}"


class Placed:
    """Frames of bodies that move like this.

    p_WP = p_WB + R_WB p_BP        v_WP = v_WB + w_WB x (R_WB p_BP) + R_WB v_r
    R_WP = R_WB R_BP               w_WP = w_WB + R_WB w_r

    with the motion (r) of P in B where the body is flexible.
    """

    def __init__(self, values: Values, bodies: Mapping[str, PoseAndTwist]) -> None:
        self.values, self.bodies = values, {GROUND: _AT_REST, **bodies}
        self._deformed: dict[str, tuple[dict[str, Pose], Velocities]] = {}

    def _on(self, body: str) -> tuple[Mapping[str, Pose], Velocities]:
        """Frames of a body, and how they move in it."""
        if body not in self.values.flexible:
            return self.values.places(body), {}
        if body not in self._deformed:
            s = self.bodies[body]
            self._deformed[body] = self.values.deformed(body, s.elastic, s.elastic_rates)
        return self._deformed[body]

    def frame(self, reference: str) -> PlacedFrame:
        """Of ``body.frame``, or of the frame of ``body`` itself."""
        body, _, frame = reference.partition(".")
        s, (places, moving) = self.bodies[body], self._on(body)
        X_BP, (w_r, v_r) = places[frame], moving.get(frame, (_STILL, _STILL))
        arm = s.R_WB @ X_BP.p
        v = s.v_WB + NUMERIC.cross(s.w_WB, arm) + s.R_WB @ v_r
        return PlacedFrame(s.R_WB @ X_BP.R, s.p_WB + arm, v, s.w_WB + s.R_WB @ w_r)

    def across(self, joint: Joint) -> tuple[Pose, Array]:
        """X_FM and V_FM (in F) of a joint, canonical axes."""
        axes, F, M = joint.canonical_axes(), self.frame(joint.parent), self.frame(joint.child)
        R_F, R_M, r = F.R_WP @ axes, M.R_WP @ axes, M.p_WP - F.p_WP
        v = M.v_WP - F.v_WP - NUMERIC.cross(F.w_WP, r)
        V = np.concatenate([R_F.T @ (M.w_WP - F.w_WP), R_F.T @ v])
        return Pose(R_F.T @ R_M, R_F.T @ r), V

    def gaps(self) -> dict[str, JointGap]:
        """How far joints are from holding; those on springs hold nothing."""
        found = {}
        for name, described in self.values.model.joints.items():
            if described.m and not described.springs and not described.multi_turn:
                joint = described.evaluated(self.values.number)
                X, V = self.across(joint)
                up = min((float(a) for a in joint.alignment(NUMERIC, X)), default=1.0)
                rate = joint.constraint(NUMERIC, X).T @ V
                found[name] = JointGap(joint.residual(NUMERIC, X), rate, joint.row_units, up > 0)
        return found
