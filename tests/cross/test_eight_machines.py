"""Eight machines among the examples against the numbers by hand that their descriptions give."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl

EXAMPLES = Path(__file__).parents[2] / "examples"
G = 9.81


def machine(name):
    return pl.load(EXAMPLES / f"{name}.yaml")


def told(name, *numbers):
    """What is said by hand in the file."""
    text = " ".join(machine(name).model.description.split())
    assert all(number in text for number in numbers), text


def test_the_forearm_of_a_robot_droops():
    """A cantilever under its own weight and a load at its tip. The tool hangs from the tip, which
    leans by about 1.5 droop/l: its weight, 0.15 m below, pulls at an arm shorter by that."""
    E, R, r, rho, l, load = 70e9, 0.025, 0.022, 2700, 0.8, 10 * G
    EI, q = E * np.pi / 4 * (R**4 - r**4), rho * np.pi * (R**2 - r**2) * G
    droop, torque = q * l**4 / (8 * EI) + load * l**3 / (3 * EI), q * l**2 / 2 + load * l
    told("robot_arm", f"{1e3 * droop:.2f} mm", f"{torque:.1f} N m")
    rest = machine("robot_arm").statics(t=3, outputs=["droop", "M3"])
    assert rest.values("droop")[0] == pytest.approx(droop, rel=2e-3)
    leaning = 7 * G * 0.15 * 1.5 * droop / l
    assert -rest.values("M3.torque")[0] == pytest.approx(torque - leaning, abs=0.1 * leaning)


def test_a_shaper_returns_quickly():
    """The lever is tangent to the circle of the pin where the ram turns round."""
    r, d, L, F = 0.1, 0.2, 0.5, 1200.0
    a = np.arcsin(r / d)
    ratio = (np.pi + 2 * a) / (np.pi - 2 * a)
    told("quick_return", f"= {ratio:.0f} times", f"= {F * 2 * L * np.sin(a):.0f} J")
    result = machine("quick_return").simulate(rtol=1e-9)
    ends = {e.name: e.time for e in result.events}
    assert [e.name for e in result.events] == ["left", "right"] * 2
    assert (1 - (ends["right"] - ends["left"])) / (ends["right"] - ends["left"]) == pytest.approx(
        ratio, rel=1e-6
    )
    assert np.ptp(result.values("rail.displacement")) == pytest.approx(2 * L * np.sin(a), rel=1e-4)
    assert result.values("motor.work")[-1] == pytest.approx(2 * F * 2 * L * np.sin(a), rel=1e-6)


def test_a_car_stands_on_its_wishbones():
    """Moments about the pivots of the lower arm; then two masses on two springs in a row."""
    M, mu, ma, mb, L, a, k, kt = 350.0, 30.0, 4.0, 6.0, 0.4, 0.3, 45e3, 200e3
    N, spring = G * (M + mu + ma + mb), G * (M + ma / 2 + mb / 2) * L / a
    told("double_wishbone", f"{N:.0f} N", f"{spring:.0f} N")
    car = machine("double_wishbone")
    modes = car.modes(at="equilibrium")
    assert -modes.about.values("spring.force")[0] == pytest.approx(spring, rel=1e-3)
    assert modes.about.values("tyre.force")[0, 2] == pytest.approx(N, rel=1e-9)
    K = k * (a / L) ** 2
    low = min(np.linalg.eigvals([[K / M, -K / M], [-K / mu, (K + kt) / mu]])) ** 0.5 / (2 * np.pi)
    assert modes.frequencies[0] == pytest.approx(low, rel=0.02)  # arms and rubber are left out


def test_a_wind_turbine_runs_up():
    """J w' = Q - c w²."""
    r, b, m, Jh, p, Ft, c = 1.0, 24.0, 120.0, 20e3, 16.0, 4e3, 50e3
    Q, J = 3 * Ft * p, Jh + m * ((r + b) ** 3 - r**3)
    W = np.sqrt(Q / c)
    told("wind_turbine", f"{W * np.tanh(c * W * 20 / J):.2f} rad/s")
    result = machine("wind_turbine").simulate(outputs=["shaft"])
    expected = W * np.tanh(c * W * np.asarray(result.time) / J)
    # Its blades swing, and its shaft with the tower.
    assert result.values("shaft.angle_rate") == pytest.approx(expected, abs=2e-3 * W)


def test_a_shaft_twists():
    V, R, k, n, c, L, h, shear = 48.0, 0.3, 0.12, 10, 0.02, 0.8, 0.008, 80e9
    w = max(np.roots([c, (n * k) ** 2 / R, -n * k * V / R]))
    twist = c * w**2 * L / (shear * np.pi / 2 * h**4)
    told("motor_shaft", f"{w:.2f} rad/s", f"{1e3 * twist:.1f} mrad")
    result = machine("motor_shaft").simulate(rtol=1e-9)
    assert result.values("bearing.angle_rate")[-1] == pytest.approx(w, rel=1e-6)
    assert -result.values("twist")[-1] == pytest.approx(twist, rel=1e-6)


def test_a_transformer_feeds_its_load():
    """Kirchhoff's laws for complex amplitudes."""
    s = 2j * np.pi * 50
    out = 1 / (1 / 5 + s * 200e-6)
    secondary = 0.03 + s * 0.08e-3 + out
    core = 1 / (1 / 2500 + 1 / (s * 0.4) + 1 / (144 * secondary))
    load = 325 * core / (8 + s * 0.012 + core) / 12 * out / secondary
    told("transformer", f"{abs(load):.2f} V")
    result = machine("transformer").simulate(rtol=1e-9)
    last = np.asarray(result.time) > 0.3799
    t, v = np.asarray(result.time)[last], result.values("load")[last]
    waves = np.column_stack([np.sin(2 * np.pi * 50 * t), np.cos(2 * np.pi * 50 * t), 1 + 0 * t])
    found = np.linalg.lstsq(waves, v, rcond=None)[0]
    assert found[:2] == pytest.approx([load.real, load.imag], abs=1e-3 * abs(load))


def test_a_satellite_turns_whatever_its_panels_do():
    """A cube and two slender panels as one rigid body, under the torque that the wheels have."""
    M, a, b, m, tau = 600.0, 1.6, 6.0, 4.0, 40.0
    J = M * a**2 / 6 + 2 * m * ((b + a / 2) ** 3 - (a / 2) ** 3) / 3
    satellite = machine("satellite")
    turned = np.degrees(satellite.model.parameter_values()["T"] * tau**2 / (4 * J))
    told("satellite", f"= {turned:.1f} deg")
    result = satellite.simulate(outputs=["angle", "left.tip"])
    assert np.degrees(result.values("angle")[-1]) == pytest.approx(turned, abs=1e-3)
    swing = result.values("left.tip.position")[:, 2]
    assert abs(swing).max() > 1e-3


def test_a_belt_pulls_and_goes_slack():
    T0, M, r2 = 300.0, 36.0, 0.15
    told("belt_drive", f"= {T0 + M / (2 * r2):.0f} N", f"= {T0 - M / (2 * r2):.0f} N")
    result = machine("belt_drive").simulate(rtol=1e-8)
    steady = np.searchsorted(result.time, 1.99)
    tight, slack = result.values("tight"), result.values("slack")
    assert tight[steady] == pytest.approx(T0 + M / (2 * r2), rel=1e-3)
    assert slack[steady] == pytest.approx(T0 - M / (2 * r2), rel=1e-3)
    assert slack.min() == 0
