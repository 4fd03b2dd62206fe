"""Stumpff's functions: closed forms, derivatives; rates of rotation vectors; equations to read."""

import casadi as ca
import numpy as np
import pytest

import pliant as pl
from pliant.flex.segments.hinge import SegmentJoint
from pliant.spatial.ops import NUMERIC, stumpff
from pliant.spatial.rotation import angular_velocity, rotation_vector_rate
from pliant.spatial.symbolic import SYMBOLIC


@pytest.mark.parametrize("angle", [0.4, 2.0, np.pi])
def test_closed_forms(angle):
    x = angle**2
    assert stumpff(1, x) == pytest.approx(np.sin(angle) / angle, abs=1e-15)
    assert stumpff(2, x) == pytest.approx((1 - np.cos(angle)) / x, rel=1e-14)
    assert stumpff(3, x) == pytest.approx((angle - np.sin(angle)) / angle**3, rel=1e-13)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_slopes(order):
    """c_n' = (n c_(n + 2) - c_(n + 1)) / 2, as the equations to read take it."""
    x = SYMBOLIC.symbol("x")
    slope = ca.Function("slope", [x], [ca.jacobian(getattr(SYMBOLIC, f"stumpff{order}")(x), x)])
    for at in (0.0, 1.7):
        expected = (order * stumpff(order + 2, at) - stumpff(order + 1, at)) / 2
        assert float(slope(at)) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("size", [0.0, 1e-5, 1.0, 3.0])
def test_rates_of_a_rotation_vector_are_the_inverse_of_its_angular_velocity(size):
    theta = size * np.array([2, -1, 2]) / 3
    L = np.column_stack([angular_velocity(NUMERIC, theta, e) for e in np.eye(3)])
    assert rotation_vector_rate(NUMERIC, theta) @ L == pytest.approx(np.eye(3), abs=1e-14)


@pytest.mark.slow
def test_equations_of_a_hinge_can_be_read_and_are_right():
    """One segment that bends about y and z: M = Hᵀ I H about the hinge, I = (Jx, ρ/3, ρ/3)."""
    beam = pl.Beam("rod", 1.0, stiffness={"EIz": 1, "EIy": 1}, mass_per_length=1, rotary={
        "rhoIy": 0.1, "rhoIz": 0.2}, theory=pl.Segments(1, ["bending"]))  # fmt: skip
    s = pl.System(bodies=[beam], joints=[pl.Fixed("clamp", "ground", "rod.root")])
    equations = s.equations()
    assert "stumpff" in equations.text()
    read, at = equations.sympy(), np.array([0.3, -0.5])
    values = dict(zip(read["coordinates"], at, strict=True))
    M = np.array(read["mass_matrix"].subs(values).evalf(), dtype=float)
    joint = SegmentJoint("h", "a", "b", turns=(0, 1))
    R, H = joint.pose(NUMERIC, at).R, joint.motion(NUMERIC, at)[:3]
    inertia = R @ np.diag([1 / 3, 1 / 3, 0.3]) @ R.T  # canonical axes y, z, x
    assert np.allclose(M, H.T @ inertia @ H, rtol=1e-12, atol=0)
