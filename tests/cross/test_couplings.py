"""Gears, racks and couplings against closed forms, in every formulation."""

import numpy as np
import pytest

import pliant as pl
from pliant.formulations import FORMULATIONS

WAYS = [*({"formulation": name} for name in FORMULATIONS),
        {"tree": "absolute"},
        {"formulation": "kane", "form": "embedding"},
        {"formulation": "linear-graph", "form": "embedding"}]  # fmt: skip
IDS = ["-".join(way.values()) for way in WAYS]
TIGHT = {"rtol": 1e-10, "atol": 1e-12}
G = 9.81


def wheel(name, inertia):
    return pl.RigidBody(name, 1.0, inertia=[inertia, inertia, inertia])


def pair(ratio=-3.0, start=(7.0, 0.2), effort="0.4", **more):
    """Two wheels in mesh on shafts along z."""
    joints = [pl.Revolute(j, "ground", body, axis="z", initial={} if q is None else {"angle": q})
              for j, body, q in zip("AB", ("small", "large"), start, strict=True)]  # fmt: skip
    return pl.System(
        bodies=[wheel("small", 0.02), wheel("large", 0.3)], joints=joints,
        constraints=[pl.Gear("mesh", "A.angle", "B.angle", ratio, **more)],
        forces=[pl.Actuator("T", "A", effort=effort)],
    )  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_a_gear_pair_speeds_up_with_the_reflected_inertia_over_many_turns(way):
    """T = (J1 + J2/i²) α, M = T - J1 α on the input, -i M on the output; from where they are."""
    result = pair(effort="8").simulate(3, every=0.1, **TIGHT, **way)
    alpha = 8 / (0.02 + 0.3 / 9)
    t = np.asarray(result.time)
    angle = 7.0 + alpha * t**2 / 2  # 107 turns
    assert result.values("A.angle") == pytest.approx(angle, rel=1e-8)
    assert result.values("B.angle") == pytest.approx(0.2 - (angle - 7.0) / 3, rel=1e-8)
    assert result.values("mesh.effort") == pytest.approx(0.02 * alpha - 8, rel=1e-8)
    assert result.unit("mesh.effort") == "N*m"
    assert np.abs(result.values("mesh.power")).max() < 1e-8 * result.values("T.power").max()


