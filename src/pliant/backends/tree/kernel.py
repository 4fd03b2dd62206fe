"""One link of a tree as expressions: what is compiled once per kind of joint.

Every link has a frame O: the frame of its joint on the outer body, in the joint's canonical axes.
With I the frame of the joint on the inner body, whose own link frame is P, the pose of O in P is
X_PI X_IO(q): a constant times the joint. All columns are in axes of O unless a suffix says
otherwise. Wrenches (n, f) are about the origin of O, accelerations (alpha, acc) material:

    alpha = R^T alpha_P + alpha_b + S_w u'         acc = R^T (acc_P + alpha_P x p) + acc_b + S_v u'
    n = J alpha + H acc + n_b                      f = H^T alpha + M acc + f_b

Gravity enters as the acceleration -g of the ground. The three sweeps of the articulated-body
algorithm are one function each, looped over the links by the solver. Since S is mostly constant in
O, so are the rows of the articulated inertia that vanish with the joint; they are left out.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), 7.3; S4 (2.5)-(2.31).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from pliant.backends.tree.model import CONSTANTS, INERTIA, MOMENTUM, MOTION, Kind
from pliant.mechanics.inertia import Inertia, momentum_of, system_momenta
from pliant.mechanics.motion import BodyMotion
from pliant.model.forces.action import Momentum
from pliant.model.joints import Joint
from pliant.spatial.pose import Pose
from pliant.spatial.symbolic import SYMBOLIC


class LinkExpressions:
    """The functions of one kind: three sweeps, motion, reaction, relative motion.

    Those of implicit methods are in ``tree_newton``.
    """

    def __init__(self, joint: Joint, flipped: bool) -> None:
        extra: list[Any] = []

        def symbol(formula: Any) -> Any:
            extra.append(ca.SX.sym(f"option{len(extra)}"))
            return extra[-1]

        self.joint = joint.evaluated(symbol)
        self.flipped = flipped
        self.constants = ca.SX.sym("C", CONSTANTS)
        self.p = ca.vertcat(self.constants, *extra)
        self.q, self.u = ca.SX.sym("q", joint.nq), ca.SX.sym("u", joint.nu)
        C = self.constants
        self.R_PI, self.p_PI = ca.reshape(C[:9], 3, 3).T, C[9:12]
        self.mass, self.mc, self.I_o = C[12], C[13:16], symmetric(C[16:22])
        self._joint_motion()
        self._forward()
        plain = joint.nq == joint.nu and ca.is_equal(ca.SX(self.qdot), self.u, 1)
        self.kind = Kind(flipped, joint.nq, joint.nu, len(extra), len(self.cut_values), plain)

    def _joint_motion(self) -> None:
        """X_IO; motion of O in I per unit speed, in axes of I. Flipped: w_MF = -R^T w_FM."""
        q, joint = self.q, self.joint
        X, H = joint.pose(SYMBOLIC, q), joint.motion(SYMBOLIC, q)
        self.X_FM, self.V_FM = X, H @ self.u
        H_w, H_v = H[:3, :], H[3:, :]
        if self.flipped:
            H_v = -(X.R.T @ (H_v + skew(X.p) @ H_w))
            H_w, X = -(X.R.T @ H_w), X.inverse
        self.X_IO = Pose(ca.sparsify(ca.SX(X.R)), ca.sparsify(ca.SX(X.p)))
        self.basis_w, self.basis_v = ca.sparsify(ca.SX(H_w)), ca.sparsify(ca.SX(H_v))
        self.qdot = joint.qdot(SYMBOLIC, q, self.u)

    def _forward(self) -> None:
        """w and the bias accelerations from w_P; everything the other sweeps read is cut here."""
        R, p = self.X_IO.R, self.X_IO.p
        self.w_P = ca.SX.sym("w_P", 3)
        w_I, w_J, v_J = self.R_PI.T @ self.w_P, self.basis_w @ self.u, self.basis_v @ self.u
        turning = self.R_PI.T @ cross(self.w_P, cross(self.w_P, self.p_PI))
        self.w_out = R.T @ (w_I + w_J)
        alpha_b = R.T @ (cross(w_I, w_J) + self._rate(w_J))
        inside = cross(w_I, p) + 2 * v_J
        acc_b = R.T @ (turning + cross(w_I, inside) + self._rate(v_J))
        S = ca.vertcat(R.T @ self.basis_w, R.T @ self.basis_v)
        self.cut_values, parts = cut([R, p, S, alpha_b, acc_b])
        self.symbols = parts[0]
        self.R_cut, self.p_cut, self.S, self.alpha_b, self.acc_b = parts[1:]

    def _rate(self, column: Any) -> Any:
        """d/dt of a column with u held."""
        if not self.q.numel():
            return ca.SX(3, 1)
        return ca.sparsify(ca.jtimes(ca.densify(column), self.q, ca.densify(self.qdot)))

    def functions(self) -> dict[str, Any]:
        """All functions of the kind."""
        found = {
            "sweep1": self._sweep1(), "sweep2": self._sweep2(), "sweep3": self._sweep3(),
            "motion": self._motion(), "reaction": self._reaction(),
        }  # fmt: skip
        return {**found, "relative": self._relative()} if self.q.numel() else found

    def _sweep1(self) -> Any:
        """(w_P, q, u; constants) -> w, cut values, q'."""
        x = ca.vertcat(self.w_P, self.q, self.u)
        return function("sweep1", x, self.p, [self.w_out, *self.cut_values, self.qdot])

    def record(self) -> tuple[Any, Any, Any, Any]:
        """Symbols of a record, and in it w, the efforts, and (G, g0)."""
        k, w = self.kind, ca.SX.sym("w", 3)
        tau, gain = ca.SX.sym("tau", k.nu), ca.SX.sym("gain", 7 * k.nu)
        record = ca.vertcat(self.p, w, self.symbols, ca.SX.sym("qdot", k.nq), tau, gain)
        return record, w, tau, gain

    def placed(self) -> Pose:
        """X_PO."""
        return Pose(self.R_PI @ self.R_cut, self.p_PI + self.R_PI @ self.p_cut)

    def carried(self, a_P: Any) -> Any:
        """(alpha, acc) of O without u', from those of P."""
        X = self.placed()
        alpha = X.R.T @ a_P[:3] + self.alpha_b
        acc = X.R.T @ (a_P[3:] + cross(a_P[:3], X.p)) + self.acc_b
        return ca.vertcat(alpha, acc)

    def wrench(self, w: Any, alpha: Any, acc: Any) -> Any:
        """(n, f) that moves the link: the inertia law about O."""
        m, mc, I_o = self.mass, self.mc, self.I_o
        n = I_o @ alpha + cross(w, I_o @ w) + cross(mc, acc)
        return ca.vertcat(n, m * acc + cross(alpha, mc) + cross(w, cross(w, mc)))

    def _sweep2(self) -> Any:
        """(inertia of the outer links; record) -> inertia seen by P, then G and g0.

        G = D^-1 U^T, g0 = D^-1 (tau - S^T p_A), with U = I_A S and D = S^T U.
        """
        A, (record, w, tau, _) = ca.SX.sym("A", INERTIA), self.record()
        J, H, M, n, f = unpack(A)
        J, H, M = J + self.I_o, H + skew(self.mc), M + self.mass * ca.SX.eye(3)
        n = n + cross(w, self.I_o @ w)
        f = f + cross(w, cross(w, self.mc))
        I = ca.blockcat([[J, H], [H.T, M]])
        bias, wrench, S = ca.vertcat(self.alpha_b, self.acc_b), ca.vertcat(n, f), self.S
        U = I @ S
        G, g0 = solve_symmetric(S.T @ U, ca.horzcat(U.T, tau - S.T @ wrench))
        I, U = I - U @ G, U @ g0
        I = without(I, unit_rows(S))
        wrench = wrench + I @ bias + U
        seen = self._seen_by_inner(I, wrench)
        return function("sweep2", A, record, [seen, ca.vec(G), g0])

    def _seen_by_inner(self, I: Any, wrench: Any) -> Any:
        """An articulated inertia moved to P: axes turned by R, point shifted by p."""
        X = self.placed()
        R, P = X.R, skew(X.p)
        J, H, M = I[:3, :3], I[:3, 3:], I[3:, 3:]
        J, H, M = symmetric_product(R, J), R @ H @ R.T, symmetric_product(R, M)
        n, f = R @ wrench[:3], R @ wrench[3:]
        shifted, T = P @ M, H @ P
        J = J - T - T.T - shifted @ P
        return pack(J, H + shifted, M, n + cross(X.p, f), f)

    def _sweep3(self) -> Any:
        """(alpha_P, acc_P; record) -> alpha, acc, u'."""
        a_P, (record, _, _, gain) = ca.SX.sym("a_P", 6), self.record()
        a, nu = self.carried(a_P), self.kind.nu
        udot = gain[6 * nu :] - ca.reshape(gain[: 6 * nu], nu, 6) @ a
        return function("sweep3", a_P, record, [a + self.S @ udot, udot])

    def _motion(self) -> Any:
        """(motion of P, g, q, u, u'; constants) -> motion of O, and its energies."""
        inner, g, a = ca.SX.sym("m", MOTION), ca.SX.sym("g", 3), ca.SX.sym("a", self.kind.nu)
        R_WP, (p_WP, w_P, v_P, alpha_P, acc_P) = unpack_motion(inner)
        X_PO = Pose(self.R_PI, self.p_PI) @ self.X_IO
        R, p = X_PO.R, X_PO.p
        w_J, v_J = (self.R_PI @ (b @ self.u) for b in (self.basis_w, self.basis_v))
        alpha_J, acc_J = (
            self.R_PI @ (b @ a + self._rate(b @ self.u)) for b in (self.basis_w, self.basis_v)
        )
        w, v = R.T @ (w_P + w_J), R.T @ (v_P + cross(w_P, p) + v_J)
        alpha = R.T @ (alpha_P + cross(w_P, w_J) + alpha_J)
        turning = cross(w_P, cross(w_P, p) + 2 * v_J)
        acc = R.T @ (acc_P + cross(alpha_P, p) + turning + acc_J)
        R_W, p_W = R_WP @ R, p_WP + R_WP @ p
        m, mc, I_o = self.mass, self.mc, self.I_o
        kinetic = 0.5 * (ca.dot(v, m * v + cross(w, mc)) + ca.dot(w, I_o @ w + cross(mc, v)))
        potential, g_O = -ca.dot(g, m * p_W + R_W @ mc), R_W.T @ g
        wrench = self.wrench(w, alpha, acc)
        torque, force = wrench[:3], wrench[3:]
        rate = ca.dot(force, v) + ca.dot(torque, w)
        n, f = R_W @ (torque - cross(mc, g_O)), R_W @ (force - m * g_O)
        x = ca.vertcat(inner, g, self.q, self.u, a)
        out = [ca.vec(ca.densify(R_W)), p_W, w, v, alpha, acc, kinetic, potential, rate, n, f]
        return function("motion", x, self.p, out)

    def _reaction(self) -> Any:
        """(motions of P and O, wrench transmitted to O, q, efforts; constants) -> reaction.

        Force and torque on the child at the origin of M, world axes, less the efforts.
        """
        inner, outer = ca.SX.sym("P", MOTION), ca.SX.sym("O", MOTION)
        wrench, tau = ca.SX.sym("wrench", 6), ca.SX.sym("tau", self.kind.nu)
        (R_WP, (p_WP, *_)), (R_WO, (p_WO, *_)) = unpack_motion(inner), unpack_motion(outer)
        n, f, R_WF = wrench[:3], wrench[3:], R_WP @ self.R_PI
        if self.flipped:
            n, f = -(n + cross(p_WO - p_WP - R_WP @ self.p_PI, f)), -f
            R_WF = R_WO
        applied = self.joint.effort(SYMBOLIC, self.q) @ tau
        x = ca.vertcat(inner, outer, wrench, self.q, tau)
        out = [f - R_WF @ applied[3:], n - R_WF @ applied[:3]]
        return function("reaction", x, self.p, out)

    def _relative(self) -> Any:
        """(q, u; constants) -> motion across the joint, in the user's sense."""
        X, V = self.X_FM, self.V_FM
        out = [ca.vec(ca.densify(ca.SX(X.R))), X.p, X.R.T @ V[:3], V[3:]]
        return function("relative", ca.vertcat(self.q, self.u), self.p, out)


