"""A chain of nodes coupled by one element function: the kernel kind of equations.

Nodes have a pose (position, unit quaternion [w, x, y, z]) and speeds (velocity in the world,
angular velocity in the body), q = [p | quat] and u = [v | w] node by node, and a diagonal mass.
Neighbours are coupled by a two-node beam, strained at its middle:

    Gam = R_m^T (p_B - p_A)/L - e_x,   kap = 2 vec(quat_A* quat_B)/L,
    E = L/2 (Gam C_F Gam + kap C_M kap)

with R_m the mean rotation, and a damping force from the strain rates. Only this one function and
its exact tangents are compiled; solvers loop over the elements, so that the cost is linear in
their number. Source: architecture.md (kernels); Simo 1985 (strains).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from pliant.engine import Machine, compile_functions
from pliant.equations.layout import Group, Layout, Scalar

Array = NDArray[np.float64]
NODE_Q, NODE_U = 7, 6
ELEMENT_PARAMETERS = 8
"""Length, three force stiffnesses, three moment stiffnesses, damping time."""


def quaternion_product(a: Any, b: Any) -> Any:
    """a b for quaternions [w, x, y, z]."""
    return ca.vertcat(
        a[0] * b[0] - ca.dot(a[1:4], b[1:4]),
        a[0] * b[1:4] + b[0] * a[1:4] + ca.cross(a[1:4], b[1:4]),
    )


def node_rates(q: Any, u: Any) -> Any:
    """q' of one node."""
    return ca.vertcat(u[0:3], quaternion_product(q[3:7], ca.vertcat(0, u[3:6])) / 2)


def strains(qa: Any, qb: Any, length: Any) -> Any:
    """[Gam | kap] of an element."""
    mean = qa[3:7] + qb[3:7]
    mean = mean / ca.norm_2(mean)
    back = ca.vertcat(mean[0], -mean[1:4])
    arm = (qb[0:3] - qa[0:3]) / length
    seen = quaternion_product(quaternion_product(back, ca.vertcat(0, arm)), mean)[1:4]
    relative = quaternion_product(ca.vertcat(qa[3], -qa[4:7]), qb[3:7])
    return ca.vertcat(seen - ca.SX([1, 0, 0]), 2 * relative[1:4] / length)


def element_force(q: Any, u: Any, p: Any) -> Any:
    """Generalised force (12) on the two nodes of an element; q (14), u (12), p as above."""
    strain = strains(q[0:7], q[7:14], p[0])
    rates = ca.vertcat(node_rates(q[0:7], u[0:6]), node_rates(q[7:14], u[6:12]))
    along = ca.jacobian(strain, q) @ ca.jacobian(rates, u)
    stress = p[1:7] * (strain + p[7] * (along @ u))
    return -p[0] * along.T @ stress


def compile_element() -> Machine:
    """``force``: f. ``tangent``: K = -df/dq N and D = -df/du, row-major; x = [q 14 | u 12]."""
    q, u, p = ca.SX.sym("q", 14), ca.SX.sym("u", 12), ca.SX.sym("p", ELEMENT_PARAMETERS)
    f = element_force(q, u, p)
    rates = ca.vertcat(node_rates(q[0:7], u[0:6]), node_rates(q[7:14], u[6:12]))
    K, D = -ca.jacobian(f, q) @ ca.jacobian(rates, u), -ca.jacobian(f, u)
    x = ca.vertcat(q, u)
    dense = [ca.densify(ca.vec(ca.densify(m).T)) for m in (K, D)]
    return compile_functions(
        {
            "force": ca.Function("force", [x, p], [ca.densify(f)]),
            "tangent": ca.Function("tangent", [x, p], [ca.vertcat(*dense)]),
        }
    )


@dataclass(frozen=True, slots=True)
class BlockChain:
    """Data of one chain. Node arrays have one row per moving node.

    ``mass``: (n, 6) diagonal, three masses and three inertias. ``elements``: one row of parameters
    each; with ``clamp`` (a pose of 7 numbers) the first element joins the clamp to the first node,
    otherwise elements join moving neighbours. ``load``: dead force on the last node (world).
    """

    mass: Array
    elements: Array
    clamp: Array | None = None
    gravity: Array = field(default_factory=lambda: np.zeros(3))
    load: Array = field(default_factory=lambda: np.zeros(3))
    machine: Machine = field(default_factory=compile_element, repr=False)

    def __post_init__(self) -> None:
        wanted = len(self.mass) - (self.clamp is None)
        if len(self.elements) != wanted:
            raise ValueError(
                f"chain of {len(self.mass)} moving nodes: {len(self.elements)} elements given, "
                f"{wanted} needed"
            )

    @property
    def n(self) -> int:
        return len(self.mass)

    @property
    def layout(self) -> Layout:
        """Names and groups of the unknowns."""
        q_names = ("x", "y", "z", "e0", "e1", "e2", "e3")
        u_names = ("vx", "vy", "vz", "wx", "wy", "wz")
        q = tuple(Scalar(f"node{i}.{k}", "", f"node{i}") for i in range(self.n) for k in q_names)
        u = tuple(Scalar(f"node{i}.{k}", "", f"node{i}") for i in range(self.n) for k in u_names)
        groups = tuple(
            g
            for i in range(self.n)
            for g in (Group("real", 7 * i, 3), Group("quaternion", 7 * i + 3, 4))
        )
        return Layout(q=q, u=u, groups=groups)


def straight_bar(
    n: int, *, length: float, axial: float, shear: float, torsion: float, bending: float,
    mass: float, inertia: float, damping: float = 0.0, clamped: bool = True,
    gravity: tuple[float, float, float] = (0, 0, 0), load: tuple[float, float, float] = (0, 0, 0),
) -> tuple[BlockChain, Array]:  # fmt: skip
    """Uniform bar along x with n elements, and its node coordinates at rest.

    ``axial`` = EA, ``shear`` = GA, ``torsion`` = GJ, ``bending`` = EI; ``mass`` per length,
    ``inertia`` = rotary inertia per length; end nodes carry half of what inner nodes do.
    """
    nodes = n if clamped else n + 1
    h = length / n
    share = np.ones(nodes)
    share[-1] = 0.5
    if not clamped:
        share[0] = 0.5
    diagonal = np.array([mass] * 3 + [inertia] * 3) * h
    elements = np.tile([h, axial, shear, shear, torsion, bending, bending, damping], (n, 1))
    rest = np.zeros((nodes, 7))
    rest[:, 0] = h * np.arange(1 if clamped else 0, n + 1)
    rest[:, 3] = 1.0
    chain = BlockChain(
        mass=share[:, None] * diagonal, elements=elements.astype(float),
        clamp=np.array([0, 0, 0, 1.0, 0, 0, 0]) if clamped else None,
        gravity=np.array(gravity, dtype=float), load=np.array(load, dtype=float),
    )  # fmt: skip
    return chain, rest.ravel()
