"""Modes against closed forms, between coordinates, and against simulation."""

import csv
import pickle
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.models.random_systems import random_body, random_frame, random_tree

import pliant as pl
from pliant.analysis.modes import labels_of
from pliant.errors import CapabilityError, InputError, StepError
from pliant.mechanics.layout import Layout, Scalar

G = 9.81


def double_pendulum(angle=0.0):
    """Equal point masses on equal strings: omega^2 = (2 -+ sqrt 2) g / l."""
    bob = {"com": (0, 0, -1.0), "frames": {"e": (0, 0, -1)}}
    return pl.System(
        name="double pendulum", gravity=(0, 0, -G),
        bodies=[pl.RigidBody("a", 1.0, **bob), pl.RigidBody("b", 1.0, **bob)],
        joints=[pl.Revolute("J1", "ground", "a", axis="y", initial={"angle": angle}),
                pl.Revolute("J2", "a.e", "b", axis="y")],
    )  # fmt: skip


@pytest.mark.parametrize("tree", ["joint", "absolute"])
def test_double_pendulum(tree):
    expected = np.sqrt(G * (2 + np.sqrt(2) * np.array([-1, 1])))
    for at, angle in (("rest", 0.0), ("equilibrium", 1.9)):
        found = double_pendulum(angle).modes(at=at, tree=tree)
        assert found.omega == pytest.approx(expected, rel=1e-13)
        assert found.damping == pytest.approx([0, 0], abs=0)
        assert not found.warnings
    assert np.abs(found.frequencies - expected / (2 * np.pi)).max() < 1e-12


def test_initial_position_out_of_balance_is_remarked():
    assert "'J1.angle'" in double_pendulum(0.5).modes().warnings[0]


def spring_chain(n, m=2.0, k=300.0, c=0.0):
    """Masses on a line between two walls."""
    bodies = [pl.RigidBody.point(f"m{i}", m) for i in range(n)]
    joints = [
        pl.Prismatic(f"x{i}", "ground" if i == 0 else f"m{i - 1}", f"m{i}", axis="x",
                     initial={"displacement": 1.0})
        for i in range(n)
    ]  # fmt: skip
    ends = ["ground", *(b.name for b in bodies), "ground.wall"]
    forces = [
        pl.Spring(f"k{i}", a, b, stiffness=k, free_length=1.0, damping=c)
        for i, (a, b) in enumerate(pairwise(ends))
    ]
    return pl.System(bodies=bodies, joints=joints, forces=forces,
                     ground=pl.Ground({"wall": (n + 1.0, 0, 0)}))  # fmt: skip


def test_chain_of_masses_and_springs():
    """omega_j = 2 sqrt(k/m) sin(j pi / (2 (n+1)))."""
    n = 5
    expected = 2 * np.sqrt(300 / 2) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1)))
    found = spring_chain(n).modes()
    assert found.omega == pytest.approx(expected, rel=1e-12)
    joint = np.cumsum(found.shapes.real, axis=0)
    exact = np.sin(np.outer(np.arange(1, n + 1), np.arange(1, n + 1)) * np.pi / (n + 1))
    for j in range(n):
        cosine = abs(joint[:, j] @ exact[:, j]) / np.linalg.norm(joint[:, j])
        assert cosine == pytest.approx(np.linalg.norm(exact[:, j]), rel=1e-12)


def test_proportional_damping():
    """D = (c/k) K: damping ratio c omega / (2 k)."""
    undamped, damped = spring_chain(4).modes(), spring_chain(4, c=0.5).modes()
    zeta = 0.5 * undamped.omega / (2 * 300)
    assert damped.damping == pytest.approx(zeta, rel=1e-10)
    assert np.abs(damped.eigenvalues) == pytest.approx(undamped.omega, rel=1e-11)
    assert damped.omega == pytest.approx(undamped.omega * np.sqrt(1 - zeta**2), rel=1e-11)
    assert damped.stable


def test_overdamped_motion_has_two_real_eigenvalues():
    found = spring_chain(1, m=1.0, k=2.0, c=5.0).modes()
    s = np.sort(found.eigenvalues.real)
    assert s == pytest.approx(np.sort([-5 + np.sqrt(21), -5 - np.sqrt(21)]), rel=1e-12)
    assert np.all(found.omega == 0)
    assert found.damping == pytest.approx([1, 1])


