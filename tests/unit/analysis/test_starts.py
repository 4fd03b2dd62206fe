"""Initial states: given values are met or refused, the rest follows one rule whatever is cut."""

import math
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.start import body_motion, initial_state
from pliant.cli.main import main
from pliant.errors import AssemblyError, StartError
from pliant.model.joints import Joint
from pliant.model.joints.base import JointSprings
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import axis_angle

SPRINGS = JointSprings(stiffness=1e6, rotational_stiffness=1e5)
ONE_ROTATION = (pl.Revolute, pl.Cylindrical, pl.Planar)


def start(system, t=0.0):
    """Pose and velocity of every body, and remarks."""
    prepared = prepare(system, functions=STATES)
    state = initial_state(system, prepared, None, t)
    return body_motion(prepared, state.x, state.p), state.remarks


def apart(first, second):
    """The largest difference between two motions."""
    parts = ("R_WB", "p_WB", "v_WB", "w_WB")
    return max(
        float(np.abs(getattr(first[b], k) - getattr(second[b], k)).max())
        for b in first
        for k in parts
    )


def body(name="a", **initial):
    state = initial or None
    return pl.RigidBody(
        name, 1.0, com=(0.5, 0.1, 0), inertia=(0.1, 0.2, 0.3), frames={"e": [1, 0, 0]},
        initial=state,
    )  # fmt: skip


@pytest.mark.parametrize("kind", [pl.Revolute, pl.Cylindrical, pl.Planar, pl.Spherical, pl.Free])
@pytest.mark.parametrize("angle", [1.6, np.pi, -2.9])
def test_a_given_orientation_beyond_a_right_angle_is_the_start(kind, angle):
    axis = {"axis": "z"} if kind in ONE_ROTATION else {}
    given = pl.Orientation.about("z", angle)
    system = pl.System(bodies=[body(orientation=given)], joints=[kind("j", "ground", "a", **axis)])
    motion, remarks = start(system)
    assert remarks == ()
    assert np.abs(motion["a"].R_WB - axis_angle(NUMERIC, np.array([0, 0, 1.0]), angle)).max() < 1e-9


@pytest.mark.parametrize("angle", [2.0, np.pi, -3.0])
def test_an_orientation_given_at_the_end_of_a_chain_turns_the_joints_before_it(angle):
    """Only assembly can find this one: no body before it has a given pose."""
    joints = [pl.Revolute("A", "ground", "a", axis="z"), pl.Revolute("B", "a.e", "b", axis="z")]
    given = pl.Orientation.about("z", angle)
    motion, _ = start(pl.System(bodies=[body(), body("b", orientation=given)], joints=joints))
    turned = np.arctan2(motion["b"].R_WB[1, 0], motion["b"].R_WB[0, 0])
    assert abs(np.exp(1j * turned) - np.exp(1j * angle)) < 1e-9
    first = np.arctan2(motion["a"].R_WB[1, 0], motion["a"].R_WB[0, 0])
    assert abs(np.exp(2j * first) - np.exp(1j * angle)) < 1e-6  # both joints turn by half of it


def test_an_orientation_that_the_joint_does_not_allow_is_refused_with_the_angle():
    given = pl.Orientation.about("x", np.radians(30))
    system = pl.System(bodies=[body(orientation=given)],
                       joints=[pl.Revolute("j", "ground", "a", axis="z")])  # fmt: skip
    with pytest.raises(StartError, match=r"a\.orientation is off by 30 deg"):
        start(system)
    nearest = pl.System(system.model, settings=replace(system.model.settings, assemble="nearest"))
    motion, remarks = start(nearest)
    assert np.abs(motion["a"].R_WB - np.eye(3)).max() < 1e-9
    assert "a.orientation is off by 30 deg" in remarks[0]


KINDS = (
    (pl.Revolute, {"axis": "z"}), (pl.Prismatic, {"axis": "x"}), (pl.Cylindrical, {"axis": "y"}),
    (pl.Spherical, {}), (pl.Universal, {}), (pl.Planar, {"axis": "z"}), (pl.Free, {}),
    (pl.Fixed, {}),
)  # fmt: skip


def _given(joint: Joint, rng):
    """Some coordinates and rates, some guesses."""
    initial, guess = {}, {}
    names = (*joint.coordinate_names, *joint.rate_names) if joint.scalars else joint.rate_names
    for name in names:
        chance, value = rng.random(), float(rng.uniform(-2, 2))
        if chance < 0.35:
            initial[name] = value
        elif chance < 0.6 and name in joint.coordinate_names:
            guess[name] = value
    if not joint.scalars and joint.nu and rng.random() < 0.5:
        quaternion = rng.standard_normal(4)
        initial |= dict(zip(joint.rotation_set.names, quaternion / np.linalg.norm(quaternion),
                            strict=True))  # fmt: skip
    return {"initial": initial, "guess": guess}


