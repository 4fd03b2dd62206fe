"""Bars as chains (kernel) and the same bars written out as expressions."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from pliant.equations import Equations, Layout, compile_equations
from pliant.equations.block_chain import BlockChain, element_force, node_rates, straight_bar
from pliant.spatial.symbolic import SYMBOLIC


def small_bar(n: int, **changes: Any) -> tuple[BlockChain, np.ndarray]:
    """A soft clamped bar, numbers of order one."""
    values = dict(
        length=1.0, axial=200.0, shear=100.0, torsion=2.0, bending=3.0, mass=1.0, inertia=0.01
    )
    return straight_bar(n, **{**values, **changes})


def expression_bar(chain: BlockChain, **unused: Any) -> Any:
    """The equations of a chain as one dense expression model."""
    n = chain.n
    t, q, u, a = ca.SX.sym("t"), ca.SX.sym("q", 7 * n), ca.SX.sym("u", 6 * n), ca.SX.sym("a", 6 * n)
    none, rate = ca.SX.sym("x", 0), ca.SX.sym("qd", 7 * n)
    h = [ca.SX.zeros(6) for _ in range(n)]
    for i in range(n):
        w, J = u[6 * i + 3 : 6 * i + 6], ca.SX(chain.mass[i, 3:])
        h[i] = ca.vertcat(ca.SX(chain.mass[i, :3] * chain.gravity), -ca.cross(w, J * w))
    h[-1] += ca.vertcat(ca.SX(chain.load), ca.SX.zeros(3))
    clamped = chain.clamp is not None
    for e, p in enumerate(chain.elements):
        first = e - clamped
        qa = ca.SX(chain.clamp) if first < 0 else q[7 * first : 7 * first + 7]
        ua = ca.SX.zeros(6) if first < 0 else u[6 * first : 6 * first + 6]
        qb, ub = q[7 * first + 7 : 7 * first + 14], u[6 * first + 6 : 6 * first + 12]
        Q, V = ca.SX.sym("Q", 14), ca.SX.sym("V", 12)
        force = ca.Function("f", [Q, V], [element_force(Q, V, ca.SX(p))])
        f = force(ca.vertcat(qa, qb), ca.vertcat(ua, ub))
        if first >= 0:
            h[first] += f[0:6]
        h[first + 1] += f[6:12]
    qdot = ca.vertcat(*[node_rates(q[7 * i : 7 * i + 7], u[6 * i : 6 * i + 6]) for i in range(n)])
    back = []
    for i in range(n):
        w, v, d = q[7 * i + 3], q[7 * i + 4 : 7 * i + 7], rate[7 * i : 7 * i + 7]
        back.append(ca.vertcat(d[0:3], 2 * (w * d[4:7] - d[3] * v - ca.cross(v, d[4:7]))))
    layout = chain.layout
    model = Equations(
        ops=SYMBOLIC,
        formulation="hand", layout=Layout(layout.q, layout.u, layout.groups),
        t=t, q=q, u=u, x=none, a=a, lam=ca.SX.sym("l", 0), p=ca.SX.sym("p", 0),
        p_default=np.zeros(0), qdot=qdot, residual=ca.SX(chain.mass.ravel()) * a - ca.vertcat(*h),
        g=ca.SX.zeros(0, 1), cv=ca.SX.zeros(0, 1), f=ca.SX.zeros(0, 1),
        u_of_qdot=ca.vertcat(*back), qdot_symbol=rate,
    )  # fmt: skip
    return compile_equations(model)


def bar_energy(chain: BlockChain, x: np.ndarray) -> float:
    """Kinetic, elastic and potential energy of a packed state."""
    from pliant.equations.block_chain import strains

    n = chain.n
    q, u = x[1 : 1 + 7 * n].reshape(n, 7), x[1 + 7 * n : 1 + 13 * n].reshape(n, 6)
    total = 0.5 * float(np.sum(chain.mass * u**2))
    total -= float(np.sum(chain.mass[:, :3] * q[:, :3] @ chain.gravity))
    total -= float(q[-1, :3] @ chain.load)
    Q, p = ca.SX.sym("Q", 14), ca.SX.sym("p", 8)
    strain = strains(Q[0:7], Q[7:14], p[0])
    energy = ca.Function("E", [Q, p], [p[0] / 2 * ca.dot(strain, p[1:7] * strain)])
    poses = q if chain.clamp is None else np.vstack([chain.clamp, q])
    for e, values in enumerate(chain.elements):
        total += float(energy(poses[e : e + 2].ravel(), values))
    return total
