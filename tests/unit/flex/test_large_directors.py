"""The large-rotation element in r, m, n: laws of its elastic and inertia forces, orders."""

from types import SimpleNamespace

import casadi as ca
import numpy as np
import pytest
from tests.models.large_beams import Stiffness, beam, straight

from pliant.model.forces.director_element import MassPoint, director_inertia, director_loads
from pliant.spatial.curves import pose_of
from pliant.spatial.ops import NUMERIC
from pliant.spatial.rotation import exponential
from pliant.spatial.screws import Screw
from pliant.spatial.symbolic import SYMBOLIC

LENGTH = 1.7
NODES = (2, 3, 4)
AXIS = np.array([1.0, 0.0, 0.0])
C = Stiffness(EA=4800.0, GAy=1540.0, GAz=1700.0, GJ=0.8, EIy=1.4, EIz=1.0)


def random_motion(count, seed=0, size=0.4):
    rng = np.random.default_rng(seed)
    nodes = []
    for i in range(count):
        X = pose_of(NUMERIC, Screw(size * rng.normal(size=3), size * rng.normal(size=3)))
        w, v, alpha, a = rng.normal(size=(4, 3))
        nodes.append(SimpleNamespace(R_WP=X.R, p_WP=X.p + LENGTH * i / (count - 1) * AXIS,
                                     w_WP=w, v_WP=v, alpha_WP=alpha, a_WP=a))  # fmt: skip
    return nodes


def numbers(count, seed=1):
    rng = np.random.default_rng(seed)
    return rng.uniform(1, 20, (count - 1, 6)), 0.1 * rng.normal(size=(count - 1, 6))


def masses(count, seed=2):
    rng = np.random.default_rng(seed)
    return [MassPoint(*rng.uniform(0.5, 2.0, 3)) for _ in range(count)]


@pytest.mark.parametrize("count", NODES)
def test_forces_are_the_gradient_of_the_energy(count):
    nodes, (stiffness, free) = random_motion(count), numbers(count)
    x = ca.SX.sym("x", 6 * count)
    moved = [
        SimpleNamespace(R_WP=ca.SX(n.R_WP) @ exponential(SYMBOLIC, x[6 * i : 6 * i + 3]),
                        p_WP=ca.SX(n.p_WP) + x[6 * i + 3 : 6 * i + 6])
        for i, n in enumerate(nodes)
    ]  # fmt: skip
    energy = director_loads(SYMBOLIC, LENGTH, moved, stiffness.tolist(), free.tolist()).energy
    own, gradient = ca.Function("g", [x], [energy, ca.gradient(energy, x)])(ca.DM.zeros(6 * count))
    found = director_loads(NUMERIC, LENGTH, nodes, stiffness, free)
    parts = zip(nodes, found.torques, found.forces, strict=True)
    forces = np.concatenate([np.r_[n.R_WP.T @ torque, force] for n, torque, force in parts])
    assert found.energy == pytest.approx(float(own), rel=1e-14)
    assert np.allclose(forces, -gradient.full().ravel(), rtol=0, atol=1e-12 * found.energy)


@pytest.mark.parametrize("count", NODES)
def test_damping_is_proportional_to_the_rate_of_strain(count):
    """With damping times τ, each stress is that of the state τ later, to first order."""
    nodes, (stiffness, free) = random_motion(count), numbers(count)

    def later(tau):
        return [SimpleNamespace(R_WP=exponential(NUMERIC, tau * n.w_WP) @ n.R_WP,
                                p_WP=n.p_WP + tau * n.v_WP) for n in nodes]  # fmt: skip

    def stresses(tau, damping=None):
        moved = later(tau) if damping is None else nodes
        return np.array(director_loads(NUMERIC, LENGTH, moved, stiffness, free, damping).stresses)

    h = 1e-3
    rate = (8 * (stresses(h) - stresses(-h)) - (stresses(2 * h) - stresses(-2 * h))) / (12 * h)
    times = np.linspace(0.1, 0.6, 6)
    damped = stresses(0, times.tolist()) - stresses(0)
    assert np.allclose(damped, times * rate, rtol=0, atol=1e-8 * np.abs(rate).max())


