"""Beams as finite segments in models: bodies, joints, names, parameters, all formulations."""

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.backends.tree.run import suitable
from pliant.flex.segments.hinge import joint_between
from pliant.model.bodies.theories import DIRECTIONS
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose

STIFFNESS = {"EA": 2000.0, "EIy": "EI", "EIz": 4.0, "GJ": 3.0, "GAy": 900.0, "GAz": 800.0}
ROTARY = {"rhoIy": 0.01, "rhoIz": 0.02}
PARAMETERS = {"EI": 5.0, "L": 1.5}


def rod(theory, **more):
    given = {"stiffness": STIFFNESS, "mass_per_length": 1.2, "rotary": ROTARY, **more}
    return pl.Beam("rod", "L", theory=theory, **given)


def pendulum(theory, *, load=True, parameters=None, **more):
    """A beam on a pin about y, with a body welded to its tip."""
    bodies = [rod(theory, **more)]
    joints = [pl.Revolute("pin", "ground", "rod.root", axis="y", initial={"angle": "20 deg"})]
    if load:
        bodies.append(pl.RigidBody("load", 0.5, inertia=[0.01, 0.02, 0.03], com=[0.1, 0, 0.05]))
        joints.append(pl.Fixed("weld", "rod.tip", "load"))
    return pl.System(gravity=[0, 2, -9.81], parameters=parameters or PARAMETERS, bodies=bodies,
                     joints=joints)  # fmt: skip


def faults(theory, **more):
    model = pl.Model(parameters=PARAMETERS, bodies=[rod(theory, **more)])
    return [fault.what for fault in model.faults()]


# --- how they are written


@pytest.mark.parametrize(
    "written",
    [
        "segments(16)",
        {"segments": {"count": 4, "directions": ["bending_y", "torsion"], "inertia": "lumped"}},
        {"segments": {"lengths": [1.0, 2.0, 2.0], "root": "full", "tip": "none"}},
    ],
)
def test_files_keep_them(written):
    s = pendulum(written)
    again = pl.loads(s.text)
    assert again.described == s.described
    assert again.described.bodies["rod"].theory.segments.plain() == written


def test_other_ways_to_write_them():
    assert rod({"segments": 8}).theory == rod("segments( 8 )").theory == rod(pl.Segments(8)).theory
    both = pl.Segments(3, ["shear", "bending"])
    assert both.directions == ("bending_y", "bending_z", "shear_y", "shear_z")
    assert pl.Segments(lengths=[1, 1, 2]).stations == (0.0, 0.25, 0.5, 1.0)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("segments(0)", "count: 0 is not a number of segments"),
        ("segments", "how many is missing"),
        ({"segments": {"count": 3, "lengths": [1, 2]}}, "2 lengths for 3 segments"),
        ({"segments": {"lengths": [1, -2]}}, "-2 is not a positive number"),
        ({"segments": {"count": 3, "directions": ["bend"]}}, "'bend' is not a direction"),
        ({"segments": {"count": 3, "root": "soft"}}, "root: 'soft' is not one of"),
        ({"segments": {"count": 3, "number": 4}}, "unknown option 'number'"),
    ],
)
def test_mistakes_are_named(written, message):
    with pytest.raises(pl.PliantError, match=message.replace("(", r"\(")):
        rod(written)


def test_what_directions_need_is_named():
    bare = {"stiffness": {"EIz": 1.0}, "rotary": None}
    assert "segments: bending_z needs EIy" in faults("segments(2)", **bare)
    twisted = {"segments": {"count": 2, "directions": ["torsion"]}}
    assert "torsion has no inertia with rotary_inertia: none" in faults(
        twisted, rotary_inertia="none"
    )
    assert "torsion needs rotary inertia" in faults(twisted, rotary=None)
    assert not faults("segments(2)")


def test_what_belongs_to_modal_beams_is_named():
    found = faults("segments(2)", floating_frame="chord",
                   geometric_stiffness="none", initial={"elastic": {"v1": 0.1}})  # fmt: skip
    for part in ("floating_frame", "geometric_stiffness", "elastic coordinates"):
        assert any(part in what for what in found), part


# --- the rewritten model


