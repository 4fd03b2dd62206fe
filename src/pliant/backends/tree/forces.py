"""Efforts along joint coordinates as laws: what is compiled once per kind of force and formula.

A law reads the time, the coordinates and speeds of its own joint and numbers. Every formula of
parameters, and every parameter in a formula of the state, is one of these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import Any

import casadi as ca

from pliant.backends.tree.kernel import function
from pliant.backends.tree.model import LawNumbers
from pliant.errors import UnknownName
from pliant.model.forces import ForceElement
from pliant.model.forces.action import formulas_of
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.observe.catalogue import DISSIPATED, SUPPLIED, role_of_force
from pliant.spatial.ops import Ops
from pliant.spatial.symbolic import SYMBOLIC


class LawMotion:
    """What a force may ask when it knows its own joint only; collects the numbers it reads."""

    ops: Ops = SYMBOLIC

    def __init__(self, joint: Joint, parameters: frozenset[str]) -> None:
        self.t = ca.SX.sym("t")
        self.joint, self.parameters = joint, parameters
        self.q, self.u = ca.SX.sym("q", joint.nq), ca.SX.sym("u", joint.nu)
        self.numbers: list[Formula | str] = []
        self._symbols: list[Any] = []
        self._known: dict[str, Any] = {}

    @property
    def state(self) -> Any:
        return ca.vertcat(self.t, self.q, self.u)

    @property
    def data(self) -> Any:
        return ca.vertcat(*self._symbols) if self._symbols else ca.SX.sym("none", 0)

    def _number(self, source: Formula | str) -> Any:
        self.numbers.append(source)
        self._symbols.append(ca.SX.sym(f"number{len(self._symbols)}"))
        return self._symbols[-1]

    def frame(self, reference: str) -> Any:
        raise UnknownName(f"a law along a joint reads no frame, but '{reference}' was asked for")

    def acceleration(self, joint: str, name: str | None) -> Any:
        raise UnknownName(f"a law along joint '{joint}' reads no acceleration")

    def coordinate(self, joint: str, name: str | None) -> tuple[Any, Any]:
        names = [c.name for c in self.joint.scalars]
        k = 0 if name is None else names.index(name)
        return self.q[k], self.u[k]

    def away(self, joint: str, name: str | None, value: Any) -> Any:
        return self.coordinate(joint, name)[0] - value

    def value(self, formula: Formula, **local: Any) -> Any:
        if formula.names <= self.parameters:
            return self._number(formula)
        return formula.evaluate(self.ops, lambda name: self._look_up(name, local))

    def _look_up(self, name: str, local: Mapping[str, Any]) -> Any:
        if name in local:
            return local[name]
        if name == "t":
            return self.t
        if name in self.parameters:
            if name not in self._known:
                self._known[name] = self._number(name)
            return self._known[name]
        quantity = name.partition(".")[2]
        if quantity in self.joint.coordinate_names:
            return self.q[self.joint.coordinate_names.index(quantity)]
        return self.u[self.joint.rate_names.index(quantity)]


class LawExpressions:
    """The functions of one law, and the numbers it reads: formulas of its element by field (each
    is a copy, so that it is known by identity), parameters by name."""

    def __init__(self, element: ForceElement, joint: Joint, parameters: frozenset[str]) -> None:
        own_formulas: dict[str, Any] = {k: copy(f) for k, f in formulas_of(element).items()}
        own = replace(element, **own_formulas)
        self._motion = LawMotion(joint, parameters)
        self._element, self._action = own, own.act(self._motion)
        field = {id(f): name for name, f in formulas_of(own).items()}
        self.numbers: LawNumbers = tuple(
            ("parameter", n) if isinstance(n, str) else ("field", field[id(n)])
            for n in self._motion.numbers
        )

    @property
    def _effort(self) -> Any:
        return sum((e.value for e in self._action.efforts), ca.SX(0))

    def functions(self) -> dict[str, Any]:
        """All functions of the law."""
        return {"": self._law(), "_slope": self._slope()}

    def _law(self) -> Any:
        """(t, q, u; numbers) -> effort, power, potential, power of damping; entries of the book."""
        motion, action = self._motion, self._action
        power = sum(
            (e.value * motion.coordinate(e.joint, e.coordinate)[1] for e in action.efforts),
            ca.SX(0),
        )
        potential, heat = (
            ca.SX(0) if part is None else part for part in (action.potential, action.dissipated)
        )
        role = role_of_force(self._element, action)
        given, lost = (power if role == SUPPLIED else 0, -power if role == DISSIPATED else heat)
        told = [self._effort, power, potential, -heat, given, lost]
        return function("law", motion.state, motion.data, told)

    def _slope(self) -> Any:
        """(t, q, u; numbers) -> d effort/dq N, d effort/du."""
        motion = self._motion
        effort = ca.SX(self._effort)
        N = ca.jacobian(ca.SX(motion.joint.qdot(SYMBOLIC, motion.q, motion.u)), motion.u)
        slopes = [ca.jacobian(effort, motion.q) @ N, ca.jacobian(effort, motion.u)]
        return function("slope", motion.state, motion.data, [s.T for s in slopes])
