"""Every treatment where constraints hold nothing: no rows at all, or only redundant ones."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import initial_state
from pliant.errors import CapabilityError
from pliant.solve import TREATMENTS, dense_dynamics
from pliant.solve.start.redundancy import degrees, motions_without_inertia, unique_observables

GRAVITY = 9.81
AXIS, COM, INERTIA = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.05]), [0.1, 0.2, 0.25]
ANGLE = 0.7
FORMULATIONS = ("recursive", "linear-graph", "multibond", "natural")


def double_pendulum() -> pl.System:
    """Two rods of 1 kg and 1 m."""
    upper = pl.RigidBody.rod("upper", 1.0, mass=1.0, frames={"tip": [1, 0, 0]})
    lower = pl.RigidBody.rod("lower", 1.0, mass=1.0)
    start = {"angle": 0.3, "angle_rate": 1.5}
    joints = [
        pl.Revolute("hip", "ground", "upper", axis="y", initial=start),
        pl.Revolute("knee", "upper.tip", "lower", axis="y", initial=start),
    ]
    return pl.System(gravity=[0, 0, -GRAVITY], bodies=[upper, lower], joints=joints)


def shaft(length: float = 1.0) -> pl.System:
    """A body in two bearings on one skew axis, ``length`` times its direction apart."""
    seat = list(length * AXIS / 7)
    body = pl.RigidBody("body", mass=1.0, com=list(COM), inertia=INERTIA, frames={"seat": seat})
    joints = [
        pl.Revolute("first", "ground", "body", axis=list(AXIS), initial={"angle": ANGLE}),
        pl.Revolute("second", "ground.seat", "body.seat", axis=list(AXIS)),
    ]
    ground = pl.Ground(frames={"seat": seat})
    return pl.System(gravity=[0, 0, -GRAVITY], ground=ground, bodies=[body], joints=joints)


def glued_twice() -> pl.System:
    """The body on one bearing, halved, and its other half held by two equal fixed joints."""
    here, there, half = np.array([0.7, 0.1, 0.3]), np.array([0.2, 0.33, 0.1]), np.array(INERTIA) / 2
    body = pl.RigidBody("body", mass=0.5, com=list(COM), inertia=list(half),
                        frames={"place": list(here)})  # fmt: skip
    twin = pl.RigidBody("twin", mass=0.5, com=list(COM - here + there), inertia=list(half),
                        frames={"place": list(there)})  # fmt: skip
    joints = [
        pl.Revolute("first", "ground", "body", axis=list(AXIS), initial={"angle": ANGLE}),
        pl.Fixed("glue", "body.place", "twin.place"),
        pl.Fixed("more_glue", "body.place", "twin.place"),
    ]
    return pl.System(gravity=[0, 0, -GRAVITY], bodies=[body, twin], joints=joints)


SYSTEMS = {"double_pendulum": double_pendulum, "shaft": shaft, "glued_twice": glued_twice}


def four_bar(size: float) -> pl.System:
    """A planar parallelogram of spatial revolutes: five of the rows of its cut joint, rank two."""
    frames = {"tip": [size, 0, 0]}
    bars = [pl.RigidBody("crank", mass=1.0, inertia=INERTIA, frames=frames),
            pl.RigidBody("coupler", mass=1.0, inertia=INERTIA, frames=frames),
            pl.RigidBody("rocker", mass=1.0, inertia=INERTIA, frames=frames)]  # fmt: skip
    joints = [
        pl.Revolute("A", "ground", "crank", axis="z", initial={"angle": 1.0}),
        pl.Revolute("B", "crank.tip", "coupler", axis="z", initial={"angle": -1.0}),
        pl.Revolute("D", "ground.D", "rocker", axis="z", initial={"angle": 1.0}),
        pl.Revolute("C", "coupler.tip", "rocker.tip", axis="z"),
    ]
    return pl.System(ground=pl.Ground(frames={"D": [size, 0, 0]}), bodies=bars, joints=joints)


def expected(name: str) -> np.ndarray:
    """Accelerations of the tree joints from the textbook."""
    if name == "double_pendulum":
        return rods_on_rods(0.3, 0.6, 1.5, 3.0)
    n = AXIS / np.linalg.norm(AXIS)
    about = n @ np.diag(INERTIA) @ n + COM @ COM - (n @ COM) ** 2
    com = (
        np.cos(ANGLE) * COM + np.sin(ANGLE) * np.cross(n, COM) + (1 - np.cos(ANGLE)) * (n @ COM) * n
    )
    return np.array([n @ np.cross(com, [0, 0, -GRAVITY]) / about])


def rods_on_rods(a: float, b: float, a_rate: float, b_rate: float) -> np.ndarray:
    """Lagrange's equations of two uniform unit rods; a, b are their angles below the horizontal."""
    c, s = np.cos(a - b) / 2, np.sin(a - b) / 2
    M = np.array([[4 / 3, c], [c, 1 / 3]])
    force = [
        1.5 * GRAVITY * np.cos(a) - s * b_rate**2,
        0.5 * GRAVITY * np.cos(b) + s * a_rate**2,
    ]
    first, second = np.linalg.solve(M, force)
    return np.array([first, second - first])