def frame_function() -> Any:
    """(motion and kinetic energy of O; X_OP) -> motion of P in world axes, kinetic energy."""
    m, X = ca.SX.sym("m", MOTION + 1), ca.SX.sym("X", 12)
    R_WO, (p_WO, w, v, alpha, acc) = unpack_motion(m)
    R_OP, r = ca.reshape(X[:9], 3, 3), X[9:]
    columns = [w, v + cross(w, r), alpha, acc + cross(alpha, r) + cross(w, cross(w, r))]
    out = [ca.vec(R_WO @ R_OP), p_WO + R_WO @ r, *(R_WO @ c for c in columns), m[MOTION]]
    return function("frame", m, X, out)


def momentum_functions() -> dict[str, Any]:
    """``momentum``: (motion of O; m, mc, I_o) -> momentum of a link. ``momenta``: (that of all
    links) -> centre of mass and momenta of the system."""
    m, C, none = ca.SX.sym("m", MOTION), ca.SX.sym("C", 10), ca.SX.sym("none", 0)
    R, (p, w, v, alpha, acc) = unpack_motion(m)
    body = BodyMotion(Pose(R, p), w, v, alpha, acc)
    inertia = Inertia(C[0], C[1:4], symmetric(C[4:]))
    own = momentum_of(SYMBOLIC, inertia, body, inertia.momenta(SYMBOLIC, body))
    s = ca.SX.sym("s", MOMENTUM)
    total = system_momenta(SYMBOLIC, Momentum(s[0], s[1:4], s[4:7], s[7:]))
    return {
        "momentum": function("momentum", m, C, [own.mass, own.first, own.linear, own.angular]),
        "momenta": function("momenta", s, none, [*total.values()]),
    }


