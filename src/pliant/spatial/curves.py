"""Poses as exponentials of twists, and curves of poses through nodes.

    X = exp(ξ),   X⁻¹ δX = T(ξ) δξ,   T(ξ) b = b - c₂ ξ x b + c₃ ξ x (ξ x b)

with screws ξ = θ + ε d in place of rotation vectors (see ``screws``); T is dexp of -ξ. A curve
through the nodes X_i is

    X(s) = X_r exp(ξ(s)),   ξ(s) = Σ N_i(s) log(X_r⁻¹ X_i)

from one of the nodes, X_r. It turns and moves with its nodes as a rigid body does, and between two
nodes it is the helix that joins them. Its strain X⁻¹ X' = T(ξ) ξ' = κ + ε γ is the curvature κ and
the tangent vector γ of the curve, in the axes of its sections.

Sonneville, Cardona and Brüls, Comput. Methods Appl. Mech. Engrg. 268 (2014) 451-474.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pliant.records import dataclass
from pliant.spatial.interpolation import Interpolation
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import exponential, vee
from pliant.spatial.screws import Dual, Screw, cross, dot, stumpff

_HALVINGS = 3
_TERMS = 12


def rotation_vector(ops: Ops, R: Any) -> Any:
    """θ with exp([θ]x) = R, for angles ϑ below π.

    ϑ is halved thrice by cos² (ϑ/2) = (1 + cos ϑ) / 2, then θ = 16 atan(tan ϑ/16) is a short
    series, so that θ and its derivatives are right at R = 1, too.
    """
    cosine = 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1)
    ratio: Any = 1.0
    for _ in range(_HALVINGS):
        cosine = ops.sqrt(0.5 * (1 + cosine))
        ratio = 2 * ratio * cosine
    t = vee(ops, R) / (ratio * (1 + cosine))
    square = ops.dot(t, t)
    total: Any = 1.0 / (2 * _TERMS + 1)
    for k in reversed(range(_TERMS)):
        total = 1.0 / (2 * k + 1) - square * total
    return 2 ** (_HALVINGS + 1) * total * t


def logarithm(ops: Ops, X: Pose) -> Screw:
    """ξ = θ + ε d with exp(ξ) = X: d = p - θ x p / 2 + D θ x (θ x p)."""
    theta = rotation_vector(ops, X.R)
    D = _inverse_factor(stumpff(Dual(ops.dot(theta, theta), 0.0))).real
    across = ops.cross(theta, X.p)
    return Screw(theta, X.p - 0.5 * across + D * ops.cross(theta, across))


def pose_of(ops: Ops, xi: Screw) -> Pose:
    """X = exp(ξ): R = exp([θ]x), p = d + c₂ θ x d + c₃ θ x (θ x d)."""
    c = stumpff(Dual(ops.dot(xi.real, xi.real), 0.0))
    across = ops.cross(xi.real, xi.dual)
    p = xi.dual + c[2].real * across + c[3].real * ops.cross(xi.real, across)
    return Pose(exponential(ops, xi.real), p)


def _inverse_factor(c: Sequence[Dual]) -> Dual:
    """D = (1 - ϑ/2 cot ϑ/2) / ϑ² = (c₃ - 2 c₄) / (2 c₂)."""
    return (c[3] - c[4].times(2)) / c[2].times(2)


def inverse_tangent(ops: Ops, xi: Screw, twist: Screw) -> Screw:
    """T(ξ)⁻¹ b = b + ξ x b / 2 + D ξ x (ξ x b): ξ' of a pose that moves with the twist b."""
    D = _inverse_factor(stumpff(dot(ops, xi, xi)))
    across = cross(ops, xi, twist)
    return twist + across.times(0.5) + cross(ops, xi, across).scaled(D)


