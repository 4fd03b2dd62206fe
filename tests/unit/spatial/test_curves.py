"""Exponentials of twists, and curves of poses between nodes."""

import casadi as ca
import numpy as np
import pytest
from scipy.linalg import expm

from pliant.spatial.curves import (
    Curve,
    CurvePoint,
    inverse_tangent,
    logarithm,
    nodal_wrench,
    pose_of,
    rotation_vector,
)
from pliant.spatial.interpolation import interpolation, lagrange, lobatto
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import exponential, skew
from pliant.spatial.screws import Dual, Screw, stumpff
from pliant.spatial.symbolic import SYMBOLIC

ANGLES = (0.0, 1e-12, 1e-5, 0.3, 1.0, 2.0, 3.0)


def twist(angle, seed=0):
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    return Screw(angle * axis / np.linalg.norm(axis), rng.normal(size=3))


def random_screw(rng, size=1.0):
    return Screw(size * rng.normal(size=3), size * rng.normal(size=3))


def product(wrench, motion):
    """Power of a wrench (force, moment) in a motion (angular, linear)."""
    return wrench.real @ motion.dual + wrench.dual @ motion.real


def difference(f, x, direction, step=1e-5):
    """Central difference of fourth order."""
    a, b = (f(x + direction.times(k * step)) - f(x - direction.times(k * step)) for k in (1, 2))
    return (a.times(8) - b).times(1 / (12 * step))