def test_a_beam_becomes_segments_and_joints_with_springs():
    s = pendulum("segments(3)")
    assert list(s.described.bodies) == ["rod", "load"]
    assert list(s.model.bodies) == [*(f"rod:{k}" for k in range(5)), "load"]
    assert [j.kind for n, j in s.model.joints.items() if ":" in n] == ["revolute"] + 3 * ["segment"]
    assert "rod:e2_bending_y" in s.model.forces
    assert "rod:e2_torsion" not in s.model.forces


def test_an_end_is_sprung_in_directions_that_are_held_against_inertia():
    """The pin holds bending in the x-y plane only; the load holds both at the tip."""
    first, last = (pendulum("segments(3)").model.joints[f"rod:h{k}"] for k in (1, 4))
    assert (first.kind, first.axis) == ("revolute", "z")
    assert last.kind == "segment"
    held = {n: f for n, f in pendulum("segments(3)").model.forces.items() if n.startswith("rod:e1")}
    assert list(held) == ["rod:e1_bending_y"]


def test_a_free_end_and_a_point_mass_are_not_sprung():
    s = pendulum("segments(3)", load=False)
    assert list(s.model.bodies) == [f"rod:{k}" for k in range(4)]
    bob = pl.RigidBody.point("bob", 1)
    model = s.described.with_(bodies=[rod("segments(3)"), bob],
                              joints=[*s.described.joints.values(),
                                      pl.Fixed("weld", "rod.tip", "bob")])  # fmt: skip
    assert "rod:4" not in pl.System(model).model.bodies


def test_a_driven_pin_holds():
    s = pendulum("segments(3)", load=False)
    drivers = [pl.JointDriver("spin", "pin", motion="3*t")]
    joints = pl.System(s.described.with_(drivers=drivers)).model.joints
    assert joints["rod:h1"].kind == "segment"


def in_two(first, second, **more):
    """A cantilever of two beams, welded end to end."""
    given = {"stiffness": STIFFNESS, "mass_per_length": 1.2, "rotary": ROTARY, **more}
    bodies = [pl.Beam("a", "L/3", theory=first, **given),
              pl.Beam("b", "2*L/3", theory=second, **given)]  # fmt: skip
    joints = [pl.Fixed("clamp", "ground", "a.root"), pl.Fixed("weld", "a.tip", "b.root")]
    return pl.System(parameters=PARAMETERS, bodies=bodies, joints=joints)


def test_beams_welded_end_to_end_are_as_one():
    joints = [pl.Fixed("clamp", "ground", "rod.root")]
    one = pl.System(parameters=PARAMETERS, bodies=[rod(pl.Segments(3, directions=DIRECTIONS))],
                    joints=joints)  # fmt: skip
    two = in_two(pl.Segments(1, directions=DIRECTIONS), pl.Segments(2, directions=DIRECTIONS))
    for params in ({}, {"EI": 7.0, "L": 2.0}):
        expected = one.modes(params=params).omega
        assert np.allclose(two.modes(params=params).omega, expected, rtol=1e-9, atol=0)


def test_a_weld_bends_as_the_beam_before_it_does():
    """Tip force on a beam that bends and one that does not: its last half segment bends as well."""
    theories = [pl.Segments(2, directions=[d]) for d in ("bending_y", "torsion")]
    s = in_two(*theories)
    load = pl.Force("load", "b.tip", [0, 1e-4, 0])  # turns sections by 3e-5
    sag = pl.System(s.described.with_(forces=[load])).statics(outputs=["b.tip.position"])
    l = 0.5 / 2  # segments of the first beam; its springs have arms from the tip
    arms, compliances = np.array([1.5, 1.5 - l, 1.0]), np.array([l / 2, l, l / 2]) / 4.0
    bent = 1e-4 * float(arms**2 @ compliances)
    assert sag["b.tip.position"].values[-1][1] == pytest.approx(bent, rel=1e-6)
    assert list(s.model.bodies) == ["a:0", "a:1", "a:2", "b:0", "b:1", "b:2"]


def test_a_spring_at_an_end_that_nothing_holds_is_refused():
    with pytest.raises(pl.PliantError, match="tip: full, but nothing holds this end"):
        pendulum({"segments": {"count": 2, "tip": "full"}}, load=False)


