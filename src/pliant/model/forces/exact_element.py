"""The geometrically exact beam element (Simo-Reissner): elastic forces on the frames of its nodes.

    U = ∫ 1/2 (ε - ε⁰) . C (ε - ε⁰) dx,   ε = κ + ε γ the strain of the curve through the nodes

by a Gauss rule of as many points as the order of the curve. The strain does not change with a
rigid motion of the element, and is exact where it is constant, however far the element turns: no
locking, no error that grows with rotation. Between the middle node and any other the rotation must
stay below π.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.model.forces.action import FrameMotion, NodeLoads
from pliant.records import dataclass
from pliant.spatial.curves import Curve, CurvePoint, inverse_tangent, nodal_wrench
from pliant.spatial.interpolation import Interpolation, interpolation
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.screws import Screw


@dataclass(frozen=True, slots=True)
class PointData:
    """At a Gauss point: bending and torsion stiffness (GJ, EIy, EIz), axial and shear stiffness
    (EA, GAy, GAz), and the strain of the stress-free state."""

    bending: Any
    stretch: Any
    free: Screw


def exact_rule(order: int) -> Interpolation:
    """The rule of an element. Between two nodes the strain is constant: one point, at the first."""
    if order > 1:
        return interpolation(order, order)
    one = interpolation(1, 1)
    at = np.zeros(1)
    return Interpolation(one.nodes, one.lumped, at, one.weights, np.array([[1.0, 0.0]]), one.dN)


def exact_strains(ops: Ops, length: Any, nodes: Sequence[Pose]) -> tuple[Screw, ...]:
    """Strains at the points of the rule."""
    rule = exact_rule(len(nodes) - 1)
    curve = Curve.of(ops, rule, length, nodes)
    return tuple(curve.point(k).strain for k in range(len(rule.points)))


def exact_loads(
    ops: Ops, length: Any, nodes: Sequence[FrameMotion], data: Sequence[PointData],
    damping: Screw | None = None,
) -> NodeLoads:  # fmt: skip
    """Elastic forces; with the times ``damping`` τ of forces and of moments, each a number or
    three, stresses are C (ε - ε⁰ + τ ε'), and the power ∫ ε' . C τ ε' dx becomes heat."""
    curve = _curve(ops, length, nodes)
    rule = curve.rule
    rates = None if damping is None else _log_rates(curve, nodes)
    points = [curve.point(k) for k in range(len(data))]
    energy, heat, stresses, resultants = 0.0, 0.0, [], []
    for k, (own, point) in enumerate(zip(data, points, strict=True)):
        weight = float(rule.weights[k]) * length
        strain = point.strain - own.free
        stress = _stress(own, strain)
        energy = energy + 0.5 * weight * _product(ops, stress, strain)
        if damping is not None and rates is not None:
            moved = _strain_rate(curve, point, k, rates)
            viscous = _stress(own, moved)
            viscous = Screw(damping.real * viscous.real, damping.dual * viscous.dual)
            stress, heat = stress + viscous, heat + weight * _product(ops, viscous, moved)
        stresses.append(stress)
        resultants.append(stress.times(weight))
    forces, torques = _pulled(curve, points, nodes, resultants)
    return NodeLoads(forces, torques, energy, heat, tuple(stresses))


def exact_rates(ops: Ops, length: Any, nodes: Sequence[FrameMotion]) -> tuple[Screw, ...]:
    """ε' at the points of the rule."""
    curve = _curve(ops, length, nodes)
    rates = _log_rates(curve, nodes)
    points = range(len(curve.rule.points))
    return tuple(_strain_rate(curve, curve.point(k), k, rates) for k in points)


def exact_pull(
    ops: Ops, length: Any, nodes: Sequence[FrameMotion], stresses: Sequence[Screw]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Forces and torques on the nodes of stresses at the points of the rule, each for its share of
    the length: their power is -Σ σ . ε'."""
    curve = _curve(ops, length, nodes)
    return _pulled(curve, [curve.point(k) for k in range(len(stresses))], nodes, stresses)


def _curve(ops: Ops, length: Any, nodes: Sequence[FrameMotion]) -> Curve:
    rule = exact_rule(len(nodes) - 1)
    return Curve.of(ops, rule, length, [Pose(n.R_WP, n.p_WP) for n in nodes])


def _pulled(
    curve: Curve, points: Sequence[CurvePoint], nodes: Sequence[FrameMotion],
    stresses: Sequence[Screw],
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:  # fmt: skip
    """What stresses at the points exert on the nodes, in balance."""
    ops, rule = curve.ops, curve.rule
    zero = Screw(ops.zeros(3), ops.zeros(3))
    wrenches = [zero] * len(nodes)
    for k, (point, stress) in enumerate(zip(points, stresses, strict=True)):
        on_xi, on_slope = point.loads(stress)
        on_slope = on_slope.times(1 / curve.length)
        for i, wrench in enumerate(wrenches):
            if curve.logs[i] is not None:
                N, dN = float(rule.N[k, i]), float(rule.dN[k, i])
                wrenches[i] = wrench + on_slope.times(dN) + (on_xi.times(N) if N else zero)
    return _balanced(ops, curve, nodes, wrenches)


def _stress(own: PointData, strain: Screw) -> Screw:
    """Stress resultants f + ε m."""
    return Screw(own.stretch * strain.dual, own.bending * strain.real)


def _product(ops: Ops, stress: Screw, strain: Screw) -> Any:
    return ops.dot(stress.real, strain.dual) + ops.dot(stress.dual, strain.real)


def _log_rates(curve: Curve, nodes: Sequence[FrameMotion]) -> list[Screw | None]:
    """Rates of the logarithms from the motion of the nodes relative to the middle one."""
    ops, r = curve.ops, nodes[curve.rule.order // 2]
    rates: list[Screw | None] = []
    for xi, node in zip(curve.logs, nodes, strict=True):
        if xi is None:
            rates.append(None)
            continue
        v = node.v_WP - r.v_WP - ops.cross(r.w_WP, node.p_WP - r.p_WP)
        twist = Screw(node.R_WP.T @ (node.w_WP - r.w_WP), node.R_WP.T @ v)
        rates.append(inverse_tangent(ops, xi, twist))
    return rates


def _strain_rate(curve: Curve, point: CurvePoint, k: int, rates: Sequence[Screw | None]) -> Screw:
    slope = curve.mixed(curve.rule.dN[k], rates).times(1 / curve.length)
    return point.strain_rate(curve.mixed(curve.rule.N[k], rates), slope)


def _balanced(
    ops: Ops, curve: Curve, nodes: Sequence[FrameMotion], wrenches: Sequence[Screw]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Forces and torques in world axes; the middle node takes what keeps the element in balance."""
    middle = curve.rule.order // 2
    r = nodes[middle]
    forces: list[Any] = []
    torques: list[Any] = []
    f_r, m_r = ops.zeros(3), ops.zeros(3)
    for node, xi, conjugate in zip(nodes, curve.logs, wrenches, strict=True):
        if xi is None:
            forces.append(None)
            torques.append(None)
            continue
        wrench = nodal_wrench(ops, xi, conjugate)
        force, torque = -(node.R_WP @ wrench.real), -(node.R_WP @ wrench.dual)
        f_r = f_r - force
        m_r = m_r - torque - ops.cross(node.p_WP - r.p_WP, force)
        forces.append(force)
        torques.append(torque)
    forces[middle], torques[middle] = f_r, m_r
    return tuple(forces), tuple(torques)