def random_chain(seed, marks):
    """Bodies on random joints with random given values; ``marks``: tree, cut or springs."""
    rng = np.random.default_rng(seed)
    bodies, joints = [], []
    for i, mark in enumerate(marks):
        turn = pl.Orientation.about(rng.standard_normal(3).tolist(), float(rng.uniform(-3, 3)))
        frames = {"e": pl.Frame("e", rng.uniform(-0.5, 0.5, 3).tolist(), turn)}
        bodies.append(pl.RigidBody(f"b{i}", 1.0, inertia=(0.1, 0.1, 0.1), frames=frames))
        kind, axis = KINDS[rng.integers(len(KINDS))]
        ends = "ground" if i == 0 else f"b{i - 1}.e", f"b{i}" if rng.random() < 0.7 else f"b{i}.e"
        given = _given(kind("j", *ends, **axis), rng)
        given |= {"cut": True} if mark == "cut" else {}
        given |= {"springs": SPRINGS} if mark == "springs" and kind.row_names else {}
        joints.append(kind(f"J{i}", *ends, **axis, **given))
    return pl.System(bodies=bodies, joints=joints[1:] if rng.random() < 0.2 else joints)


@pytest.mark.parametrize("seed", range(20))
def test_the_start_does_not_depend_on_which_joints_are_cut_or_on_springs(seed):
    rng = np.random.default_rng(100 + seed)
    in_tree, remarks = start(random_chain(seed, ("tree", "tree")))
    assert remarks == ()
    marks = [("cut", "cut"), ("springs", "springs"), ("cut", "springs")][rng.integers(3)]
    other, remarks = start(random_chain(seed, marks))
    assert remarks == ()
    assert apart(in_tree, other) < 1e-12


def two_links(**second):
    """Rates given of two ball joints, of each two components."""
    return pl.System(
        bodies=[body("a"), body("b"), pl.RigidBody("tool", 0.4, inertia=(1, 2, 1.5))],
        joints=[
            pl.Spherical("S1", "ground", "a", initial={"wz": 2, "wy": 1}),
            pl.Spherical("S2", "a.e", "b", initial={"wx": 1, "wz": -1}, **second),
            pl.Revolute("S3", "b.e", "tool", axis="y"),
        ],
    )


@pytest.mark.parametrize("second", [{}, {"cut": True}, {"springs": SPRINGS}])
def test_rates_not_given_are_zero_in_all_joints_alike(second):
    motion, _ = start(two_links(**second))
    assert np.abs(motion["a"].w_WB - [0, 1, 2]).max() < 1e-12
    assert np.abs(motion["b"].w_WB - [1, 1, 1]).max() < 1e-12
    assert np.abs(motion["tool"].v_WB - [0, 3, -2]).max() < 1e-12


def test_what_a_loop_leaves_open_is_shared_by_all_joints():
    """Two equal bars closing a triangle over a slider: the sum of squares of all coordinates is
    smallest where the derivative along the loop vanishes, whichever joint is cut."""

    def bars(cut):
        ends = [("A", "ground", "a"), ("B", "a.e", "b"), ("C", "b.e", "c")]
        joints = [pl.Revolute(n, p, c, axis="z", cut=n == cut or None) for n, p, c in ends]
        slide = pl.Prismatic("S", "ground", "c", axis="x", cut=cut == "S" or None,
                             guess={"displacement": 1.6})  # fmt: skip
        guessed = replace(joints[0], guess={"angle": 0.5})
        return pl.System(bodies=[body("a"), body("b"), body("c")],
                         joints=[guessed, *joints[1:], slide])  # fmt: skip

    motions = [start(bars(cut))[0] for cut in ("C", "S", "B")]
    assert apart(motions[0], motions[1]) < 1e-9
    assert apart(motions[0], motions[2]) < 1e-9
    alpha = np.arctan2(motions[0]["a"].R_WB[1, 0], motions[0]["a"].R_WB[0, 0])

    def cost(a):  # A = a, B = -2 a, C = a, S = 2 cos a; lengths in units of the largest arm, 1 m
        return (a - 0.5) ** 2 + 4 * a**2 + a**2 + (2 * np.cos(a) - 1.6) ** 2

    h = 1e-5
    assert abs(cost(alpha + h) - cost(alpha - h)) / (2 * h) < 1e-6
    assert cost(alpha) < min(cost(alpha + 0.1), cost(alpha - 0.1))