def test_inverted_pendulum_grows():
    found = double_pendulum(np.pi).modes()
    assert not found.stable
    values = np.sort(found.eigenvalues.real)
    assert values == pytest.approx(np.sqrt(G * (2 + np.sqrt(2) * np.array([-1, 1]))), rel=1e-12)
    assert "GROWS" in str(found)


def top(spin, joint):
    """A symmetric top on its point, axis up, spinning."""
    A, C, m, h = 0.06, 0.02, 1.5, 0.15
    joints = {
        "spherical": [pl.Spherical("S", "ground", "top", initial={"wz": spin})],
        "bryant": [pl.Spherical("S", "ground", "top", coordinates="bryant123",
                                initial={"wz": spin})],
    }  # fmt: skip
    inertia = (A - m * h**2, A - m * h**2, C)
    return pl.System(gravity=(0, 0, -G), joints=joints[joint],
                     bodies=[pl.RigidBody("top", m, com=(0, 0, h), inertia=inertia)])  # fmt: skip


@pytest.mark.parametrize("joint", ["spherical", "bryant"])
def test_sleeping_top(joint):
    """A nu^2 - C Omega nu + m g h = 0 in axes that do not spin; body axes see nu - Omega."""
    A, C, weight = 0.06, 0.02, 1.5 * G * 0.15
    for spin in (100.0, 60.0):
        root = np.sqrt((C * spin) ** 2 - 4 * A * weight)
        world = (C * spin + np.array([-1, 1]) * root) / (2 * A)
        expected = np.sort(np.abs(world - spin))
        found = top(spin, joint).modes(at="steady")
        swinging = np.sort(found.omega[found.omega > 1e-6])
        assert swinging == pytest.approx(expected, rel=1e-9)
        assert sum(m.rigid for m in found) == 1
        assert np.abs(found.eigenvalues.real).max() < 1e-7


def test_slow_top_falls():
    """Below Omega^2 = 4 A m g h / C^2 it grows at the rate Im nu."""
    A, C, weight, spin = 0.06, 0.02, 1.5 * G * 0.15, 10.0
    growth = np.sqrt(4 * A * weight - (C * spin) ** 2) / (2 * A)
    found = top(spin, "spherical").modes(at="steady")
    assert found.eigenvalues.real.max() == pytest.approx(growth, rel=1e-9)


def governor(speed, drive, length=0.4, out=0.0, level="position"):
    """A point mass on a rod hinged on a vertical shaft that turns."""
    shaft = {"level": level, "motion": f"{speed}*t" if level == "position" else speed}
    return pl.System(
        gravity=(0, 0, -G),
        bodies=[pl.RigidBody("shaft", 1.0, inertia=(3, 3, 5.0), frames={"h": (out, 0, 0)}),
                pl.RigidBody("arm", 1.3, com=(0, 0, -length))],
        joints=[pl.Revolute("turn", "ground", "shaft", axis="z",
                            initial={} if drive else {"angle_rate": speed}),
                pl.Revolute("hinge", "shaft.h", "arm", axis="y", initial={"angle": 0.3})],
        drivers=[pl.JointDriver("motor", "turn", **shaft)] if drive else [],
    )  # fmt: skip


def test_governor_swings_about_its_steady_angle():
    """cos a = g/(w^2 l); frequency w sin a."""
    w, length = 7.0, 0.4
    angle = np.arccos(G / (w**2 * length))
    for level in ("velocity", "position"):
        found = governor(w, True, level=level).modes(at="steady")
        assert len(found) == 1
        assert found.omega[0] == pytest.approx(w * np.sin(angle), rel=1e-11)
    assert abs(found.about.values("hinge.angle")[0]) == pytest.approx(angle, abs=1e-11)
    slow = governor(3.0, True).modes(at="steady")
    assert slow.omega[0] == pytest.approx(np.sqrt(G / length - 9.0), rel=1e-11)


def test_governor_on_a_free_shaft_exchanges_momentum():
    """Constant angular momentum: nu^2 = w^2 sin^2 a (1 + 4 m l^2 cos^2 a / (I + m l^2 sin^2 a))."""
    w, length, m = 7.0, 0.4, 1.3
    angle = np.arccos(G / (w**2 * length))
    sine, cosine = np.sin(angle), np.cos(angle)
    inertia = 5.0 + m * length**2 * sine**2
    expected = w * sine * np.sqrt(1 + 4 * m * length**2 * cosine**2 / inertia)
    found = governor(w, False).modes(at="steady")
    assert found[0].rigid
    assert found.omega[1] == pytest.approx(expected, rel=1e-9)


