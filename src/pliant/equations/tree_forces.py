"""Efforts along joint coordinates as laws: what is compiled once per kind of force and formula.

A law reads the time, the coordinates and speeds of its own joint and numbers. Every formula of
parameters, and every parameter in a formula of the state, is one of these numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import casadi as ca

from pliant.equations.tree_kernel import function
from pliant.errors import UnknownName
from pliant.model.forces import Actuator, ForceElement, JointFriction, JointSpring
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.spatial.ops import Ops
from pliant.spatial.symbolic import SYMBOLIC

_LOCAL = frozenset(("t", "x", "v"))


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
    def data(self) -> Any:
        return ca.vertcat(*self._symbols) if self._symbols else ca.SX.sym("none", 0)

    def _number(self, source: Formula | str) -> Any:
        self.numbers.append(source)
        self._symbols.append(ca.SX.sym(f"number{len(self._symbols)}"))
        return self._symbols[-1]

    def frame(self, reference: str) -> Any:
        raise UnknownName(f"a law along a joint reads no frame, but '{reference}' was asked for")

    def coordinate(self, joint: str, name: str | None) -> tuple[Any, Any]:
        names = [c.name for c in self.joint.scalars]
        k = 0 if name is None else names.index(name)
        return self.q[k], self.u[k]

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


def law_objection(model: Model, element: ForceElement) -> str:
    """Why a force is no law of its own joint; empty if it is one."""
    if not isinstance(element, Actuator | JointFriction | JointSpring):
        return f"force '{element.name}' does not act along a joint coordinate"
    name = element.joint
    own = model.joints[name]
    known = {f"{name}.{k}" for k in (*own.coordinate_names, *own.rate_names)}
    for formula in _formulas(element):
        strange = formula.names - known - _LOCAL - model.parameters.keys()
        if strange:
            return f"force '{element.name}' reads {', '.join(sorted(strange))}"
    return ""


def _formulas(element: ForceElement) -> list[Formula]:
    values = (getattr(element, f.name) for f in fields(element))
    return [v for v in values if isinstance(v, Formula)]


def law_key(element: ForceElement, joint: Joint, parameters: frozenset[str]) -> tuple[Any, ...]:
    """Equal for elements with the same code: numbers and the name of the joint do not count."""
    parts: list[Any] = [type(element), type(joint), joint.coordinate_names]
    for f in fields(element):
        value = getattr(element, f.name)
        if isinstance(value, Formula):
            plain = value.names <= parameters
            parts.append("" if plain else value.text.replace(f"{joint.name}.", "."))
        elif f.name not in ("name", "joint"):
            parts.append(value)
    return tuple(parts)


def law_function(element: ForceElement, joint: Joint, parameters: frozenset[str]) -> Any:
    """(t, q, u; numbers) -> effort, power, potential."""
    motion = LawMotion(joint, parameters)
    action = element.act(motion)
    effort = sum((e.value for e in action.efforts), ca.SX(0))
    power = sum(
        (e.value * motion.coordinate(e.joint, e.coordinate)[1] for e in action.efforts), ca.SX(0)
    )
    potential = ca.SX(0) if action.potential is None else action.potential
    x = ca.vertcat(motion.t, motion.q, motion.u)
    return function("law", x, motion.data, [effort, power, potential])


def law_numbers(
    element: ForceElement, joint: Joint, parameters: Mapping[str, float],
    value: Callable[[Formula], float],
) -> list[float]:  # fmt: skip
    """The numbers an element's law reads, in its order."""
    motion = LawMotion(joint, frozenset(parameters))
    element.act(motion)
    return [parameters[n] if isinstance(n, str) else value(n) for n in motion.numbers]
