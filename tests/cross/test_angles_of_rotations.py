"""Springs, dampers, actuators, friction and drivers along Euler and Bryant angles: generalised
forces of textbooks in every formulation, right through the singular poses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.models.agreement import of_formulations

import pliant as pl
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import bryant123, euler313, from_quaternion

M, A, C, H, G = 1.5, 0.08, 0.05, 0.3, 9.81
PIVOT = A + M * H**2
SETS = {"euler313": euler313, "bryant123": bryant123}
TILT = {"angle1": 0.3, "angle2": 0.7, "angle1_rate": 1.0, "angle2_rate": 0.2, "angle3_rate": 20.0}


def top(coordinates, initial, forces=(), drivers=None, joint=pl.Spherical, **more):
    body = pl.RigidBody("top", M, com=(0, 0, H), inertia=(A, A, C))
    ball = joint("S", "ground", "top", coordinates=coordinates, initial=initial, **more)
    moved = [pl.JointDriver(f"d{name[-1]}", "S", name, motion=f)
             for name, f in (drivers or {}).items()]  # fmt: skip
    return pl.System(bodies=[body], joints=[ball], forces=list(forces), drivers=moved,
                     gravity=(0, 0, -G))  # fmt: skip


def elements():
    return [
        pl.JointSpring("lean", "S", "angle2", stiffness=3.0, damping=0.1, free=0.2),
        pl.JointSpring("coil", "S", "angle1", stiffness=2.0, damping=0.05, free=0.1),
        pl.Actuator(
            "motor", "S", "angle3", effort="0.1*cos(t) - 0.01*S.angle3_rate + 0.1*S.angle1"
        ),
        pl.JointFriction("rub", "S", "angle3", coulomb=0.01, viscous=0.001),
    ]


DRIVEN = [
    {}, {"angle1": "0.3 + t"}, {"angle2": "0.7 + 0.1*sin(t)"},
    {"angle1": "0.3 + t", "angle3": "5*t"}, {"angle1": "0.3", "angle2": "0.7 + t"},
    {"angle1": "0.3 + t", "angle2": "0.7 + 0.2*t", "angle3": "20*t"},
]  # fmt: skip


@pytest.mark.parametrize("driven", DRIVEN, ids=lambda d: "+".join(d) or "free")
@pytest.mark.parametrize("coordinates", SETS)
def test_all_formulations_and_back_ends_agree(coordinates, driven):
    start = {k: v for k, v in TILT.items() if k.removesuffix("_rate") not in driven}
    report = top(coordinates, start, elements(), driven).verify(pointwise=True, states=2)
    assert report.agree, str(report)
    assert not any(v.declined for v in of_formulations(report.verdicts))


HELD = {"cut": {"cut": True}, "free": {"joint": pl.Free},
        "on springs": {"springs": {"stiffness": 1e4}}}  # fmt: skip


@pytest.mark.parametrize("more", HELD.values(), ids=HELD)
def test_the_joint_may_be_cut_free_or_on_springs(more):
    report = top("euler313", TILT, elements(), **more).verify(pointwise=True, states=2)
    assert report.agree, str(report)


@pytest.mark.parametrize("more", [{}, HELD["on springs"]], ids=["exact", "on springs"])
def test_displacement_and_angles_of_one_joint_at_once(more):
    """A sliding ball."""
    forces = [*elements(), pl.JointSpring("slide", "S", "z", stiffness=40.0, damping=1.0)]
    start = {**TILT, "z": 0.02, "z_rate": 0.3}
    system = top("euler313", start, forces, joint=pl.Locks, locked=["x", "y"], **more)
    report = system.verify(pointwise=True, states=2)
    assert report.agree, str(report)


def test_steady_precession_is_that_of_textbooks():
    """A' φ'² cos θ - C ω φ' + m g h = 0 of a heavy top that spins by ω about its axis."""
    theta, spin = 0.5, 40.0
    a, b, c = PIVOT * np.cos(theta), C * spin, M * G * H
    precession = (b - np.sqrt(b * b - 4 * a * c)) / (2 * a)
    start = {"angle2": theta, "angle1_rate": precession, "angle2_rate": 0,
             "angle3_rate": spin - precession * np.cos(theta)}  # fmt: skip
    result = top("euler313", start).simulate(2.0, every=0.1, rtol=1e-11)
    assert result.values("S.angle1_rate") == pytest.approx(precession, rel=1e-9)
    assert result.values("S.angle2") == pytest.approx(theta, abs=1e-9)
    assert np.unwrap(result.values("S.angle1"))[-1] == pytest.approx(2 * precession, rel=1e-9)