def test_steady_motion_needs_coordinates_in_which_it_is_steady():
    """Angular velocities in body axes are constant; velocities of points off the axis are not."""
    w, length = 7.0, 0.4
    expected = w * np.sin(np.arccos(G / (w**2 * length)))
    found = governor(w, True).modes(at="steady", tree="absolute")
    assert found.omega == pytest.approx([expected], rel=1e-10)
    with pytest.raises(CapabilityError, match="balance"):
        governor(w, True, out=0.1).modes(at="steady", tree="absolute")


def test_rigid_motions_are_recognised():
    """Two masses joined by a spring, free along a line: one rigid, one at sqrt(2k/m)."""
    system = pl.System(
        bodies=[pl.RigidBody.point("a", 2.0), pl.RigidBody.point("b", 2.0)],
        joints=[pl.Prismatic("slide", "ground", "a", axis="x"),
                pl.Prismatic("between", "a", "b", axis="x", initial={"displacement": 1.0})],
        forces=[pl.Spring("k", "a", "b", stiffness=90.0, free_length=1.0)],
    )  # fmt: skip
    found = system.modes()
    assert [m.rigid for m in found] == [True, False]
    assert found.omega == pytest.approx([0, np.sqrt(90)], rel=1e-12)
    assert found.labels[0] == "slide: displacement (rigid)"


def test_closed_loop_with_redundant_constraints_has_the_frequency_of_its_energy():
    """Parallelogram: two cranks and a bar, hanging: omega^2 = V''/T'' from energies."""
    l, bar, m, mb = 0.5, 0.8, 0.7, 2.0
    system = pl.System(
        gravity=(0, 0, -G),
        ground=pl.Ground({"Q": (bar, 0, 0)}),
        bodies=[
            pl.RigidBody.rod("a", l, mass=m, along="z", frames={"e": (0, 0, l)}),
            pl.RigidBody.rod("b", l, mass=m, along="z", frames={"e": (0, 0, l)}),
            pl.RigidBody.rod("bar", bar, mass=mb, frames={"e": (bar, 0, 0)}),
        ],
        joints=[
            pl.Revolute("A", "ground", "a", axis="y", initial={"angle": np.pi - 0.4}),
            pl.Revolute("B", "ground.Q", "b", axis="y", guess={"angle": np.pi - 0.4}),
            pl.Revolute("C", "a.e", "bar", axis="y", guess={"angle": -np.pi + 0.4}),
            pl.Revolute("D", "b.e", "bar.e", axis="y"),
        ],
    )
    expected = np.sqrt((2 * m * G * l / 2 + mb * G * l) / (2 * m * l**2 / 3 + mb * l**2))
    for tree in ("joint", "absolute"):
        found = system.modes(at="equilibrium", tree=tree)
        assert found.omega == pytest.approx([expected], rel=1e-10)


def sprung(rng, system):
    """The same tree with bushings from the ground that hold every body, and gravity."""
    m = system.model
    bodies = list(m.bodies)
    forces = [
        pl.Spring(f"k{i}{j}", f"ground.g{i}{j}", f"{name}.{end}", free_length=0.1,
                  stiffness=float(rng.uniform(200, 900)), damping=float(rng.uniform(0, 20)))
        for i, name in enumerate(bodies) for j, end in enumerate(("in", "out"))
    ]  # fmt: skip
    frames = [random_frame(rng, f"g{i}{j}") for i in range(len(bodies)) for j in range(2)]
    return pl.System(m, ground=pl.Ground(frames), forces=forces, gravity=(0.5, 1.0, -9.0))


