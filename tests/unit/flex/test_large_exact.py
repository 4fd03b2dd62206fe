"""The geometrically exact element: laws of its forces, closed forms, orders."""

from types import SimpleNamespace

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import brentq
from tests.models.large_beams import Stiffness, beam, straight

from pliant.model.forces.exact_element import PointData, exact_loads
from pliant.spatial.curves import pose_of
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import exponential
from pliant.spatial.screws import Screw
from pliant.spatial.symbolic import SYMBOLIC

LENGTH = 1.7
ORDERS = (1, 2, 3, 4)
AXIS = np.array([1.0, 0.0, 0.0])
C = Stiffness(EA=4800.0, GAy=1540.0, GAz=1700.0, GJ=0.8, EIy=1.4, EIz=1.0)


def random_motion(order, seed=0, size=0.4):
    rng = np.random.default_rng(seed)
    nodes = []
    for i in range(order + 1):
        X = pose_of(NUMERIC, Screw(size * rng.normal(size=3), size * rng.normal(size=3)))
        nodes.append(SimpleNamespace(
            R_WP=X.R, p_WP=X.p + LENGTH * i / order * AXIS, w_WP=rng.normal(size=3),
            v_WP=rng.normal(size=3),
        ))  # fmt: skip
    return nodes


def points(order, seed=1):
    """Stiffness and stress-free strain that change along the element."""
    rng = np.random.default_rng(seed)
    return [
        PointData(rng.uniform(1, 3, 3), rng.uniform(10, 30, 3),
                  Screw(0.2 * rng.normal(size=3), np.array([1.0, 0.1, -0.1])))
        for _ in range(order)
    ]  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_forces_are_the_gradient_of_the_energy(order):
    """Exact derivatives of the energy with respect to small motions of the nodes."""
    nodes, data = random_motion(order), points(order)
    x = ca.SX.sym("x", 6 * (order + 1))
    moved = [
        SimpleNamespace(R_WP=ca.SX(n.R_WP) @ exponential(SYMBOLIC, x[6 * i : 6 * i + 3]),
                        p_WP=ca.SX(n.p_WP) + x[6 * i + 3 : 6 * i + 6])
        for i, n in enumerate(nodes)
    ]  # fmt: skip
    symbolic = [PointData(ca.SX(d.bending), ca.SX(d.stretch),
                          Screw(ca.SX(d.free.real), ca.SX(d.free.dual))) for d in data]  # fmt: skip
    energy = exact_loads(SYMBOLIC, LENGTH, moved, symbolic).energy
    f = ca.Function("g", [x], [energy, ca.gradient(energy, x)])
    own, gradient = f(ca.DM.zeros(x.numel()))
    found = exact_loads(NUMERIC, LENGTH, nodes, data)
    parts = zip(nodes, found.torques, found.forces, strict=True)
    forces = np.concatenate([np.r_[n.R_WP.T @ torque, force] for n, torque, force in parts])
    assert found.energy == pytest.approx(float(own), rel=1e-14)
    assert np.allclose(forces, -gradient.full().ravel(), rtol=0, atol=1e-12 * found.energy)


@pytest.mark.parametrize("order", ORDERS)
def test_forces_of_an_element_balance(order):
    nodes = random_motion(order)
    found = exact_loads(NUMERIC, LENGTH, nodes, points(order), Screw(0.1, 0.1))
    moment = sum(t + np.cross(n.p_WP, f)
                 for n, t, f in zip(nodes, found.torques, found.forces, strict=True))  # fmt: skip
    assert np.allclose(sum(found.forces), 0, atol=1e-12)
    assert np.allclose(moment, 0, atol=1e-12)


def power(nodes, found):
    return sum(n.v_WP @ f + n.w_WP @ t
               for n, f, t in zip(nodes, found.forces, found.torques, strict=True))  # fmt: skip


def moved(nodes, time):
    return [SimpleNamespace(R_WP=exponential(NUMERIC, time * n.w_WP) @ n.R_WP,
                            p_WP=n.p_WP + time * n.v_WP) for n in nodes]  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_power_is_the_loss_of_energy(order):
    """Central difference of fourth order in time."""
    nodes, data, h = random_motion(order), points(order), 1e-3

    def energy(time):
        return exact_loads(NUMERIC, LENGTH, moved(nodes, time), data).energy

    rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    found = exact_loads(NUMERIC, LENGTH, nodes, data)
    assert power(nodes, found) == pytest.approx(-rate, rel=1e-8)


@pytest.mark.parametrize("order", ORDERS)
def test_damping_takes_power_and_none_from_a_rigid_motion(order):
    nodes, data = random_motion(order), points(order)
    free = power(nodes, exact_loads(NUMERIC, LENGTH, nodes, data))
    assert power(nodes, exact_loads(NUMERIC, LENGTH, nodes, data, Screw(0.2, 0.2))) < free - 1e-3
    w, v = np.array([0.3, -2.0, 1.1]), np.array([5.0, 1.0, 2.0])
    for node in nodes:
        node.w_WP, node.v_WP = w, v + np.cross(w, node.p_WP)
    a, b = (exact_loads(NUMERIC, LENGTH, nodes, data, tau) for tau in (None, Screw(0.2, 0.2)))
    assert np.allclose(a.forces, b.forces, rtol=0, atol=1e-11)
    assert np.allclose(a.torques, b.torques, rtol=0, atol=1e-11)


