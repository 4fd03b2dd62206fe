"""Equilibrium against closed forms and minima of energy computed apart from it."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, StepError, UnknownName

G = 9.81


def hanging(n, span, length=0.5, mass=1.3, **settings):
    """n pin-jointed uniform rods between supports at equal height: a chain that hangs."""
    rods = [
        pl.RigidBody.rod(f"r{k}", length, mass=mass, frames={"e": (length, 0, 0)}) for k in range(n)
    ]
    joints = [pl.Revolute("J0", "ground", "r0", axis="y", guess={"angle": 0.8})]
    for k in range(1, n):
        joints.append(pl.Revolute(f"J{k}", f"r{k - 1}.e", f"r{k}", axis="y", guess={"angle": -0.3}))
    joints.append(pl.Revolute("end", f"r{n - 1}.e", "ground.B", axis="y"))
    return pl.System(gravity=(0, 0, -G), bodies=rods, joints=joints,
                     ground=pl.Ground({"B": (span, 0, 0)}))  # fmt: skip


def test_hanging_rods_lie_on_the_closed_form_of_the_chain():
    """Each rod's slope is tan = H^-1 times the vertical force in its middle; H closes the span."""
    n, span, length, mass = 6, 2.2, 0.5, 1.3
    found = hanging(n, span, length, mass).statics().require()
    weight = mass * G
    middle = weight * (n / 2 - 0.5 - np.arange(n))

    def reach(horizontal):
        return (length * np.cos(np.arctan2(middle, horizontal))).sum() - span

    low, high = 1e-3, 1e4
    for _ in range(200):
        mean = (low + high) / 2
        low, high = (mean, high) if reach(mean) < 0 else (low, mean)
    slopes = np.arctan2(middle, low)
    angles = np.cumsum([found.values(f"J{k}.angle")[0] for k in range(n)])
    assert np.abs(np.angle(np.exp(1j * (angles - slopes)))).max() < 1e-11
    force = found.values("J0.force")[0]
    assert abs(force[0]) == pytest.approx(low, rel=1e-10)
    assert abs(force[2]) == pytest.approx(n * weight / 2, rel=1e-10)
    assert found.info["stability"] == "stable"
    assert not all(found.series["J0.torque"].unique)


FOUR_BAR = """
pliant: 1
name: four-bar with springs
gravity: [0, -9.81, 0]
ground: {frames: {D: [0.4, 0, 0], S: [0.1, 0.5, 0]}}
bodies:
  crank: {rod: {length: 0.15, mass: 1}, frames: {B: [0.15, 0, 0]}}
  coupler: {rod: {length: 0.4, mass: 2}, frames: {C: [0.4, 0, 0], M: [0.2, 0, 0]}}
  rocker: {rod: {length: 0.3, mass: 1.5}, frames: {C: [0.3, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 60 deg}}
  B: {revolute: {axis: z}, between: [crank.B, coupler]}
  C: {revolute: {axis: z}, between: [coupler.C, rocker.C]}
  D: {revolute: {axis: z}, between: [ground.D, rocker], guess: {angle: 100 deg}}
forces:
  lift: {spring: {stiffness: 180, free_length: 0.2}, between: [ground.S, coupler.M]}
  turn: {joint_spring: {stiffness: 3, free: 1.2}, joint: A}
"""


def four_bar_energy(angle):
    """Potential energy of the four-bar at a crank angle, from the geometry alone."""
    B = 0.15 * np.array([np.cos(angle), np.sin(angle)])
    D = np.array([0.4, 0.0])
    d = np.linalg.norm(D - B)
    along = (0.4**2 - 0.3**2 + d**2) / (2 * d)
    across = np.sqrt(0.4**2 - along**2)
    e = (D - B) / d
    C = B + along * e + across * np.array([-e[1], e[0]])
    M = (B + C) / 2
    V = G * (1 * B[1] / 2 + 2 * M[1] + 1.5 * (C[1] + D[1]) / 2)
    stretch = np.linalg.norm(M - [0.1, 0.5]) - 0.2
    return V + 180 / 2 * stretch**2 + 3 / 2 * (angle - 1.2) ** 2


