"""Sensitivities against closed forms, against each other and against differences of runs."""

import numpy as np

import pliant as pl

OSCILLATOR = """
pliant: 1
parameters: {m: 2 kg, c: 3 N*s/m, k: 50 N/m, x0: 0.1 m, v0: 0.4 m/s}
bodies: {block: {rigid: {mass: m}}}
joints:
  S: {prismatic: {axis: x}, between: [ground, block],
      initial: {displacement: x0, displacement_rate: v0}}
forces:
  spring: {joint_spring: {stiffness: k, damping: c}, joint: S}
"""


def oscillator(t, m, c, k, x0, v0):
    """x of m x'' + c x' + k x = 0; complex numbers are welcome."""
    d, w2 = c / (2 * m), k / m
    w = np.sqrt(w2 - d * d)
    return np.exp(-d * t) * (x0 * np.cos(w * t) + (v0 + d * x0) / w * np.sin(w * t))


def complex_step(f, at, k):
    """df/d(at[k]) without cancellation."""
    moved = [complex(v) for v in at]
    moved[k] += 1e-30j
    return f(*moved).imag / 1e-30


def test_oscillator_follows_its_closed_form():
    system = pl.loads(OSCILLATOR)
    at = (2.0, 3.0, 50.0, 0.1, 0.4)
    names = ["m", "c", "k", "x0", "v0"]
    times = np.linspace(0, 2, 21)
    found = system.sensitivities(names, "S.displacement", times=times)
    expected = np.array([complex_step(lambda *p: oscillator(times, *p), at, k) for k in range(5)]).T
    assert found.values.shape == (21, 1, 5)
    np.testing.assert_allclose(found.nominal[:, 0], oscillator(times, *at), rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.values[:, 0], expected, rtol=0, atol=1e-9)
