"""Gough-Stewart platform: inverse dynamics by embedding, and forward simulation.

S1 (Shi, McPhee 2000, section 4.5) names it as the large closed-loop case: 13 bodies, 5 loops.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

LEGS = range(1, 7)
FORCES = [f"leg{i}.force" for i in LEGS]
POSE = ["platform.position", "platform.orientation"]
EMBEDDING = {"formulation": "linear-graph", "form": "embedding"}
WAYS = {"linear-graph": {"formulation": "linear-graph"}, "embedding": EMBEDDING}


@cache
def platform():
    return pl.load(Path(__file__).parents[2] / "examples" / "stewart_platform.yaml")


def forces(result):
    return np.column_stack([result.values(n) for n in FORCES])


def motion(values, t):
    """Displacement of the platform from home and its angle, with two derivatives."""
    w = values["w"]
    reached = [(1 - np.cos(w * t)) / 2, w * np.sin(w * t) / 2, w**2 * np.cos(w * t) / 2]
    place = np.array([values[n] for n in ("dx", "dy", "dz")])
    r, _, a = (place * s for s in reached)
    return r + np.array([0, 0, values["h"]]), a, *(values["psi"] * s for s in reached)


def test_thirteen_bodies_five_loops_no_freedom_left():
    report = platform().check()
    assert len(platform().model.bodies) == 13
    assert len(report.cut) == 5
    assert report.freedom == 0
    assert pl.System(platform().model, drivers=[]).check().freedom == 6


def test_leg_lengths_give_the_platform_its_motion():
    result = platform().inverse(every=0.1, outputs=POSE)
    values = platform().model.parameter_values()
    for t, place, quat in zip(result.time, *(result.values(n) for n in POSE), strict=True):
        expected, _, angle, *_ = motion(values, t)
        turned = [np.cos(angle / 2), 0, 0, np.sin(angle / 2)]
        assert np.abs(place - expected).max() < 1e-12
        assert min(np.abs(quat - turned).max(), np.abs(quat + turned).max()) < 1e-12


@pytest.mark.parametrize("way", WAYS)
def test_forces_of_the_legs_are_those_of_the_recursive_formulation(way):
    expected = forces(platform().inverse(every=0.05, outputs=FORCES))
    found = forces(platform().inverse(every=0.05, outputs=FORCES, **WAYS[way]))
    assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_legs_without_mass_carry_what_newton_and_euler_ask_for():
    """Σ f n = m (a - g) and Σ b x f n = I α, solved for the six forces f."""
    light = {"m1": 0, "m2": 0}
    result = platform().inverse(every=0.05, outputs=FORCES, params=light, **EMBEDDING)
    v = platform().model.parameter_values(light)
    for t, found in zip(result.time, forces(result), strict=True):
        r, a, angle, _, alpha = motion(v, t)
        base = [v["ra"] * np.array([np.cos(v[f"A{i}"]), np.sin(v[f"A{i}"]), 0]) for i in LEGS]
        at = [angle + v[f"B{i}"] for i in LEGS]
        arms = [v["rb"] * np.array([np.cos(x), np.sin(x), 0]) for x in at]
        legs = [r + b - foot for b, foot in zip(arms, base, strict=True)]
        units = [leg / np.linalg.norm(leg) for leg in legs]
        columns = [[*n, *np.cross(b, n)] for b, n in zip(arms, units, strict=True)]
        force = v["m"] * (a + np.array([0, 0, v["g"]]))
        needed = [*force, 0, 0, v["m"] * v["rb"] ** 2 / 2 * alpha]
        expected = np.linalg.solve(np.transpose(columns), needed)
        assert np.abs(found - expected).max() < 1e-9 * np.abs(expected).max()


def test_the_legs_put_in_what_the_bodies_gain():
    """Power balance, with legs of mass: Σ f L' = d(kinetic + potential energy)/dt."""
    outputs = ["kinetic_energy", "potential_energy", "leg*.power"]
    result = platform().inverse(1.5, every=1e-3, outputs=outputs, **EMBEDDING)
    power = sum(result.values(f"leg{i}.power") for i in LEGS)
    energy = result.values("kinetic_energy") + result.values("potential_energy")
    fourth = (energy[:-4] - 8 * energy[1:-3] + 8 * energy[3:-1] - energy[4:]) / 12e-3
    assert np.abs(power[2:-2] - fourth).max() < 1e-8 * np.abs(power).max()


@cache
def pushed(every):
    """The platform moved by the forces of its inverse dynamics, as signals: (system, motion)."""
    inverse = platform().inverse(0.8, every=every, outputs=[*FORCES, *POSE], **EMBEDDING)
    system = pl.System(
        platform().model, drivers=[],
        forces=[pl.Actuator(f"push{i}", f"P{i}", effort=f"f{i}") for i in LEGS],
        signals=[pl.Signal(f"f{i}", inverse.time, inverse.values(f"leg{i}.force")) for i in LEGS],
    )  # fmt: skip
    return system, inverse


def moved(every, **choice):
    system, inverse = pushed(every)
    return system.simulate(0.8, times=inverse.time, rtol=1e-10, outputs=POSE, **choice).require()


def off(result, other):
    return max(np.abs(result.values(n) - other.values(n)).max() for n in POSE)


@pytest.mark.slow
def test_forces_of_the_inverse_run_reproduce_the_motion():
    """What is left is the error of the spline through the forces: of third order at its ends."""
    coarse, fine = (off(moved(h), pushed(h)[1]) for h in (0.02, 0.01))
    assert fine < 1e-4
    assert np.log2(coarse / fine) > 2.5


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_pushed_platform_moves_alike_in_every_form(way):
    assert off(moved(0.01, **WAYS[way]), moved(0.01)) < 1e-7
