"""Internal forces balance: at ends and joints they are what acts there, however few shapes a beam
has, in every floating frame, with every geometric stiffness, in every formulation."""

import numpy as np
import pytest

import pliant as pl
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion

FRAMES = ("root", "mid", "tip", "chord", "mass-centre", "principal-axis", "buckens", "tisserand")
STIFFNESS = ("second-order", "dynamic", "none")
BAR = """
pliant: 1
gravity: [0, -9.81, 0]
materials: {{st: {{E: 210 GPa, nu: 0.3, density: 7850}}}}
bodies:
  bar:
    beam: {{length: 1, section: {{circle: {{radius: 10 mm}}}}, material: st}}
    shapes: {{bending: 1}}
    floating_frame: {frame}
    geometric_stiffness: {stiffness}
joints: {{O: {{revolute: {{axis: z}}, between: [ground, bar.root]}}}}
drivers: {{d: {{joint: O, angle: "300*t + 20*t**2"}}}}
"""
TOWER = """
pliant: 1
gravity: [0, 0, -9.81]
materials: {{st: {{E: 210 GPa, nu: 0.3, density: 7850}}}}
ground: {{frames: {{up: {{at: [0, 0, 0], orientation: {{axis: y, angle: -1.5707963267948966}}}}}}}}
bodies:
  mast:
    beam: {{length: 5, section: {{rectangle: {{width: 80 mm, height: 50 mm}}}}, material: st}}
    shapes: {{bending: 1, torsion: 1}}
    rotary_inertia: {rotary}
    floating_frame: {frame}
    geometric_stiffness: {stiffness}
    frames: {{k: {{at: [2.0, 0, 0]}}, arm: {{on: k, at: [0, 0.3, 0.1]}}}}
  rotor: {{rigid: {{mass: 300, com: [0.2, 0.1, 0], inertia: [20, 30, 25]}}}}
joints:
  F: {{fixed: {{}}, between: [ground.up, mast.root]}}
  T: {{revolute: {{axis: x}}, between: [mast.tip, rotor], initial: {{angle_rate: 30}}}}
forces:
  gust: {{force: [900, 400, 100], at: mast.arm}}
  twist: {{torque: [50, 20, 300], at: mast.k}}
  drive: {{actuator: "40 - T.angle_rate", joint: T}}
"""


def in_section(result, frame, name, more=0.0):
    """A vector of the world in axes of a frame."""
    axes = [from_quaternion(NUMERIC, q) for q in result.values(f"{frame}.orientation")]
    return np.einsum("kji,kj->ki", np.array(axes), result.values(name) + more)


def gap(result, frame, kind, exerted, more=0.0):
    """How far an internal force is from what acts at an end, compared with the largest."""
    found = result.values(f"{frame}.{kind}")
    expected = in_section(result, frame, exerted.lstrip("-"), more)
    expected = -expected if exerted.startswith("-") else expected
    return np.abs(found - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("stiffness", STIFFNESS)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_driven_bar_carries_at_its_root_what_joint_and_driver_hold(frame, stiffness):
    system = pl.loads(BAR.format(frame=frame, stiffness=stiffness))
    r = system.simulate(0.004, every=0.002)
    torque = np.outer(r.values("d.torque"), [0, 0, 1])
    assert gap(r, "bar.root", "internal_force", "-O.force") < 1e-9
    assert gap(r, "bar.root", "internal_moment", "-O.torque", torque) < 1e-9
    tip = [r.values(f"bar.tip.internal_{kind}") for kind in ("force", "moment")]
    assert not np.any(tip)


@pytest.mark.parametrize(("frame", "stiffness", "rotary"), [
    ("root", "second-order", "full"), ("chord", "second-order", "axial"),
    ("tisserand", "second-order", "full"), ("chord", "dynamic", "full"),
    ("mass-centre", "dynamic", "axial"), ("buckens", "none", "full"),
])  # fmt: skip
def test_a_tower_with_a_rotor_balances_in_space(frame, stiffness, rotary):
    text = TOWER.format(frame=frame, stiffness=stiffness, rotary=rotary)
    r = pl.loads(text).simulate(0.2, every=0.1)
    passed = np.einsum("k,ki->ki", r.values("drive.torque"),
                       [from_quaternion(NUMERIC, q)[:, 0] for q in
                        r.values("mast.tip.orientation")])  # fmt: skip
    assert gap(r, "mast.root", "internal_force", "-F.force") < 1e-9
    assert gap(r, "mast.root", "internal_moment", "-F.torque") < 1e-9
    assert gap(r, "mast.tip", "internal_force", "-T.force") < 1e-9
    assert gap(r, "mast.tip", "internal_moment", "-T.torque", passed) < 1e-9
    jump = [r.values(f"mast.k.internal_{kind}") - r.values(f"mast.k.internal_{kind}.beyond")
            for kind in ("force", "moment")]  # fmt: skip
    assert np.allclose(jump[0], in_section(r, "mast.k", "gust.force"), rtol=0, atol=1e-8)
    arm = r.values("mast.arm.position") - r.values("mast.k.position")
    twist = np.cross(arm, np.array([900.0, 400, 100])) + np.array([50.0, 20, 300])
    axes = [from_quaternion(NUMERIC, q) for q in r.values("mast.k.orientation")]
    assert np.allclose(jump[1], np.einsum("kji,kj->ki", axes, twist), rtol=0, atol=1e-8)
