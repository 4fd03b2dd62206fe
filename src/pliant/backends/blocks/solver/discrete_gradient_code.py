"""Machine code of discrete residuals, and what an element is found to be.

Whether an element cares where it is as a whole, and whether it is the inertia of a rigid body, is
tried out on random numbers, not declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.loops.system_layout import X_HEADER
from pliant.backends.blocks.solver.discrete_gradient import DiscreteResidual, rotation_of
from pliant.backends.blocks.solver.element import LocalMotion, Source
from pliant.code import store
from pliant.code.llvm.machine import Machine, host, kept_functions, reproducible
from pliant.records import dataclass
from pliant.spatial.rotation import quaternion_product
from pliant.spatial.symbolic import SYMBOLIC

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class DiscreteCode:
    """``machine``: the discrete residual; ``inertial``: it knows accelerations; ``rigid``: what it
    knows is a rigid body's inertia."""

    machine: Machine
    inertial: bool
    rigid: bool


@cache
def discrete_code(source: Source, dissipative: bool) -> DiscreteCode:
    """Compiled, or read from disk."""
    kind = f"discrete element of {X_HEADER}, {dissipative}, {source.potential is not None}"
    place = store.key_of(kind, source.key, host(), str(reproducible())) if source.key else ""

    def functions() -> tuple[Any, Mapping[str, Any]]:
        tried = _Tried(source)
        inertial, rigid = tried.inertial(), tried.rigid()
        made = DiscreteResidual(
            source, relative=tried.relative(), bound=tried.bound(), rigid=rigid,
            dissipative=dissipative,
        )  # fmt: skip
        function = ca.Function("discrete", [made.inputs(), made.p], [made.rows()], {"cse": True})
        return (inertial, rigid), {"discrete": function}

    found, machine = kept_functions("element", place, functions, reproducible=reproducible())
    return DiscreteCode(machine, *found)


def mass_matrices(source: Source, numbers: Array) -> Array:
    """M of a rigid kind for every row of numbers."""
    tried = _Tried(source)
    mass = ca.Function("mass", [tried.p], [ca.densify(tried.mass())])
    if len(numbers) == 0 or source.parameters == 0:
        return np.array([np.array(mass([]))] * len(numbers))
    stacked = np.array(mass.map(len(numbers))(numbers.T))
    return stacked.reshape(6, len(numbers), 6).transpose(1, 0, 2)


@cache
def _moved() -> ca.Function:
    """Some rigid motion of a pose."""
    q, shift = ca.SX.sym("q", 7), ca.SX([0.3, -0.7, 1.1])
    turn = ca.SX([0.5, 0.1, -0.7, 0.5])  # of unit length
    turned = quaternion_product(SYMBOLIC, turn, q[3:7])
    moved = ca.vertcat(rotation_of(turn) @ q[0:3] + shift, turned)
    return ca.Function("moved", [q], [moved])


class _Tried:
    """An element as an expression, to be tried out."""

    def __init__(self, source: Source) -> None:
        self.source, self.shapes = source, source.shapes
        self.p = ca.SX.sym("p", source.parameters)
        motion = LocalMotion.symbols(self.shapes)
        self.q, self.u, self.a = motion.q, motion.u, motion.a
        self.inputs = [motion.t, motion.load, self.p, *self.q]
        self.r: Any = ca.vertcat(source.residual(motion, self.p))
        rates = ca.vertcat(*motion.moving)
        self.at_rest: Any = ca.substitute(self.r, rates, ca.SX.zeros(rates.numel()))
        self.rest = ca.Function("rest", self.inputs, [self.at_rest])

    def _numbers(self, seed: int) -> list[Array]:
        """Random t, load, p and coordinates."""
        rng = np.random.default_rng(seed)
        found = [rng.uniform(0.5, 1.5, n) for n in (1, 1, self.source.parameters)]
        for s in self.shapes:
            q = rng.normal(size=s.nq)
            if s.pose:
                q[3:7] /= np.linalg.norm(q[3:7])
            found.append(q)
        return found

    def _forces(self, first: list[Array], q: list[Array]) -> Array:
        """Rows of motion, at rest."""
        rows = [not s.algebraic for s in self.shapes for _ in range(s.n)]
        return np.array(self.rest(*first, *q)).ravel()[rows]

    def relative(self) -> bool:
        """Whether forces at rest, in axes of the bodies, stay what they are if all bodies move as
        one."""
        for seed in range(3):
            numbers = self._numbers(seed)
            others = [
                np.r_[np.array(_moved()(q[:7])).ravel(), q[7:]] if s.pose else q
                for s, q in zip(self.shapes, numbers[3:], strict=True)
            ]
            one, other = (self._forces(numbers[:3], q) for q in (numbers[3:], others))
            if not np.abs(one - other).max() <= _ROUNDING * (1 + np.abs(one).max()):
                return False
        return True

    def bound(self) -> bool:
        """Whether multipliers are all that acts at rest: forces -G^T lam, potential -lam . g."""
        if not any(s.algebraic for s in self.shapes):
            return False
        numbers = self._numbers(0)
        free = [
            np.zeros(s.nq) if s.algebraic else q
            for s, q in zip(self.shapes, numbers[3:], strict=True)
        ]
        found, forces = (self._forces(numbers[:3], q) for q in (numbers[3:], free))
        return bool(np.abs(forces).max() <= _ROUNDING * (1 + np.abs(found).max()))

    def mass(self) -> Any:
        return ca.jacobian(self.r, self.a[0]) if self.a[0] is not None else ca.SX(0, 0)

    def inertial(self) -> bool:
        """Whether it reads accelerations."""
        moving = [a for a in self.a if a is not None]
        return bool(moving) and bool(ca.depends_on(self.r, ca.vertcat(*moving)))

    def rigid(self) -> bool:
        """Whether r - r(at rest) is M a + the gyroscopic forces of a rigid body."""
        if len(self.shapes) != 1 or self.shapes[0].n != 6 or not self.shapes[0].pose:
            return False
        if not self.inertial():
            return False
        extra = self.r - self.at_rest
        function = ca.Function(
            "extra", [*self.inputs, self.u[0], self.a[0]],
            [extra, self.mass()],
        )  # fmt: skip
        for seed in range(3):
            u, a = np.random.default_rng(seed + 10).normal(size=(2, 6))
            found, M = (np.array(v) for v in function(*self._numbers(seed), u, a))
            m, C, J = M[0, 0], M[3:, :3], M[3:, 3:]
            expected = np.block([[m * np.eye(3), C.T], [C, J]])
            momentum = M @ u
            gyro = np.r_[
                np.cross(u[3:], momentum[:3]),
                np.cross(u[3:], momentum[3:]) + np.cross(u[:3], momentum[:3]),
            ]
            off = np.abs(found.ravel() - M @ a - gyro).max() + np.abs(M - expected).max()
            off += np.abs(C + C.T).max() + np.abs(J - J.T).max()
            if not off <= _ROUNDING * (1 + np.abs(found).max()):
                return False
        return True
