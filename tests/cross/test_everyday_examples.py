"""Examples of machines against numbers by hand, those that their descriptions give."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl

EXAMPLES = Path(__file__).parents[2] / "examples"
TIGHT = {"rtol": 1e-9, "atol": 1e-11}


def test_a_planetary_gear_lifts_its_load():
    i, r, g = 1 + 50 / 20, 0.06, 9.81
    carried = 3e-3 + 0.3 * 0.07**2 + 1e-4 * (1 - 50 / 15) ** 2 + 40 * r**2
    J = 4e-4 + 4**2 * 2e-5 + carried / i**2
    alpha = (8 - 40 * g * r / i) / J
    planet = 0.3 * g * 0.07  # whose weight pulls at the carrier, to and fro
    result = pl.load(EXAMPLES / "planetary_gear.yaml").simulate(0.5, **TIGHT)
    t, turn = np.asarray(result.time), result.values("C.angle")
    w = result.values("S.angle_rate")
    gained = 0.5 * J * w**2
    given = (8 - 40 * g * r / i) * result.values("S.angle") + planet * np.sin(turn)
    assert gained == pytest.approx(given, abs=1e-7 * gained.max())
    assert w[-1] == pytest.approx(alpha * t[-1], rel=0.02)
    assert result.values("lift.displacement") == pytest.approx(r * turn, abs=1e-10)


def test_a_machine_settles_and_shakes_on_its_mounts():
    m, K, D, u, w = 200.0, 160e3, 2400.0, 0.05, 40.0
    amplitude = u * w**2 / np.hypot(K - m * w**2, D * w)
    assert round(1e3 * amplitude, 3) == 0.429
    assert round(1e3 * m * 9.81 / K, 2) == 12.26
    result = pl.load(EXAMPLES / "machine_on_mounts.yaml").simulate(4, **TIGHT)
    z = result.values("machine.position")[:, 2]
    late = np.asarray(result.time) > 3.4
    assert z[0] == pytest.approx(0.3 - m * 9.81 / K)
    assert np.ptp(z[late]) / 2 == pytest.approx(amplitude, rel=5e-3)  # between samples
    assert z[late].mean() == pytest.approx(0.3 - m * 9.81 / K, abs=2e-5)


def test_a_load_jumps_on_its_cable():
    m, k, h, g = 2.0, 900.0, 0.2, 9.81
    most = m * g + np.sqrt((m * g) ** 2 + 2 * k * m * g * h)
    assert round(most, 1) == 105.9
    result = pl.load(EXAMPLES / "load_on_a_cable.yaml").simulate(1.5, **TIGHT)
    pull, t = result.values("cable.force"), np.asarray(result.time)
    w, v0 = np.sqrt(k / m), np.sqrt(2 * g * h)
    period = 2 * (np.pi - np.arctan(v0 * w / g)) / w + 2 * v0 / g
    assert pull.max() == pytest.approx(most, rel=2e-3)
    slack = np.mean(pull[t < 2 * period] == 0)
    assert slack == pytest.approx(2 * np.sqrt(2 * h / g) / period, abs=0.02)