@pytest.mark.parametrize("count", NODES)
def test_power_of_inertia_is_the_loss_of_kinetic_energy(count):
    """Central difference in time along a motion with constant accelerations of the nodes."""
    nodes, data, h = random_motion(count), masses(count), 1e-3

    def energy(time):
        state = []
        for n in nodes:
            w = n.w_WP + time * n.alpha_WP
            turn = time * n.w_WP + 0.5 * time**2 * n.alpha_WP
            state.append(SimpleNamespace(
                R_WP=exponential(NUMERIC, turn) @ n.R_WP, p_WP=n.p_WP + time * n.v_WP,
                w_WP=w, v_WP=n.v_WP + time * n.a_WP, a_WP=n.a_WP, alpha_WP=n.alpha_WP,
            ))  # fmt: skip
        return director_inertia(NUMERIC, LENGTH, state, data).kinetic

    rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    found = director_inertia(NUMERIC, LENGTH, nodes, data)
    power = sum(n.v_WP @ f + n.w_WP @ t
                for n, f, t in zip(nodes, found.forces, found.torques, strict=True))  # fmt: skip
    assert power == pytest.approx(-rate, rel=1e-7)


@pytest.mark.parametrize("count", NODES)
def test_a_straight_element_turning_as_a_whole_has_the_inertia_of_a_rod(count):
    """T = 1/2 w (ρA L³/3 + ρI L) w about one end, across; 1/2 ρ(Iy + Iz) L w² about its axis."""
    rhoA, rhoIy, rhoIz = 2.0, 0.03, 0.05
    data = [MassPoint(rhoA, rhoIy, rhoIz)] * count
    places = beam("large-rotation", straight, LENGTH, C, 1, count - 1).p
    for w, inertia in (
        (np.array([1.0, 0, 0]), (rhoIy + rhoIz) * LENGTH),
        (np.array([0, 1.0, 0]), rhoA * LENGTH**3 / 3 + rhoIy * LENGTH),
        (np.array([0, 0, 1.0]), rhoA * LENGTH**3 / 3 + rhoIz * LENGTH),
    ):
        nodes = [SimpleNamespace(R_WP=np.eye(3), p_WP=p, w_WP=w, v_WP=np.cross(w, p),
                                 a_WP=np.cross(w, np.cross(w, p)), alpha_WP=np.zeros(3))
                 for p in places]  # fmt: skip
        found = director_inertia(NUMERIC, LENGTH, nodes, data)
        assert found.kinetic == pytest.approx(0.5 * inertia, rel=1e-13)


@pytest.mark.parametrize("angle", [0.3, 3.0, 40.0])
@pytest.mark.parametrize("count", NODES)
def test_a_beam_turned_as_a_whole_has_no_strain(count, angle):
    b = beam("large-rotation", straight, 1.0, C, 4, count - 1)
    turn = exponential(NUMERIC, np.array([2.0, -1.0, 2.0]) / 3 * np.remainder(angle, np.pi))
    F, _, energy = b.assembled(turn @ b.R, b.p @ turn.T + [7.0, -3.0, 2.0])
    assert energy < 0.5 * C.EA * (1e-13) ** 2
    assert np.abs(F).max() < C.EA * 1e-13


@pytest.mark.parametrize("count", NODES)
def test_tangent_is_symmetric_in_equilibrium(count):
    b = beam("large-rotation", straight, 1.0, C, 3, count - 1)
    load = b.tip_load(force=(-0.3, 1.0, 0.7))
    s = b.equilibrium(load, steps=2)
    F, K, _ = s.assembled(s.R, s.p)
    assert np.abs((F + load)[6:]).max() < 1e-9
    free = K.toarray()[6:, 6:]
    assert np.allclose(free, free.T, rtol=0, atol=1e-12 * np.abs(free).max())


@pytest.mark.parametrize("count", [2, 3])
def test_order_of_convergence(count):
    """Two nodes: 2, three nodes: 4, of the tip under a force, by three meshes."""

    def tip(elements):
        b = beam("large-rotation", straight, 1.0, C, elements, count - 1)
        return b.equilibrium(b.tip_load(force=(0.3, 1.5, 0.8)), steps=2).p[-1]

    n = 6 if count == 2 else 3
    coarse, middle, fine = (tip(k * n) for k in (1, 2, 4))
    ratio = np.linalg.norm(middle - coarse) / np.linalg.norm(fine - middle)
    assert np.log2(ratio) == pytest.approx(2 * (count - 1), abs=0.25)


def test_slender_beams_come_to_the_exact_one():
    """The law of the element differs from Simo-Reissner's by the size of strains times stiffness:
    the difference of the converged tips falls with the square of the thickness."""

    def tip(theory, h):
        stiff = Stiffness(12 / h**2, 6 / h**2, 6 / h**2, 1.0, 1.0, 1.0)
        b = beam(theory, straight, 1.0, stiff, 8, 3)
        return b.equilibrium(b.tip_load(force=(0.0, 1.5, 0.8)), steps=2).p[-1]

    thick, thin = (np.linalg.norm(tip("large-rotation", h) - tip("exact", h)) for h in (0.1, 0.05))
    assert thick / thin == pytest.approx(4, abs=0.4)
    assert thin < 1e-3
