"""How long it takes to derive equations that can be read. There is no peer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import pliant as pl
from benchmarks.mechanisms import example
from pliant.system import System

_AXES = ("z", "y", "y", "x", "y", "x")


@dataclass(frozen=True, slots=True)
class Derivation:
    """A model whose equations are wanted within ``aim`` seconds, without printing them."""

    name: str
    title: str
    aim: float
    system: Callable[[], System]


@dataclass(frozen=True, slots=True)
class Derived:
    """Median CPU time (s), number of coordinates and of terms in the equations of motion."""

    case: Derivation
    seconds: float
    coordinates: int
    terms: int


def derive(case: Derivation, rounds: int) -> Derived:
    """Derive ``rounds`` times from the model."""
    system, times = case.system(), []
    for _ in range(rounds):
        began = time.process_time()
        found = system.equations()
        times.append(time.process_time() - began)
    terms = sum(len(row) for row in found.residual)
    return Derived(case, median(times), found.coordinates.numel(), terms)


def arm(count: int, axes: Sequence[str]) -> System:
    """Links one after the other on revolute joints, each with parameters of its own."""
    numbers = range(1, count + 1)
    parameters = {f"I{i}": 0.02 for i in numbers} | {f"m{i}": 1.0 for i in numbers}
    parameters |= {"g": 9.81} | {f"l{i}": 0.5 for i in numbers}
    bodies, joints = [], []
    for i in numbers:
        axis = axes[(i - 1) % len(axes)]
        end = pl.Frame("end", (f"l{i}", 0, 0))
        inertia = f"I{i}/4", f"I{i}", f"I{i}"
        com = f"l{i}/2", 0, 0
        bodies.append(pl.RigidBody(f"link{i}", f"m{i}", com, inertia, frames={"end": end}))
        inner = f"link{i - 1}.end" if i > 1 else "ground"
        joints.append(pl.Revolute(f"q{i}", inner, f"link{i}", axis=axis))
    down = (0, 0, "-g") if len(set(axes)) > 1 else (0, "-g", 0)
    return System(gravity=down, parameters=parameters, bodies=bodies, joints=joints)


CASES = (
    Derivation("derivation_arm_6", "spatial arm of 6 links", 2.0, partial(arm, 6, _AXES)),
    Derivation("derivation_chain_20", "planar chain of 20 links", 5.0, partial(arm, 20, "z")),
    Derivation(
        "derivation_manipulator", "manipulator with two flexible links", 5.0,
        partial(example, "manipulator"),
    ),
)  # fmt: skip
