"""A tree as integrators see it."""

from __future__ import annotations

from pliant.equations.tree_model import TreeModel, TreeNumbers
from pliant.solve import tree as explicit
from pliant.solve import tree_newton as newton
from pliant.solve import tree_residual as of_joints
from pliant.solve.abi import Compiled
from pliant.solve.constraints import TREATMENTS
from pliant.solve.context import PROJECT_ALONE
from pliant.solve.dynamics import Dynamics, ServiceTable
from pliant.solve.tree_layout import tree_context

_EXPLICIT = {
    "rank": explicit.no_rows, "pivot": explicit.no_rows, "multipliers": explicit.no_rows,
    "project": explicit.settle_tree, "settle": explicit.settle_tree,
    "accelerate": explicit.accelerate, "power_at": explicit.power_at,
}  # fmt: skip
_IMPLICIT = {
    "kinematics": of_joints.kinematics, "rates": of_joints.rates, "tangent": of_joints.tangent,
    "residual": of_joints.residual, "linearise": of_joints.linearise, "factor": newton.factor,
    "solve": newton.solve, "factor_complex": newton.factor_complex,
    "solve_complex": newton.solve_complex, "error": newton.error,
}  # fmt: skip


def tree_dynamics(tree: TreeModel, numbers: TreeNumbers, *, implicit: bool = True) -> Dynamics:
    """Dynamics of a tree; ``implicit`` False: what explicit methods need, in less memory."""
    ic, dc = tree_context(tree, numbers, implicit)
    ic[PROJECT_ALONE] = 1
    services: dict[str, Compiled] = _EXPLICIT | _IMPLICIT if implicit else _EXPLICIT
    return Dynamics(
        nq=tree.nq, nu=tree.nu, nx=0, m=0, services=ServiceTable(services), ic=ic, dc=dc,
        layout=tree.layout, treatment=TREATMENTS["projection"], source=tree,
    )  # fmt: skip
