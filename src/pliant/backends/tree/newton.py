"""One link of a tree as expressions for implicit methods: residual and its exact derivatives.

A link's state s = (w, alpha, acc) of its frame O depends on that of the inner link and on q, u, u'
of its own joint only. With F = (n, f) the wrench transmitted to O and F_P its part in that of P,

    s = s(s_P, q, u, u')               F = wrench(s) + what hangs on O
    F_P = X(q) F                       r = S(q)^T F - effort(t, q, u)

so that the derivative of r is known from small blocks of every link:

    ds = A ds_P + (S_a + c1 S_u + c2 S_q) d        dF_P = X dF + c2 Y d
    dr = S^T dF + (c2 W_q + c1 W_u) d              dF = Phi ds + what hangs on O

for du' = d, du = c1 d, dq = c2 N d. All are derivatives of the functions of ``tree_kernel``.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), 5.3 (residual by recursion).
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from pliant.backends.tree.kernel import LinkExpressions, cross, function
from pliant.spatial.symbolic import SYMBOLIC


def newton_functions(link: LinkExpressions) -> dict[str, Any]:
    """Functions of one kind for implicit methods."""
    found = {"carry": _carry(link), "collect": _collect(link), "blocks": _blocks(link)}
    if not link.kind.plain:
        found |= {"rates": _rates(link), "speeds": _speeds(link)}
    return found


def _carry(link: LinkExpressions) -> Any:
    """(alpha_P, acc_P, u'; record) -> alpha, acc, wrench of the link alone."""
    a_P, udot, (record, w, *_) = ca.SX.sym("a_P", 6), ca.SX.sym("a", link.kind.nu), link.record()
    a = link.carried(a_P) + link.S @ udot
    out = [a, link.wrench(w, a[:3], a[3:])]
    return function("carry", ca.vertcat(a_P, udot), record, out)


def _passed(link: LinkExpressions, F: Any) -> tuple[Any, Any]:
    """F_P = X F and S^T F."""
    X = link.placed()
    n, f = X.R @ F[:3], X.R @ F[3:]
    return ca.vertcat(n + cross(X.p, f), f), link.S.T @ F


def _collect(link: LinkExpressions) -> Any:
    """(F; record) -> F_P, r."""
    F, (record, _, tau, _) = ca.SX.sym("F", 6), link.record()
    passed, row = _passed(link, F)
    return function("collect", F, record, [passed, row - tau])


def _blocks(link: LinkExpressions) -> Any:
    """(s_P, q, u, u', F; record) -> blocks of the derivative, row by row; sizes in ``tree_layout``.

    R_PO, p_PO, d alpha/d w_P, d acc/d w_P, d(wrench)/d w, S, S_u, S_q, Y, d(S^T F)/dq N.
    """
    nu, q, u = link.kind.nu, link.q, link.u
    a_P, udot, F = ca.SX.sym("a_P", 6), ca.SX.sym("a", nu), ca.SX.sym("F", 6)
    record, w, *_ = link.record()
    values = ca.vertcat(*link.cut_values) if link.cut_values else ca.SX(0, 1)

    def of_state(expression: Any) -> Any:
        """In symbols of (w_P, q, u) instead of what the first sweep has kept of them."""
        return ca.substitute(ca.densify(ca.SX(expression)), link.symbols, values)

    s = ca.vertcat(link.w_out, of_state(link.carried(a_P) + link.S @ udot))
    passed, row = (of_state(part) for part in _passed(link, F))
    N = ca.jacobian(ca.SX(link.qdot), u)
    X, a = link.placed(), ca.SX.sym("a", 6)
    gyroscopic = ca.jacobian(link.wrench(w, a[:3], a[3:]), w)
    out = [
        X.R, X.p, ca.jacobian(s[3:], link.w_P), gyroscopic, link.S, ca.jacobian(s, u),
        ca.jacobian(s, q) @ N, ca.jacobian(passed, q) @ N, ca.jacobian(row, q) @ N,
    ]  # fmt: skip
    x = ca.vertcat(link.w_P, a_P, q, u, udot, F)
    return function("blocks", x, record, [ca.vec(ca.densify(ca.SX(part)).T) for part in out])


def _rates(link: LinkExpressions) -> Any:
    """(q, u, u'; constants) -> q', q''."""
    a, qdot = ca.SX.sym("a", link.kind.nu), ca.densify(ca.SX(link.qdot))
    second = ca.jtimes(qdot, link.q, qdot) + ca.jtimes(qdot, link.u, a)
    return function("rates", ca.vertcat(link.q, link.u, a), link.p, [qdot, second])


def _speeds(link: LinkExpressions) -> Any:
    """(q, q'; constants) -> u."""
    qdot = ca.SX.sym("qdot", link.kind.nq)
    u = link.joint.speeds(SYMBOLIC, link.q, qdot)
    return function("speeds", ca.vertcat(link.q, qdot), link.p, [u])