def nodal_wrench(ops: Ops, xi: Screw, wrench: Screw) -> Screw:
    """T(ξ)⁻ᵀ of a wrench conjugate to ξ: what acts on the pose itself, in its axes."""
    D = _inverse_factor(stumpff(dot(ops, xi, xi)))
    across = cross(ops, xi, wrench)
    return wrench - across.times(0.5) + cross(ops, xi, across).scaled(D)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """ξ and ξ' at one place of a curve, with what its strain and its derivatives share."""

    ops: Ops
    xi: Screw
    slope: Screw
    c: tuple[Dual, ...]
    across: Screw
    twice: Screw

    @classmethod
    def of(cls, ops: Ops, xi: Screw, slope: Screw) -> CurvePoint:
        across = cross(ops, xi, slope)
        return cls(ops, xi, slope, stumpff(dot(ops, xi, xi)), across, cross(ops, xi, across))

    @property
    def strain(self) -> Screw:
        """κ + ε γ = T(ξ) ξ'."""
        return self.slope - self.across.scaled(self.c[2]) + self.twice.scaled(self.c[3])

    def strain_rate(self, rate: Screw, slope_rate: Screw) -> Screw:
        """d/dt of the strain, where ξ and ξ' change at these rates."""
        ops, c = self.ops, self.c
        moved = cross(ops, rate, self.slope) + cross(ops, self.xi, slope_rate)
        turned = cross(ops, rate, self.across) + cross(ops, self.xi, moved)
        stretch = dot(ops, self.xi, rate)
        own = slope_rate - moved.scaled(c[2]) + turned.scaled(c[3])
        return own + (self.twice.scaled(self._dc3) - self.across.scaled(self._dc2)).scaled(stretch)

    def loads(self, stress: Screw) -> tuple[Screw, Screw]:
        """Wrenches conjugate to ξ and ξ' of a stress resultant f + ε m: gradients of its product
        with the strain."""
        ops, c, xi, slope = self.ops, self.c, self.xi, self.slope
        across = cross(ops, xi, stress)
        on_slope = stress + across.scaled(c[2]) + cross(ops, xi, across).scaled(c[3])
        along, aside = dot(ops, xi, slope), dot(ops, xi, stress)
        work = dot(ops, stress, slope)
        bent = stress.scaled(along) + slope.scaled(aside) - xi.scaled(work.times(2))
        weight = self._dc3 * dot(ops, stress, self.twice) - self._dc2 * dot(
            ops, stress, self.across
        )
        on_xi = bent.scaled(c[3]) - cross(ops, slope, stress).scaled(c[2]) + xi.scaled(weight)
        return on_xi, on_slope

    @property
    def _dc2(self) -> Dual:
        """2 dc₂/dx, x = ξ . ξ."""
        return self.c[4].times(2) - self.c[3]

    @property
    def _dc3(self) -> Dual:
        return self.c[5].times(3) - self.c[4]


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of poses through nodes: their logarithms, seen from the middle one (itself: None)."""

    ops: Ops
    rule: Interpolation
    length: Any
    logs: tuple[Screw | None, ...]

    @classmethod
    def of(cls, ops: Ops, rule: Interpolation, length: Any, nodes: Sequence[Pose]) -> Curve:
        middle = rule.order // 2
        seen = nodes[middle].inverse
        logs = (None if i == middle else logarithm(ops, seen @ X) for i, X in enumerate(nodes))
        return cls(ops, rule, length, tuple(logs))

    def point(self, k: int) -> CurvePoint:
        """The curve at point k of the rule."""
        slope = self.mixed(self.rule.dN[k], self.logs).times(1 / self.length)
        return CurvePoint.of(self.ops, self.mixed(self.rule.N[k], self.logs), slope)

    def mixed(self, weights: Any, screws: Sequence[Screw | None]) -> Screw:
        """Σ N_i ξ_i."""
        total = Screw(self.ops.zeros(3), self.ops.zeros(3))
        for N, screw in zip(weights, screws, strict=True):
            if screw is not None and N:
                total = total + screw.times(float(N))
        return total
