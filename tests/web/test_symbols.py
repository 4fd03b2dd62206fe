"""Symbols of elements: every kind has one or says why not, and whoever draws knows them all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from tests.models.element_kinds import CASES

import pliant as pl
from pliant.model.constraints import CONSTRAINTS
from pliant.model.forces import FORCES
from pliant.model.forces.action import SYMBOLS, Acting, Symbol
from pliant.model.joints import JOINTS
from pliant.show.page.geometry import Geometry
from pliant.show.page.scene import scene_data
from pliant.show.picture.symbols import DRAWN

MARKS = ("pins", "ball", "rail", "plate", "block")
PAGE = Path(__file__).parents[2] / "web" / "src" / "view" / "symbols.ts"


def ours(kinds: dict) -> list[str]:
    """Kinds that other tests have not registered."""
    return [kind for kind, cls in kinds.items() if cls.__module__.startswith("pliant.")]


def scene_of(model: pl.Model) -> dict:
    return scene_data(Geometry(model, model.parameter_values()), {}, {}, 1.0)


def coupled() -> pl.Model:
    """What the cases of all formulations leave out."""
    bodies = [pl.RigidBody(n, 1, inertia=[1, 1, 1]) for n in "abc"]
    joints = [pl.Revolute("A", "ground", "a"), pl.Prismatic("B", "ground", "b", axis="x")]
    constraints = [
        pl.Gear("gear", "A.angle", "B.displacement", ratio=2),
        pl.Rack("rack", rack="B.displacement", pinion="A.angle", radius=0.2),
        pl.Coupling("same", "A.angle - 2*B.displacement"),
        pl.VelocityConstraint("speed", "A.angle_rate - 3"),
        pl.Rolling("roll", plane="ground", wheel="c", radius=0.2),
        pl.Skate("blade", base="ground", blade="c"),
    ]
    forces = [pl.Rotor("rotor", "A", inertia=1)]
    return pl.Model(bodies=bodies, joints=joints, constraints=constraints, forces=forces)


@pytest.fixture(scope="module")
def examples() -> dict:
    """A scene and an element of every kind."""
    found = {}
    for make in (*CASES.values(), coupled):
        made = make()
        model = getattr(made, "described", made)
        scene = scene_of(model)
        for section in ("joints", "forces", "constraints"):
            for element in getattr(model, section).values():
                found.setdefault((section, element.kind), (scene, element))
    return found


@pytest.mark.parametrize("kind", ours(JOINTS))
def test_every_kind_of_joint_is_drawn_unless_it_holds_nothing(kind, examples):
    scene, joint = examples["joints", kind]
    (drawn,) = [j for j in scene["joints"] if j["name"] == joint.name]
    is_seen = any(drawn[mark] for mark in MARKS) or any(
        s["name"] == joint.name for s in scene["symbols"]
    )
    assert is_seen != joint.is_free


@pytest.mark.parametrize(("section", "kind"), [
    *(("forces", kind) for kind in ours(FORCES)),
    *(("constraints", kind) for kind in ours(CONSTRAINTS)),
])  # fmt: skip
def test_every_kind_of_force_has_a_symbol_or_says_why_not(section, kind, examples):
    kinds = FORCES if section == "forces" else CONSTRAINTS
    scene, element = examples[section, kinds[kind].kind]
    drawn = [s for s in scene["symbols"] if s["name"] == element.name]
    assert bool(drawn) != bool(element.undrawn), element.undrawn
    assert {s.kind for s in element.symbols} <= set(SYMBOLS)


def test_the_page_and_pictures_draw_all_symbols():
    table = PAGE.read_text(encoding="utf-8").partition("const DRAWN")[2]
    page = set(re.findall(r"^  (\w+): \(all, s\)", table, re.MULTILINE))
    turned = {"torsion_spring", "motor"}  # springs and actuators of angles
    assert page == set(DRAWN) == set(SYMBOLS) | turned


def slider(**more):
    joint = pl.Prismatic("J", "ground", "b", axis="x")
    return pl.Model(bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])], joints=[joint], **more)


@pytest.mark.parametrize(("numbers", "kind"), [
    ({"stiffness": 1}, "spring"), ({"damping": 1}, "damper"),
    ({"stiffness": 1, "damping": 1}, "spring_damper"), ({"effort": "3*x"}, "spring"),
])  # fmt: skip
def test_springs_and_dampers_are_told_apart(numbers, kind):
    spring = pl.TorsionSpring("s", "J", **numbers)
    (drawn,) = scene_of(slider(forces=[spring]))["symbols"]
    assert (drawn["kind"], drawn["a"], drawn["b"]) == (kind, "ground", "b")


@pytest.mark.parametrize(("ratio", "shares"), [(-3, (0.25, 0.75)), (3, (0.125, 0.375))])
def test_wheels_that_mesh_from_outside_fill_the_way_between_their_axes(ratio, shares):
    """r1 + r2 = d and r2 = |i| r1; those of a belt take half of it."""
    bodies = [pl.RigidBody(n, 1, inertia=[1, 1, 1]) for n in "ab"]
    joints = [pl.Revolute("A", "ground", "a"), pl.Revolute("B", "ground.P", "b")]
    gear = pl.Gear("mesh", "A.angle", "B.angle", ratio=ratio)
    ground = pl.Ground(frames={"P": [1, 0, 0]})
    scene = scene_of(pl.Model(ground=ground, bodies=bodies, joints=joints, constraints=[gear]))
    wheels = scene["symbols"]
    assert [w["kind"] for w in wheels] == ["wheel", "wheel"]
    assert [w["mate"] for w in wheels] == ["b", "a"]
    np.testing.assert_allclose([w["share"] for w in wheels], shares)


def test_a_rack_and_its_pinion():
    bodies = [pl.RigidBody(n, 1, inertia=[1, 1, 1]) for n in "ab"]
    joints = [pl.Prismatic("R", "ground", "a", axis="x"), pl.Revolute("P", "ground", "b")]
    rack = pl.Rack("mesh", rack="R.displacement", pinion="P.angle", radius=-0.2)
    scene = scene_of(pl.Model(bodies=bodies, joints=joints, constraints=[rack]))
    wheel, straight = scene["symbols"]
    assert (wheel["kind"], wheel["b"], wheel["radius"]) == ("wheel", "b", 0.2)
    assert (straight["kind"], straight["b"], straight["direction"]) == ("rack", "a", [1, 0, 0])


@dataclass(frozen=True, slots=True)
class Magnet(Acting):
    """A force of a user, which is drawn as two things."""

    name: str
    joint: str
    kind: ClassVar[str] = "magnet"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return Symbol("rotor", joint=self.joint), Symbol("distance", "ground", "b")


def test_elements_of_users_say_their_symbols():
    found = scene_of(slider(forces=[Magnet("m", "J")]))["symbols"]
    assert [(s["name"], s["kind"], s["a"], s["b"]) for s in found] == [
        ("m", "rotor", "ground", "b"), ("m", "distance", "ground", "b")]  # fmt: skip


def test_bodies_say_how_they_look():
    looks = [{}, {"colour": "red"}, {"opacity": 0.4}, {"visible": False}]
    bodies = [pl.RigidBody(f"b{k}", 1, inertia=[1, 1, 1], **look) for k, look in enumerate(looks)]
    found = scene_of(pl.Model(bodies=bodies))["bodies"]
    keys = ("colour", "opacity", "visible")
    told = [{k: b[k] for k in keys if k in b} for b in found]
    assert told == [{}, {"colour": "#d62728"}, {"opacity": 0.4}, {"visible": False}]
