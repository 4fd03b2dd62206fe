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


@pytest.mark.parametrize("formulation", ["linear-graph", "multibond", "natural", "kane"])
def test_every_formulation_tells_the_same(formulation):
    text = TOWER.format(frame="chord", stiffness="second-order", rotary="axial")
    names = [
        f"mast.{f}.internal_{kind}" for f in ("root", "mid", "tip") for kind in ("force", "moment")
    ]
    first, second = (
        pl.loads(text).simulate(0.02, every=0.01, rtol=1e-10, outputs=names, formulation=f)
        for f in ("recursive", formulation)
    )
    for name in names:
        size = np.abs(first.values(name)).max()
        assert np.abs(first.values(name) - second.values(name)).max() < 1e-6 * size


def test_formulas_and_events_read_internal_forces():
    """The same formula symbolically, with parameters that move the section past a load."""
    text = (
        TOWER.format(frame="chord", stiffness="second-order", rotary="axial")
        + """
parameters: {at: 1.5}
outputs: {N: mast.s.internal_force.x, M: mast.k.internal_moment.beyond.y, S: mast.s.stress.p2}
events: {loud: {when: "mast.mid.internal_force.x + 2000", direction: rising}}
"""
    )
    text = text.replace("frames: {k:", "frames: {s: {at: [at, 0, 0]}, k:")
    system = pl.loads(text)
    for place in (1.5, 2.5):
        r = system.simulate(0.02, every=0.01, params={"at": place})
        for own, name in (
            ("N", "s.internal_force.x"),
            ("M", "k.internal_moment.beyond.y"),
            ("S", "s.stress.p2"),
        ):
            size = np.abs(r.values(f"mast.{name}")).max()
            assert np.abs(r.values(own) - r.values(f"mast.{name}")).max() < 1e-12 * size


CANTILEVER = """
pliant: 1
gravity: [0, 0, -10]
bodies:
  b:
    beam: {length: 2, mass_per_length: 3, stiffness: {EA: 1e7, EIy: 1e4, EIz: 1e4}}
    shapes: {bending_z: {polynomial: 1}}
    geometric_stiffness: none
joints: {O: {fixed: {}, between: [ground, b.root]}}
"""


def test_a_cantilever_of_one_shape_carries_its_weight_at_every_place():
    """ρA g (l - x)²/2 and ρA g (l - x); EI w'' of this shape is 1/3 of the former at the root."""
    rest = pl.loads(CANTILEVER).statics()
    d = rest.diagram("b", stations=np.linspace(0, 2, 9))
    assert d["My"] == pytest.approx(30 * (2 - d.x) ** 2 / 2, rel=1e-9)
    weight = np.hypot(d["N"], d["Qz"])
    assert weight == pytest.approx(30 * (2 - d.x), rel=1e-9)
    assert rest.values("b.root.elastic_moment.y")[0] == pytest.approx(20, rel=1e-9)


STIFF_BAR = """
pliant: 1
materials: {{st: {{E: 210 GPa, nu: 0.3, density: 7850}}}}
bodies:
  bar:
    beam: {{length: 1, section: {{circle: {{radius: 10 mm}}}}, material: st}}
    {more}
joints: {{O: {{revolute: {{axis: z}}, between: [ground, bar.root]}}}}
drivers: {{d: {{joint: O, angle: "300*t"}}}}
"""


@pytest.mark.parametrize("more", ["shapes: {bending: 3}", "theory: rigid"])
def test_a_turning_bar_is_pulled_by_its_mass_without_axial_shapes(more):
    """σ = ρ ω² (l² - x²)/2, 353 MPa at the root."""
    r = pl.loads(STIFF_BAR.format(more=more)).simulate(0.002, every=0.001)
    d = r.diagram("bar", [0.0, 0.0015])
    expected = 7850 * 300**2 * (1 - d.x**2) / 2
    assert d.stress == pytest.approx(
        np.broadcast_to(expected[:, None], d.stress.shape), rel=1e-7, abs=1.0
    )
    assert r.values("bar.root.stress.p1") == pytest.approx(353.25e6, rel=1e-7)


EVERYTHING = """
pliant: 1
gravity: [1, 2, -9.81]
ground: {frames: {far: {at: [0.5, 0.6, 0.3]}, end: {at: [1.5, 0.1, 0]}}}
bodies:
  rod:
    beam: {length: 1, stiffness: {EIz: 900, EIy: 1500, GJ: 300, EA: 1e6}, mass_per_length: 2,
           rotary: {rhoIy: 1e-3, rhoIz: 1e-3}}
    shapes: {bending: 1, torsion: 1, axial: 1}
    rotary_inertia: full
    floating_frame: chord
    frames: {a: {at: [0.4, 0, 0]}, b: {at: [0.7, 0.05, 0.02]}, arm: {on: b, at: [0, 0.1, 0.1]}}
    initial: {elastic: {v1: 0.01, w1: -0.004, phi1: 0.02}}
  link: {rigid: {mass: 0.5, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02]}}
  wheel: {rigid: {mass: 0.3, inertia: [0.01, 0.01, 0.02]}}
  pad: {rigid: {mass: 0.2, inertia: [0.01, 0.01, 0.01]}}
joints:
  O: {universal: {axis: y, axis2: z}, between: [ground, rod.root]}
  L: {revolute: {axis: z}, between: [rod.tip, link]}
  W: {revolute: {axis: x}, between: [rod.arm, wheel]}
  P: {fixed: {}, between: [rod.b, pad],
      springs: {stiffness: 1e4, rotational_stiffness: 1e2, damping: 10, rotational_damping: 1}}
  D: {distance: {length: 0.68}, between: [ground.far, rod.a]}
forces:
  bush: {bushing: {stiffness: {rotational: [1, 2, 3], translational: [100, 200, 300]}},
         between: [ground.far, rod.arm]}
  pull: {spring: {stiffness: 200, free_length: 0.3}, between: [ground.end, rod.b]}
  push: {force: [1, 2, 3], at: rod.a}
  turn: {torque: [0.1, 0.2, 0.3], at: rod.arm}
  rub: {friction: {coulomb: 0.1, viscous: 0.2}, joint: L}
  motor: {actuator: "0.5 - 0.1*W.angle_rate", joint: W}
networks:
  damper: {domain: translation, elements: {hook: {frame: rod.tip, direction: [0, 1, 0]},
                                           r: {R: 3, on: hook}}}
"""


@pytest.mark.parametrize("formulation", ["recursive", "natural"])
def test_everything_that_acts_is_counted(formulation):
    """Joints in the tree and cut, on arms and springs, forces, friction, motors, networks."""
    r = pl.loads(EVERYTHING).simulate(0.02, every=0.01, formulation=formulation)
    assert gap(r, "rod.root", "internal_force", "-O.force") < 1e-9
    assert gap(r, "rod.root", "internal_moment", "-O.torque") < 1e-9


def test_in_free_fall_rounding_is_not_left_over():
    """Weight and inertia cancel: what is left is compared with either of them."""
    beam = BAR.format(frame="mid", stiffness="dynamic").partition("joints:")[0]
    result = pl.loads(beam).simulate(t_end=0.1, formulation="natural")
    assert result.recorded.left_over()["bar"] < 1e-12
