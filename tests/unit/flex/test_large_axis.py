"""Axes through points, frames and internal forces of beams of large rotation."""

import numpy as np
import pytest

import pliant as pl
from pliant.flex.rewriting.model import expanded
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import from_quaternion
from pliant.spatial.spline import Spline

STIFFNESS = {"EA": 2000.0, "EIy": 5.0, "EIz": 4.0, "GJ": 3.0, "GAy": 900.0, "GAz": 800.0}
GIVEN = {"stiffness": STIFFNESS, "mass_per_length": 1.2, "rotary": {"rhoIy": 0.01, "rhoIz": 0.02}}
EXACT = {"exact": {"elements": 2, "order": 2}}
DIRECTORS = {"large-rotation": {"elements": 2}}
RADIUS = 0.8


def rod(theory=EXACT, length=None, **more):
    return pl.Beam("rod", length, theory=theory, **{**GIVEN, **more})


def held(beam, at="rod.root", forces=(), **more):
    return pl.System(bodies=[beam], joints=[pl.Fixed("weld", "ground", at)], forces=forces, **more)


def arc(count, angle=np.pi / 2):
    """Points of a circle in the x-y plane that begins along x."""
    a = np.linspace(0, angle, count)
    return [[RADIUS * np.sin(x), RADIUS * (1 - np.cos(x)), 0.0] for x in a]


def nodes(beam):
    """Stress-free places of the nodes, seen from the first."""
    model = expanded(pl.Model(bodies=[beam]))
    joints = [j for j in model.joints.values() if j.name.startswith("rod:j")]
    values = model.parameter_values()
    return np.array([[0, 0, 0], *([j.guess[c].number(values) for c in "xyz"] for j in joints)])


# --- axes


