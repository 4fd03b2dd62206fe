"""The motion of bodies and the states of networks, as a result holds them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pliant.arrays import Array
from pliant.equations import CompiledEquations, PoseAndTwist
from pliant.errors import InputError
from pliant.flex.large.names import public_name
from pliant.results import Result
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

_BODY = ("position", "orientation", "velocity", "angular_velocity")


def motion_names(compiled: CompiledEquations) -> list[str]:
    """Observables that hold a state: motion and deformation of bodies, states x of networks."""
    names = [f"{body}.{quantity}" for body in compiled.bodies for quantity in _BODY]
    for start, _, count in compiled.elastic.values():
        for s in compiled.layout.q[start : start + count]:
            names += [s.name, f"{s.name}_rate"]
    return names


class Motion:
    """States of a result, sample by sample, for equations in other coordinates."""

    def __init__(self, result: Result, compiled: CompiledEquations) -> None:
        needed = [_public(n) for n in motion_names(compiled)]
        states = [s.name for s in (*compiled.layout.q, *compiled.layout.x)]
        result = result.also((*needed, *states))
        self.time, self._result, self._compiled = result.time, result, compiled
        missing = [n for n in needed if n not in result.series]
        if missing:
            raise _not_observed(missing)

    def bodies(self, k: int) -> dict[str, PoseAndTwist]:
        """Motion of every body."""
        found = {}
        for body in self._compiled.bodies:
            p, quat, v, w = (self._result.series[_public(f"{body}.{n}")].values[k] for n in _BODY)
            start, _, count = self._compiled.elastic.get(body, (0, 0, 0))
            names = [s.name for s in self._compiled.layout.q[start : start + count]]
            q, rates = (self._scalars([f"{n}{mark}" for n in names], k) for mark in ("", "_rate"))
            found[body] = PoseAndTwist(from_quaternion(NUMERIC, quat), p, v, w, q, rates)
        return found

    def coordinates(self, k: int, last: Array) -> Array:
        """Coordinates near to which angles are counted: recorded ones, else the last ones."""
        return self._known((s.name for s in self._compiled.layout.q), k, last)

    def states(self, k: int, others: Array) -> Array:
        """States x by name; ``others``: those that follow from the motion."""
        return self._known((s.name for s in self._compiled.layout.x), k, others)

    def _known(self, names: Iterable[str], k: int, others: Array) -> Array:
        found = others.copy()
        for i, name in enumerate(names):
            if name in self._result.series:
                found[i] = self._result.series[name].values[k]
        return found

    def _scalars(self, names: list[str], k: int) -> Array:
        return np.array([self._result.series[n].values[k] for n in names])


def _public(name: str) -> str:
    """Under which name a result holds an observable: nodes of large beams are named apart."""
    return public_name(name) or name


def _not_observed(missing: list[str]) -> InputError:
    some = ", ".join(missing[:4]) + (", ..." if len(missing) > 4 else "")
    return InputError(
        f"power audit: the result does not hold the whole motion ({some} missing)",
        "simulate with outputs=['*'], which observes everything",
    )