def test_wheels_that_meet_at_different_speeds_share_the_momentum():
    """J1 (w1' - w1) = P, J2 (w2' - w2) = -i P and w1' = i w2' after the impulse P of the teeth."""
    system = pair(effort="0")
    joints = [pl.Revolute("A", "ground", "small", axis="z", initial={"angle_rate": 50}),
              pl.Revolute("B", "ground", "large", axis="z", initial={"angle_rate": 4})]  # fmt: skip
    system = pl.System(bodies=[*system.model.bodies.values()], joints=joints,
                       constraints=[*system.model.constraints.values()])  # fmt: skip
    result = system.simulate(0.1, every=0.05)
    J1, J2, i = 0.02, 0.3, -3.0
    after = (i * J1 * 50 + J2 * 4) / (i**2 * J1 + J2)
    assert result.values("B.angle_rate") == pytest.approx(after, rel=1e-9)
    assert result.values("A.angle_rate") == pytest.approx(i * after, rel=1e-9)
    assert any("impulse" in w for w in result.warnings)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_a_rack_and_its_pinion(way):
    """F = (m + J/r²) a."""
    system = pl.System(
        bodies=[wheel("pinion", 0.05), pl.RigidBody("bar", 2.0, inertia=[1, 1, 1])],
        joints=[pl.Revolute("P", "ground", "pinion", axis="z", initial={"angle": 0.4}),
                pl.Prismatic("S", "ground", "bar", axis="x", initial={"displacement": 0.1})],
        constraints=[pl.Rack("teeth", rack="S.displacement", pinion="P.angle", radius=-0.1)],
        forces=[pl.Actuator("push", "S", effort="3")],
    )  # fmt: skip
    result = system.simulate(1, every=0.1, **TIGHT, **way)
    a = 3 / (2 + 0.05 / 0.01)
    x = a * np.asarray(result.time) ** 2 / 2
    assert result.values("S.displacement") == pytest.approx(0.1 + x, abs=1e-9)
    assert result.values("P.angle") == pytest.approx(0.4 - x / 0.1, abs=1e-8)
    assert result.values("teeth.effort") == pytest.approx(2 * a - 3, abs=1e-8)
    assert result.unit("teeth.effort") == "N"


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_a_planetary_gear(way):
    """Its ring is fixed: the planet turns with -zr/zp wc on the carrier, the sun with
    (1 + zr/zs) wc; all inertias count by the squares of their speeds."""
    zs, zp, zr, arm = 20, 15, 50, 0.2
    system = pl.System(
        bodies=[wheel("sun", 0.01),
                pl.RigidBody("carrier", 1, inertia=[0.04] * 3, frames={"pin": [arm, 0, 0]}),
                pl.RigidBody("planet", 0.5, inertia=[0.003] * 3)],
        joints=[pl.Revolute("S", "ground", "sun", axis="z"),
                pl.Revolute("C", "ground", "carrier", axis="z"),
                pl.Revolute("P", "carrier.pin", "planet", axis="z")],
        constraints=[pl.Gear("inner", "S.angle - C.angle", "P.angle", -zp / zs),
                     pl.Gear("outer", "-C.angle", "P.angle", zp / zr)],
        forces=[pl.Actuator("T", "S", effort="1.5")],
    )  # fmt: skip
    result = system.simulate(1, every=0.1, **TIGHT, **way)
    i, spin = 1 + zr / zs, 1 - zr / zp  # ws/wc and the turning of the planet in the world over wc
    J = 0.01 * i**2 + 0.04 + 0.5 * arm**2 + 0.003 * spin**2
    alpha = 1.5 * i / J
    assert result.values("C.angle_rate") == pytest.approx(alpha * np.asarray(result.time), rel=1e-8)
    assert result.values("S.angle_rate") == pytest.approx(i * result.values("C.angle_rate"))


def atwood(**more):
    """Two loads on a rope over a pulley without mass."""
    loads = [pl.RigidBody(n, m, inertia=[1, 1, 1]) for n, m in (("a", 3.0), ("b", 2.0))]
    joints = [pl.Prismatic(f"G{n}", "ground", n, axis="z", initial={"displacement": -1})
              for n in "ab"]  # fmt: skip
    rope = pl.Coupling("rope", "a.position.z + b.position.z", offset=-2)
    return pl.System(gravity=[0, 0, -G], bodies=loads, joints=joints, constraints=[rope], **more)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_a_rope_over_a_pulley_couples_positions_of_frames(way):
    result = atwood().simulate(0.5, every=0.05, **TIGHT, **way)
    t = np.asarray(result.time)
    assert result.values("a.position")[:, 2] == pytest.approx(-1 - G / 5 * t**2 / 2, abs=1e-9)
    assert result.values("rope.effort") == pytest.approx(2 * 3 * 2 * G / 5, rel=1e-9)


@pytest.mark.parametrize("way", WAYS[:5], ids=IDS[:5])
def test_a_cam_lifts_its_follower_in_time_and_angle(way):
    """s = e (1 - cos φ) + c t: m (s'' + g) presses on the cam, its torque is that times ds/dφ."""
    e, c, w, m = 0.03, 0.05, 7.0, 1.2
    system = pl.System(
        gravity=[0, 0, -G],
        bodies=[wheel("cam", 0.1), pl.RigidBody("follower", m, inertia=[1, 1, 1])],
        joints=[pl.Revolute("C", "ground", "cam", axis="y"),
                pl.Prismatic("F", "ground", "follower", axis="z")],
        drivers=[pl.JointDriver("spin", "C", motion=f"{w}*t")],
        constraints=[pl.Coupling("contact", f"F.displacement - {e}*(1 - cos(C.angle)) - {c}*t")],
    )  # fmt: skip
    result = system.simulate(1, every=0.05, **TIGHT, **way)
    t = np.asarray(result.time)
    press = m * (G + e * w**2 * np.cos(w * t))
    assert result.values("F.displacement") == pytest.approx(e * (1 - np.cos(w * t)) + c * t)
    assert result.values("contact.effort") == pytest.approx(press, rel=1e-8)
    assert result.values("spin.torque") == pytest.approx(press * e * np.sin(w * t), abs=1e-7)