def function(name: str, x: Any, p: Any, parts: Sequence[Any]) -> Any:
    """name(x, p) -> the parts in one column."""
    return ca.Function(name, [x, p], [ca.densify(ca.vertcat(*[ca.SX(i) for i in parts]))])


def cut(matrices: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Different values (up to sign) that occur in some matrices; and [symbols for them, the
    matrices written in these symbols]. Constants stay constants."""
    values: list[Any] = []
    place: dict[int, int] = {}
    found: list[list[tuple[int, float]]] = []
    for matrix in matrices:
        entries = []
        e: Any
        for e in ca.SX(matrix).nonzeros():
            if e.is_constant():
                entries.append((-1, float(e)))
                continue
            sign = 1.0
            while e.is_op(ca.OP_NEG):
                e, sign = e.dep(0), -sign
            k = place.setdefault(e.element_hash(), len(values))
            if k == len(values):
                values.append(e)
            entries.append((k, sign))
        found.append(entries)
    symbols = ca.SX.sym("c", len(values))
    written = []
    for matrix, entries in zip(matrices, found, strict=True):
        new = [ca.SX(s) if k < 0 else s * symbols[k] for k, s in entries]
        column = ca.vertcat(*new) if new else ca.SX(0, 1)
        written.append(ca.sparsify(ca.SX(ca.SX(matrix).sparsity(), column)))
    return values, [symbols, *written]


def skew(v: Any) -> Any:
    """v x as a matrix."""
    return ca.skew(ca.densify(ca.SX(v)))


def cross(a: Any, b: Any) -> Any:
    """a x b; zeros stay zeros."""
    a, b = ca.densify(ca.SX(a)), ca.densify(ca.SX(b))
    return ca.sparsify(ca.cross(a, b))


def symmetric(v: Any) -> Any:
    """A matrix from xx, xy, xz, yy, yz, zz."""
    return ca.blockcat([[v[0], v[1], v[2]], [v[1], v[3], v[4]], [v[2], v[4], v[5]]])


def pack(J: Any, H: Any, M: Any, n: Any, f: Any) -> Any:
    """An articulated inertia as a column."""
    upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    halves = [ca.vertcat(*[ca.SX(K[i, j]) for i, j in upper]) for K in (J, M)]
    column = ca.vec(ca.densify(ca.SX(H)))
    return ca.densify(ca.vertcat(halves[0], column, halves[1], ca.SX(n), ca.SX(f)))


def unpack(A: Any) -> tuple[Any, ...]:
    """J, H, M, n, f of a column."""
    H = ca.reshape(A[6:15], 3, 3)
    return symmetric(A[:6]), H, symmetric(A[15:21]), A[21:24], A[24:27]


def unpack_motion(m: Any) -> tuple[Any, list[Any]]:
    """R and the five columns of a motion."""
    return ca.reshape(m[:9], 3, 3), [m[9 + 3 * k : 12 + 3 * k] for k in range(5)]


def symmetric_product(R: Any, K: Any) -> Any:
    """R K R^T; its lower triangle is not computed twice."""
    half = R @ K
    rows: list[list[Any]] = [[None] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(i, 3):
            rows[i][j] = rows[j][i] = ca.SX(half[i, :] @ R[j, :].T)
    return ca.blockcat(rows)


def solve_symmetric(D: Any, B: Any) -> tuple[Any, Any]:
    """D^-1 B by L d L^T without pivoting; B = [many columns | last], returned apart."""
    n = D.shape[0]
    if n == 0:
        return ca.SX(0, B.shape[1] - 1), ca.SX(0, 1)
    L, d = [[ca.SX(0)] * n for _ in range(n)], [ca.SX(0)] * n
    for j in range(n):
        d[j] = D[j, j] - sum((L[j][k] * L[j][k] * d[k] for k in range(j)), ca.SX(0))
        for i in range(j + 1, n):
            rest = sum((L[i][k] * L[j][k] * d[k] for k in range(j)), ca.SX(0))
            L[i][j] = (D[i, j] - rest) / d[j]
    rows = [B[i, :] for i in range(n)]
    for i in range(n):
        for k in range(i):
            rows[i] = rows[i] - L[i][k] * rows[k]
    inverse = [1 / e for e in d]
    rows = [rows[i] * inverse[i] for i in range(n)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            rows[i] = rows[i] - L[k][i] * rows[k]
    X = ca.vertcat(*rows)
    return X[:, :-1], X[:, -1]


def unit_rows(S: Any) -> list[int]:
    """Rows i for which a column of S is the unit vector e_i."""
    found = []
    for k in range(S.shape[1]):
        column = ca.sparsify(S[:, k])
        entries: Any = column.nonzeros()
        if len(entries) == 1 and entries[0].is_constant() and abs(float(entries[0])) == 1.0:
            found.append(column.sparsity().row()[0])
    return found


def without(I: Any, rows: Sequence[int]) -> Any:
    """I with rows and columns that vanish, because the joint gives way along them."""
    keep = [float(i not in rows) for i in range(6)]
    return ca.sparsify(ca.SX(np.outer(keep, keep)) * I)
