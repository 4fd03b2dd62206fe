"""The large-rotation beam element in position r and section vectors m, n of its nodes.

All three are interpolated by the same polynomials. The strains are quadratic in them,

    Γ₁ = (r'.r' - 1) / 2   Γ₂ = r'.n'   Γ₃ = r'.m'   Γ₄ = r'.m   Γ₅ = r'.n   Γ₆ = n'.m
    U = ∫ 1/2 [EA Γ₁² + EIy Γ₂² + EIz Γ₃² + GAy Γ₄² + GAz Γ₅² + GJ Γ₆²] dx

so the energy is quartic and the mass matrix constant. Integrals of U are reduced: as many Gauss
points as the order of the polynomials, which keeps shear from locking. Strains of the stress-free
state are subtracted. Its inertia is consistent,

    T = ∫ 1/2 [ρA r'.r' + ρIz m'.m' + ρIy n'.n'] dx      (rates of the interpolated vectors)

so the inertia forces on the nodes are -Σ_j M_ij (r, m, n)_j'', with m'' = α x m + w x (w x m). The
momenta are dT/dv and dT/dw of a rigid motion of all nodes:

    p = ∫ ρA r' dx               L = ∫ [ρA r x r' + ρIz m x m' + ρIy n x n'] dx

Source: S2 (11.36)-(11.76), inertia (11.42)-(11.48).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pliant.model.forces.action import FrameMotion, Momentum, NodeLoads
from pliant.records import dataclass
from pliant.spatial.interpolation import Interpolation, interpolation
from pliant.spatial.ops import Ops


class Section(Protocol):
    """Position and section vectors of a node."""

    @property
    def R_WP(self) -> Any: ...
    @property
    def p_WP(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class Directors:
    """r, m, n: of a node, of a place between nodes, or their derivatives."""

    r: Any
    m: Any
    n: Any

    def times(self, factor: Any) -> Directors:
        return Directors(factor * self.r, factor * self.m, factor * self.n)

    def __add__(self, other: Directors) -> Directors:
        return Directors(self.r + other.r, self.m + other.m, self.n + other.n)


def directors(node: Section) -> Directors:
    """Position and the y and z axes of a section."""
    return Directors(node.p_WP, node.R_WP[:, 1], node.R_WP[:, 2])


def director_rates(ops: Ops, node: FrameMotion) -> Directors:
    """r' = v, m' = w x m, n' = w x n."""
    own = directors(node)
    return Directors(node.v_WP, ops.cross(node.w_WP, own.m), ops.cross(node.w_WP, own.n))


def mixed(weights: Any, parts: Sequence[Directors]) -> Directors:
    """Σ N_i (r, m, n)_i."""
    total = parts[0].times(float(weights[0]))
    for N, part in zip(weights[1:], parts[1:], strict=True):
        total = total + part.times(float(N))
    return total


@dataclass(frozen=True, slots=True)
class DirectorPoint:
    """Interpolated (r, m, n) and their derivatives along the beam at a Gauss point."""

    at: Directors
    slope: Directors

    def strains(self, ops: Ops) -> tuple[Any, ...]:
        """Γ₁...Γ₆."""
        a, s, dot = self.at, self.slope, ops.dot
        return (0.5 * (dot(s.r, s.r) - 1), dot(s.r, s.n), dot(s.r, s.m), dot(s.r, a.m),
                dot(s.r, a.n), dot(s.n, a.m))  # fmt: skip

    def strain_rates(self, ops: Ops, rate: DirectorPoint) -> tuple[Any, ...]:
        """Γ'₁...Γ'₆ where (r, m, n) and their derivatives change at these rates."""
        a, s, da, ds, dot = self.at, self.slope, rate.at, rate.slope, ops.dot
        return (dot(s.r, ds.r), dot(ds.r, s.n) + dot(s.r, ds.n), dot(ds.r, s.m) + dot(s.r, ds.m),
                dot(ds.r, a.m) + dot(s.r, da.m), dot(ds.r, a.n) + dot(s.r, da.n),
                dot(ds.n, a.m) + dot(s.n, da.m))  # fmt: skip

    def gradients(self, S: Sequence[Any], zero: Any) -> DirectorPoint:
        """Σ S_k dΓ_k: what is conjugate to (r, m, n) and to their derivatives."""
        a, s = self.at, self.slope
        on_at = Directors(zero, S[3] * s.r + S[5] * s.n, S[4] * s.r)
        along = S[0] * s.r + S[1] * s.n + S[2] * s.m + S[3] * a.m + S[4] * a.n
        return DirectorPoint(on_at, Directors(along, S[2] * s.r, S[1] * s.r + S[5] * a.m))