@pytest.mark.parametrize("tree", ["joint", "absolute"])
def test_four_bar_rests_where_its_energy_is_smallest(tree):
    """Redundant constraints (a planar loop of spatial joints) included."""
    found = pl.loads(FOUR_BAR).statics(tree=tree).require()
    angle = found.values("A.angle")[0]
    h = 1e-3
    low2, low, mid, high, high2 = (four_bar_energy(angle + k * h) for k in (-2, -1, 0, 1, 2))
    slope = (8 * (high - low) - high2 + low2) / (12 * h)
    curve = (high - 2 * mid + low) / h**2
    assert abs(slope / curve) < 1e-10
    assert curve > 0
    assert found.info["stability"] == "stable"
    energy = found.values("potential_energy")[0]
    least = min(four_bar_energy(a) for a in np.linspace(0.3, 2.2, 400))
    assert four_bar_energy(angle) <= least + 1e-9
    assert energy == pytest.approx(four_bar_energy(angle), abs=1e-9)


def pendulum(angle, **more):
    return pl.System(
        gravity=(0, 0, -G),
        bodies=[pl.RigidBody("bob", 2.0, com=(0, 0, -0.7), inertia=(0.1, 0.1, 0.1))],
        joints=[pl.Revolute("J", "ground", "bob", axis="y", initial={"angle": angle})],
        **more,
    )


@pytest.mark.parametrize("angle", [0.3, np.pi / 2, 2.0, 3.1, -2.5])
def test_pendulum_comes_to_hang_wherever_it_starts(angle):
    found = pendulum(angle).statics().require()
    assert abs(np.sin(found.values("J.angle")[0])) < 1e-12
    assert np.cos(found.values("J.angle")[0]) > 0
    assert found.values("J.force")[0] == pytest.approx([0, 0, 2 * G], abs=1e-9)


def test_upright_pendulum_is_an_unstable_equilibrium_that_can_be_asked_for():
    for found in (pendulum(np.pi).statics(), pendulum(2.5).statics(method="path")):
        assert found.completed
        assert np.cos(found.values("J.angle")[0]) == pytest.approx(-1, abs=1e-12)
        assert found.info["stability"] == "unstable"
        assert "falls along 'J.angle'" in found.warnings[0]
        inertia = 2 * 0.7**2 + 0.1
        assert found.info["smallest_stiffness"] == pytest.approx(-2 * G * 0.7 / inertia, rel=1e-12)


def two_bar(force, height=0.2, half=1.0, stiffness=1000.0):
    """von Mises' truss of two springs with a mass in the middle that slides up and down."""
    free = float(np.hypot(half, height))
    return pl.System(
        parameters={"P": force},
        ground=pl.Ground({"L": (-half, 0, 0), "R": (half, 0, 0)}),
        bodies=[pl.RigidBody.point("apex", 1.0)],
        joints=[pl.Prismatic("up", "ground", "apex", axis="z", initial={"displacement": height})],
        forces=[
            pl.Spring("left", "ground.L", "apex", stiffness=stiffness, free_length=free),
            pl.Spring("right", "ground.R", "apex", stiffness=stiffness, free_length=free),
            pl.Force("down", "apex", (0, 0, "-P")),
        ],
    )


def truss_force(z, height=0.2, half=1.0, stiffness=1000.0):
    """Force down that holds the apex at z."""
    return -2 * stiffness * z * (1 - np.hypot(half, height) / np.hypot(half, z))


def truss_limit():
    free, half = np.hypot(1.0, 0.2), 1.0
    z = np.sqrt((free * half**2) ** (2 / 3) - half**2)
    return truss_force(z), z


def test_truss_below_its_limit_load_stays_on_its_branch():
    limit, z = truss_limit()
    found = two_bar(0.95 * limit).statics(load_steps=10).require()
    assert len(found) == 10
    assert found.values("load_factor") == pytest.approx(np.arange(1, 11) / 10)
    heights = found.values("up.displacement")
    assert heights[-1] > z
    assert truss_force(heights) == pytest.approx(0.95 * limit * found.time, rel=1e-9)


def test_truss_beyond_its_limit_load_snaps_through_and_says_so():
    limit, z = truss_limit()
    found = two_bar(1.5 * limit).statics().require()
    assert found.values("up.displacement")[0] < -0.2
    assert truss_force(found.values("up.displacement")[0]) == pytest.approx(1.5 * limit)
    assert "load factor 0.66" in found.warnings[0]
    assert "'up.displacement'" in found.warnings[0]
    path = two_bar(1.5 * limit).statics(method="path", load_steps=20)
    assert "limit point" in path.failure
    assert path.info["load_factor"] == pytest.approx(1 / 1.5, abs=2e-3)
    assert path.values("up.displacement")[-1] == pytest.approx(z, abs=0.01)
    with pytest.raises(StepError, match=r"load factor reached: 0\.66"):
        path.require()