def test_efforts_are_the_generalised_forces_of_lagrange():
    """(A' sin²θ φ' + C ω cos θ)' = Q1, A' θ'' = ... + Q2, (C ω)' = Q3, with ω = ψ' + φ' cos θ:
    integrated by themselves."""

    def rates(t, x):
        phi, theta, _, p1, theta_rate, p3 = x
        s, c = np.sin(theta), np.cos(theta)
        phi_rate = (p1 - p3 * c) / (PIVOT * s * s)
        psi_rate = p3 / C - phi_rate * c
        lifted = PIVOT * phi_rate**2 * s * c - p3 * phi_rate * s + M * G * H * s
        q1 = -2.0 * (phi - 0.1) - 0.05 * phi_rate
        q2 = -3.0 * (theta - 0.2) - 0.1 * theta_rate
        q3 = 0.1 * np.cos(t) - 0.01 * psi_rate + 0.1 * phi
        q3 -= 0.01 * np.tanh(psi_rate / 1e-3) + 0.001 * psi_rate
        return [phi_rate, theta_rate, psi_rate, q1, (lifted + q2) / PIVOT, q3]

    phi, theta, w1, w2, w3 = TILT.values()
    spin = w3 + w1 * np.cos(theta)
    p1 = PIVOT * np.sin(theta) ** 2 * w1 + C * spin * np.cos(theta)
    exact = solve_ivp(rates, (0, 2), [phi, theta, 0, p1, w2, C * spin], method="DOP853",
                      rtol=1e-11, atol=1e-11).y[:, -1]  # fmt: skip
    result = top("euler313", TILT, elements()).simulate(2.0, every=0.02, rtol=1e-10)
    for k, wanted in enumerate(exact[:3], 1):
        found = result.values(f"S.angle{k}")[-1] - wanted
        assert np.sin(found / 2) == pytest.approx(0, abs=1e-7)
    assert result.values("S.angle2_rate")[-1] == pytest.approx(exact[4], abs=1e-6)
    powers = {"lean": "angle2", "coil": "angle1", "motor": "angle3"}
    for name, angle in powers.items():
        power = result.values(f"{name}.torque") * result.values(f"S.{angle}_rate")
        assert result.values(f"{name}.power") == pytest.approx(power, abs=1e-9)


@pytest.mark.parametrize("formulation", ["recursive", "natural"])
@pytest.mark.parametrize(("coordinates", "driven"), [
    ("euler313", {"angle1": "0.3 + t", "angle2": "0.5 - t", "angle3": "2*t"}),
    ("bryant123", {"angle1": "0.3 + t", "angle2": "0.5 + 2*t", "angle3": "2*t"}),
])  # fmt: skip
def test_three_driven_angles_pass_their_singular_pose(coordinates, driven, formulation):
    """The rotation is that of the formulas, and the drivers' work is the energy."""
    result = top(coordinates, {}, (), driven).simulate(
        1.5, every=0.05, rtol=1e-10, formulation=formulation
    )
    t = result.time
    angles = np.array([eval(f, {"t": t}) + 0 * t for f in driven.values()]).T
    for quaternion, own in zip(result.values("top.orientation"), angles, strict=True):
        found = from_quaternion(NUMERIC, quaternion)
        assert np.abs(found - SETS[coordinates](NUMERIC, own)).max() < 1e-9
    told = result.values("S.angle2")
    assert np.ptp(told) < np.ptp(angles[:, 1])  # it turned back at the pose
    work = sum(result.values(f"d{k}.work") for k in (1, 2, 3))
    assert np.ptp(result.values("energy") - work) < 1e-8
    assert all(np.isfinite(result.values(f"S.angle{k}_rate")).all() for k in (1, 2, 3))