@pytest.mark.parametrize("order", ORDERS)
def test_tangent_is_the_difference_quotient_and_symmetric_in_equilibrium(order):
    b = beam("exact", straight, 1.0, C, 3, order)
    load = b.tip_load(force=(-0.3, 1.0, 0.7))
    s = b.equilibrium(load, steps=2)
    F, K, _ = s.assembled(s.R, s.p)
    assert np.abs((F + load)[6:]).max() < 1e-9
    free = K.toarray()[6:, 6:]
    assert np.allclose(free, free.T, rtol=0, atol=1e-12 * np.abs(free).max())
    x, h = np.random.default_rng(2).normal(size=(len(s.R), 6)), 1e-4
    quotient = sum(
        weight * s.assembled(
            s.R @ [exponential(NUMERIC, k * h * t) for t in x[:, :3]],
            s.p + k * h * x[:, 3:],
        )[0]
        for k, weight in ((-2, 1), (-1, -8), (1, 8), (2, -1))
    ) / (12 * h)  # fmt: skip
    assert np.allclose(K @ x.ravel(), quotient, rtol=0, atol=1e-8 * np.abs(quotient).max())


@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("angle", [0.3, 3.0, 40.0])
def test_a_beam_turned_as_a_whole_has_no_strain(order, angle):
    b = beam("exact", straight, 1.0, C, 4, order)
    turn = exponential(NUMERIC, np.array([2.0, -1.0, 2.0]) / 3 * np.remainder(angle, np.pi))
    F, _, energy = b.assembled(turn @ b.R, b.p @ turn.T + [7.0, -3.0, 2.0])
    # strain by rounding: 1e-15 of the distance 8 over a length of an element 1/4
    assert energy < 0.5 * C.EA * (1e-13) ** 2
    assert np.abs(F).max() < C.EA * 1e-13


@pytest.mark.parametrize(("elements", "order"), [(3, 1), (5, 1), (8, 1), (3, 2), (3, 3), (3, 4)])
def test_roll_up_into_a_circle(elements, order):
    """An end moment 2π EI/L closes a beam to a circle, with any number of elements from 3 on."""
    b = beam("exact", straight, 1.0, C, elements, order)
    s = b.equilibrium(b.tip_load(moment=(0, 0, 2 * np.pi * C.EIz)), steps=12)
    assert np.abs(s.p[-1]).max() < 1e-10
    assert np.allclose(s.R[-1], np.eye(3), rtol=0, atol=1e-10)
    middle = s.p[len(s.p) // 2] if elements % 2 == 0 else None
    assert middle is None or np.allclose(middle, [0, 1 / np.pi, 0], rtol=0, atol=1e-10)


@pytest.mark.parametrize("twist", [0.0, 1.0])
def test_a_curved_and_twisted_beam_is_free_of_stress_as_it_is_made(twist):
    def axis(s):
        return pose_of(NUMERIC, Screw(s * np.array([twist, 0.5, -0.8]), np.array([s, 0, 0])))

    b = beam("exact", axis, 2.0, C, 3, 2)
    F, _, energy = b.assembled(b.R, b.p)
    assert energy < 1e-24
    assert np.abs(F).max() < 1e-10


@pytest.mark.parametrize("order", [1, 2, 3])
def test_order_of_convergence_is_twice_that_of_the_curve(order):
    """Tip of a cantilever under a force that bends, twists and shears it."""

    def tip(elements, degree):
        b = beam("exact", straight, 1.0, C, elements, degree)
        return b.equilibrium(b.tip_load(force=(0.3, 1.5, 0.8)), steps=2).p[-1]

    exact = tip(5, 4)
    coarse, fine = (np.linalg.norm(tip(n, order) - exact) for n in (3, 6))
    assert np.log2(coarse / fine) == pytest.approx(2 * order, abs=0.25)


@pytest.mark.parametrize("support", ["clamped-free", "pinned-pinned"])
def test_buckling_load_by_the_smallest_eigenvalue_of_the_tangent(support):
    """P (1 - P/EA + P/GA) = P_Euler, with the length of the beam before it is compressed."""
    b = beam("exact", straight, 1.0, C, 4, 4)
    n = 6 * len(b.R)
    pinned = support == "pinned-pinned"
    held = [0, 3, 4, 5, n - 2, n - 1] if pinned else range(6)
    free = np.setdiff1d(np.arange(n), list(held))

    def smallest(P):
        s = b.equilibrium(b.tip_load(force=(-P, 0, 0)), held=held)
        K = -s.assembled(s.R, s.p)[1].toarray()[np.ix_(free, free)]
        return np.linalg.eigvalsh((K + K.T) / 2)[0]

    euler = np.pi**2 * C.EIz * (1 if pinned else 0.25)
    found = brentq(smallest, 0.9 * euler, 1.1 * euler, xtol=1e-9)
    expected = brentq(lambda P: P * (1 - P / C.EA + P / C.GAy) - euler, 0, 2 * euler)
    assert found == pytest.approx(expected, rel=1e-6)