def test_the_given_pose_of_a_body_in_a_loop_is_met_or_refused():
    """The same bars with the angle of the second one given; then one that contradicts the first."""
    joints = [pl.Revolute("A", "ground", "a", axis="z", initial={"angle": 0.4}),
              pl.Revolute("B", "a.e", "b", axis="z")]  # fmt: skip
    far = {"position": [2, 0, 0]}
    system = pl.System(bodies=[body("a"), body("b", **far)], joints=joints)
    with pytest.raises(StartError, match=r"b\.position given \[2, 0, 0\] m, nearest"):
        start(system)


@pytest.mark.parametrize("turns", [3.0, 60.0, -500.0])
def test_driven_joints_start_where_their_drivers_are_however_far(turns):
    system = pl.System(
        bodies=[body(), body("b")],
        joints=[pl.Revolute("A", "ground", "a", axis="z"), pl.Revolute("B", "a.e", "b", axis="y")],
        drivers=[pl.JointDriver("d", "A", motion=f"{turns}*t")],
    )
    prepared = prepare(system, functions=STATES)
    state = initial_state(system, prepared, None, 2.0)
    assert state.x[1] == pytest.approx(2 * turns, rel=1e-14)


def test_a_frame_driven_far_away_is_reached():
    system = pl.System(
        bodies=[body()], drivers=[pl.FrameDriver("d", "a", translation=(300, 0, -2))]
    )
    assert np.abs(start(system)[0]["a"].p_WB - [300, 0, -2]).max() < 1e-9


def four_bar(gap, size=1.0):
    rod = [pl.RigidBody.rod(n, k * size, mass=1, frames={"e": [k * size, 0, 0]})
           for n, k in (("a", 1.0), ("b", 2.0), ("c", 1.5))]  # fmt: skip
    return pl.System(
        ground=pl.Ground(frames={"D": [2 * size, 0, gap]}), bodies=rod,
        joints=[
            pl.Revolute("A", "ground", "a", axis="z", initial={"angle": 1}),
            pl.Revolute("B", "a.e", "b", axis="z"),
            pl.Revolute("C", "b.e", "c.e", axis="z"),
            pl.Revolute("D", "ground.D", "c", axis="z", guess={"angle": 2}),
        ],
    )  # fmt: skip


@pytest.mark.parametrize("size", [1e-5, 1.0, 1e4])
def test_gaps_count_in_sizes_of_the_model(size):
    start(four_bar(1e-11 * size, size))
    with pytest.raises(AssemblyError, match="differ in their last digits"):
        start(four_bar(1e-7 * size, size))


@pytest.mark.parametrize("command", ["run", "check"])
def test_contradictory_values_end_a_command_with_exit_code_two(command, tmp_path, capsys):
    path = tmp_path / "model.yaml"
    path.write_text("""
pliant: 1
bodies: {a: {rod: {length: 1, mass: 1}, initial: {position: [1, 0, 0]}}}
joints: {J: {revolute: {axis: z}, between: [ground, a]}}
simulate: {t_end: 1}
""")
    assert main([command, str(path)]) == 2
    said = capsys.readouterr()
    assert "a.position given [1, 0, 0] m, nearest [0, 0, 0] m" in said.out + said.err


def test_given_values_are_those_of_the_start_time():
    """At other times the driver has moved on; at the start it contradicts what was given."""

    def driven(begin):
        return pl.System(
            bodies=[body()], settings=pl.Settings(t_start=begin),
            joints=[pl.Revolute("A", "ground", "a", axis="z", initial={"angle": 0.5})],
            drivers=[pl.JointDriver("d", "A", motion="0.5*t")],
        )  # fmt: skip

    result = driven(1).statics(t=3)
    assert result.values("A.angle")[0] == pytest.approx(1.5)
    assert result.warnings == ()
    with pytest.raises(StartError, match=r"A\.angle given 0\.5 rad, nearest 1 rad"):
        driven(2).statics()


def test_a_wheel_starts_beside_a_network():
    """Rows of constraints that hold states of networks are found at the start, not at coordinates
    of zero, where a wheel has no point of contact."""
    r = math.sin(1.2) * 0.3
    system = pl.System.loads(f"""
pliant: 1
gravity: [0, 0, -9.81]
bodies: {{w: {{rigid: {{mass: 1.5, inertia: [0.05, 0.06, 0.07]}}, initial: {{
  position: [0.3, 0.2, {r}], orientation: {{axis: [1, 0, 0], angle: 1.2}}}}}}}}
constraints: {{c: {{rolling: {{radius: 0.3, axis: z}}, between: [ground, w]}}}}
networks: {{n: {{elements: {{j: {{junction: 1}}, l: {{I: 2, on: j, initial: 1}},
  r: {{R: 3, on: j}}}}}}}}
""")
    seen = system.simulate(0.1, rtol=1e-9)
    assert seen.values("w.position")[0] == pytest.approx([0.3, 0.2, r], abs=1e-12)
    assert seen.values("n.l.flow")[-1] == pytest.approx(math.exp(-0.15), rel=1e-7)
