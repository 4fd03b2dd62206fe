"""Initial states, rotations, many turns, events, restart, lock-up."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.errors import AssemblyError, InputError, StartError, UnknownName
from pliant.model.joints import Cylindrical, Distance, Free, Prismatic, Revolute, Screw, Spherical

EXAMPLES = Path(__file__).parents[3] / "examples"
TIGHT = {"rtol": 1e-11, "method": "dop853"}


def tumbling(coordinates):
    """A torque-free body turning end over end: angle sets pass through their singularities."""
    return pl.System(
        bodies=[pl.RigidBody("body", 1.0, inertia=(0.1, 0.2, 0.25))],
        joints=[
            Spherical(
                "ball",
                "ground",
                "body",
                coordinates=coordinates,
                initial={"wx": 3.0, "wy": 2.0, "wz": 0.4},
            ),
        ],
    )


def heavy_top(coordinates, **more):
    """A heavy top that starts upright, where 3-1-3 angles are singular, and falls through the
    horizontal, where 1-2-3 angles are."""
    return pl.System(
        gravity=(0, 0, -9.81),
        bodies=[pl.RigidBody("top", 2.0, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.05))],
        joints=[Spherical("ball", "ground", "top", coordinates=coordinates,
                          initial={"wy": 3.0})],
        **more,
    )  # fmt: skip


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
@pytest.mark.parametrize("coordinates", ["euler313", "bryant123"])
@pytest.mark.parametrize("model", [tumbling, heavy_top])
def test_angle_sets_pass_their_singular_poses(model, coordinates, method):
    """The motion is that of the model in quaternions, step by step."""
    exact = model("quaternion").simulate(2.0, rtol=1e-10, method=method)
    result = model(coordinates).simulate(2.0, rtol=1e-10, method=method)
    assert result.completed
    assert result.info["statistics"]["steps"] == exact.info["statistics"]["steps"]
    for name in exact.names():
        assert np.abs(exact.values(name) - result.values(name)).max() < 1e-12, name


@pytest.mark.parametrize("coordinates", ["euler313", "bryant123"])
@pytest.mark.parametrize("backend", ["expressions", "tree", "blocks"])
def test_angles_are_those_of_the_orientation(coordinates, backend, monkeypatch):
    """On every back end: R(angles) is the rotation of the body, at singular poses too."""
    from pliant.model.joints.rotational import ROTATION_SETS
    from pliant.spatial.ops import NUMERIC
    from pliant.spatial.rotation import from_quaternion

    names = ["ball.angle*", "top.orientation", "nutation"]
    monkeypatch.setattr("pliant.backends.tree.run.THRESHOLD", 0 if backend == "tree" else 100)
    how = {"method": "sparse-alpha", "step": 0.01} if backend == "blocks" else {}
    system = heavy_top(coordinates, outputs={"nutation": "ball.angle2"})
    result = system.simulate(1.0, every=0.01, outputs=names, **how)
    assert (result.info.get("kernel") == "tree") == (backend == "tree")
    angles = np.stack([result.values(f"ball.angle{k}") for k in (1, 2, 3)], axis=1)
    assert result.series["ball.angle1"].unit == "rad"
    assert np.array_equal(result.values("nutation"), angles[:, 1])
    for own, quat in zip(angles, result.values("top.orientation"), strict=True):
        R = ROTATION_SETS[coordinates].matrix(NUMERIC, own)
        assert np.allclose(R, from_quaternion(NUMERIC, quat), atol=1e-12)


def test_formulas_and_events_read_angles_of_a_rotation():
    """The nutation of a top: a law of it, an output, and when it is level."""
    torque = pl.Torque("damper", "top", [0, "-0.2*ball.angle2", 0])
    system = heavy_top("euler313", forces=[torque], outputs={"nutation": "ball.angle2"},
                       events=[pl.Event("level", when="ball.angle2 - pi/2")])  # fmt: skip
    result = system.simulate(1.0, rtol=1e-9)
    assert np.array_equal(result.values("nutation"), result.values("ball.angle2"))
    assert result.values("damper.torque")[:, 1] == pytest.approx(-0.2 * result.values("nutation"))
    (level,) = result.events[:1]
    assert np.interp(level.time, result.time, result.values("nutation")) == pytest.approx(
        np.pi / 2, abs=1e-4
    )


def test_a_run_goes_on_in_other_coordinates():
    first = heavy_top("euler313").simulate(0.5, rtol=1e-10)
    rest = heavy_top("bryant123").simulate(1.0, rtol=1e-10, start=first)
    whole = heavy_top("quaternion").simulate(1.0, rtol=1e-10)
    gap = rest.values("top.orientation")[-1] - whole.values("top.orientation")[-1]
    assert np.abs(gap).max() < 1e-8


def test_free_top_conserves_angular_momentum():
    result = tumbling("quaternion").simulate(10.0, **TIGHT)
    from pliant.spatial.ops import NUMERIC
    from pliant.spatial.rotation import from_quaternion

    R = np.array([from_quaternion(NUMERIC, q) for q in result.values("body.orientation")])
    w = result.values("body.angular_velocity")
    momentum = np.einsum("kij,j,klj,kl->ki", R, np.array([0.1, 0.2, 0.25]), R, w)
    assert np.abs(momentum - momentum[0]).max() < 1e-9
    assert np.allclose(np.linalg.norm(result.values("body.orientation"), axis=1), 1.0, atol=1e-14)


def test_initial_angles_of_a_rotation_set_are_the_users():
    joint = Spherical("ball", "ground", "body", coordinates="bryant123",
                      initial={"angle1": 0.3, "angle2": -0.5, "angle3": 0.9})  # fmt: skip
    system = pl.System(bodies=[pl.RigidBody("body", 1.0, inertia=(0.1, 0.1, 0.1))], joints=[joint])
    quat = system.simulate(1.0, **TIGHT).values("body.orientation")[0]
    from pliant.spatial.ops import NUMERIC
    from pliant.spatial.rotation import bryant123, to_quaternion

    assert np.allclose(quat, to_quaternion(bryant123(NUMERIC, [0.3, -0.5, 0.9])), atol=1e-14)


def nut_on_a_spindle(cut):
    """A nut that cannot turn, driven along by a spindle: a loop with a screw."""
    return pl.System(
        parameters={"pitch": 0.01},
        bodies=[
            pl.RigidBody("spindle", 1.0, inertia=(0.1, 0.1, 0.02)),
            pl.RigidBody("nut", 2.0, inertia=(0.1, 0.1, 0.02)),
        ],
        joints=[
            Revolute("bearing", "ground", "spindle", initial={"angle_rate": 40.0}),
            Screw("thread", "spindle", "nut", pitch="pitch", cut=cut),
            Prismatic("guide", "ground", "nut"),
        ],
    )


@pytest.mark.parametrize("cut", [True, False])
def test_screw_advances_over_many_turns_in_the_tree_and_as_cut_joint(cut):
    result = nut_on_a_spindle(cut).simulate(2.0, **TIGHT)
    angle = result.values("bearing.angle")
    assert angle[-1] == pytest.approx(80.0, abs=1e-9)
    advance = 0.01 * result.values("thread.angle")
    assert np.allclose(result.values("guide.displacement"), advance, atol=1e-10)
    assert np.allclose(result.values("thread.angle"), -angle, atol=1e-8)


def test_angle_of_a_cut_revolute_counts_its_turns():
    """Crank-rocker: the hinge at the coupler turns back as often as the crank turns round."""
    system = pl.System(
        ground=pl.Ground(frames={"D": [2.2, 0, 0]}),
        bodies=[
            pl.RigidBody.rod("crank", 0.5, mass=1, frames={"B": [0.5, 0, 0]}),
            pl.RigidBody.rod("coupler", 2.0, mass=1, frames={"C": [2.0, 0, 0]}),
            pl.RigidBody.rod("rocker", 1.5, mass=1, frames={"C": [1.5, 0, 0]}),
        ],
        joints=[
            Revolute("A", "ground", "crank", initial={"angle": 1.0, "angle_rate": 8.0}),
            Revolute("B", "crank.B", "coupler", cut=True),
            Revolute("C", "coupler.C", "rocker.C", guess={"angle": 1.0}),
            Revolute("D", "ground.D", "rocker", guess={"angle": 2.0}),
        ],
    )
    result = system.simulate(5.0, rtol=1e-10, method="dop853", every=0.25)
    turned = result.values("B.angle") + result.values("A.angle")
    coupler = result.values("coupler.orientation")
    direction = 2 * np.arctan2(coupler[:, 3], coupler[:, 0])
    assert np.abs(np.sin(turned - direction)).max() < 1e-9
    assert abs(result.values("B.angle")[-1]) > 4 * np.pi
    assert np.abs(np.diff(turned)).max() < 1.0
    late = system.simulate(rtol=1e-10, method="dop853", times=[3.0, 5.0])
    assert np.abs(late.values("B.angle") - result.values("B.angle")[[12, 20]]).max() < 1e-8


def test_assembly_meets_what_was_given_and_finds_the_rest():
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    result = system.simulate(0.01, **TIGHT)
    assert result.values("O.angle")[0] == pytest.approx(np.pi / 4, abs=1e-13)
    assert result.values("S.displacement")[0] == pytest.approx(0.621004508568581, abs=1e-13)
    assert result.warnings == ()


CONTRADICTORY = (
    ("guess: {displacement: 0.6 m}", "initial: {displacement: 0.7 m}"),
    ("initial: {angle: 45 deg}", "initial: {angle: 60 deg}"),
)


def contradictory(**settings):
    text = (EXAMPLES / "planar_slider_crank.yaml").read_text()
    for old, new in CONTRADICTORY:
        text = text.replace(old, new)
    system = pl.loads(text)
    return pl.System(system.model, settings=replace(system.model.settings, **settings))


def test_given_positions_that_cannot_be_met_are_refused_with_the_nearest_ones():
    system = contradictory()
    with pytest.raises(StartError) as caught:
        system.simulate(0.1)
    assert caught.value.exit_code == 2
    assert "O.angle given 1.0472 rad, nearest" in str(caught.value)
    assert "S.displacement given 0.7 m, nearest" in str(caught.value)
    assert "O.angle" in system.check().failure


def test_the_nearest_positions_are_taken_if_that_is_asked_for():
    system = contradictory(assemble="nearest")
    result = system.simulate(1e-3, **TIGHT)
    angle, slider = result.values("O.angle")[0], result.values("S.displacement")[0]
    l1, l2 = (system.model.parameter_values()[n] for n in ("l1", "l2"))
    closed = l1 * np.cos(angle) + np.sqrt(l2**2 - (l1 * np.sin(angle)) ** 2)
    assert slider == pytest.approx(closed, abs=1e-9)
    assert abs(angle - np.pi / 3) < 0.4
    assert any("O.angle given" in w and "S.displacement given" in w for w in result.warnings)


def test_a_mechanism_that_cannot_close_names_the_joint_and_its_gap():
    text = (EXAMPLES / "planar_slider_crank.yaml").read_text()
    text = text.replace("bodies:", "ground: {frames: {far: [0, 2, 0]}}\nbodies:", 1)
    system = pl.loads(text.replace("between: [ground, slider]", "between: [ground.far, slider]"))
    with pytest.raises(AssemblyError, match=r"'B' \(gap 1\.3\)"):
        system.simulate(0.1)


def test_a_loop_that_closes_only_with_opposed_axes_is_told_so():
    flipped = pl.Frame("g", (0, 0, 0), pl.Orientation.about("x", np.pi))
    system = pl.System(
        bodies=[pl.RigidBody.rod("b", 1, mass=1, frames=[flipped])],
        joints=[pl.Revolute("A", "ground", "b"), pl.Revolute("B", "ground", "b.g", cut=True)],
    )
    with pytest.raises(pl.PliantError, match="close only with axes opposed"):
        system.simulate(0.1)


def test_a_short_rod_cannot_have_the_crank_at_its_given_angle():
    text = (EXAMPLES / "planar_slider_crank.yaml").read_text()
    short = text.replace("l2: 500 mm", "l2: 100 mm")
    assert "O.angle given" in pl.loads(short).check().failure
    report = pl.loads(short.replace("simulate: {", "simulate: {assemble: nearest, ")).check()
    assert report.freedom == 1
    assert "O.angle given" in report.remarks[0]


def test_contradictory_drivers_of_velocity_are_named():
    system = pl.System(
        bodies=[pl.RigidBody.rod("rod", 1.0, mass=1.0)],
        joints=[Revolute("hinge", "ground", "rod")],
        drivers=[
            pl.JointDriver("a", "hinge", level="velocity", motion="1"),
            pl.FrameDriver("b", "rod", level="velocity", angular=(0, 0, 2)),
        ],
    )
    with pytest.raises(AssemblyError, match="contradict"):
        system.simulate(1.0)


def test_a_body_without_inertia_that_is_to_turn_is_named():
    turning = {"angular_velocity": [0, 0, 1]}
    system = pl.System(bodies=[pl.RigidBody("speck", 1.0, initial=turning)], gravity=(0, 0, -9.81))
    with pytest.raises(InputError, match="speck"):
        system.simulate(1.0)


def falling_ball(**sections):
    return pl.System(
        bodies=[
            pl.RigidBody.sphere("ball", 0.1, mass=1.0, initial={"position": [0, 0, 5]}),
        ],
        gravity=(0, 0, -9.81),
        **sections,
    )


def test_stop_event_ends_the_run_at_the_crossing():
    stop = pl.Event("floor", "ball.position.z < 0", stop=True, message="touches the floor")
    result = falling_ball(events=[stop]).simulate(3.0, **TIGHT)
    expected = np.sqrt(2 * 5 / 9.81)
    assert result.completed
    assert result.time[-1] == pytest.approx(expected, abs=1e-12)
    assert result.events[0].time == pytest.approx(expected, abs=1e-12)
    assert result.events[0].message == "touches the floor"
    assert abs(result.values("ball.position.z")[-1]) < 1e-11


def test_events_are_found_in_both_directions_and_inside_long_steps():
    event = pl.Event("top", "sin(20*t)", direction="falling")
    result = falling_ball(events=[event]).simulate(2.0, **TIGHT)
    times = [e.time for e in result.events]
    expected = np.pi / 20 * np.arange(1, 13, 2)
    assert np.allclose(times[: len(expected)], expected, atol=1e-12)


def test_user_outputs_read_any_observable():
    result = falling_ball(
        outputs={"height": "ball.position.z", "twice": "2*kinetic_energy"}
    ).simulate(1.0, outputs=["height", "twice", "kinetic_energy"], **TIGHT)
    assert np.allclose(result.values("twice"), 2 * result.values("kinetic_energy"))
    assert set(result.series) == {"height", "twice", "kinetic_energy"}


def test_restart_continues_as_if_never_interrupted(tmp_path):
    system = pl.load(EXAMPLES / "haug_slider_crank.yaml")
    whole = system.simulate(1.0, every=0.1, **TIGHT)
    first = system.simulate(0.5, every=0.1, **TIGHT)
    first.save(tmp_path / "first.nc")
    second = system.simulate(1.0, every=0.1, start=pl.Result.load(tmp_path / "first.nc"), **TIGHT)
    assert second.time[0] == pytest.approx(0.5)
    for name in ("A.angle", "S.displacement", "rod.velocity.y"):
        assert np.abs(second.values(name)[-1] - whole.values(name)[-1]) < 1e-8


def test_restart_in_other_coordinates():
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    whole = system.simulate(1.0, **TIGHT)
    first = system.simulate(0.5, **TIGHT)
    rest = system.simulate(1.0, start=first, tree="absolute", **TIGHT)
    assert rest.values("S.displacement")[-1] == pytest.approx(
        whole.values("S.displacement")[-1], abs=1e-9
    )


def test_a_true_lock_up_stops_names_the_joint_and_keeps_what_was_computed():
    """A crank longer than the rod: driving it over the reach of the rod cannot go on."""
    text = (EXAMPLES / "planar_slider_crank.yaml").read_text()
    text = text.replace("l2: 500 mm", "l2: 150 mm").replace("angle: 45 deg", "angle: 10 deg")
    text = text.replace("guess: {angle: -60 deg}", "guess: {angle: -20 deg}")
    text = text.replace("displacement: 0.6 m", "displacement: 0.34 m")
    text = text.replace(
        "forces:\n  motor: {actuator: T, joint: O}", "drivers: {d: {joint: O, angle: 10 deg + 2*t}}"
    )
    text = text.replace("10 deg + 2*t", "0.17453292519943295 + 2*t")
    result = pl.loads(text).simulate(1.0, every=0.01, rtol=1e-8)
    locked_at = (np.arcsin(0.15 / 0.2) - np.deg2rad(10)) / 2
    assert not result.completed
    assert result.time[-1] == pytest.approx(locked_at, abs=1e-3)
    assert len(result) > 20
    assert any(name in result.failure for name in ("'B", "'O", "'A", "'S", "'d"))


def test_distance_constraint_swings_like_a_pendulum():
    bob = pl.RigidBody.sphere("bob", 0.05, mass=1.0, initial={"position": [-1, 0, 0]})
    system = pl.System(
        bodies=[bob], joints=[Distance("rope", "ground", "bob", length=1.0)], gravity=(0, -9.81, 0)
    )
    result = system.simulate(2.3678419475762374, rtol=1e-11, method="dop853")
    assert np.allclose(result.values("bob.position")[-1], [-1, 0, 0], atol=1e-7)
    assert np.allclose(np.linalg.norm(result.values("bob.position"), axis=1), 1.0, atol=1e-12)


def test_degrees_of_freedom_and_planar_redundancy():
    report = pl.load(EXAMPLES / "planar_slider_crank.yaml").check()
    assert report.freedom == 1
    assert report.redundant == {"B": (3, 5)}
    assert "planar loop" in str(report)
    assert pl.load(EXAMPLES / "bricard.yaml").check().freedom == 1


def test_choosing_other_cut_joints_or_absolute_coordinates_gives_the_same_motion():
    system = pl.load(EXAMPLES / "haug_slider_crank.yaml")
    plain = system.simulate(0.5, **TIGHT)
    for options in ({"cut": ["S"]}, {"tree": "absolute"}):
        other = system.simulate(0.5, **options, **TIGHT)
        assert (
            plain.compare(other, "S.displacement", "rod.velocity", "B.force", "A.torque").worst
            < 1e-7
        )


def test_unknown_names_are_refused_with_the_nearest_one():
    system = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    with pytest.raises(UnknownName, match=r"did you mean 'rod\.B\.position'"):
        system.simulate(0.1, outputs=["rod.B.positoin"])
    with pytest.raises(UnknownName, match="l1"):
        system.simulate(0.1, params={"l_1": 3})
    with pytest.raises(InputError, match="recursive"):
        system.simulate(0.1, formulation="recursve")


def test_parameters_change_the_motion_without_deriving_again():
    system = pl.load(EXAMPLES / "pendulum.yaml")
    short = system.simulate(1.0, params={"L": 0.5}, **TIGHT)
    prepared = dict(system.programs)
    long = system.simulate(1.0, params={"L": 2.0}, **TIGHT)
    assert system.programs == prepared
    scale = np.sqrt(9.81 / 0.5), np.sqrt(9.81 / 2.0)
    assert short.values("pivot.angle_rate")[1] / long.values("pivot.angle_rate")[
        1
    ] == pytest.approx((scale[0] / scale[1]) ** 2, rel=1e-4)


def test_cylindrical_joint_lets_a_ring_slide_and_turn():
    system = pl.System(
        bodies=[pl.RigidBody("ring", 1.0, inertia=(0.1, 0.1, 0.1))],
        joints=[
            Cylindrical(
                "pole", "ground", "ring", initial={"angle_rate": 3.0, "displacement_rate": 1.0}
            )
        ],
        gravity=(0, 0, -9.81),
    )
    result = system.simulate(1.0, **TIGHT)
    t = result.time
    assert np.allclose(result.values("pole.angle"), 3 * t, atol=1e-10)
    assert np.allclose(result.values("pole.displacement"), t - 9.81 * t**2 / 2, atol=1e-10)


def test_explicit_free_joint_and_none_are_the_same():
    body = pl.RigidBody.box("box", (1, 0.5, 0.2), mass=2.0, initial={"angular_velocity": [1, 2, 3]})
    plain = pl.System(bodies=[body])
    joined = pl.System(bodies=[body], joints=[Free("f", "ground", "box")])
    a, b = plain.simulate(1.0, **TIGHT), joined.simulate(1.0, **TIGHT)
    assert np.abs(a.values("box.orientation") - b.values("box.orientation")).max() < 1e-12


def test_constraints_hold_at_every_output_of_a_long_run():
    """Hundreds of crank turns at a loose tolerance: positions and velocities stay closed."""
    system = pl.load(EXAMPLES / "haug_slider_crank.yaml")
    frames = ["crank.B", "rod.B", "rod", "slider"]
    wanted = [f"{f}.{k}" for f in frames for k in ("position", "velocity")] + ["A.angle"]
    result = system.simulate(150.0, rtol=1e-5, every=0.5, outputs=wanted)
    assert result.completed
    assert result.values("A.angle")[-1] > 600
    for a, b in (("crank.B", "rod.B"), ("rod", "slider")):
        gap = result.values(f"{a}.position") - result.values(f"{b}.position")
        assert np.abs(gap).max() < 1e-9 * 0.3
        slip = result.values(f"{a}.velocity") - result.values(f"{b}.velocity")
        assert np.abs(slip).max() < 1e-9 * np.abs(result.values("rod.B.velocity")).max()


def test_an_interrupted_run_keeps_what_is_done():
    def interrupt(t):
        if t > 1.0:
            raise KeyboardInterrupt

    system = pl.load(EXAMPLES / "haug_slider_crank.yaml")
    with pytest.raises(pl.Interrupted) as stopped:
        system.simulate(50.0, rtol=1e-9, every=0.01, progress=interrupt)
    result = stopped.value.result
    assert isinstance(stopped.value, KeyboardInterrupt)  # ends loops that go on after other errors
    assert "interrupted" in result.failure
    assert 1.0 < result.time[-1] < 49.0
    assert len(result) > 50


@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_a_system_built_in_python_saves_to_a_file_and_back(tmp_path, ending):
    system = nut_on_a_spindle(cut=True)
    system.save(tmp_path / f"model.{ending}")
    again = pl.load(tmp_path / f"model.{ending}")
    assert again.model == system.model
    assert np.array_equal(
        again.simulate(0.1, **TIGHT).values("nut.position"),
        system.simulate(0.1, **TIGHT).values("nut.position"),
    )


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        ({"every": -1}, "every: -1"),
        ({"every": 0}, "every: 0"),
        ({"t_end": "1 kg"}, "t_end: .*wrong unit"),
        ({"t_end": float("inf")}, "not finite"),
        ({"rtol": -1}, "rtol: -1"),
        ({"rtol": "x"}, "rtol"),
        ({"atol": -1.0}, "atol: -1"),
        ({"step": 0}, "step: 0"),
        ({"params": {"m": -1}}, "mass"),
        ({"params": {"L": "3 kg"}}, "kg"),
        ({"times": [1, 0.5]}, "increasing"),
    ],
)
def test_arguments_of_simulate_are_checked(arguments, phrase):
    system = pl.System(
        parameters={"L": "1 m", "m": 1},
        bodies=[pl.RigidBody.rod("rod", "L", mass="m")],
        joints=[Revolute("hinge", "ground", "rod")],
    )
    with pytest.raises(InputError, match=phrase):
        system.simulate(**{"t_end": 1.0, **arguments})


def test_a_corner_in_a_prescribed_position_is_named():
    system = pl.System(
        bodies=[pl.RigidBody.rod("rod", 1.0, mass=1.0)],
        joints=[Revolute("hinge", "ground", "rod")],
        drivers=[pl.JointDriver("servo", "hinge", motion="piecewise(t < 0.5, 0, t - 0.5)")],
    )
    result = system.simulate(1.0, method="dop853")
    assert "'servo'" in result.failure
    assert result.time[-1] == pytest.approx(0.5, abs=1e-3)
    with pytest.raises(pl.PliantError, match="servo"):
        result.require()


def test_a_system_travels_to_another_process():
    import pickle

    system = nut_on_a_spindle(cut=False)
    first = system.simulate(0.1, **TIGHT)
    again = pickle.loads(pickle.dumps(system)).simulate(0.1, **TIGHT)
    assert np.array_equal(first.values("nut.position"), again.values("nut.position"))


def test_reactions_unique_only_at_the_start_are_not_called_unique():
    """In its first position the Bricard mechanism determines more reactions than later."""
    system = pl.load(EXAMPLES / "bricard.yaml")
    observe = ["J1.torque", "J4.torque"]
    result = system.simulate(1.0, every=0.05, outputs=observe, **TIGHT)
    other = system.simulate(1.0, every=0.05, outputs=observe, cut=["J2"], **TIGHT)
    assert not result.series["J1.torque"].unique[2]
    assert result.compare(other).worst < 1e-7
