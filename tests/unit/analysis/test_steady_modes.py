"""Modes of turning machines: only where the matrices of small motions stay the same."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import CapabilityError

BEARING = """
pliant: 1
parameters: {W: 4}
bodies:
  cart: {rigid: {mass: 1}}
  mid: {rigid: {mass: 0.1}}
  disc: {cylinder: {radius: 0.3, length: 0.05, mass: 1 kg}, frames: FRAMES}
joints:
  X: {prismatic: {axis: x}, between: [ground, mid]}
  Y: {prismatic: {axis: y}, between: [mid, cart]}
  shaft: {revolute: {axis: z}, between: [cart, disc]}
forces:
  kx: {joint_spring: {stiffness: 400}, joint: X}
  ky: {joint_spring: {stiffness: 400}, joint: Y}
drivers: {spin: {joint: shaft, angle: W*t}}
"""


def rotor(beads):
    """A disc on a soft bearing with beads on spokes, each held by a spring."""
    axes = {"axis": "z"}
    frames = {f"s{k}": {"at": [0, 0, 0], "orientation": {**axes, "angle": 2 * np.pi * k / 3}}
              for k in range(beads)}  # fmt: skip
    base = pl.loads(BEARING.replace("FRAMES", str(frames))).described
    bodies = [pl.RigidBody.point(f"b{k}", 1) for k in range(beads)]
    spokes = [pl.Prismatic(f"r{k}", f"disc.s{k}", f"b{k}", axis="x") for k in range(beads)]
    springs = [pl.JointSpring(f"k{k}", f"r{k}", stiffness=100) for k in range(beads)]
    return pl.System(base.with_(
        bodies=[*base.bodies.values(), *bodies], joints=[*base.joints.values(), *spokes],
        forces=[*base.forces.values(), *springs],
    ))  # fmt: skip


@pytest.mark.parametrize("beads", [1, 3])
def test_a_turning_part_on_a_bearing_that_moves_is_periodic(beads):
    """Of three beads the eigenvalues at all instants are the same, and mean nothing: the motion has
    3.90, 8.98, 9.17, 14.35 and 14.81 rad/s, they would say 6.59, 8.00, 9.17, 11.21 and 16.00."""
    with pytest.raises(CapabilityError, match=r"X\.displacement.*change periodically"):
        rotor(beads).modes(at="steady")


def test_a_round_disc_on_the_same_bearing_has_modes():
    """Nothing depends on where in its turn it is: sqrt(k/m) with 2.1 and 2 kg."""
    found = sorted(m.omega for m in rotor(0).modes(at="steady").modes)
    assert np.allclose(found, [np.sqrt(400 / 2.1), np.sqrt(400 / 2)], rtol=1e-9)


def test_beads_on_a_bearing_that_does_not_move_have_modes():
    """In the turning frame: k/m - W², three times."""
    system = rotor(3).described
    joints = [*system.joints.values()]
    joints = [pl.Fixed(j.name, j.parent, j.child) if j.name in "XY" else j for j in joints]
    forces = [f for f in system.forces.values() if f.name not in ("kx", "ky")]
    held = pl.System(system.with_(joints=joints, forces=forces))
    found = [m.omega for m in held.modes(at="steady").modes]
    assert np.allclose(found, np.sqrt(100 - 4**2), rtol=1e-9)