def column(angle, load, stiffness=20.0, length=0.5):
    """Two rigid links with torsion springs in both hinges, pressed along their axis."""
    links = [
        pl.RigidBody.rod(n, length, mass=1.0, frames={"e": (length, 0, 0)}) for n in ("a", "b")
    ]
    return pl.System(
        bodies=links,
        joints=[
            pl.Revolute("J1", "ground", "a", axis="y", initial={"angle": angle}),
            pl.Revolute("J2", "a.e", "b", axis="y"),
        ],
        forces=[
            pl.JointSpring("k1", "J1", stiffness=stiffness),
            pl.JointSpring("k2", "J2", stiffness=stiffness),
            pl.Force("press", "b.e", (-load, 0, 0)),
        ],
    )


def test_straight_column_loses_stability_at_its_buckling_load():
    """Critical load of two links: P L / k = (3 - sqrt 5)/2."""
    critical = (3 - np.sqrt(5)) / 2 * 20.0 / 0.5
    assert column(0.0, 0.9999 * critical).statics().info["stability"] == "stable"
    beyond = column(0.0, 1.0001 * critical).statics()
    assert beyond.info["stability"] == "unstable"
    assert beyond.completed
    bent = column(0.05, 1.2 * critical).statics().require()
    assert bent.info["stability"] == "stable"
    t1 = bent.values("J1.angle")[0]
    t2 = t1 + bent.values("J2.angle")[0]
    P, k, L = 1.2 * critical, 20.0, 0.5
    assert k * t1 - k * (t2 - t1) == pytest.approx(P * L * np.sin(t1), rel=1e-10)
    assert k * (t2 - t1) == pytest.approx(P * L * np.sin(t2), rel=1e-10)
    assert abs(t1) > 0.1


def test_falling_body_has_no_equilibrium_and_the_message_names_it():
    system = pl.System(gravity=(0, 0, -G), bodies=[pl.RigidBody("ball", 1.0, inertia=(1, 1, 1))])
    found = system.statics()
    assert "'ball.z'" in found.failure
    assert not found.completed
    with pytest.raises(StepError, match=r"ball\.z"):
        system.simulate(1.0, start="equilibrium")


def attracting(mass_a, mass_b, radius_a, radius_b, distance, strength):
    """Two spheres that draw each other together."""
    bodies = [
        pl.RigidBody.sphere("a", radius_a, mass=mass_a),
        pl.RigidBody.sphere("b", radius_b, mass=mass_b, initial={"position": [distance, 0, 0]}),
    ]
    return pl.System(bodies=bodies, forces=[pl.Spring("g", "a", "b", force=f"{strength}/x**2")])


@pytest.mark.parametrize(
    "system",
    [attracting(1, 2, 0.1, 0.1, 3, 4),
     attracting(5.97e24, 7.35e22, 6.37e6, 1.74e6, 3.844e8, 6.674e-11 * 5.97e24 * 7.35e22)],
    ids=["balls", "planets"],
)  # fmt: skip
def test_what_attracts_each_other_does_not_rest(system):
    """Moments of inertia of planets are 1e16 times their masses: neither measures the other."""
    found = system.statics()
    assert "do not come to balance" in found.failure
    assert "not an equilibrium" in str(system.modes())


def test_what_nothing_holds_and_nothing_moves_stays():
    system = pl.System(
        bodies=[pl.RigidBody.rod("a", 1.0, mass=1.0, frames={"e": (1, 0, 0)})],
        joints=[pl.Cylindrical("C", "ground", "a", axis="z", initial={"angle": 0.4})],
        forces=[pl.JointSpring("k", "C", "displacement", stiffness=10, free=0.3)],
    )
    found = system.statics().require()
    assert found.info["stability"] == "indifferent"
    assert found.values("C.displacement")[0] == pytest.approx(0.3)
    assert found.values("C.angle")[0] == pytest.approx(0.4)
    assert found.warnings == ("nothing holds 'C.angle': it stays where it started",)


