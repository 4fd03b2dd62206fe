"""Networks along the line between two frames: what springs, dampers, inerters and cylinders do."""

import numpy as np
import pytest

import pliant as pl
from pliant.formulations import FORMULATIONS

WAYS = [*({"formulation": name} for name in FORMULATIONS), {"tree": "absolute"}]
TIGHT = {"rtol": 1e-10, "atol": 1e-12}
PAIR = """
pliant: 1
bodies:
  a:
    rigid: {mass: 3, inertia: [0.3, 0.4, 0.5]}
    frames: {eye: [0.1, 0.2, 0]}
    initial: {angular_velocity: [1, 2, 0.5]}
  b:
    rigid: {mass: 1, inertia: [0.1, 0.1, 0.2]}
    frames: {eye: [0, -0.1, 0.1]}
    initial: {position: [0.6, 0.8, 0.3]}
%s
simulate: {t_end: 0.6, every: 0.05}
"""
NETWORK = """
networks:
  strut:
    domain: translation
    elements:
      rod: {frame: b.eye, away_from: a.eye}
%s
"""
ELASTIC = """      k: {C: 1/90, on: rod, initial: {displacement: x0}}
      d: {R: 4, on: rod}
"""


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_spring_and_a_damper_in_a_network_are_those_of_an_element(way):
    """The compliance begins with the elongation that the ends have at the start."""
    law = "{stiffness: 90, damping: 4, free_length: 0.5}"
    element = f"forces: {{s: {{spring: {law}, between: [a.eye, b.eye]}}}}"
    expected = pl.loads(PAIR % element).simulate(**TIGHT)
    stretch = float(expected.values("s.length")[0]) - 0.5
    network = f"parameters: {{x0: {stretch!r}}}\n" + NETWORK % ELASTIC
    result = pl.loads(PAIR % network).simulate(**TIGHT, **way)
    for name in ("a.position", "b.position", "b.angular_velocity"):
        assert result.values(name) == pytest.approx(expected.values(name), abs=1e-8)
    pull = result.values("strut.k.effort") + result.values("strut.d.effort")
    assert pull == pytest.approx(expected.values("s.force"), abs=1e-7)
    assert np.abs(result.values("momentum")).max() < 1e-9
    spin = result.values("angular_momentum")
    assert np.ptp(spin, axis=0).max() < 1e-8


def test_an_inerter_between_two_points_is_inertia_of_their_distance():
    """T = 1/2 I s'^2 beside that of the bodies, without forces: what both have together stays."""
    system = pl.loads(PAIR % (NETWORK % "      i: {I: 2, on: rod}"))
    assert system.verify(pointwise=True).agree
    result = system.simulate(**TIGHT)
    assert np.ptp(result.values("energy")) < 1e-8 * result.values("energy")[0]
    assert np.ptp(result.values("angular_momentum"), axis=0).max() < 1e-8
    assert result.values("strut.i.flow").std() > 1e-3  # it moves


def test_a_pump_moves_a_boom_by_its_cylinder():
    """Q = A s' + C p' + leaks, and p A turns the boom."""
    system = pl.loads("""
pliant: 1
gravity: [0, 0, -9.81]
ground: {frames: {base: [0.3, 0, -0.9]}}
bodies: {boom: {rod: {length: 2, mass: 30}, frames: {eye: [0.8, 0, 0]}}}
joints: {O: {revolute: {axis: y}, between: [ground, boom], initial: {angle: -0.2}}}
networks:
  oil:
    domain: hydraulic
    elements:
      line: {junction: 0}
      pump: {Sf: 3e-5, on: line}
      leak: {R: 1e13, on: line}
      cyl:
        part: cylinder
        with: {area_A: 2e-3, area_B: 1e-3, compliance_A: 1e-13, leakage: 2e-13}
        ports: {A: line, B: back, rod: rod}
      back: {junction: 0}
      tank: {Se: 0, on: back}
      rod: {frame: boom.eye, away_from: ground.base}
outputs: {length: "hypot(boom.eye.position.x - 0.3, boom.eye.position.z + 0.9)"}
simulate: {t_end: 1, every: 1 ms, method: radau}
""")
    result = system.simulate()
    length, p, t = result.values("length"), result.values("oil.leak.effort"), result.time
    lost = 3e-13 * np.concatenate([[0], np.cumsum((p[1:] + p[:-1]) / 2 * np.diff(t))])
    pumped = 2e-3 * (length - length[0]) + 1e-13 * (p - p[0]) + lost
    assert pumped == pytest.approx(3e-5 * np.asarray(t), abs=1e-9)
    eye, phi = result.values("boom.eye.position"), result.values("O.angle")
    line = eye - [0.3, 0, -0.9]
    arm = np.cross(eye, line / np.linalg.norm(line, axis=1)[:, None])[:, 1]
    turning = 40 * result.values("boom.angular_acceleration")[:, 1]
    assert p * 2e-3 * arm + 30 * 9.81 * np.cos(phi) == pytest.approx(turning, abs=1e-6)


@pytest.mark.parametrize(("port", "message"), [
    ("{frame: b.eye, away_from: a.ear}", "away_from: body 'a' has no frame 'ear'"),
    ("{frame: b.eye, away_from: b}", "both ends of its line are on 'b'"),
    ("{frame: b.eye, away_from: a, rotation: true}", "away_from and rotation are both given"),
])  # fmt: skip
def test_lines_that_cannot_be(port, message):
    text = PAIR % (NETWORK % "      i: {I: 2, on: rod}")
    with pytest.raises(pl.PliantError, match=message):
        pl.loads(text.replace("{frame: b.eye, away_from: a.eye}", port))