@pytest.mark.parametrize("seed", range(5))
def test_random_trees_have_the_same_modes_in_joint_and_absolute_coordinates(seed):
    rng = np.random.default_rng(seed)
    kinds = ("revolute", "universal", "spherical", "cylindrical", "prismatic")
    system = sprung(rng, random_tree(rng, 3, kinds))
    ours = system.modes(at="equilibrium")
    start = ours.about
    theirs = system.modes(at="equilibrium", tree="absolute")
    gap = np.abs(start.values("b0.position") - theirs.about.values("b0.position")).max()
    assert gap < 1e-9
    assert len(ours) == len(theirs)
    a, b = ours.eigenvalues, theirs.eigenvalues
    nearest = np.abs(a[:, None] - b[None, :]).min(axis=1)
    assert (nearest / np.maximum(np.abs(a), 1.0)).max() < 1e-8


def test_modes_are_seen_in_a_simulation():
    system = double_pendulum()
    first = system.modes()[0]
    shape = first.shape.real
    moved = pl.System(system.model, joints=[
        pl.Revolute("J1", "ground", "a", axis="y", initial={"angle": 1e-4 * shape[0]}),
        pl.Revolute("J2", "a.e", "b", axis="y", initial={"angle": 1e-4 * shape[1]}),
    ])  # fmt: skip
    result = moved.simulate(3.0, rtol=1e-11, atol=1e-13)
    expected = 1e-4 * shape[0] * np.cos(first.omega * result.time)
    assert np.abs(result.values("J1.angle") - expected).max() < 1e-10


def test_labels_name_body_and_kind():
    u = [Scalar("J1.angle_rate", "rad/s", "J1")]
    u += [Scalar(f"rod.{k}_rate", "m/s", "rod") for k in ("v1", "v2", "phi1", "s1")]
    u += [Scalar(f"arm.{k}", "m/s", "arm") for k in ("v1", "w1")]
    u += [Scalar(f"b.free.{k}", "m/s", "b.free") for k in ("vx", "wz")]
    layout = Layout((), tuple(u), ())
    shares = np.eye(len(u))
    rigid = np.zeros(len(u), dtype=bool)
    rigid[0] = True
    model = pl.Model(bodies=[pl.RigidBody(name, 1) for name in ("rod", "arm", "b")])
    assert labels_of(layout, model, shares, rigid) == [
        "J1: angle (rigid)", "rod: bending 1", "rod: bending 2", "rod: torsion 1", "rod: axial 1",
        "arm: bending y 1", "arm: bending z 1", "b: x", "b: rotation z",
    ]  # fmt: skip


def test_table_files_picture_and_pages(tmp_path):
    found = double_pendulum().modes(count=2)
    assert "0.381526" in str(found)
    assert found.as_dict()["modes"][0]["label"] == "J1: angle"
    found.to_csv(tmp_path / "modes.csv")
    rows = list(csv.DictReader((tmp_path / "modes.csv").read_text().splitlines()))
    assert [float(r["omega"]) for r in rows] == list(found.omega)
    assert [float(r["J2.angle"]) for r in rows] == list(found.shapes[1].real)
    found.plot(tmp_path / "modes.png")
    assert (tmp_path / "modes.png").stat().st_size > 5000
    found.report(tmp_path / "modes.html")
    assert {p.name for p in tmp_path.glob("*.html")} == {"modes.html"}
    assert pickle.loads(pickle.dumps(found)).labels == found.labels
    with pytest.raises(InputError, match="modes 1 to 2"):
        found.animate(3)


def test_moving_mode_keeps_loops_closed():
    system = pl.System.loads("""
pliant: 1
gravity: [0, -9.81, 0]
ground: {frames: {D: [0.4, 0, 0]}}
bodies:
  crank: {rod: {length: 0.15, mass: 1}, frames: {B: [0.15, 0, 0]}}
  coupler: {rod: {length: 0.4, mass: 2}, frames: {C: [0.4, 0, 0]}}
  rocker: {rod: {length: 0.3, mass: 1.5}, frames: {C: [0.3, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 60 deg}}
  B: {revolute: {axis: z}, between: [crank.B, coupler]}
  C: {revolute: {axis: z}, between: [coupler.C, rocker.C]}
  D: {revolute: {axis: z}, between: [ground.D, rocker], guess: {angle: 100 deg}}
""")
    moving = system.modes(at="equilibrium").animate(1, samples=9)
    gap = moving.values("coupler.C.position") - moving.values("rocker.C.position")
    assert np.abs(gap).max() < 1e-9
    assert np.ptp(moving.values("A.angle")) > 0.05