@cache
def prepared(name: str) -> tuple[Program, np.ndarray]:
    """Compiled recursive equations, and the initial state."""
    system = SYSTEMS[name]()
    ready = prepare(system, Choice("recursive"))
    return ready, initial_state(system, ready, None, 0.0).x


@pytest.mark.parametrize("treatment", TREATMENTS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_accelerations_are_those_of_the_textbook(name: str, treatment: str) -> None:
    ready, x = prepared(name)
    c = ready.compiled
    dynamics = dense_dynamics(c, treatment)
    state = dynamics.consistent(x)
    first = 1 + c.nq + c.nu
    assert dynamics.rank(x)[0] == 0
    assert state[first : first + c.nu] == pytest.approx(expected(name), rel=1e-12)
    assert state[:first] == pytest.approx(x[:first], abs=1e-14)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", ["shaft", "glued_twice"])
def test_redundant_joints_leave_one_degree_of_freedom(name: str, formulation: str) -> None:
    system = SYSTEMS[name]()
    ready = prepare(system, Choice(formulation))
    state = initial_state(system, ready, None, 0.0)
    assert degrees(ready.compiled, state.x, state.p).freedom == 1


@pytest.mark.parametrize("name", ["shaft", "glued_twice"])
def test_reactions_of_redundant_joints_are_not_unique_and_determine_nothing(name: str) -> None:
    ready, x = prepared(name)
    c = ready.compiled
    cut = {"shaft": "second", "glued_twice": "more_glue"}[name]
    own = {k: v for k, v in unique_observables(c, x, c.p).items() if k.startswith(f"{cut}.")}
    assert own
    assert not any(v.all() for v in own.values())
    assert motions_without_inertia(c, x, c.p) == ()


@pytest.mark.parametrize("length", [1e-6, 1e-3, 1.0, 100.0])
def test_the_size_of_a_mechanism_does_not_change_its_freedom(length: float) -> None:
    for system in (shaft(length), four_bar(length)):
        ready = prepare(system, Choice("recursive"))
        state = initial_state(system, ready, None, 0.0)
        c = ready.compiled
        assert degrees(c, state.x, state.p).freedom == 1
        assert c.nu - dense_dynamics(c).rank(state.x)[0] == 1


def test_elimination_names_the_coordinates_without_inertia() -> None:
    c = prepare(double_pendulum(), Choice("natural")).compiled
    with pytest.raises(CapabilityError, match=r"singular: .*'upper', 'lower' can change without"):
        dense_dynamics(c, "elimination")


@pytest.mark.parametrize("name", ["shaft", "glued_twice"])
def test_formulations_agree_on_redundant_joints(name: str) -> None:
    assert SYSTEMS[name]().verify(pointwise=True).agree
