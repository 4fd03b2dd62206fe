"""Certified reference solutions, computed independently of Pliant: own Lagrangians and closed forms
in high precision (several are of the IFToMM library). Each problem is a model file in examples/.

Tolerances: the certified digits of the reference where the integrator reaches them, otherwise what
the tightest useful tolerance gives.
"""

from pathlib import Path

import numpy as np
import pytest

import pliant as pl

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"


def reference(name):
    return np.genfromtxt(HERE / "data" / name, delimiter=",", names=True)


def simulated(model, data, **options):
    system = pl.load(EXAMPLES / f"{model}.yaml")
    result = system.simulate(times=data["t"], **options)
    assert result.completed, result.failure
    return result


def gap(result, name, values):
    return float(np.abs(result.values(name) - values).max())


@pytest.mark.parametrize("method", ["auto", "dop853", "radau"])
def test_planar_slider_crank_with_massless_slider(method):
    data = reference("M1_planar_slidercrank.csv")
    result = simulated("planar_slider_crank", data, method=method, rtol=1e-12)
    assert gap(result, "O.angle", data["alpha1"]) < 1e-9
    assert gap(result, "O.angle_rate", data["alpha1_dot"]) < 1e-9
    assert gap(result, "S.displacement", data["s"]) < 1e-9
    assert gap(result, "kinetic_energy", data["kinetic_energy"]) < 1e-9
    work = result.values("motor.work")
    assert np.abs(work - result.values("kinetic_energy")).max() < 1e-9


def test_iftomm_spatial_slider_crank():
    data = reference("M1b_iftomm_spatial_slidercrank.csv")
    result = simulated("haug_slider_crank", data, rtol=1e-12)
    assert gap(result, "A.angle", data["theta"]) < 1e-7
    assert gap(result, "S.displacement", data["slider_x"]) < 1e-7


@pytest.mark.parametrize(
    ("case", "rates"), [("A", {}), ("B", {"psi_rate": 6, "phi_rate": 100})], ids="AB"
)
def test_pendulating_rotor_nutation_and_servo_torques(case, rates):
    data = reference(f"M2_pendulating_rotor_{case}.csv")
    result = simulated("pendulating_rotor", data, rtol=1e-12, params=rates)
    pairs = (("nutation.angle", "theta"), ("T1.torque", "T1"), ("T2.torque", "T2"))
    for name, column in pairs:
        assert gap(result, name, data[column]) < 1e-9 * np.abs(data[column]).max()


def test_simple_pendulum_against_elliptic_functions():
    data = reference("M7_A01_pendulum.csv")
    result = simulated("pendulum", data, rtol=1e-13)
    assert gap(result, "bob.tip.position.x", data["x"]) < 1e-10
    assert gap(result, "bob.tip.position.y", data["y"]) < 1e-10


def stays_on_the_smooth_branch(result, n):
    """Couplers stay horizontal: constraints alone would also hold on the crossed branch."""
    for i in range(1, n + 1):
        quat = result.values(f"coupler{i}.orientation")
        assert np.abs(quat[:, 3]).max() < 1e-4


def test_two_four_bars_through_singular_positions():
    data = reference("M7_A02_fourbar_N2.csv")
    result = simulated("four_bars_2", data, rtol=1e-10)
    assert gap(result, "bar0.B.position.x", data["B0_x"]) < 1e-6
    assert gap(result, "bar0.B.position.y", data["B0_y"]) < 1e-6
    stays_on_the_smooth_branch(result, 2)


@pytest.mark.slow
def test_forty_four_bars_through_singular_positions():
    data = reference("M7_A02_fourbar_N40.csv")
    observe = ["bar0.B.position", "coupler*.orientation"]
    result = simulated("four_bars_40", data, rtol=1e-8, outputs=observe)
    assert gap(result, "bar0.B.position.x", data["B0_x"]) < 1e-4
    assert gap(result, "bar0.B.position.y", data["B0_y"]) < 1e-4
    stays_on_the_smooth_branch(result, 40)


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_bricard_mechanism_with_redundant_constraints(method):
    data = reference("M7_A04_bricard.csv")
    result = simulated("bricard", data, method=method, rtol=1e-12)
    for axis in "xyz":
        assert gap(result, f"rod3.end.position.{axis}", data[f"P3{axis}"]) < 1e-8
    energy = result.values("energy")
    assert np.abs(energy - energy[0]).max() < 1e-8