def director_rule(nodes: int) -> Interpolation:
    """Reduced integration: one Gauss point less than nodes."""
    return interpolation(nodes - 1, nodes - 1)


def director_points(
    rule: Interpolation, length: Any, parts: Sequence[Directors]
) -> tuple[DirectorPoint, ...]:
    """The points of the rule."""
    return tuple(
        DirectorPoint(mixed(N, parts), mixed(dN, parts).times(1 / length))
        for N, dN in zip(rule.N, rule.dN, strict=True)
    )


def director_loads(
    ops: Ops, length: Any, nodes: Sequence[FrameMotion], stiffness: Sequence[Sequence[Any]],
    free: Sequence[Sequence[Any]], damping: Sequence[Any] | None = None,
    rule: Interpolation | None = None,
) -> NodeLoads:  # fmt: skip
    """Elastic forces. ``stiffness`` (EA, EIy, EIz, GAy, GAz, GJ) and ``free``, the strains of the
    stress-free state, at each point; with times ``damping`` τ stresses are C (Γ - Γ⁰ + τ Γ')."""
    rule = director_rule(len(nodes)) if rule is None else rule
    own = [directors(n) for n in nodes]
    points = director_points(rule, length, own)
    rates = None
    if damping is not None:
        rates = director_points(rule, length, [director_rates(ops, n) for n in nodes])
    energy: Any = 0.0
    heat: Any = 0.0
    stresses, resultants = [], []
    for k, point in enumerate(points):
        weight = float(rule.weights[k]) * length
        strain = [a - b for a, b in zip(point.strains(ops), free[k], strict=True)]
        stress = [C * e for C, e in zip(stiffness[k], strain, strict=True)]
        energy = energy + 0.5 * weight * sum(a * b for a, b in zip(stress, strain, strict=True))
        if damping is not None and rates is not None:
            moved = point.strain_rates(ops, rates[k])
            six = zip(damping, stiffness[k], moved, strict=True)
            viscous = [tau * C * e for tau, C, e in six]
            stress = [s + v for s, v in zip(stress, viscous, strict=True)]
            heat = heat + weight * sum(v * e for v, e in zip(viscous, moved, strict=True))
        stresses.append(tuple(stress))
        resultants.append([weight * s for s in stress])
    forces, torques = _pulled(ops, rule, length, own, points, resultants)
    return NodeLoads(forces, torques, energy, heat, tuple(stresses))


def strain_rates(ops: Ops, length: Any, nodes: Sequence[FrameMotion]) -> tuple[Any, ...]:
    """Γ' at the points of the rule of an element."""
    rule = director_rule(len(nodes))
    points = director_points(rule, length, [directors(n) for n in nodes])
    rates = director_points(rule, length, [director_rates(ops, n) for n in nodes])
    return tuple(a.strain_rates(ops, b) for a, b in zip(points, rates, strict=True))


