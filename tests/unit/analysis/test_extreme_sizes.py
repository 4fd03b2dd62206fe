"""Mechanisms of micrometres, and dead centres that a fixed order of elimination cannot pass."""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl

TINY = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  b0:
    frames: {A: [1.105796957487446e-06, 0, 0], M: [5.52898478743723e-07, 1.105796957487446e-07, 0]}
    rigid:
      com: [8.451044958239017e-07, 0, 0]
      inertia: [9.958160546147562e-33, 1.3184233492572425e-32, 1.763892241149175e-32]
      mass: 1.8477326240668497e-19
  b1:
    frames: {A: [1.4730948316753086e-06, 0, 0]}
    rigid:
      com: [7.138146390781944e-07, 0, 0]
      inertia: [6.752231217623346e-32, 2.366307817229242e-31, 1.6977700729100988e-31]
      mass: 1.4081420296811812e-18
joints:
  j0: {planar: {axis: x}, between: [ground, b0], initial: {angle_rate: -1.2081257852055316}}
  j1:
    free: {coordinates: quaternion}
    between: [b0.A, b1]
    initial: {wx: -1.5451085333473351, wy: -0.035825516990140915, wz: 0.31817359642888743}
forces:
  s0:
    spring: {free_length: 4.975212798565239e-07, stiffness: 0.00019557020711657725}
    between: [b0.M, b1.A]
"""
EXAMPLES = Path(__file__).parents[3] / "examples"


def test_auto_does_not_stay_with_short_implicit_steps():
    """An undamped spring of 3e7 rad/s: as many steps as DOP853 needs, not fifty times as many."""
    system = pl.System.loads(TINY)
    options = {"t_end": 3e-5, "every": 1e-6, "outputs": ["energy", "kinetic_energy"]}
    steps = {}
    for method in ("dop853", "auto"):
        result = system.simulate(method=method, **options)
        assert result.completed
        exchanged = np.ptp(result.values("kinetic_energy"))
        assert np.ptp(result.values("energy")) < 1e-3 * exchanged
        steps[method] = result.info["statistics"]["steps"]
    assert steps["auto"] < 2 * steps["dop853"]


@pytest.mark.slow
def test_a_crank_driven_through_dead_centres():
    """Torque and work at crank angles π and 3π; energy given is energy gained."""
    system = pl.System.load(EXAMPLES / "spatial_slider_crank.yaml")
    omega = system.model.parameter_values()["omega"]
    result = system.simulate(4 * np.pi / omega, every=np.pi / omega / 4, method="dop853", rtol=1e-7,
                             outputs=["motor.torque", "motor.work", "energy"])  # fmt: skip
    assert result.completed
    assert len(result) == 17
    gained = result.values("energy") - result.values("energy")[0]
    assert result.values("motor.work") == pytest.approx(gained, abs=1e-4 * np.ptp(gained))
