"""Rooms ask elements what they are, not of which class: so a user's own class is treated alike."""

import importlib.util
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import pliant as pl
from pliant.model.forces.action import Acting
from pliant.model.joints import JOINTS, Joint
from pliant.model.networks import elements as el
from pliant.spatial.ops import NUMERIC

SCRIPT = Path(__file__).parents[2] / "scripts" / "measures.py"


@pytest.fixture(scope="module")
def measures():
    spec = importlib.util.spec_from_file_location("measures", SCRIPT)
    sys.modules["measures"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_room_outside_the_model_asks_for_the_class_of_an_element(measures):
    assert measures.asked_kinds(measures.sources()) == []


def test_questions_for_classes_are_found(measures):
    text = """
from pliant.model import bodies
from pliant.model.drivers import JointDriver
from pliant.model.formulas import Formula

def asked(x):
    from pliant.model.joints import Revolute as Pin
    return (isinstance(x, bodies.Beam | Formula), isinstance(x, (str, JointDriver)),
            isinstance(x, Pin), isinstance(x, bodies.Deformable), isinstance(x, Formula))
"""
    made = measures.Source("pliant.some.room", text, measures.ast.parse(text))
    found = {line.partition(": ")[2] for line in measures.asked_kinds([made])}
    assert found == {"bodies.Beam | Formula", "(str, JointDriver)", "Pin", "bodies.Deformable"}


def test_elements_of_a_new_class_have_sensible_traits():
    @dataclass(frozen=True, slots=True)
    class Wind(Acting):
        kind: ClassVar[str] = "wind"
        name: str

    @dataclass(frozen=True, slots=True)
    class Slot(Joint):
        kind: ClassVar[str] = "slot"

    wind, slot = Wind("w"), Slot("s", "ground", "b")
    flags = ("has_mass", "is_applied", "is_elastic", "is_friction", "by_coordinate")
    assert not any(getattr(wind, flag) for flag in flags)
    assert (wind.joint, wind.line, wind.symbols, wind.arrows) == ("", (), (), ())
    assert (slot.welds, slot.pulls, slot.common) == (False, False, ())
    assert (slot.directions, slot.symbols) == ({}, ())


def test_elements_of_networks_say_what_they_are():
    one, two = el.OnePort("R", {"resistance": 2}, ("a",)), el.TwoPort("GY", 3, ("a",), ("b", "c"))
    part = el.SubgraphUse("motor", "", ports={"shaft": "b"})
    port, frame = el.JointPort("O", "angle"), el.FramePort("rod.tip")
    elements = (el.Junction(1), port, frame, one, two, part)
    ends = [(), (), (), (("a",),), (("a",), ("b", "c")), (("b",),)]
    assert [e.ends for e in elements] == ends
    assert [e.mover for e in elements] == ["", "joint O, angle", "frame rod.tip", "", "", ""]
    assert [dict(e.law) for e in elements[3:]] == [{"resistance": 2}, {"matrix": 3}, {}]
    assert [(e.is_part, e.title) for e in elements] == [(False, "")] * 5 + [(True, "motor")]


LOCKED = [some for n in range(1, 7) for some in combinations(("x", "y", "z", "rx", "ry", "rz"), n)]


@pytest.mark.parametrize(("kind", "more"), [
    *((kind, {"pitch": 0.1} if kind == "screw" else {})
      for kind, joint in JOINTS.items() if joint.in_tree and kind != "locks"),
    *(("locks", {"locked": locked}) for locked in LOCKED),
])  # fmt: skip
def test_what_frames_of_a_joint_share_and_axes_of_its_coordinates(kind, more):
    joint = JOINTS[kind]("j", "ground", "b", **more).evaluated(lambda f: f.value)
    q = joint.neutral + 0.3 * np.arange(1, joint.nq + 1)
    X, H, R = joint.pose(NUMERIC, q), joint.motion(NUMERIC, joint.neutral), joint.canonical_axes()
    assert np.allclose(X.p, 0) == (joint.welds or "point" in joint.common)
    for k, name in enumerate(("axis1", "axis2", "axis")):
        assert np.allclose(X.R[:, k], np.eye(3)[k]) == (joint.welds or name in joint.common)
    H = joint.motion(NUMERIC, joint.neutral)
    for k, c in enumerate(joint.scalars):
        rows = H[:3, k] if c.unit == "rad" else H[3:, k]
        if c.name in joint.directions:
            frame, axis = joint.directions[c.name]
            assert frame in (joint.parent, joint.child)
            assert np.allclose(R @ rows, axis)


def test_bodies_of_a_model_are_sorted_when_they_change():
    rod = pl.RigidBody.rod("rod", 1.0, mass=1.0)
    beam = pl.Beam("beam", length=1.0, stiffness={"EIz": 1.0}, mass_per_length=1.0)
    model = pl.Model(bodies=[rod, beam], drivers=[pl.JointDriver("d", "j")])
    assert (*model.rigid, *model.beams, *model.elastic) == ("rod", "beam", "beam")
    assert (*model.joint_drivers, *model.frame_drivers) == ("d",)
    assert not model.with_(bodies=[rod]).beams
    assert model.with_(name="other").beams == model.beams
    with pytest.raises((TypeError, ValueError)):
        model.with_(beams=[beam])


def test_parts_of_a_beam_know_their_beam():
    stiffness = {"EIy": 1.0, "EIz": 1.0}
    beam = pl.Beam("b", length=1, stiffness=stiffness, mass_per_length=1, theory="segments(3)")
    system = pl.System(bodies=[beam], joints=[pl.Fixed("w", "ground", "b.root")])
    model = system.model
    made = {n for s, n, _ in model.elements() if s in ("bodies", "joints", "forces", "events")}
    assert made - model.origin.keys() == {"w"}
    assert set(model.origin.values()) == {"b"}
    assert not system.described.origin