def test_frames_follow_the_segment_they_are_on():
    frames = {"A": [0.3, 0, 0.1], "B": [1.0, 0, 0], "C": {"at": [0, 0, 0.2], "on": "A"}}
    s = pendulum("segments(3)", load=False, frames=frames)
    placed = {f: b for b, body in s.model.bodies.items() for f in body.frames if f != ":end"}
    assert placed == {"root": "rod:0", "A": "rod:1", "C": "rod:1", "mid": "rod:2", "B": "rod:3",
                      "tip": "rod:3"}  # fmt: skip
    at = s.model.bodies["rod:2"].frames["mid"].position[0]
    assert at.number(s.model.parameter_values()) == pytest.approx(0.25, rel=1e-14)
    assert s.model.joints["pin"].child == "rod:0.root"


def test_segments_have_the_mass_and_inertia_of_the_beam():
    """Also about the root, whatever the lengths."""
    cut = {"segments": {"lengths": [1, 3, 2]}}
    s = pendulum(cut, load=False)
    values, start, m, first, second = s.model.parameter_values(), 0.0, 0.0, 0.0, 0.0
    for body in s.model.bodies.values():
        mass, com = body.mass.number(values), body.com[0].number(values)
        m, first = m + mass, first + mass * (start + com)
        second += body.inertia[2].number(values) + mass * (start + com) ** 2
        start += body.frames[":end"].position[0].number(values) if ":end" in body.frames else 0
    assert m == pytest.approx(1.2 * 1.5, rel=1e-13)
    assert first == pytest.approx(1.2 * 1.5**2 / 2, rel=1e-13)
    assert second == pytest.approx(1.2 * 1.5**3 / 3, rel=1e-13)


# --- joints in every choice of directions


def turned(vector):
    return Rotation.from_rotvec(vector).as_matrix()


@pytest.mark.parametrize("count", range(7))
def test_joints_of_all_directions(count):
    """C^T H = 0, E^T H = 1, H by differences, coordinates and their rates of a pose."""
    rng = np.random.default_rng(count)
    for chosen in combinations(DIRECTIONS, count):
        joint, coordinates = joint_between("h", "a", "b", chosen)
        assert (joint.nu, joint.m, set(coordinates)) == (count, 6 - count, set(chosen))
        q, h = rng.uniform(-0.5, 0.5, count), 1e-6
        X = joint.pose(NUMERIC, q)
        H = np.reshape(joint.motion(NUMERIC, q), (6, -1))
        assert np.abs(joint.residual(NUMERIC, X)).max(initial=0) < 1e-14
        C = np.reshape(joint.constraint(NUMERIC, X), (6, -1))
        assert np.abs(C.T @ H).max(initial=0) < 1e-14
        for k, step in enumerate(h * np.eye(count)):
            a, b = (joint.pose(NUMERIC, q + sign * step) for sign in (1, -1))
            W = (a.R - b.R) / (2 * h) @ np.asarray(X.R).T
            by_differences = [W[2, 1], W[0, 2], W[1, 0], *(a.p - b.p) / (2 * h)]
            assert np.allclose(H[:, k], by_differences, rtol=0, atol=1e-9)
        if count:
            E = np.reshape(joint.effort(NUMERIC, q), (6, -1))
            rates = np.reshape(joint.rates_of(NUMERIC, X), (6, -1))
            assert np.allclose(E.T @ H, np.eye(count), rtol=0, atol=1e-13)
            assert np.allclose(rates.T @ H, np.eye(count), rtol=0, atol=1e-13)
            assert np.allclose(joint.coordinates_of(NUMERIC, X), q, rtol=0, atol=1e-13)


@pytest.mark.parametrize("count", range(7))
def test_constraints_of_any_pose(count):
    """d(residual)/dt = C^T V where the joint does not hold, too."""
    rng, h = np.random.default_rng(count), 1e-6
    for chosen in combinations(DIRECTIONS, count):
        joint, _ = joint_between("h", "a", "b", chosen)
        w, v, p = rng.normal(size=(3, 3))
        R = turned(0.3 * rng.normal(size=3))
        a, b = (joint.residual(NUMERIC, Pose(turned(s * w) @ R, p + s * v)) for s in (h, -h))
        C = np.reshape(joint.constraint(NUMERIC, Pose(R, p)), (6, -1))
        rate = (np.asarray(a) - b) / (2 * h)
        assert np.allclose(C.T @ [*w, *v], rate, rtol=0, atol=1e-8)