def test_a_ring_of_gears_has_one_row_too_many_and_turns():
    """Ratios that fit; the motion is that of all inertias on one shaft."""
    bodies = [wheel(n, J) for n, J in (("a", 0.1), ("b", 0.2), ("c", 0.4))]
    joints = [pl.Revolute(n.upper(), "ground", n, axis="z") for n in "abc"]
    gears = [pl.Gear("ab", "A.angle", "B.angle", 2), pl.Gear("bc", "B.angle", "C.angle", -3),
             pl.Gear("ac", "A.angle", "C.angle", -6)]  # fmt: skip
    system = pl.System(bodies=bodies, joints=joints, constraints=gears,
                       forces=[pl.Actuator("T", "A", effort="2")])  # fmt: skip
    assert system.check().redundant
    for way in ({}, {"formulation": "natural"}):
        result = system.simulate(0.5, every=0.1, **TIGHT, **way)
        alpha = 2 / (0.1 + 0.2 / 4 + 0.4 / 36)
        assert result.values("A.angle_rate") == pytest.approx(alpha * np.asarray(result.time))


def test_a_gear_in_a_loop_that_is_cut_there_counts_turns():
    """The joint of the large wheel is cut: it keeps coordinates, which count turns."""
    system = pair(effort="8")
    joints = {**system.model.joints}
    joints["B"] = pl.Revolute("B", "ground", "large", axis="z", cut=True, initial={"angle": 0.2})
    result = pl.System(system.model.with_(joints=joints)).simulate(1, every=0.1, **TIGHT)
    alpha = 8 / (0.02 + 0.3 / 9)
    assert result.values("B.angle")[-1] == pytest.approx(0.2 - alpha / 6, rel=1e-8)


def test_statics_modes_and_restart_know_a_gear():
    J1, J2, i, k = 0.02, 0.3, -3.0, 40.0
    system = pair(effort="1.2")
    spring = pl.JointSpring("k", "B", stiffness=k, free=0.2)
    sprung = pl.System(system.model.with_(forces={**system.model.forces, "k": spring}))
    rest = sprung.statics()
    assert rest.values("B.angle")[-1] == pytest.approx(0.2 + i * 1.2 / k, rel=1e-9)
    found = sprung.modes().frequencies
    assert found[0] == pytest.approx(np.sqrt(k / (i**2 * J1 + J2)) / (2 * np.pi), rel=1e-9)
    whole = pair(effort="8").simulate(2, every=0.5, **TIGHT)
    first = pair(effort="8").simulate(1, every=0.5, **TIGHT)
    second = pair(effort="8").simulate(2, every=0.5, start=first, **TIGHT)
    for name in ("A.angle", "B.angle", "mesh.effort"):
        assert second.values(name)[-1] == pytest.approx(whole.values(name)[-1], rel=1e-9)


def test_an_offset_holds_where_initial_values_do_not_say_it():
    system = pair(start=(0.7, None), offset="30 deg")
    result = system.simulate(0.1, every=0.1)
    assert result.values("A.angle")[0] == 0.7
    assert 0.7 + 3 * result.values("B.angle")[0] == pytest.approx(np.pi / 6)


def test_every_formulation_verifies_a_gear():
    assert pair(start=(4.0, 0.2)).verify(t_end=0.2, pointwise=True).agree