def test_ball_joint_in_quaternions_and_angle_sets_comes_to_the_same_rest():
    """A body on a ball joint and a spring: coordinates do not matter."""
    found = {}
    for coordinates in ("quaternion", "bryant123", "euler313"):
        system = pl.System(
            gravity=(0, 0, -G), ground=pl.Ground({"P": (0.6, 0.4, 0.2)}),
            bodies=[pl.RigidBody("b", 2.0, com=(0.3, 0.1, -0.2), inertia=(0.2, 0.3, 0.25),
                                 frames={"s": (0.4, 0.3, 0.1), "r": (-0.2, 0.3, 0.3)})],
            joints=[pl.Spherical("S", "ground", "b", coordinates=coordinates)],
            forces=[pl.Spring("k", "ground.P", "b.s", stiffness=80, free_length=0.1),
                    pl.Spring("k2", "ground.P", "b.r", stiffness=30, free_length=0.2)],
        )  # fmt: skip
        found[coordinates] = system.statics().require()
    for result in found.values():
        gap = result.values("b.s.position") - found["quaternion"].values("b.s.position")
        assert np.abs(gap).max() < 1e-10
        assert result.info["stability"] == "stable"


def test_drivers_stand_where_they_are_at_the_time_asked_for():
    system = pendulum(0.0, drivers=[pl.JointDriver("turn", "J", motion="0.5*t")])
    found = system.statics(t=1.2).require()
    assert found.time[0] == 1.2
    assert found.values("J.angle")[0] == pytest.approx(0.6)
    assert found.values("turn.torque")[0] == pytest.approx(2 * G * 0.7 * np.sin(0.6))
    assert found.values("J.angle_rate")[0] == 0.0


def test_held_coordinates_stay_and_others_settle():
    system = column(0.3, 0.0)
    held = system.statics(hold="J1").require()
    assert held.values("J1.angle")[0] == pytest.approx(0.3, abs=1e-14)
    assert held.values("J2.angle")[0] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(UnknownName, match="J1"):
        system.statics(hold=["J1.angel"])


def test_a_run_can_start_in_equilibrium_with_the_velocities_given():
    system = pl.System(
        gravity=(0, 0, -G),
        bodies=[pl.RigidBody.point("m", 2.0)],
        joints=[pl.Prismatic("z", "ground", "m", axis="z", initial={"displacement_rate": 0.3})],
        forces=[pl.JointSpring("k", "z", stiffness=50)],
    )
    rest = -2 * G / 50
    result = system.simulate(1.0, start="equilibrium", rtol=1e-10)
    omega = 5.0
    expected = rest + 0.3 / omega * np.sin(omega * result.time)
    assert np.abs(result.values("z.displacement") - expected).max() < 1e-8
    other = system.simulate(1.0, start="equilibrium", tree="absolute", rtol=1e-10)
    assert np.abs(other.values("m.position.z") - expected).max() < 1e-8
    plain = system.simulate(1.0, start="undeformed", rtol=1e-10)
    assert plain.values("z.displacement")[0] == 0.0
    resting = system.simulate(1.0, start=system.statics(), rtol=1e-10)
    assert np.abs(resting.values("z.displacement") - rest).max() < 1e-9
    with pytest.raises(InputError, match="equilibrium"):
        system.simulate(1.0, start="equilbrium")


def test_an_equilibrium_does_not_move_when_it_is_run():
    system = pl.loads(FOUR_BAR)
    result = system.simulate(0.5, start="equilibrium", rtol=1e-9)
    assert np.ptp(result.values("A.angle")) < 1e-10


def test_equilibrium_can_be_saved_and_shown(tmp_path):
    found = pl.loads(FOUR_BAR).statics(load_steps=4, outputs=["A.*", "crank.*", "coupler.*",
                                                             "rocker.*"])  # fmt: skip
    found.to_csv(tmp_path / "rest.csv")
    found.save(tmp_path / "rest.nc")
    found.plot("A.angle", path=tmp_path / "rest.png")
    found.report(tmp_path / "rest.html")
    assert pl.Result.load(tmp_path / "rest.nc").values("A.angle") == pytest.approx(
        found.values("A.angle")
    )


@pytest.mark.parametrize("bad", [{"load_steps": 0}, {"load_steps": 1.5}, {"method": "newton"}])
def test_bad_arguments_are_named(bad):
    with pytest.raises(InputError, match=next(iter(bad)) if "load_steps" in bad else "newton"):
        pendulum(0.1).statics(**bad)