def test_without_freedom_there_are_no_modes():
    system = governor(7.0, True)
    held = system.modes(hold="hinge")
    assert len(held) == 0
    assert len(held.shapes) == 2
    assert "0 modes" in str(held)


def test_bad_arguments_are_named():
    with pytest.raises(InputError, match="steady"):
        double_pendulum().modes(at="moving")
    with pytest.raises(InputError, match="count"):
        double_pendulum().modes(0)
    body = random_body(np.random.default_rng(0), "b", [])
    with pytest.raises(StepError, match="equilibrium"):
        pl.System(bodies=[body], gravity=(0, 0, -G)).modes(at="equilibrium")


def stretching_pendulum(damping=0.0):
    """A mass on a very stiff spring that slides along a rod that swings."""
    return pl.System(
        gravity=(0, 0, -G),
        bodies=[pl.RigidBody("arm", 1e-3, inertia=(1e-3, 1e-3, 1e-3)),
                pl.RigidBody.point("m", 1.0)],
        joints=[pl.Revolute("J", "ground", "arm", axis="y", initial={"angle": np.pi / 2}),
                pl.Prismatic("P", "arm", "m", axis="z", initial={"displacement": -300.0})],
        forces=[pl.JointSpring("k", "P", stiffness=1e13, free=-300.0, damping=damping)],
    )  # fmt: skip


@pytest.mark.parametrize("damping", [0.0, 1e3])
def test_slow_swing_beside_a_very_stiff_spring_is_neither_lost_nor_rigid(damping):
    """0.18 rad/s beside 3 million rad/s."""
    found = stretching_pendulum(damping).modes(at="equilibrium")
    slow = np.sqrt(G * 300 / (300**2 + 1e-3))
    assert not any(m.rigid for m in found)
    assert found.omega[0] == pytest.approx(slow, rel=1e-6)
    assert found.omega[1] == pytest.approx(np.sqrt(1e13), rel=1e-6)
    assert abs(found.about.values("J.angle")[0]) < 1e-9


def test_motion_without_mass_is_refused_by_name():
    system = pl.System(
        bodies=[pl.RigidBody.point("a", 1.0), pl.RigidBody.point("b", 0.0)],
        joints=[pl.Prismatic("P", "ground", "a", axis="x"), pl.Prismatic("Q", "a", "b", axis="x")],
        forces=[pl.JointSpring("k", "P", stiffness=1), pl.JointSpring("l", "Q", stiffness=1)],
    )
    with pytest.raises(InputError, match=r"Q\.displacement"):
        system.modes()


def beam(joint, shapes, more=""):
    """A beam of unit length, mass and smaller bending stiffness."""
    return pl.loads(f"""
pliant: 1
parameters: {{speed: 2, g: 0}}
gravity: [0, 0, -g]
bodies:
  rod:
    beam: {{length: 1, stiffness: {{EIz: 1, EIy: 4, EA: 1e4}}, mass_per_length: 1}}
    shapes: {{{shapes}}}
    rotary_inertia: none
joints: {{J: {{{joint}, between: [ground, rod]}}}}
{more}
""")


def test_clamped_beam_has_its_own_modes_and_sags():
    """Roots of cos b cosh b = -1; tip deflection q L^4 / (8 EI) but for terms of third order."""
    system = beam("fixed: {}", "bending_y: 2, bending_z: 3, axial: 1")
    found = system.modes()
    roots = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613]) ** 2
    named = {m.label: m.omega for m in found}
    for k in (1, 2):
        assert named[f"rod: bending y {k}"] == pytest.approx(roots[k - 1], rel=1e-10)
    for k in (1, 2, 3):
        assert named[f"rod: bending z {k}"] == pytest.approx(2 * roots[k - 1], rel=1e-10)
    assert named["rod: axial 1"] == pytest.approx(100 * np.pi / 2, rel=1e-10)
    g = 0.02
    rest = system.statics(params={"g": g}).require()
    assert rest.values("rod.tip.position.z")[0] == pytest.approx(-g / (8 * 4), rel=1e-3)
    assert rest.info["stability"] == "stable"
    run = system.simulate(0.5, start="equilibrium", params={"g": g}, rtol=1e-9)
    assert np.abs(run.values("rod.tip.acceleration")[0]).max() < 1e-12 * g
    assert np.ptp(run.values("rod.tip.position.z")) < 1e-9  # the tolerance of the run