def director_pull(
    ops: Ops, length: Any, nodes: Sequence[FrameMotion], stresses: Sequence[Sequence[Any]]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Forces and torques on the nodes of stresses at the points of the rule, each for its share of
    the length: their power is -Σ S . Γ'."""
    rule, own = director_rule(len(nodes)), [directors(n) for n in nodes]
    return _pulled(ops, rule, length, own, director_points(rule, length, own), stresses)


def _pulled(
    ops: Ops, rule: Interpolation, length: Any, nodes: Sequence[Directors],
    points: Sequence[DirectorPoint], stresses: Sequence[Sequence[Any]],
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:  # fmt: skip
    zero = ops.zeros(3)
    on = [Directors(zero, zero, zero)] * len(nodes)
    for k, (point, stress) in enumerate(zip(points, stresses, strict=True)):
        found = point.gradients(stress, zero)
        slope = found.slope.times(1 / length)
        on = [part + found.at.times(float(N)) + slope.times(float(dN))
              for part, N, dN in zip(on, rule.N[k], rule.dN[k], strict=True)]  # fmt: skip
    forces = tuple(-part.r for part in on)
    torques = tuple(-turning(ops, a, part) for a, part in zip(nodes, on, strict=True))
    return forces, torques


def turning(ops: Ops, node: Directors, on: Directors) -> Any:
    """Moment of what is conjugate to m and n: they turn with the section."""
    return ops.cross(node.m, on.m) + ops.cross(node.n, on.n)


class FrameAcceleration(FrameMotion, Protocol):
    """Motion of a frame with its accelerations, in world axes."""

    @property
    def a_WP(self) -> Any: ...
    @property
    def alpha_WP(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class MassPoint:
    """Mass and rotary inertia per length at a Gauss point: ρA, ρIy = ∫ρz² dA, ρIz = ∫ρy² dA."""

    rhoA: Any
    rhoIy: Any
    rhoIz: Any

    def momentum(self, rate: Directors, weight: Any) -> Directors:
        """Of the rates of r, m and n, for a piece of this length."""
        return Directors(weight * self.rhoA * rate.r, weight * self.rhoIz * rate.m,
                         weight * self.rhoIy * rate.n)  # fmt: skip


@dataclass(frozen=True, slots=True)
class InertiaLoads:
    """Forces and torques on the nodes in world axes, kinetic energy and momentum."""

    forces: tuple[Any, ...]
    torques: tuple[Any, ...]
    kinetic: Any
    momentum: Momentum


def mass_rule(nodes: int) -> Interpolation:
    """A Gauss rule that integrates products of two shape functions exactly."""
    return interpolation(nodes - 1, nodes)


def director_inertia(
    ops: Ops, length: Any, nodes: Sequence[FrameAcceleration], data: Sequence[MassPoint]
) -> InertiaLoads:
    """Inertia of an element."""
    rule = mass_rule(len(nodes))
    own = [directors(n) for n in nodes]
    rates = [director_rates(ops, n) for n in nodes]
    changes = [_accelerations(ops, n) for n in nodes]
    zero = ops.zeros(3)
    on = [Directors(zero, zero, zero)] * len(nodes)
    kinetic: Any = 0.0
    total = Momentum(0.0, zero, zero, zero)
    for N, factor, point in zip(rule.N, rule.weights, data, strict=True):
        weight, rate = float(factor) * length, mixed(N, rates)
        momentum = point.momentum(rate, weight)
        kinetic = kinetic + 0.5 * _product(ops, momentum, rate)
        at, mass = mixed(N, own), weight * point.rhoA
        total = total + Momentum(mass, mass * at.r, momentum.r, turning(ops, at, momentum)
                                 + ops.cross(at.r, momentum.r))  # fmt: skip
        force = point.momentum(mixed(N, changes), weight)
        on = [part + force.times(float(Ni)) for part, Ni in zip(on, N, strict=True)]
    forces = tuple(-part.r for part in on)
    torques = tuple(-turning(ops, a, part) for a, part in zip(own, on, strict=True))
    return InertiaLoads(forces, torques, kinetic, total)


def lumped_mass(length: Any, rhoA: Sequence[Any], nodes: int) -> list[Any]:
    """∫ρA N_i dx: the share of each node in the weight."""
    rule = mass_rule(nodes)
    points = list(zip(rule.weights, rhoA, strict=True))
    return [
        length * sum(float(w * N) * rho for (w, rho), N in zip(points, rule.N[:, i], strict=True))
        for i in range(nodes)
    ]


def _accelerations(ops: Ops, node: FrameAcceleration) -> Directors:
    """(r'', m'', n'')."""
    own, w, cross = directors(node), node.w_WP, ops.cross

    def turned(e: Any) -> Any:
        return cross(node.alpha_WP, e) + cross(w, cross(w, e))

    return Directors(node.a_WP, turned(own.m), turned(own.n))


def _product(ops: Ops, a: Directors, b: Directors) -> Any:
    return ops.dot(a.r, b.r) + ops.dot(a.m, b.m) + ops.dot(a.n, b.n)