@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_of_a_twist_is_that_of_its_matrix(angle):
    xi = twist(angle)
    X = pose_of(NUMERIC, xi)
    matrix = np.zeros((4, 4))
    matrix[:3, :3], matrix[:3, 3] = skew(NUMERIC, xi.real), xi.dual
    assert np.allclose(expm(matrix)[:3], np.column_stack([X.R, X.p]), rtol=0, atol=1e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_undoes_the_exponential(angle):
    """Near π the axis is lost: errors grow as rounding over the square of the distance to π."""
    xi = twist(angle)
    found = logarithm(NUMERIC, pose_of(NUMERIC, xi))
    tolerance = 2e-15 / (1 - angle / np.pi) ** 2
    assert np.allclose(found.real, xi.real, rtol=0, atol=tolerance)
    assert np.allclose(found.dual, xi.dual, rtol=0, atol=tolerance)


@pytest.mark.parametrize("square", [0.0, 1e-8, 1.0, 9.8])
def test_stumpff_functions_are_sines_and_cosines(square):
    c = [x.real for x in stumpff(Dual(square, 0.0))]
    s = np.sqrt(square)
    assert c[0] == pytest.approx(np.cos(s), abs=1e-15)
    assert c[1] * s == pytest.approx(np.sin(s), abs=1e-15)
    assert c[2] * square == pytest.approx(2 * np.sin(s / 2) ** 2, abs=1e-15)
    assert c[3] * square * s == pytest.approx(s - np.sin(s), abs=1e-15)


def test_logarithm_has_exact_derivatives_at_no_rotation():
    """log(exp(θ)) = θ as a function: its first and second derivatives at 0 are 1 and 0."""
    theta = ca.SX.sym("theta", 3)
    found = rotation_vector(SYMBOLIC, exponential(SYMBOLIC, theta))
    J = ca.jacobian(found, theta)
    H = ca.jacobian(ca.vec(J), theta)
    at = ca.Function("f", [theta], [J, H])
    J0, H0 = (x.full() for x in at(ca.DM.zeros(3)))
    assert np.allclose(J0, np.eye(3), rtol=0, atol=1e-15)
    assert np.allclose(H0, 0, rtol=0, atol=1e-15)


@pytest.mark.parametrize("angle", ANGLES)
def test_inverse_tangent_is_the_rate_of_the_logarithm(angle):
    """ξ' of X(t) = exp(ξ) exp(t b) at t = 0."""
    xi, b = twist(angle), twist(0.7, 1)
    X = pose_of(NUMERIC, xi)

    def moved(step):
        return logarithm(NUMERIC, X @ pose_of(NUMERIC, step))

    by_difference = difference(moved, Screw(np.zeros(3), np.zeros(3)), b, 1e-3)
    found = inverse_tangent(NUMERIC, xi, b)
    assert np.allclose(found.real, by_difference.real, rtol=0, atol=2e-9)
    assert np.allclose(found.dual, by_difference.dual, rtol=0, atol=2e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_strain_of_a_point_undoes_the_inverse_tangent(angle):
    xi, b = twist(angle), twist(0.7, 1)
    again = CurvePoint.of(NUMERIC, xi, inverse_tangent(NUMERIC, xi, b)).strain
    assert np.allclose(again.real, b.real, rtol=0, atol=1e-13)
    assert np.allclose(again.dual, b.dual, rtol=0, atol=1e-13)


@pytest.mark.parametrize("angle", ANGLES)
def test_nodal_wrench_does_the_same_work(angle):
    rng = np.random.default_rng(4)
    xi, b, Q = twist(angle), random_screw(rng), random_screw(rng)
    work = product(Q, inverse_tangent(NUMERIC, xi, b))
    assert product(nodal_wrench(NUMERIC, xi, Q), b) == pytest.approx(work, rel=1e-12)


@pytest.mark.parametrize("angle", ANGLES)
def test_loads_of_a_point_are_conjugate_to_its_strain_rate(angle):
    rng = np.random.default_rng(5)
    point = CurvePoint.of(NUMERIC, twist(angle), random_screw(rng))
    stress, rate, slope_rate = (random_screw(rng) for _ in range(3))
    on_xi, on_slope = point.loads(stress)
    work = product(on_xi, rate) + product(on_slope, slope_rate)
    assert product(stress, point.strain_rate(rate, slope_rate)) == pytest.approx(work, rel=1e-12)


@pytest.mark.parametrize("angle", ANGLES)
def test_strain_rate_is_the_derivative_of_the_strain(angle):
    rng = np.random.default_rng(6)
    xi, slope, rate, slope_rate = twist(angle), *(random_screw(rng) for _ in range(3))

    def strain(step):
        change = step.real[0]
        return CurvePoint.of(
            NUMERIC, xi + rate.times(change), slope + slope_rate.times(change)
        ).strain

    unit = Screw(np.ones(3), np.zeros(3))
    by_difference = difference(strain, unit.times(0), unit, 1e-3)
    found = CurvePoint.of(NUMERIC, xi, slope).strain_rate(rate, slope_rate)
    assert np.allclose(found.real, by_difference.real, rtol=0, atol=1e-9)
    assert np.allclose(found.dual, by_difference.dual, rtol=0, atol=1e-9)


def helix(s):
    """A pose that moves along x, turns about an axis of its own, and is far from the origin."""
    start = pose_of(NUMERIC, twist(2.0, 9))
    return start @ pose_of(NUMERIC, HELIX.times(s))


HELIX = Screw(np.array([0.4, -0.9, 1.1]), np.array([1.0, 0.1, -0.05]))


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("length", [0.1, 1.0, 2.0])
def test_a_constant_strain_is_exact_however_far_it_turns(order, length):
    rule = interpolation(order, order)
    curve = Curve.of(NUMERIC, rule, length, [helix(length * x) for x in rule.nodes])
    for k in range(order):
        strain = curve.point(k).strain
        assert np.allclose(strain.real, HELIX.real, rtol=0, atol=1e-12)
        assert np.allclose(strain.dual, HELIX.dual, rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 4])
def test_strain_does_not_change_with_a_rigid_motion(order):
    rng = np.random.default_rng(7)
    rule = interpolation(order, order)
    nodes = [pose_of(NUMERIC, random_screw(rng, 0.5)) for _ in range(order + 1)]
    for seed, angle in enumerate((0.1, 2.0, 6.0, 50.0)):
        turn = twist(angle, seed)
        moved = Pose(expm(skew(NUMERIC, turn.real)), 5 * turn.dual)
        a, b = (Curve.of(NUMERIC, rule, 1.3, [X @ n for n in nodes]) for X in (moved, _IDENTITY))
        for k in range(order):
            one, other = a.point(k).strain, b.point(k).strain
            assert np.allclose(one.real, other.real, rtol=0, atol=1e-13)
            assert np.allclose(one.dual, other.dual, rtol=0, atol=1e-13)


_IDENTITY = Pose(np.eye(3), np.zeros(3))


@pytest.mark.parametrize("order", range(1, 9))
def test_lobatto_rule_is_exact_to_twice_its_order_less_one(order):
    nodes, weights = lobatto(order)
    assert nodes[0] == 0
    assert nodes[-1] == 1
    for degree in range(2 * order):
        assert weights @ nodes**degree == pytest.approx(1 / (degree + 1), abs=1e-14)


@pytest.mark.parametrize("order", range(1, 9))
def test_lagrange_polynomials_reproduce_polynomials(order):
    nodes, _ = lobatto(order)
    at = np.linspace(0, 1, 7)
    N, dN = lagrange(nodes, at)
    assert np.allclose(N @ nodes**order, at**order, rtol=0, atol=1e-12)
    assert np.allclose(dN @ nodes**order, order * at ** (order - 1), rtol=0, atol=1e-11)


def test_same_functions_for_symbols_and_numbers():
    xi = ca.SX.sym("xi", 6)
    X = pose_of(SYMBOLIC, Screw(xi[:3], xi[3:]))
    again = logarithm(SYMBOLIC, X)
    f = ca.Function("f", [xi], [X.p, again.real, again.dual])
    number = twist(1.2)
    p, theta, d = (x.full().ravel() for x in f(np.r_[number.real, number.dual]))
    assert np.allclose(p, pose_of(NUMERIC, number).p, rtol=0, atol=1e-15)
    assert np.allclose(np.r_[theta, d], np.r_[number.real, number.dual], rtol=0, atol=1e-14)