def test_spinning_beam_stiffens():
    """Southwell's beam (sheet B4, gamma = 2): flap 4.13731957, lag 3.62179696."""
    system = beam("revolute: {axis: z}", "bending_y: {polynomial: 4}, bending_z: {polynomial: 4}",
                  "drivers: {turn: {joint: J, angle: speed*t}}")  # fmt: skip
    named = {m.label: m.omega for m in system.modes(at="steady")}
    assert named["rod: bending y 1"] == pytest.approx(3.6217969641241, rel=1e-5)
    still = {m.label: m.omega for m in system.modes()}
    assert still["rod: bending y 1"] == pytest.approx(3.5160152685002, rel=1e-5)
    flap = named["rod: bending z 1"] ** 2 - still["rod: bending z 1"] ** 2
    assert flap == pytest.approx(4 * 1.1933, rel=1e-2)


def bare_rod(shapes, **options):
    """EI = rhoA = l = 1."""
    return pl.Beam("rod", 1, stiffness={"EIz": 1}, mass_per_length=1, shapes={"bending_y": shapes},
                   rotary={"rhoIy": 1e-3, "rhoIz": 1e-3}, **options)  # fmt: skip


def test_shapes_that_are_almost_dependent_still_have_mass():
    """Monomials to x⁹ have a mass matrix of condition 1e12; beta l = 1.8751 and 4.7300."""
    wall = pl.Fixed("wall", "ground", "rod.root")
    rod = bare_rod({"taylor": 8}, geometric_stiffness="none")
    held = pl.System(bodies=[rod], joints=[wall]).modes()
    assert held.omega[0] == pytest.approx(1.875104068711961**2, rel=1e-9)
    family = {"free-interface": {"count": 20, "elements": 30, "attachments": True}}
    loose = bare_rod(family, floating_frame="root", geometric_stiffness="none")
    free = pl.System(bodies=[loose]).modes()
    assert free.omega[:6] == pytest.approx(np.zeros(6))
    assert free.omega[6] == pytest.approx(4.730040744862704**2, rel=1e-6)


def test_shapes_that_are_dependent_to_rounding_are_refused():
    wall = pl.Fixed("wall", "ground", "rod.root")
    rod = bare_rod({"taylor": 12}, geometric_stiffness="none")
    with pytest.raises(InputError, match="fewer shape functions"):
        pl.System(bodies=[rod], joints=[wall]).modes()


def test_joints_that_move_no_mass_are_refused_unless_held():
    """A point about itself, and two joints in line of which only the sum moves a mass."""
    spin = pl.Revolute("spin", "ground", "m")
    with pytest.raises(InputError, match=r"moves along 'spin\.angle'"):
        pl.System(bodies=[pl.RigidBody.point("m", 1e-3)], joints=[spin]).modes()
    line = pl.System(
        bodies=[pl.RigidBody("slide", 0), pl.RigidBody.point("m", 1e6)],
        joints=[pl.Prismatic("a", "ground", "slide", axis=[1, 2, 3]),
                pl.Prismatic("b", "slide", "m", axis=[1, 2, 3])],
        forces=[pl.JointSpring("k", "a", stiffness=1.0), pl.JointSpring("l", "b", stiffness=4e6)],
    )  # fmt: skip
    with pytest.raises(InputError, match=r"moves along '[ab]\.displacement', '[ab]\.displ"):
        line.modes()
    assert line.modes(hold=["a.displacement"]).omega == pytest.approx([2.0])


def test_a_bending_mode_keeps_its_shape_where_it_is_drawn():
    """A coupler held by pins bends in sines: half a wave, then a whole one (ω as 1 : 4). Loops are
    closed by the joints, not by the beam."""
    system = pl.load(Path(__file__).parents[3] / "examples" / "crank_rocker.yaml")
    modes = system.modes()
    assert modes[3].frequency / modes[2].frequency == pytest.approx(4, rel=2e-3)
    for k, (own, other) in ((3, ("v1", "v2")), (4, ("v2", "v1"))):
        moving = modes.animate(k, samples=5)
        gap = moving.values("coupler.tip.position") - moving.values("rocker.C.position")
        assert np.abs(gap).max() < 1e-9
        drawn, beside = (np.abs(moving.values(f"coupler.{n}")).max() for n in (own, other))
        assert beside < 2e-3 * drawn
