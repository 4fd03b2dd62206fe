"""Small models written by hand as expressions: the test bench of the solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from pliant.code.compile import compile_equations
from pliant.code.compiled import CompiledEquations
from pliant.formulations.equations import Equations, Inputs, Speeds, Told, Written
from pliant.mechanics.layout import Layout, Rotation, Scalar
from pliant.observe.catalogue import SymbolicObservable
from pliant.spatial.symbolic import SYMBOLIC


@dataclass(frozen=True)
class SmallModel:
    """A compiled model with its initial state and, where known, what it must end in."""

    name: str
    equations: Equations
    compiled: CompiledEquations
    q0: np.ndarray
    u0: np.ndarray
    x0: np.ndarray
    t_end: float
    energy: Callable[[np.ndarray], float] | None
    """Total energy of a packed vector x."""
    reference: np.ndarray | None = None
    """Observables O at t_end."""

    @property
    def start(self) -> np.ndarray:
        c = self.compiled
        x = np.zeros(c.x_size)
        x[1 : 1 + c.nq] = self.q0
        x[1 + c.nq : 1 + c.nq + c.nu] = self.u0
        x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = self.x0
        return x


def build(
    name: str,
    *,
    nq: int,
    nu: int,
    m: int,
    equations: Callable[..., dict[str, Any]],
    q0: Any,
    u0: Any,
    t_end: float,
    nx: int = 0,
    x0: Any = (),
    rotations: tuple[Rotation, ...] = (),
    reference: Any = None,
    has_lam: bool = True,
) -> SmallModel:
    """Model from ``equations(t, q, u, x, a)`` giving r (no multipliers), optionally g, cv, qdot,
    u_of_qdot (function of q'), f, energy, observe."""
    t, q, u = ca.SX.sym("t"), ca.SX.sym("q", nq), ca.SX.sym("u", nu)
    x, a = ca.SX.sym("x", nx), ca.SX.sym("a", nu)
    lam, p, rate = ca.SX.sym("lam", m), ca.SX.sym("p", 0), ca.SX.sym("qd", nq)
    e = equations(t, q, u, x, a)
    qdot = e.get("qdot", u)
    g = e.get("g", ca.SX.zeros(0, 1))
    cv = e.get("cv")
    if cv is None:
        cv = ca.jacobian(g, q) @ qdot + ca.jacobian(g, t)
    r = e["r"] - ca.jacobian(cv, u).T @ lam if has_lam and m else e["r"]
    rows = tuple(Scalar(f"c{i}", "", name) for i in range(m))
    model = Equations(
        ops=SYMBOLIC,
        written=Written("hand"),
        layout=Layout(
            q=tuple(Scalar(f"q{i}", "", name) for i in range(nq)),
            u=tuple(Scalar(f"u{i}", "", name) for i in range(nu)),
            rotations=rotations,
            rows=rows,
            n_holonomic=g.numel(),
        ),
        inputs=Inputs(p, np.zeros(0)), t=t, q=q, u=u, x=x, a=a, lam=lam,
        qdot=qdot, residual=r, g=g, cv=cv, f=e.get("f", ca.SX.zeros(nx, 1)),
        speeds=Speeds(e["u_of_qdot"](rate) if "u_of_qdot" in e else rate, rate),
        told=Told({
            "y": SymbolicObservable(owner=name, expression=ca.vertcat(e.get("observe", q)))}),
    )  # fmt: skip
    energy = None
    if "energy" in e:
        full = ca.vertcat(t, q, u, x, a, lam)
        f = ca.Function("E", [full], [e["energy"]])
        energy = lambda v: float(f(v))  # noqa: E731
    return SmallModel(
        name, model, compile_equations(model), np.array(q0, float), np.array(u0, float),
        np.array(x0, float), t_end, energy, None if reference is None else np.array(reference),
    )  # fmt: skip


def lagrange(T: Any, V: Any, q: Any, u: Any, a: Any, Q: Any = 0) -> Any:
    """Residual of Lagrange's equations from energies in q and u."""
    momentum = ca.gradient(T, u)
    r = ca.jacobian(momentum, u) @ a + ca.jacobian(momentum, q) @ u - ca.gradient(T, q)
    return r + ca.gradient(V, q) - Q


def slider_crank() -> SmallModel:
    """M1: planar slider-crank with a massless slider (singular mass matrix), constant torque.

    Reference: certified to 11 digits (1-dof Lagrange + RK8 and a second formulation).
    """
    l1, l2, m1, m2 = 0.2, 0.5, 1.0, 2.0

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        th, w = q[0] + q[1], u[0] + u[1]
        vx = -l1 * ca.sin(q[0]) * u[0] + l2 / 2 * ca.sin(th) * w
        vy = l1 * ca.cos(q[0]) * u[0] - l2 / 2 * ca.cos(th) * w
        T = m1 * l1**2 / 6 * u[0] ** 2 + m2 / 2 * (vx**2 + vy**2) + m2 * l2**2 / 24 * w**2
        g = ca.vertcat(
            l1 * ca.cos(q[0]) - l2 * ca.cos(th) - q[2], l1 * ca.sin(q[0]) - l2 * ca.sin(th)
        )
        r = lagrange(T, ca.SX(0), q, u, a, ca.vertcat(1.0, 0, 0))
        return dict(r=r, g=g, energy=T - q[0], observe=ca.vertcat(q[0], u[0], q[2]))

    return build(
        "M1", nq=3, nu=3, m=2, equations=equations,
        q0=[np.pi / 4, 2.0694379379808, 0.621004508568581], u0=[0, 0, 0], t_end=1.0,
        reference=[7.6926535787767, 11.901138293222, 0.4915081005952],
    )  # fmt: skip


def pendulum() -> SmallModel:
    """A01: point mass on a circle in Cartesian coordinates, from the horizontal at rest.

    Reference: exact (Jacobi elliptic functions).
    """

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        T, V = ca.dot(u, u) / 2, 9.81 * q[1]
        g = ca.vertcat(ca.dot(q, q) - 1)
        return dict(r=lagrange(T, V, q, u, a), g=g, energy=T + V, observe=q)

    return build(
        "A01", nq=2, nu=2, m=1, equations=equations, q0=[-1, 0], u0=[0, 0], t_end=10.0,
        reference=[-0.2750874625761169, -0.9614192050991251],
    )  # fmt: skip


def parallelograms(n: int) -> SmallModel:
    """A02: n parallelogram loops that pass singular poses (all bars in line).

    Reference: exact, the smooth branch. Observables: B0 and the first coupler angle (0).
    """
    gravity = 9.81

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        T = V = ca.SX(0)
        g = []
        for i in range(n + 1):
            T += u[i] ** 2 / 6
            V += gravity / 2 * ca.cos(q[i])
        for i in range(1, n + 1):
            p, w, th, o = q[i - 1], u[i - 1], q[n + i], u[n + i]
            vx = ca.cos(p) * w - ca.sin(th) * o / 2
            vy = -ca.sin(p) * w + ca.cos(th) * o / 2
            T += (vx**2 + vy**2) / 2 + o**2 / 24
            V += gravity * (ca.cos(p) + ca.sin(th) / 2)
            g += [
                ca.sin(p) + ca.cos(th) - ca.sin(q[i]) - 1,
                ca.cos(p) + ca.sin(th) - ca.cos(q[i]),
            ]
        return dict(
            r=lagrange(T, V, q, u, a), g=ca.vertcat(*g), energy=T + V,
            observe=ca.vertcat(ca.sin(q[0]), ca.cos(q[0]), q[n + 1]),
        )  # fmt: skip

    ends = {2: [0.3284581115408154, 0.944518538178601, 0.0]}
    return build(
        f"A02_{n}", nq=2 * n + 1, nu=2 * n + 1, m=2 * n, equations=equations,
        q0=np.zeros(2 * n + 1), u0=[1.0] * (n + 1) + [0.0] * n, t_end=10.0, reference=ends.get(n),
    )  # fmt: skip


def _axis_rotation(axis: int, angle: Any) -> Any:
    c, s = ca.cos(angle), ca.sin(angle)
    return [
        ca.blockcat([[1, 0, 0], [0, c, -s], [0, s, c]]),
        ca.blockcat([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        ca.blockcat([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    ][axis]


def bricard() -> SmallModel:
    """A04: Bricard mechanism, five relative angles, five closure rows of rank four.

    Reference: certified to 12 digits (null-space integration).
    """
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1.0]])
    axes = [1, 2, 0, 1, 2, 0]

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        R, p, w = ca.SX.eye(3), ca.SX(P[0]), ca.SX.zeros(3)
        T = V = ca.SX(0)
        corner = None
        for i in range(5):
            turn = _axis_rotation(axes[i], q[i])
            R = R @ turn
            e = np.zeros(3)
            e[axes[i]] = 1
            w = turn.T @ w + ca.SX(e) * u[i]
            d = P[i + 1] - P[i]
            centre = p + R @ ca.SX(d / 2)
            if i == 3:
                corner = p
            v = ca.jtimes(centre, q, u)
            inertia = np.full(3, 1 / 12 + 0.01 / 12)
            inertia[int(np.argmax(abs(d)))] = 0.02 / 12
            T += ca.dot(v, v) / 2 + ca.dot(w, inertia * w) / 2
            V += 9.81 * centre[1]
            p = p + R @ ca.SX(d)
        g = ca.vertcat(p - ca.SX(P[5]), R[1, 0], R[2, 0])
        return dict(r=lagrange(T, V, q, u, a), g=g, energy=T + V, observe=corner)

    return build(
        "A04", nq=5, nu=5, m=5, equations=equations, q0=np.zeros(5), u0=np.zeros(5), t_end=10.0,
        reference=[0.9999999638063, -1.0002690126962, 0.9997309511199],
    )  # fmt: skip


def euler_top() -> SmallModel:
    """Free asymmetric body: quaternion and body-fixed angular velocity; torque-free.

    Observables: angular momentum in the world (constant) and the quaternion.
    """
    inertia = np.array([1.0, 2.0, 3.5])

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        w, v = q[0], q[1:4]
        qdot = ca.vertcat(-ca.dot(v, u), w * u + ca.cross(v, u)) / 2
        L = ca.SX(inertia) * u
        turned = L + 2 * ca.cross(v, ca.cross(v, L) + w * L)
        return dict(
            qdot=qdot,
            r=ca.SX(inertia) * a + ca.cross(u, L),
            u_of_qdot=lambda rate: 2 * (w * rate[1:4] - rate[0] * v - ca.cross(v, rate[1:4])),
            energy=ca.dot(u, L) / 2,
            observe=ca.vertcat(turned, q),
        )

    return build(
        "top", nq=4, nu=3, m=0, equations=equations, q0=[1, 0, 0, 0], u0=[0.3, 2.0, 0.2],
        t_end=4.0, rotations=(Rotation("quaternion", 0),),
    )  # fmt: skip


def spherical_pendulum() -> SmallModel:
    """Body hanging from a point: position and quaternion with three constraint rows."""
    inertia, arm = np.array([0.3, 0.4, 0.5]), np.array([0.0, 0.0, 1.0])

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        w, v, omega = q[3], q[4:7], u[3:6]

        def turn(z: Any) -> Any:
            return z + 2 * ca.cross(v, ca.cross(v, z) + w * z)

        rotation = ca.horzcat(*[turn(ca.SX(e)) for e in np.eye(3)])
        quat = ca.vertcat(-ca.dot(v, omega), w * omega + ca.cross(v, omega)) / 2
        L = ca.SX(inertia) * omega

        def rate(z: Any) -> Any:
            return ca.vertcat(z[0:3], 2 * (w * z[4:7] - z[3] * v - ca.cross(v, z[4:7])))

        gravity = ca.SX([0, 0, -9.81])
        return dict(
            qdot=ca.vertcat(u[0:3], quat),
            r=ca.vertcat(a[0:3] - gravity, ca.SX(inertia) * a[3:6] + ca.cross(omega, L)),
            g=q[0:3] + rotation @ ca.SX(arm),
            cv=u[0:3] + rotation @ ca.cross(omega, ca.SX(arm)),
            u_of_qdot=rate,
            energy=ca.dot(u[0:3], u[0:3]) / 2 + ca.dot(omega, L) / 2 + 9.81 * q[2],
            observe=q[0:3],
        )

    return build(
        "spherical", nq=7, nu=6, m=3, equations=equations, q0=[0, 0, -1, 1, 0, 0, 0],
        u0=[-1.5, 0, 0, 0.0, 1.5, 4.0], t_end=2.0, rotations=(Rotation("quaternion", 3),),
    )  # fmt: skip


def stiff_oscillator() -> SmallModel:
    """Slow pendulum in tree coordinates with a stiff, strongly damped elastic coordinate."""

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        length = 1 + q[1]
        T = (u[1] ** 2 + (length * u[0]) ** 2) / 2
        V = -9.81 * length * ca.cos(q[0]) + 1e6 * q[1] ** 2 / 2
        return dict(r=lagrange(T, V, q, u, a, ca.vertcat(0, -2e3 * u[1])), observe=q)

    return build("stiff", nq=2, nu=2, m=0, equations=equations, q0=[1.0, 0], u0=[0, 0], t_end=2.0)


def motor() -> SmallModel:
    """DC motor on a shaft: current as a first-order state. Reference: exact (linear system)."""
    J, D, K, R, L, V = 0.02, 0.1, 0.5, 0.4, 0.05, 12.0
    A = np.array([[0, 1, 0], [0, -D / J, K / J], [0, -K / L, -R / L]])

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        return dict(r=J * a + D * u - K * x, f=(V - R * x - K * u) / L, observe=ca.vertcat(q, u, x))

    values, vectors = np.linalg.eig(A)
    steady = np.linalg.lstsq(A[1:, 1:], -np.array([0, V / L]), rcond=None)[0]
    z0 = np.concatenate([[0.0], -steady])
    end = 0.5
    z = (vectors @ (np.exp(values * end) * np.linalg.solve(vectors, z0.astype(complex)))).real
    exact = z + np.array([steady[0] * end, steady[0], steady[1]])
    return build(
        "motor", nq=1, nu=1, m=0, nx=1, equations=equations, q0=[0], u0=[0], x0=[0], t_end=end,
        reference=exact,
    )  # fmt: skip


def knife_edge() -> SmallModel:
    """Skate on an inclined plane: one velocity constraint that has no position form.

    Reference: closed form (Neimark, Fufaev): x = g s/(2 w^2) sin^2(w t), theta = w t.
    """
    slope, w = 9.81 * 0.5, 1.0

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        T, V = (u[0] ** 2 + u[1] ** 2 + 0.3 * u[2] ** 2) / 2, -slope * q[0]
        cv = ca.vertcat(u[0] * ca.sin(q[2]) - u[1] * ca.cos(q[2]))
        return dict(r=lagrange(T, V, q, u, a), cv=cv, energy=T + V, observe=q)

    end = 2.0
    exact = [
        slope / (2 * w**2) * np.sin(w * end) ** 2,
        slope / (2 * w**2) * (w * end - np.sin(2 * w * end) / 2),
        w * end,
    ]
    return build(
        "knife", nq=3, nu=3, m=1, equations=equations, q0=[0, 0, 0], u0=[0, 0, w], t_end=end,
        reference=exact,
    )  # fmt: skip


def embedded_pendulum() -> SmallModel:
    """A01 without multipliers: one dynamic row (along the tangent) and the constraint, nd < nu."""

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        along = ca.horzcat(-q[1], q[0])
        r = along @ (a - ca.SX([0, -9.81]))
        g = ca.vertcat(ca.dot(q, q) - 1)
        energy = ca.dot(u, u) / 2 + 9.81 * q[1]
        return dict(r=r, g=g, energy=energy, observe=q)

    return build(
        "embedded", nq=2, nu=2, m=1, equations=equations, q0=[-1, 0], u0=[0, 0], t_end=10.0,
        reference=[-0.2750874625761169, -0.9614192050991251], has_lam=False,
    )  # fmt: skip


def locking_crank() -> SmallModel:
    """Slider-crank whose driven crank (0.5) is longer than its rod (0.3): locks at sin = 0.6."""
    l1, l2 = 0.5, 0.3

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        T = (0.1 * u[0] ** 2 + 0.05 * u[1] ** 2 + u[2] ** 2) / 2
        g = ca.vertcat(
            l1 * ca.cos(q[0]) + l2 * ca.cos(q[1]) - q[2],
            l1 * ca.sin(q[0]) + l2 * ca.sin(q[1]),
            q[0] - 0.2 - t,
        )
        return dict(r=lagrange(T, ca.SX(0), q, u, a), g=g, observe=q)

    second = -np.arcsin(l1 / l2 * np.sin(0.2))
    return build(
        "locking", nq=3, nu=3, m=3, equations=equations,
        q0=[0.2, second, l1 * np.cos(0.2) + l2 * np.cos(second)], u0=[1, 0, 0], t_end=2.0,
        reference=None,
    )  # fmt: skip


def oscillator() -> SmallModel:
    """Two undamped springs of very different stiffness, both vibrating: fast, but not stiff."""

    def equations(t: Any, q: Any, u: Any, x: Any, a: Any) -> dict[str, Any]:
        V = (q[0] ** 2 + 1e4 * q[1] ** 2) / 2
        return dict(r=a + ca.gradient(V, q), energy=ca.dot(u, u) / 2 + V, observe=q)

    return build(
        "oscillator", nq=2, nu=2, m=0, equations=equations, q0=[1.0, 0.1], u0=[0, 0], t_end=6.0,
        reference=[np.cos(6.0), 0.1 * np.cos(600.0)],
    )  # fmt: skip
