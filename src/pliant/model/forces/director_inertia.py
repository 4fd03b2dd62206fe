"""Inertia of the large-rotation element in r, m, n: a constant, consistent mass matrix.

    T = ∫ 1/2 [ρA r'.r' + ρIz m'.m' + ρIy n'.n'] dx      (rates of the interpolated vectors)

so the inertia forces on the nodes are -Σ_j M_ij (r, m, n)_j'', with m'' = α x m + w x (w x m). The
momenta are dT/dv and dT/dw of a rigid motion of all nodes:

    p = ∫ ρA r' dx               L = ∫ [ρA r x r' + ρIz m x m' + ρIy n x n'] dx

Source: S2 (11.42)-(11.48).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pliant.model.forces.action import FrameMotion, Momentum
from pliant.model.forces.director_element import (
    Directors,
    director_rates,
    directors,
    mixed,
    turning,
)
from pliant.spatial.interpolation import Interpolation, interpolation
from pliant.spatial.ops import Ops


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