def test_a_spline_through_a_circle_is_of_fourth_order():
    errors = [abs(Spline(np.array(arc(n + 1))).length - RADIUS * np.pi / 2) for n in (8, 16, 32)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert np.all(orders > 3.7)


def test_a_spline_of_cubic_points_is_that_cubic():
    """By arc length, against places found on the curve itself."""
    s = np.array([0, 0.2, 0.5, 0.6, 1.0])
    curve = Spline(np.column_stack([s, 0 * s, 0 * s]))
    p, t = curve.at(0.37)
    assert np.allclose(p, [0.37, 0, 0], rtol=0, atol=1e-15)
    assert np.allclose(t, [1, 0, 0], rtol=0, atol=1e-15)
    parabola = Spline(np.array([[0, 0, 0], [1, 1, 0], [2, 0, 0.0]]))
    u = np.linspace(0, 2, 200001)
    length = np.hypot(np.diff(u), np.diff(u * (2 - u))).sum()
    assert parabola.length == pytest.approx(length, abs=1e-9)
    assert np.allclose(parabola.at(parabola.length / 2)[0], [1, 1, 0], rtol=0, atol=1e-14)


def test_an_arc_through_points_is_that_of_its_curvature():
    """Of a spline seen from its first section, whose slope is of third order; ends of straight
    pieces are on the arc, seen from the first chord."""
    helix = nodes(rod(length=RADIUS * np.pi / 2, curvature=[0, 0, 1 / RADIUS]))
    smooth, straight = [], []
    for n in (6, 12, 24):
        smooth.append(np.abs(nodes(rod(axis={"points": arc(n + 1), "smooth": True})) - helix).max())
        ends = nodes(
            rod(axis={"points": arc(n + 1)}, theory={"exact": {"elements": n, "order": 1}})
        )
        # the first chord is turned by half the angle of a piece
        turn = np.pi / (4 * n)
        R = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        straight.append(np.abs(ends[-1] - R.T @ helix[-1]).max())
    assert np.all(np.log2(np.divide(smooth[:-1], smooth[1:])) > 2.9)
    assert max(straight) < 1e-14


@pytest.mark.parametrize("theory", [EXACT, DIRECTORS])
def test_an_axis_through_points_is_without_stress(theory):
    points = [[0, 0, 0], [0.5, 0.2, 0.1], [0.8, 0.6, 0.3], [1.2, 0.7, 0.0]]
    for smooth in (True, False):
        s = held(rod(theory, axis={"points": points, "smooth": smooth}), "rod.datum")
        r = s.simulate(0.02, every=0.02, outputs=["rod.strain_energy", "rod.tip.position"])
        assert r["rod.strain_energy"].values[0] < 1e-24
        assert r["rod.strain_energy"].values[-1] < 1e-16
        assert np.allclose(r["rod.tip.position"], points[-1], rtol=0, atol=1e-12)


def test_an_arc_through_points_bends_as_that_of_its_curvature():
    """Statics of a hook under a load across its plane, to the error of the spline."""
    push = [pl.Force("push", "rod.tip", [0.2, -0.3, 1.0])]
    given = rod(length=RADIUS * np.pi / 2, curvature=[0, 0, 1 / RADIUS])
    outputs = ["rod.tip.position"]
    through = rod(axis={"points": arc(17), "smooth": True})
    systems = held(given, forces=push), held(through, "rod.datum", forces=push)
    exact, found = (s.statics(outputs=outputs)["rod.tip.position"].values[-1] for s in systems)
    assert np.linalg.norm(exact - arc(2)[-1]) > 0.1
    assert np.allclose(found, exact, rtol=0, atol=2e-5)


@pytest.mark.parametrize("theory", [EXACT, DIRECTORS])
def test_a_corner_in_the_axis_is_two_beams_welded_at_an_angle(theory):
    """The same elements, once as one beam through three points, once as two beams."""
    push = pl.Force("push", "rod.tip", [0.1, 0.2, 0.6])
    one = held(rod(theory, axis={"points": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]}), forces=[push])
    half = {k: {**v, "elements": v["elements"] // 2} for k, v in theory.items()}
    corner = pl.Frame("corner", [1, 0, 0], pl.Orientation.about("z", "90 deg"))
    legs = [pl.Beam("leg", 1, theory=half, frames={"corner": corner}, **GIVEN), rod(half, 1)]
    joints = [pl.Fixed("weld", "ground", "leg.root"), pl.Fixed("elbow", "leg.corner", "rod.root")]
    two = pl.System(bodies=legs, joints=joints, forces=[push])
    found = [s.statics(outputs=["rod.tip.position"])["rod.tip.position"].values[-1]
             for s in (one, two)]  # fmt: skip
    assert np.linalg.norm(found[0] - [1, 1, 0]) > 0.1
    assert np.allclose(*found, rtol=0, atol=1e-9)


def test_corners_follow_parameters():
    points = [[0, 0, 0], ["a", 0, 0], ["a", "b", 0]]
    beam = rod(axis={"points": points})
    s = held(beam, parameters={"a": 1.0, "b": 0.5})
    r = s.simulate(0.01, every=0.01, outputs=["rod.tip.position"], params={"a": 0.7, "b": 0.9})
    assert np.allclose(r["rod.tip.position"], [0.7, 0.9, 0], rtol=0, atol=1e-12)


def test_an_axis_is_written_and_read_back():
    s = held(rod(axis={"points": arc(4), "smooth": True, "up": [0, 1, 1]}), "rod.datum")
    assert pl.System.loads(s.text).described == s.described


# --- sections


def cantilever(theory, force, moment):
    loads = [pl.Force("pull", "rod.tip", list(force)), pl.Torque("twist", "rod.tip", list(moment))]
    return held(rod(theory, 1.5), forces=loads)


@pytest.mark.parametrize("theory", [EXACT, DIRECTORS])
def test_internal_forces_balance_the_free_end(theory):
    """n = F and M = M_tip + (p_tip - p) x F in every section, bent through half a radian or more:
    exactly, since loads act at the tip alone."""
    F, M = np.array([1.0, 3.0, -4.0]), np.array([0.5, 1.0, -0.7])
    outputs = [f"rod.*.{name}" for name in ("position", "orientation", "internal_*")]
    model = cantilever(theory, F, M).described.with_(
        outputs={"bending": "rod.root.internal_moment.z"}
    )
    r = pl.System(model).statics(outputs=[*outputs, "bending"])
    assert r["bending"].values[-1] == r["rod.root.internal_moment"].values[-1, 2]
    tip = r["rod.tip.position"].values[-1]
    assert np.linalg.norm(tip - [1.5, 0, 0]) > 0.7
    for frame in ("root", "mid", "tip"):
        p, quat, n, m = (
            r[f"rod.{frame}.{what}"].values[-1]
            for what in ("position", "orientation", "internal_force", "internal_moment")
        )
        R = np.asarray(from_quaternion(NUMERIC, quat))
        assert np.allclose(R @ n, F, rtol=0, atol=1e-10)
        assert np.allclose(R @ m, M + np.cross(tip - p, F), rtol=0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("theory", [EXACT, {"large-rotation": {"elements": 2, "nodes": 3}}])
def test_internal_forces_hold_weight_and_inertia(theory):
    """A pendulum in motion: the pin holds what the first section does, the free end nothing, and
    the middle what the rest needs to move as it does."""
    pin = pl.Revolute("pin", "ground", "rod.root", axis="y", initial={"angle_rate": 3.0})
    s = pl.System(gravity=[0, 0, -9.81], bodies=[rod(theory, 1.5)], joints=[pin])
    r = s.simulate(0.3, every=0.1, rtol=1e-9)
    n, m = (
        {f: r[f"rod.{f}.internal_{what}"].values for f in ("root", "mid", "tip")}
        for what in ("force", "moment")
    )
    size = np.abs(n["root"]).max()
    for k, quat in enumerate(r["rod.orientation"].values):
        R = np.asarray(from_quaternion(NUMERIC, quat))
        assert np.allclose(R @ n["root"][k], -r["pin.force"].values[k], rtol=0, atol=1e-9 * size)
    assert np.abs(n["tip"]).max() < 1e-9 * size
    assert max(np.abs(m["tip"]).max(), np.abs(m["root"][:, 1]).max()) < 1e-9 * size
    # the second half: Simpson's rule over its three nodes, of the order of the element
    nodes = ["rod:2", "rod:3", "rod:4"]  # of the second half
    pulled = sum(
        -w * 0.9 * (r[f"{node}.acceleration"].values - [0, 0, -9.81])
        for w, node in zip((1 / 6, 4 / 6, 1 / 6), nodes, strict=True)
    )
    for k, quat in enumerate(r["rod.mid.orientation"].values):
        R = np.asarray(from_quaternion(NUMERIC, quat))
        assert np.allclose(R @ n["mid"][k], pulled[k], rtol=0, atol=1e-3 * size)


@pytest.mark.slow
def test_tension_of_a_spinning_rod():
    """ρA w² (L² - x²) / 2 in every section of a rod that is driven to a constant speed, and
    stretched by 1e-5 only."""
    stiff = {k: 100 * v for k, v in STIFFNESS.items()}
    s = pl.System(
        bodies=[rod({"exact": {"elements": 1, "order": 2}}, 1.5, stiffness=stiff,
                    frames={"A": [0.4, 0, 0]}, damping={"stiffness": 0.01})],
        joints=[pl.Revolute("pin", "ground", "rod.root", axis="z")],
        drivers=[pl.JointDriver("spin", "pin",
                                motion="piecewise(t < 1, t**3 - t**4/2, t - 0.5)")],
    )  # fmt: skip
    r = s.simulate(3.0, every=1.0, outputs=["rod.*.internal_force"], method="radau")
    for frame, x in {"root": 0.0, "A": 0.4}.items():
        found = r[f"rod.{frame}.internal_force"].values[-1]
        assert found[0] == pytest.approx(1.2 * (1.5**2 - x**2) / 2, rel=1e-4)


# --- attachments between the ends


@pytest.mark.slow
@pytest.mark.parametrize("theory", [EXACT, {"large-rotation": {"elements": 2, "nodes": 3}}])
def test_joints_and_loads_attach_anywhere(theory):
    """A cantilever propped at a = 0.37 L, pressed down at its tip: the prop holds P (3L - a) / 2a
    of it, of a slender beam and to first order; elements end at the prop by themselves."""
    slender = {**STIFFNESS, "EA": 1e5, "GAy": 1e5, "GAz": 1e5}
    a, P = 0.37 * 1.5, 1e-3
    beam = rod(theory, 1.5, stiffness=slender, frames={"A": [a, 0, 0]})
    ground = pl.Ground(frames={"prop": pl.Frame("prop", [a, 0, 0])})
    joints = [pl.Fixed("weld", "ground", "rod.root"), pl.Spherical("prop", "ground.prop", "rod.A")]
    press = [pl.Force("press", "rod.tip", [0, 0, -P])]
    s = pl.System(pl.Model(ground=ground, bodies=[beam], joints=joints, forces=press))
    r = s.statics(outputs=["prop.force"])
    assert r["prop.force"].values[-1, 2] == pytest.approx(P * (3 * 1.5 - a) / (2 * a), rel=2e-3)


def test_frames_that_pass_each_other_are_named():
    frames = {"A": ["a", 0, 0], "B": [0.6, 0, 0]}
    s = held(rod(EXACT, 1.5, frames=frames), parameters={"a": 0.3})
    with pytest.raises(pl.errors.InputError, match="in another order than with the default"):
        s.simulate(0.01, params={"a": 0.9})
