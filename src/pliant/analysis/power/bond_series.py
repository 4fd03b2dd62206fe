"""Efforts, flows and energies of all bonds along the recorded motion of a run.

The motion of the bodies and the states of networks, which a result of any formulation holds, are
carried over into the coordinates of the multibond graph; its own equations give accelerations and
multipliers there, and with them every effort and flow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import accepted
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import parameters, with_missing_speeds
from pliant.bonds import BondGraph
from pliant.bonds.elements import WITHOUT_POWER
from pliant.code.compiled import CompiledEquations
from pliant.errors import InputError
from pliant.mechanics.layout import PoseAndTwist
from pliant.observe.beams import public_name
from pliant.records import dataclass
from pliant.results import Result
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.single_states import evaluate_function
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion
from pliant.study import Study

_BODY = ("position", "orientation", "velocity", "angular_velocity")
CHOICE = Choice("multibond")
_FUNCTIONS = ("explicit", "constraints", "tangent", "observables", "start_states")
KINETIC, HEAT = ".energy.kinetic", ".energy.heat"
"""After the name of a force whose loads are nothing but inertia; after that of a spring: the power
it dissipates."""
_WANTED = ("bonds.*.[ef]*",)
"""Efforts, flows, energies."""


class Motion:
    """States of a result, sample by sample, for equations in other coordinates."""

    def __init__(self, result: Result, compiled: CompiledEquations) -> None:
        needed = [_public(f"{body}.{n}") for body in compiled.bodies for n in _BODY]
        for start, _, count in compiled.layout.elastic.values():
            for s in compiled.layout.q[start : start + count]:
                needed += [_public(s.name), _public(f"{s.name}_rate")]
        states = [s.name for s in (*compiled.layout.q, *compiled.layout.x)]
        result = result.also((*needed, *states))
        self.time, self._result, self._compiled = result.time, result, compiled
        missing = [n for n in needed if n not in result.series]
        if missing:
            some = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
            raise InputError(
                f"power audit: the result does not hold the whole motion ({some} missing)",
                "simulate with outputs=['*'], which observes everything",
            )

    def bodies(self, k: int) -> dict[str, PoseAndTwist]:
        """Motion of every body."""
        found = {}
        for body in self._compiled.bodies:
            p, quat, v, w = (self._result.series[_public(f"{body}.{n}")].values[k] for n in _BODY)
            start, _, count = self._compiled.layout.elastic.get(body, (0, 0, 0))
            names = [s.name for s in self._compiled.layout.q[start : start + count]]
            q, rates = (np.array([self._result.series[f"{n}{mark}"].values[k] for n in names])
                        for mark in ("", "_rate"))  # fmt: skip
            found[body] = PoseAndTwist(from_quaternion(NUMERIC, quat), p, v, w, q, rates)
        return found

    def state(self, target: Program, k: int, last: Array, p: Array) -> Array:
        """A sample as a state of other equations: angles are counted near to recorded coordinates,
        else to the ``last`` ones."""
        c = self._compiled
        near = self._known((s.name for s in c.layout.q), k, last)
        q, u = target.state_from(self.bodies(k), p, near)
        x = np.zeros(c.x_size)
        x[0], x[1 : 1 + c.nq], x[1 + c.nq : 1 + c.nq + c.nu] = self.time[k], q, u
        follows = c.call("start_states", x, p)  # states x that follow from the motion
        known = self._known((s.name for s in c.layout.x), k, follows)
        x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = known
        return with_missing_speeds(target, x, p)

    def _known(self, names: Iterable[str], k: int, others: Array) -> Array:
        found = others.copy()
        for i, name in enumerate(names):
            if name in self._result.series:
                found[i] = self._result.series[name].values[k]
        return found


def _public(name: str) -> str:
    """Under which name a result holds an observable: nodes of large beams are named apart."""
    return public_name(name) or name


@dataclass(frozen=True, slots=True)
class BondSeries:
    """``effort`` and ``flow`` of every bond, (samples, components); ``energy`` of stores, of the
    weights of bodies and of springs, and the power that springs dissipate, by name."""

    graph: BondGraph
    time: Array
    effort: tuple[Array, ...]
    flow: tuple[Array, ...]
    energy: Mapping[str, Array]

    def power(self, bond: int) -> Array:
        """Power along the half arrow of a bond."""
        found: Array = np.einsum("ki,ki->k", self.effort[bond], self.flow[bond])
        return found

    def into(self, node: str) -> Array:
        """Power that enters an element through all its bonds: Σ σ eᵀ f."""
        total = np.zeros(len(self.time))
        for bond, sign in self.graph.attached(node):
            total += sign * self.power(bond)
        return total

    def residuals(self) -> dict[str, Array]:
        """What should be zero: the power into elements that neither store nor dissipate."""
        nodes = self.graph.nodes.values()
        return {n.name: self.into(n.name) for n in nodes if n.kind in WITHOUT_POWER}


def series_of(graph: BondGraph, time: Array, values: Mapping[str, Array]) -> BondSeries:
    """From observables by name: ``<bond>.effort``, ``<bond>.flow``, ``<store>.energy``."""

    def columns(what: str) -> tuple[Array, ...]:
        return tuple(values[f"{b.name}.{what}"].reshape(len(time), b.dim) for b in graph.bonds)

    ends = (".energy", KINETIC, HEAT)
    energies = {k: v.reshape(len(time)) for k, v in values.items() if k.endswith(ends)}
    return BondSeries(graph, time, columns("effort"), columns("flow"), energies)


def bond_series(system: Study, result: Result, samples: slice) -> BondSeries:
    """All bonds at samples of a result: observables of the multibond equations there."""
    from pliant.formulations.multibond.formulation import system_bonds
    from pliant.spatial.symbolic import SYMBOLIC

    tree = accepted(system, CHOICE)
    target = prepare(system, CHOICE, _WANTED, _FUNCTIONS)
    c, p = target.compiled, parameters(system, target, result.info.get("params") or {})
    dynamics, motion = dense_dynamics(c, p=p, implicit=False), Motion(result, c)
    rows, q = [], target.state_from.guess(p)
    for k in range(*samples.indices(len(motion.time))):
        x = motion.state(target, k, q, p)
        q = x[1 : 1 + c.nq]
        full = dynamics.completed_states(x[None, : 1 + c.nq + c.nu + c.nx], p)
        rows.append(evaluate_function(c, "observables", full, p)[0])
    table = np.array(rows)
    values = {name: table[:, o.start : o.start + o.size] for name, o in c.observed.items()}
    return series_of(system_bonds(tree, SYMBOLIC).graph, result.time[samples], values)
