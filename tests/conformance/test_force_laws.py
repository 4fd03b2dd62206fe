"""Laws that hold for every registered force, whatever it does.

An element between frames looks the same from anywhere: turned and shifted as a whole, its loads
turn with it, and none is left over. What its loads do is taken from its potential or becomes heat.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from pliant.model.forces import FORCES
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

STEP = 1e-6
SPRING = {"stiffness": 30.0, "damping": 4.0, "free_length": 0.3}
ROWS = {"rotational": [4.0, 5.0, 6.0], "translational": [80.0, 90.0, 70.0]}
LOSS = {"rotational": [0.1, 0.2, 0.3], "translational": [4.0, 5.0, 3.0]}
CASES = {
    "force": [{"frame": "b", "force": [1, -2, 3], "axes": axes} for axes in ("world", "body")],
    "torque": [{"frame": "b", "torque": [1, -2, 3], "axes": axes} for axes in ("world", "body")],
    "spring": [{"frame_a": "a", "frame_b": "b", **SPRING},
               {"frame_a": "a", "frame_b": "b", **SPRING, "acts": "tension"},
               {"frame_a": "a", "frame_b": "b", **SPRING, "free_length": 9, "acts": "compression"},
               {"frame_a": "a", "frame_b": "b", "force": "50*x^3 + 2*v"}],
    "joint_spring": [{"joint": "J", "stiffness": 30.0, "damping": 4.0, "free": 0.2, "acts": acts}
                     for acts in ("both", "above", "below")],
    "torsion_spring": [{"joint": "J", "stiffness": 30.0, "damping": 4.0, "free": 0.2}],
    "bushing": [{"frame_a": "a", "frame_b": "b", "stiffness": ROWS, "damping": LOSS,
                 "preload": [1, 2, 3, 4, 5, 6], "rotation": how}
                for how in ("vector", "bryant123")],
    "friction": [{"joint": "J", "coulomb": 2.0, "viscous": 0.5}],
    "actuator": [{"joint": "J", "effort": "3 + 2*t"}],
    "linear_actuator": [{"frame_a": "a", "frame_b": "b", "force": "3 + 2*t - 5*x - v"}],
    "cylinder": [{"frame_a": "a", "frame_b": "b", "area_A": 0.02, "area_B": 0.01, "damping": 3,
                  "pressure_A": "4e3 + 1e3*t", "pressure_B": "900*x"}],
    "world_spring": [{"frame_a": "a", "frame_b": "b", "stiffness": [30, 40, 50],
                      "damping": [1, 2, 3], "free": [0.1, 0.2, 0.3]}],
    "rotor": [{"joint": "J", "inertia": 0.3, "ratio": 4}],
}  # fmt: skip
ALL = [pytest.param(kind, k, id=f"{kind} {k}") for kind in CASES for k in range(len(CASES[kind]))]


@dataclass(frozen=True)
class Place:
    """A frame in motion."""

    R_WP: np.ndarray
    p_WP: np.ndarray
    v_WP: np.ndarray
    w_WP: np.ndarray

    def after(self, h):
        turn = np.concatenate(([1.0], 0.5 * h * self.w_WP))
        R = from_quaternion(NUMERIC, turn / np.linalg.norm(turn)) @ self.R_WP
        return Place(R, self.p_WP + h * self.v_WP, self.v_WP, self.w_WP)

    def seen(self, R, p):
        return Place(R @ self.R_WP, R @ self.p_WP + p, R @ self.v_WP, R @ self.w_WP)


@dataclass(frozen=True)
class Moving:
    """Two frames and a coordinate, in numbers."""

    frames: dict
    x: float
    v: float
    ops = NUMERIC

    @classmethod
    def drawn(cls, seed):
        rng = np.random.default_rng(seed)

        def place():
            turn = np.array([1.0, *rng.normal(size=3) / 4])
            R = from_quaternion(NUMERIC, turn / np.linalg.norm(turn))
            return Place(R, *rng.normal(size=(3, 3)))

        return cls({"a": place(), "b": place()}, *rng.normal(size=2))

    def frame(self, reference):
        return self.frames[reference]

    def coordinate(self, joint, name):
        return self.x, self.v

    def acceleration(self, joint, name):
        return 0.7

    def away(self, joint, name, value):
        return self.x - value

    def value(self, formula, **local):
        return formula.number({"t": 0.4, **local})

    def after(self, h):
        return Moving({n: f.after(h) for n, f in self.frames.items()}, self.x + h * self.v, self.v)

    def seen(self, R, p):
        return Moving({n: f.seen(R, p) for n, f in self.frames.items()}, self.x, self.v)


def element(kind, k):
    return FORCES[kind]("E", **CASES[kind][k])


def power(motion, action):
    """Of all loads and efforts."""
    along = sum(load.force @ motion.frame(load.frame).v_WP + load.torque @ motion.frame(
        load.frame).w_WP for load in action.loads)  # fmt: skip
    return along + sum(e.value * motion.v for e in action.efforts)


def test_every_kind_has_a_case():
    assert CASES.keys() == FORCES.keys()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "k"), ALL)
def test_an_element_looks_the_same_from_anywhere(kind, k, seed):
    """Loads turn with the whole; those in world axes stay where they are (of two frames in them the
    whole is only shifted)."""
    motion, own = Moving.drawn(seed), element(kind, k)
    R, p = motion.frame("a").R_WP.T @ motion.frame("b").R_WP, np.array([0.3, -2.0, 1.0])
    in_world = getattr(own, "axes", "") == "world"
    R = np.eye(3) if in_world and own.pair else R
    here, there = own.act(motion), own.act(motion.seen(R, p))
    turned = np.eye(3) if in_world else R
    for load, moved in zip(here.loads, there.loads, strict=True):
        assert load.frame == moved.frame
        assert moved.force == pytest.approx(turned @ load.force, abs=1e-9)
        assert moved.torque == pytest.approx(turned @ load.torque, abs=1e-9)
    for effort, moved in zip(here.efforts, there.efforts, strict=True):
        assert moved.value == pytest.approx(effort.value, abs=1e-12)
    if here.potential is not None:
        assert there.potential == pytest.approx(here.potential, abs=1e-9)


def left_over(motion, loads):
    """Force and moment about the origin of all loads together."""
    moments = (m.torque + np.cross(motion.frame(m.frame).p_WP, m.force) for m in loads)
    return np.concatenate([sum(m.force for m in loads), sum(moments)])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "k"), [p for p in ALL if FORCES[p.values[0]].pair])
def test_what_acts_between_two_frames_leaves_nothing_over(kind, k, seed):
    motion, own = Moving.drawn(seed), element(kind, k)
    loads = own.act(motion).loads
    kept = slice(3 if getattr(own, "axes", "") == "world" else 6)  # which take up the moment
    assert left_over(motion, loads)[kept] == pytest.approx(0, abs=1e-9)
    assert np.linalg.norm(left_over(motion, loads[:1])) > 1e-3  # without the reaction


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "k"), ALL)
def test_power_comes_from_the_potential_or_goes_to_heat(kind, k, seed):
    """P = -dV/dt - what is dissipated, V by central differences along the motion."""
    motion, own = Moving.drawn(seed), element(kind, k)
    action = own.act(motion)
    if action.potential is None:
        assert np.isfinite(power(motion, action))
        return
    ahead, behind = (own.act(motion.after(h)).potential for h in (STEP, -STEP))
    rate = (ahead - behind) / (2 * STEP)
    heat = action.dissipated if action.dissipated is not None else 0.0
    assert power(motion, action) == pytest.approx(-rate - heat, rel=1e-6, abs=1e-6)
    assert heat >= 0.0