@pytest.mark.parametrize(("coordinates", "driven", "start"), [
    ("euler313", {"angle1": "0.3"}, {"angle2": 0.5, "angle2_rate": -1.0}),
    ("bryant123", {"angle1": "0.3"}, {"angle2": 1.2, "angle2_rate": 4.0}),
    ("euler313", {"angle3": "20*t"}, {"angle2": 0.1, "angle2_rate": -3.0}),
    ("euler313", {"angle1": "t", "angle2": "0.5 - t"}, {"angle3_rate": 3.0}),
    ("euler313", {"angle1": "0.3 + t", "angle3": "3*t"}, {"angle2": 0.2, "angle2_rate": -3.0}),
])  # fmt: skip
def test_one_or_two_driven_angles_pass_it_too(coordinates, driven, start):
    result = top(coordinates, start, (), driven).simulate(1.0, every=0.02, rtol=1e-10)
    assert result.time[-1] == 1.0
    work = sum(result.values(f"d{name[-1]}.work") for name in driven)
    assert np.ptp(result.values("energy") - work) < 1e-6


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_spring_on_the_second_angle_is_smooth_at_the_pole(method):
    """θ'' = (m g h sin θ - k θ) / A' on either side of the vertical; at rest above it, too."""
    lean = pl.JointSpring("lean", "S", "angle2", stiffness=3.0)
    system = top("euler313", {"angle2": 0.3, "angle2_rate": -2.0}, [lean])
    result = system.simulate(1.0, every=0.05, rtol=1e-9, method=method)

    def swing(t, x):
        return [x[1], (M * G * H * np.sin(x[0]) - 3.0 * x[0]) / PIVOT]

    exact = solve_ivp(swing, (0, 1), [0.3, -2.0], t_eval=result.time, rtol=1e-10, atol=1e-10).y[0]
    assert exact.min() < -0.1
    assert result.values("S.angle2") == pytest.approx(np.abs(exact), abs=1e-6)
    still = top("euler313", {"angle2": 0, "wz": 30.0}, [lean]).simulate(0.5, method=method)
    assert np.abs(still.values("S.angle2")).max() == 0
    assert still.values("S.angle1_rate") == pytest.approx(30.0)


def test_angles_at_the_start_and_their_rates():
    """All three rates are met at every pose; one of them alone leaves the others to rest."""
    upright = top("euler313", {"angle1": 0.4, "angle1_rate": 2, "angle2_rate": 3, "angle3_rate": 5})
    w = upright.simulate(0.01).values("S.angular_velocity")[0]
    assert w == pytest.approx([3.0, 0, 7.0])
    tilted = top("bryant123", {"angle2": 0.5, "angle2_rate": 3})
    result = tilted.simulate(0.01)
    assert result.values("S.angle2_rate")[0] == pytest.approx(3)
    assert result.values("S.angle1_rate")[0] == pytest.approx(0, abs=1e-12)


def test_equations_in_angles_have_springs_as_textbooks_do():
    lean = pl.JointSpring("lean", "S", "angle2", stiffness=3.0)
    motor = pl.Actuator("motor", "S", "angle3", effort="0.1*cos(t)")
    text = str(top("euler313", TILT, [lean, motor]).equations())
    assert "3*S.angle2*cos(S.angle3)" in text
    assert "0 = 0.05*S.wz' - 0.1*cos(t)" in text
    assert "where(" not in text
    assert len(text.splitlines()) < 25
    led = str(top("euler313", {"angle2": 0.7}, drivers={"angle1": "3*t"}).equations())
    assert "0 = -3*t + S.angle1" in led
    assert "- d1*csc(S.angle2)*sin(S.angle3)" in led


def test_speeds_along_angles_give_lagranges_equations():
    """As textbooks write them: A' sin²θ φ'' + ... = 0, A' θ'' = ..., C ω' = 0."""
    speeds = {"dphi": "S.angle1_rate", "dtheta": "S.angle2_rate",
              "spin": "S.angle3_rate + S.angle1_rate*cos(S.angle2)"}  # fmt: skip
    model = top("euler313", TILT).model
    named = pl.System(model.with_(speeds=speeds, bodies=[
        pl.RigidBody("top", "m", com=(0, 0, "h"), inertia=("A", "A", "C"))],
        parameters={"m": M, "h": H, "A": A, "C": C}))  # fmt: skip
    text = " ".join(str(named.equations(formulation="kane")).split())
    assert "spin: 0 = C*spin'" in text
    assert "dphi: 0 = sin(S.angle2)**2*(m*h**2 + A)*dphi'" in text
    assert "2*sin(S.angle2)*cos(S.angle2)*(m*h**2 + A)*dphi*dtheta" in text
    assert "- C*sin(S.angle2)*dtheta*spin" in text
    assert "where" not in text
    report = named.verify(pointwise=True, states=2)
    assert report.agree, str(report)
