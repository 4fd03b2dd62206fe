"""Tangent of an exact beam element in short code: derivatives are taken at Gauss points and nodes.

With the poses of the nodes seen from the middle one, X_i = exp(ξ_i), and b_i the motion of node i
against the middle one in its own axes,

    ξ_i' = S_i b_i        wrench of node i: W_i = W(ξ_i, c_i)
    c_i = Σ_g N_i a_g + N_i' b_g / L      ∂c_i/∂ξ_j = Σ_g (N_i, N_i'/L) H_g (N_j, N_j'/L)

where (a_g, b_g) are the loads on ξ and ξ' at Gauss point g, and H_g their 12 x 12 derivatives. The
middle node balances the others: r = -Σ A_i W_i, A_i = Ad(X_i⁻¹)ᵀ. Nothing changes if the whole
element moves, which gives the columns of the middle node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import casadi as ca

from pliant.backends.blocks.elements.forms import Form, local_motion
from pliant.backends.blocks.solver.element import LocalMotion
from pliant.model.forces.exact_element import exact_rule
from pliant.spatial.curves import Curve, CurvePoint, inverse_tangent, nodal_wrench
from pliant.spatial.interpolation import Interpolation
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import skew
from pliant.spatial.screws import Screw
from pliant.spatial.symbolic import SYMBOLIC

ops = SYMBOLIC


def exact_stiffness(form: Form) -> Callable[[LocalMotion, Any], Any] | None:
    """K of an exact element whose sections are its nodes; None for everything else.

    The part that a damped element has from its strain rates is left out: it steers iterations only.
    """
    known = form.role == "force" and not form.places and form.element.kind in _TANGENTS
    return partial(_TANGENTS[form.element.kind], form) if known else None


def _tangent(form: Form, m: LocalMotion, p: Any) -> Any:
    motion, element = local_motion(form, m, p, forces=[form.element]), form.element
    rule = exact_rule(len(element.frames) - 1)
    nodes = [motion.frame(f) for f in element.frames]
    poses = [Pose(n.R_WP, n.p_WP) for n in nodes]
    length, middle = motion.value(element.length), rule.order // 2
    curve = Curve.of(ops, rule, length, poses)
    logs = {i: _column(xi) for i, xi in enumerate(curve.logs) if xi is not None}
    numbers = [
        ca.vertcat(*(motion.value(f) for f in (*C, *free)))
        for C, free in zip(element.stiffness, element.free, strict=True)
    ]
    c, c_xi = _conjugate(rule, length, logs, numbers)
    seen = {i: poses[middle].inverse @ poses[i] for i in logs}
    W, W_b = _wrenches(logs, c, c_xi)
    return _assembled(middle, len(nodes), seen, W, W_b)


_TANGENTS = {"exact_element": _tangent}
"""By the kind of a force."""


def _conjugate(
    rule: Interpolation, length: Any, logs: dict[int, Any], numbers: Sequence[Any]
) -> tuple[dict[int, Any], dict[tuple[int, int], Any]]:
    """c_i and ∂c_i/∂ξ_j."""
    law, slope = _point_functions()
    c = {i: ca.SX.zeros(6) for i in logs}
    c_xi = {(i, j): ca.SX.zeros(6, 6) for i in logs for j in logs}
    for k, own in enumerate(numbers):
        weight = float(rule.weights[k]) * length
        share = {i: (float(rule.N[k, i]), float(rule.dN[k, i]) / length) for i in logs}
        z = ca.vertcat(*(sum(share[i][part] * logs[i] for i in logs) for part in (0, 1)))
        loads, H = law(z, own) * weight, slope(z, own) * weight
        for i, (N, dN) in share.items():
            c[i] += N * loads[:6] + dN * loads[6:]
            row = N * H[:6, :] + dN * H[6:, :]
            for j, (Nj, dNj) in share.items():
                c_xi[i, j] += Nj * row[:, :6] + dNj * row[:, 6:]
    return c, c_xi


def _point_functions() -> tuple[Any, Any]:
    """Loads on (ξ, ξ') at a point for (C, strain without stress), and their derivatives."""
    z, own = ca.SX.sym("z", 12), ca.SX.sym("own", 12)
    point = CurvePoint.of(ops, _screw(z[:6]), _screw(z[6:]))
    strain = point.strain - _screw(own[6:])
    stress = Screw(own[3:6] * strain.dual, own[:3] * strain.real)
    loads = ca.vertcat(*map(_column, point.loads(stress)))
    law = ca.Function("loads", [z, own], [loads])
    return law, ca.Function("slopes", [z, own], [ca.densify(ca.jacobian(loads, z))])


def _wrenches(
    logs: dict[int, Any], c: dict[int, Any], c_xi: dict[tuple[int, int], Any]
) -> tuple[dict[int, Any], dict[tuple[int, int], Any]]:
    """W_i = (force, moment) and ∂W_i/∂b_j."""
    xi, own, b = ca.SX.sym("xi", 6), ca.SX.sym("c", 6), ca.SX.sym("b", 6)
    wrench = _column(nodal_wrench(ops, _screw(xi), _screw(own)))
    turned = _column(inverse_tangent(ops, _screw(xi), Screw(b[3:], b[:3])))
    parts = [wrench, ca.jacobian(wrench, xi), ca.jacobian(wrench, own)]
    node = ca.Function("node", [xi, own], [ca.densify(v) for v in parts])
    S = ca.Function("S", [xi], [ca.densify(ca.jacobian(turned, b))])
    W, W_xi, W_c = {}, {}, {}
    for i in logs:
        W[i], W_xi[i], W_c[i] = node(logs[i], c[i])
    moved = {j: S(logs[j]) for j in logs}
    W_b = {}
    for i in logs:
        for j in logs:
            along = W_c[i] @ c_xi[i, j] + (W_xi[i] if i == j else 0)
            W_b[i, j] = along @ moved[j]
    return W, W_b


def _assembled(
    middle: int, count: int, seen: dict[int, Pose], W: dict[int, Any],
    W_b: dict[tuple[int, int], Any],
) -> Any:  # fmt: skip
    """K from ∂W_i/∂b_j: rows of the middle node, then its columns."""
    back = {i: _adjoint(X) for i, X in seen.items()}
    rows: dict[tuple[int, int], Any] = dict(W_b)
    for j in seen:
        total = sum(back[i].T @ W_b[i, j] for i in seen) + back[j].T @ _turned(W[j])
        rows[middle, j] = -total
    for i in range(count):
        rows[i, middle] = -sum(rows[i, j] @ back[j] for j in seen)
    return ca.vertcat(*(ca.horzcat(*(rows[i, j] for j in range(count))) for i in range(count)))


def _adjoint(X: Pose) -> Any:
    """Ad(X⁻¹): motion (v, w) of the middle node as node X would have it, in its axes."""
    R = X.R.T
    return ca.vertcat(ca.horzcat(R, -(R @ skew(ops, X.p))), ca.horzcat(ca.SX.zeros(3, 3), R))


def _turned(W: Any) -> Any:
    """Change of (f, m) as they turn and move with (v, w): w x f, w x m + v x f."""
    f, m, none = skew(ops, W[:3]), skew(ops, W[3:]), ca.SX.zeros(3, 3)
    return -ca.vertcat(ca.horzcat(none, f), ca.horzcat(f, m))


def _column(screw: Screw) -> Any:
    return ca.densify(ca.vertcat(screw.real, screw.dual))


def _screw(column: Any) -> Screw:
    return Screw(column[:3], column[3:6])
