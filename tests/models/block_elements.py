"""Elements every absolute system needs: rigid inertia, beam, dead loads, held and hinged frames.

All are written in the axes of their bodies (see ``element``); numbers of an element are listed in
its function. The beam is the helix between its two nodes, X_1 exp(xi) = X_2, with constant strain

    eps = xi / h,   E = h/2 (eps - eps_0)^T C (eps - eps_0),   r = (d xi/d d)^T C (eps - eps_0)

Source: Sonneville, Cardona, Bruels 2014 (beam).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from pliant.backends.blocks.solver.element import (
    BODY,
    ElementKind,
    LocalMotion,
    element_kind,
    multipliers,
)
from pliant.spatial.rotation import (
    from_quaternion,
    quaternion_product,
    relative_quaternion,
    skew,
    to_quaternion,
)
from pliant.spatial.symbolic import SYMBOLIC

_LEVELS = 9
"""Levels of continued fractions."""


def rotation(q: Any) -> Any:
    """R of a block with pose q."""
    return from_quaternion(SYMBOLIC, q[3:7])


def rotation_vector(quat: Any) -> Any:
    """theta of a unit quaternion with positive real part: 8 atan(t), t = tan(theta/8).

    atan(t)/t = 1/(1 + x/(3 + 4x/(5 + 9x/(7 + ...)))), x = t^2: to rounding up to half a turn.
    """
    t = quat[1:4] / (1 + quat[0])
    t = t / (1 + ca.sqrt(1 + ca.dot(t, t)))
    over, under = _fraction([(k * k if k else 1, 2 * k + 1) for k in range(_LEVELS)])
    x = ca.dot(t, t)
    return 8 * _polynomial(over, x) / _polynomial(under, x) * t


def turn_factor(x: Any) -> tuple[Any, Any]:
    """c = (1 - y cot y) / (4 y^2), x = 4 y^2, and dc/dx.

    4 c = 1/(3 - z/(5 - z/(7 - ...))), z = y^2: to rounding up to half a turn.
    """
    steps = [(1, 3), *((-1, 2 * k + 3) for k in range(1, _LEVELS))]
    over, under = ([c / 4**i for i, c in enumerate(p)] for p in _fraction(steps))
    bottom = _polynomial(under, x)
    c = _polynomial(over, x) / bottom
    return c / 4, (_polynomial(_slope(over), x) - c * _polynomial(_slope(under), x)) / bottom / 4


def _fraction(steps: list[tuple[int, int]]) -> tuple[list[float], list[float]]:
    """a0/(b0 + a1 x/(b1 + a2 x/(b2 + ...))) as a ratio of polynomials of x."""
    over, under = [0], [1]
    for a, b in reversed(steps):
        tail = [b * u for u in under] + [0] * (len(over) + 1 - len(under))
        for i, c in enumerate(over):
            tail[i + 1] += c
        over, under = [a * u for u in under], tail
    return [v / under[0] for v in over], [v / under[0] for v in under]


def _slope(coefficients: list[float]) -> list[float]:
    return [k * c for k, c in enumerate(coefficients)][1:]


def _polynomial(coefficients: list[float], x: Any) -> Any:
    total = ca.SX(0.0)
    for c in reversed(coefficients):
        total = c + x * total
    return total


def inverse_tangent(xi: Any) -> tuple[Any, Any]:
    """Blocks A, U of T(xi)^-1 = [ A U; 0 A ], xi = [v | w]."""
    v, w = xi[0:3], xi[3:6]
    V, W = skew(SYMBOLIC, v), skew(SYMBOLIC, w)
    c, slope = turn_factor(ca.dot(w, w))
    square = W @ W
    A = ca.SX.eye(3) + W / 2 + c * square
    U = V / 2 + c * (V @ W + W @ V) + 2 * slope * ca.dot(w, v) * square
    return A, U


def logarithm(q1: Any, q2: Any) -> Any:
    """xi of X_1^-1 X_2."""
    w = rotation_vector(relative_quaternion(SYMBOLIC, q1[3:7], q2[3:7]))
    p = rotation(q1).T @ (q2[0:3] - q1[0:3])
    c, _ = turn_factor(ca.dot(w, w))
    across = ca.cross(w, p)
    return ca.vertcat(p - across / 2 + c * ca.cross(w, across), w)


def _beam_force(xi: Any, p: Any) -> Any:
    """r of the beam over xi: T(-xi)^-T of -n and T(xi)^-T of n."""
    A, U = inverse_tangent(xi)
    n = p[7:13] * (xi / p[0] - p[1:7])
    first = ca.vertcat(-A @ n[0:3], -(U @ n[0:3] + A @ n[3:6]))
    second = ca.vertcat(A.T @ n[0:3], U.T @ n[0:3] + A.T @ n[3:6])
    return ca.vertcat(first, second)


def _beam_residual(m: LocalMotion, p: Any) -> Any:
    return _beam_force(logarithm(m.q[0], m.q[1]), p)


def _beam_stiffness(m: LocalMotion, p: Any) -> Any:
    """K = dr/dxi dxi/dd."""
    xi = ca.SX.sym("xi", 6)
    A, U = inverse_tangent(xi)
    none = ca.SX(3, 3)
    along = ca.horzcat(
        -ca.vertcat(ca.horzcat(A.T, U.T), ca.horzcat(none, A.T)),
        ca.vertcat(ca.horzcat(A, U), ca.horzcat(none, A)),
    )
    K = ca.jacobian(_beam_force(xi, p), xi) @ along
    return ca.substitute(K, xi, logarithm(m.q[0], m.q[1]))


def _beam_energy(xi: Any, p: Any) -> Any:
    strain = xi / p[0] - p[1:7]
    return p[0] / 2 * ca.dot(p[7:13] * strain, strain)


@cache
def beam() -> ElementKind:
    """Two nodes. Numbers: h, eps_0 (6: [1, 0, 0, 0, 0, 0] if straight), EA GA2 GA3 GJ EI2 EI3."""

    def energy(m: LocalMotion, p: Any) -> Any:
        return _beam_energy(logarithm(m.q[0], m.q[1]), p)

    return element_kind(
        "beam", (BODY, BODY), 13, _beam_residual, _beam_stiffness, potential=energy, key="beam"
    )


@cache
def angled_beam() -> ElementKind:
    """As ``beam``, with sections of its first node turned: four more numbers, their quaternion in
    the axes of the node."""

    def twist(m: LocalMotion, p: Any) -> Any:
        first = ca.vertcat(m.q[0][0:3], quaternion_product(SYMBOLIC, m.q[0][3:7], p[13:17]))
        return logarithm(first, m.q[1])

    def residual(m: LocalMotion, p: Any) -> Any:
        r = _beam_force(twist(m, p), p)
        R = from_quaternion(SYMBOLIC, p[13:17])
        return ca.vertcat(R @ r[0:3], R @ r[3:6], r[6:12])

    def energy(m: LocalMotion, p: Any) -> Any:
        return _beam_energy(twist(m, p), p)

    return element_kind(
        "angled beam", (BODY, BODY), 17, residual, potential=energy, key="angled beam"
    )


@cache
def segment_spring() -> ElementKind:
    """Springs in six directions between two bodies that meet at a point, as rigid segments do.

    Numbers: the point on the first and on the second body, EA/l GA2/l GA3/l GJ/l EI2/l EI3/l.
    With the gap s and the rotation vector w of the second body in axes of the first,

        E = 1/2 s^T K_s s + 1/2 w^T K_w w
    """

    def relative(m: LocalMotion, p: Any) -> tuple[Any, Any, Any]:
        """R, X (the point on the second body) and w, in axes of the first."""
        first, second = m.q
        quat = relative_quaternion(SYMBOLIC, first[3:7], second[3:7])
        R = from_quaternion(SYMBOLIC, quat)
        X = rotation(first).T @ (second[0:3] - first[0:3]) + R @ p[3:6]
        return R, X, rotation_vector(quat)

    def residual(m: LocalMotion, p: Any) -> Any:
        (R, X, w), at_second = relative(m, p), p[3:6]
        force, moment = p[6:9] * (X - p[0:3]), p[9:12] * w
        A, _ = inverse_tangent(ca.vertcat(ca.SX.zeros(3), w))
        own = R.T @ force
        r1 = ca.vertcat(-force, -ca.cross(X, force) - A @ moment)
        return ca.vertcat(r1, own, ca.cross(at_second, own) + A.T @ moment)

    def energy(m: LocalMotion, p: Any) -> Any:
        _, X, w = relative(m, p)
        gap = X - p[0:3]
        return ca.dot(p[6:9] * gap, gap) / 2 + ca.dot(p[9:12] * w, w) / 2

    return element_kind(
        "segment spring", (BODY, BODY), 12, residual, potential=energy, key="segment spring"
    )


@cache
def rigid_body() -> ElementKind:
    """Mass, m c (3), I_o as xx yy zz xy xz yz, acceleration of gravity (3, world)."""

    def residual(m: LocalMotion, p: Any) -> Any:
        v, w = m.u[0][0:3], m.u[0][3:6]
        alpha = m.a[0][3:6]
        mc, I = p[1:4], _symmetric(p[4:10])
        a = m.a[0][0:3] + ca.cross(w, v) - rotation(m.q[0]).T @ p[10:13]
        force = p[0] * a + ca.cross(alpha, mc) + ca.cross(w, ca.cross(w, mc))
        moment = I @ alpha + ca.cross(w, I @ w) + ca.cross(mc, a)
        return ca.vertcat(force, moment)

    def weight(m: LocalMotion, p: Any) -> Any:
        return -ca.dot(p[10:13], p[0] * m.q[0][0:3] + rotation(m.q[0]) @ p[1:4])

    return element_kind("rigid body", (BODY,), 13, residual, potential=weight, key="rigid body")


@cache
def node_mass() -> ElementKind:
    """Rigid inertia about the centre of mass along principal axes: m, Ix, Iy, Iz; no gravity."""

    def residual(m: LocalMotion, p: Any) -> Any:
        v, w = m.u[0][0:3], m.u[0][3:6]
        force = p[0] * (m.a[0][0:3] + ca.cross(w, v))
        return ca.vertcat(force, p[1:4] * m.a[0][3:6] + ca.cross(w, p[1:4] * w))

    return element_kind("node mass", (BODY,), 4, residual, key="node mass")


@cache
def dead_load() -> ElementKind:
    """Force (3, world) and moment (3, axes of the body), times the load factor."""

    def residual(m: LocalMotion, p: Any) -> Any:
        return -m.load * ca.vertcat(rotation(m.q[0]).T @ p[0:3], p[3:6])

    return element_kind("dead load", (BODY,), 6, residual, key="dead load")


@cache
def held() -> ElementKind:
    """A body held at a pose (7 numbers) by six multipliers."""

    def residual(m: LocalMotion, p: Any) -> Any:
        return constrained(m, [misplaced(m.q[0], p[0:3], p[3:7])])

    return element_kind("held", (BODY, multipliers(6)), 7, residual, key="held")


@cache
def revolute() -> ElementKind:
    """Two bodies share a point and an axis. Numbers: point and axis on the first, on the second."""

    def residual(m: LocalMotion, p: Any) -> Any:
        R1, R2 = rotation(m.q[0]), rotation(m.q[1])
        gap = R1.T @ (m.q[1][0:3] + R2 @ p[6:9] - m.q[0][0:3]) - p[0:3]
        axis = R1.T @ R2 @ p[9:12]
        n1, n2 = _normals(p[3:6])
        return constrained(m, [gap, ca.vertcat(ca.dot(n1, axis), ca.dot(n2, axis))])

    return element_kind("revolute", (BODY, BODY, multipliers(5)), 12, residual, key="revolute")


def misplaced(q: Any, p: Any, quat: Any) -> Any:
    """Translation and rotation of a pose from where it should be, in its own axes."""
    turned = relative_quaternion(SYMBOLIC, quat, q[3:7])
    return ca.vertcat(rotation(q).T @ (q[0:3] - p), 2 * turned[1:4])


def _normals(axis: Any) -> tuple[Any, Any]:
    """Two vectors normal to an axis."""
    first = ca.if_else(ca.fabs(axis[0]) < 0.6, ca.SX([1, 0, 0]), ca.SX([0, 1, 0]))
    one = ca.cross(axis, first)
    one = one / ca.norm_2(one)
    return one, ca.cross(axis, one)


def constrained(m: LocalMotion, rows: list[Any]) -> Any:
    """[-G^T lam of every body | g]."""
    g = ca.vertcat(*rows)
    lam, bodies = m.q[-1], m.q[:-1]
    work = ca.dot(g, lam)
    forces = []
    for q in bodies:
        along = ca.gradient(work, q)
        forces.append(-ca.vertcat(rotation(q).T @ along[0:3], _turning(q).T @ along[3:7]))
    return ca.vertcat(*forces, g)


def _turning(q: Any) -> Any:
    """dquat = 1/2 quat (0, d_w)."""
    e0, e1, e2, e3 = q[3], q[4], q[5], q[6]
    rows = [[-e1, -e2, -e3], [e0, -e3, e2], [e3, e0, -e1], [-e2, e1, e0]]
    return SYMBOLIC.mat(rows) / 2


def _symmetric(p: Any) -> Any:
    return SYMBOLIC.mat([[p[0], p[3], p[4]], [p[3], p[1], p[5]], [p[4], p[5], p[2]]])


def pose_numbers(p: Any, R: Any = None) -> Any:
    """Coordinates of a body: position, and quaternion of a rotation matrix."""
    quat = [1.0, 0.0, 0.0, 0.0] if R is None else to_quaternion(np.asarray(R, dtype=float))
    return np.r_[np.asarray(p, dtype=float), quat]