# --- what they do


@pytest.mark.parametrize(
    "directions", [["bending"], ["bending", "torsion", "axial", "shear"]], ids=["two", "six"]
)
def test_energy_is_kept(directions):
    s = pendulum(pl.Segments(2, directions))
    r = s.simulate(0.5, rtol=1e-10, outputs=["energy", "rod.*"])
    assert np.ptp(r["energy"].values) < 1e-8 * np.abs(r["energy"].values).max()


def test_parameters_are_free_at_run_time():
    s = pendulum("segments(3)", frames={"A": ["0.4*L", 0, 0]}, damping={"stiffness": "0.001*EI"})
    other = {"EI": 7.0, "L": 1.2}
    names = ["rod.A.position", "rod.tip.deflection.tangent(root)", "rod.strain_energy"]
    a = s.simulate(0.2, rtol=1e-9, params=other, outputs=names)
    fresh = pl.System(s.described.with_(parameters=other))
    b = fresh.simulate(0.2, rtol=1e-9, outputs=names)
    for name in names:
        assert np.allclose(a[name], b[name], rtol=0, atol=1e-9)


def test_observables_are_those_of_modal_beams():
    """Under the same names, and about equal: nine segments have errors of about 1/81; the middle
    is in the middle of one, where its rotation is that of the beam."""
    stiff = {"EIz": 4e3, "EIy": 5e3}
    names = ["rod.mid.deflection", "rod.mid.rotation", "rod.tip.deflection.tangent(root)"]
    runs = []
    for theory in ("modal", "segments(9)"):
        beam = rod(theory, stiffness=stiff, shapes={"bending": 3}, rotary=ROTARY)
        s = pl.System(bodies=[beam], parameters=PARAMETERS, gravity=[0, 2, -9.81],
                      joints=[pl.Fixed("clamp", "ground", "rod.root")])  # fmt: skip
        runs.append(s.statics())
    for name in names:
        a, b = (np.ravel(r[name].values) for r in runs)
        assert np.abs(a - b).max() < 0.03 * np.abs(a).max()


def test_formulas_and_outputs_read_frames_and_deflections():
    s = pendulum("segments(3)")
    model = s.described.with_(
        outputs={"sum": "rod.tip.position.z + rod.mid.deflection.z + rod.mid.rotation.y"},
        forces=[pl.Force("follow", "rod.tip", [0, 0, "-rod.tip.velocity.z"], axes="body")],
    )
    r = pl.System(model).simulate(0.1)
    expected = (
        r["rod.tip.position"][:, 2] + r["rod.mid.deflection"][:, 2] + r["rod.mid.rotation"][:, 1]
    )
    assert np.allclose(r["sum"], expected, rtol=0, atol=1e-14)


def test_damping_takes_the_energy_that_springs_report():
    s = pendulum("segments(3)", damping={"stiffness": 2e-3})
    r = s.simulate(0.3, rtol=1e-9, outputs=["energy", "rod:*.power"])
    assert r["energy"].values[-1] < r["energy"].values[0]
    springs = [n for n in r.series if n.startswith("rod:e") and n.endswith(".work")]
    assert springs


@pytest.mark.parametrize(
    "directions",
    [["bending"], pytest.param(["bending", "torsion", "axial", "shear"], marks=pytest.mark.slow)],
    ids=["two", "six"],
)
def test_many_segments_run_as_a_tree_kernel(directions):
    """With the names and numbers of the expressions."""
    s = pendulum(pl.Segments(8, directions), damping={"stiffness": 1e-3})
    assert suitable(s) == ""
    names = ["rod.tip.position", "rod.mid.deflection", "rod.mid.rotation", "rod.strain_energy",
             "rod.kinetic_energy", "rod:h1.force", "rod.position", "rod:0.position"]  # fmt: skip
    a = s.simulate(0.05, rtol=1e-9, outputs=names)
    b = s.simulate(0.05, rtol=1e-9, outputs=names, formulation="linear-graph")
    assert (a.info["kernel"], b.info.get("kernel")) == ("tree", None)
    for name in names:
        size = np.abs(b[name].values).max()
        assert np.allclose(a[name], b[name], rtol=0, atol=1e-6 * size + 1e-12)


@pytest.mark.parametrize("n", [128, 512])
def test_hundreds_of_segments_are_taken_by_the_kernel(n):
    s = pendulum(pl.Segments(n), damping={"stiffness": 1e-3})
    r = s.simulate(1e-4)
    assert r.info["kernel"] == "tree"
    assert "rod.tip.deflection" in r.series


@pytest.mark.slow
@pytest.mark.parametrize(
    "directions", [["bending"], ["bending", "torsion", "axial", "shear"]], ids=["two", "six"]
)
def test_all_formulations_agree(directions):
    s = pendulum(pl.Segments(2, directions), damping={"stiffness": 1e-3})
    report = s.verify(pointwise=True, states=5)
    assert report.agree, report
    formulations = {v.formulation for v in report.verdicts if not v.declined}
    assert {"recursive", "linear-graph", "multibond", "natural"} <= formulations


@pytest.mark.slow
def test_all_formulations_agree_on_a_mechanism():
    """A four-bar whose coupler is segmented."""
    crank = pl.RigidBody.rod("crank", 0.3, mass=1, frames={"A": [0.3, 0, 0]})
    coupler = pl.Beam("coupler", 1.0, stiffness={"EIz": 20.0}, mass_per_length=0.8,
                      rotary=ROTARY, shapes={"bending_y": 1}, theory="segments(3)")  # fmt: skip
    rocker = pl.RigidBody.rod("rocker", 0.8, mass=2, frames={"B": [0.8, 0, 0]})
    joints = [
        pl.Revolute("O", "ground", "crank", axis="z", initial={"angle": 1.0, "angle_rate": 2.0}),
        pl.Revolute("A", "crank.A", "coupler.root", axis="z"),
        pl.Revolute("B", "coupler.tip", "rocker.B", axis="z"),
        pl.Revolute("C", "ground.C", "rocker", axis="z", guess={"angle": 1.8}),
    ]
    s = pl.System(bodies=[crank, coupler, rocker], joints=joints, gravity=[0, -9.81, 0],
                  ground=pl.Ground(frames={"C": [1.1, 0, 0]}))  # fmt: skip
    report = s.verify(pointwise=True, states=5)
    assert report.agree, report


def four_bar(theory):
    """A crank, a beam as coupler, a rocker; only the angle of the crank is given."""
    bodies = [
        pl.RigidBody("crank", 0.5, inertia=[0.01] * 3, frames={"end": [0.2, 0, 0]}),
        pl.Beam("rod", 0.6, stiffness={"EIy": 50.0}, mass_per_length=0.5, theory=theory,
                shapes={"bending_z": 2}, rotary_inertia="none"),
        pl.RigidBody("rocker", 0.5, inertia=[0.01] * 3, frames={"end": [0.5, 0, 0]}),
    ]  # fmt: skip
    pivot = pl.Ground(frames={"D": [0.7, 0, 0]})
    joints = [
        pl.Revolute("a", "ground", "crank", axis="y", initial={"angle": -0.3, "angle_rate": 2.0}),
        pl.Revolute("b", "crank.end", "rod.root", axis="y"),
        pl.Revolute("c", "rod.tip", "rocker.end", axis="y"),
        pl.Revolute("d", "ground.D", "rocker", axis="y"),
    ]
    return pl.System(ground=pivot, bodies=bodies, joints=joints)


def test_loops_are_assembled_with_straight_beams():
    start = four_bar("segments(4)").simulate(1e-4, every=1e-4)
    rigid = four_bar("rigid").simulate(1e-4, every=1e-4)
    assert start.values("rod.strain_energy")[0] < 1e-18
    for name in ("rod.tip.position", "rocker.angular_velocity", "rod.tip.velocity"):
        assert np.allclose(start.values(name)[0], rigid.values(name)[0], rtol=0, atol=1e-9)


def test_the_page_shows_segments(tmp_path):
    r = pendulum("segments(3)").simulate(0.05)
    page = r.report(tmp_path / "rod.html")
    assert page.stat().st_size > 1000


def test_the_graph_shows_segments():
    text = str(pendulum("segments(2)").graph())
    assert "rod:h2" in text
    assert "rod:e2_bending_y" in text
