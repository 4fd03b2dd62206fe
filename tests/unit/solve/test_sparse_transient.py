"""Motion over blocks: order, conservation and references of beams and mechanisms."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.unit.solve.sparse_models import (
    ELBOW_5,
    TIP_5,
    displaced,
    four_bar,
    frame,
    free_body,
    pendulum,
    psi_of,
    rotated,
    spinning_beam,
)
from tests.unit.solve.sparse_models import Stepped as Integration

from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.errors import StepError
from pliant.solve.transient.generalized_alpha import generalized_alpha

DATA = Path(__file__).parents[2] / "published" / "data"


@pytest.mark.parametrize("options", [{"radius": 0.8}, {"radius": 1.0}, {"conserving": True}])
def test_pendulum_converges_with_order_two_and_stays_on_its_hinge(options):
    """Against phi'' = -3/2 g cos phi (phi from the horizontal), DOP853 to 1e-12."""
    exact = solve_ivp(
        lambda t, y: [y[1], -1.5 * 9.81 * np.cos(y[0])], (0, 1), [0, 0], rtol=1e-12, atol=1e-12,
        method="DOP853",
    ).y[0, -1]  # fmt: skip
    system, q, rod, _ = pendulum()
    errors = []
    for steps in (50, 100, 200):
        run = Integration(system, q, step=1 / steps, **options)
        run.run(steps)
        place = run.q[system.coordinates[rod] :][:7]
        errors.append(2 * np.arctan2(place[6], place[3]) - exact)
        assert np.hypot(place[0], place[1]) == pytest.approx(0.5, abs=1e-9)
        assert np.abs(place[[2, 4, 5]]).max() < 1e-12
    orders = np.log2(np.abs(errors[:-1]) / np.abs(errors[1:]))
    assert np.all(np.abs(orders - 2) < 0.15)


def test_hinge_force_is_that_of_the_pendulum():
    """Sum of weight and inertia: |F| = m |a_c - g|; a_c from phi'^2 = 3 g (1 - ...)."""
    system, q, rod, lam = pendulum()
    run = Integration(system, q, step=1e-3, radius=0.8)
    run.run(300)
    place = run.q[system.coordinates[rod] :][:7]
    phi = 2 * np.arctan2(place[6], place[3])
    rate2, bend = -3 * 9.81 * np.sin(phi), -1.5 * 9.81 * np.cos(phi)
    along, across = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
    force = 0.5 * (bend * across - rate2 * along) + [0, 9.81]
    found = run.q[system.coordinates[lam] :][:2]
    assert np.abs(np.abs(found) - np.abs(force)).max() < 1e-4 * np.abs(force).max()


def test_initial_accelerations_are_consistent():
    """The rod starts with phi'' = -3/2 g: centre -3/4 g, hinge force g/4 upwards."""
    system, q, rod, lam = pendulum()
    system.set_header()
    udot, forces = system.accelerations(q, np.zeros(system.n_all))
    own = udot[system.increments[rod] :][:6]
    assert own == pytest.approx([0, -0.75 * 9.81, 0, 0, 0, -1.5 * 9.81], abs=1e-6)
    assert np.abs(forces[system.increments[lam] :][:3]) == pytest.approx([0, 9.81 / 4, 0], abs=1e-6)


def test_free_top_keeps_its_momentum_to_second_order():
    system, q, u = free_body()
    inertia = np.array([1.0, 2.0, 3.0])
    start = np.r_[2 * u[:3], inertia * u[3:]]
    drifts = []
    for steps in (200, 400):
        run = Integration(system, q, u, step=5 / steps, radius=1.0, tolerance=1e-14)
        run.run(steps)
        now = np.r_[rotated(run.q[3:], 2 * run.u[:3]), rotated(run.q[3:], inertia * run.u[3:])]
        drifts.append(np.abs(now - start).max())
    assert drifts[0] < 0.02
    assert drifts[1] < drifts[0] / 3.4


def test_a_closed_loop_moves_as_its_one_degree_of_freedom():
    """A parallelogram: 5/3 phi'' = -2 g cos phi; the second joint to ground waits its turn."""
    exact = solve_ivp(
        lambda t, y: [y[1], -1.2 * 9.81 * np.cos(y[0])], (0, 0.4), [np.pi / 2, -1], rtol=1e-12,
        atol=1e-12, method="DOP853",
    ).y[0, -1]  # fmt: skip
    system, q, u, bars = four_bar(balls=True)
    errors = []
    for steps in (40, 80):
        run = Integration(system, q, u, step=0.4 / steps, radius=0.8)
        run.run(steps)
        first = run.q[system.coordinates[bars[0]] :][:7]
        errors.append(2 * np.arctan2(first[6], first[3]) - exact)
        gaps = system.residual(run.q)[system.multiplier_rows()[: system.n]]
        assert np.abs(gaps).max() < 1e-9
    assert abs(np.log2(errors[0] / errors[1]) - 2) < 0.15
    assert abs(errors[1]) < 1e-4


def test_redundant_joints_are_named():
    """Four parallel hinges hold the plane of the loop three times over."""
    system, q, u, _ = four_bar(balls=False)
    with pytest.raises(SingularBlockError, match="hinge"):
        Integration(system, q, u, step=0.01)


def test_spin_up_converges_to_the_reference_with_order_two():
    """B3 at 6 rad/s over 8 s: u2 in the turning frame, reference certified to 1e-9."""
    reference = np.genfromtxt(DATA / "B3_spin_up.csv", delimiter=",", names=True)
    used = (reference["t"] > 0) & (reference["t"] <= 8.0)
    errors = []
    for n in (8, 16):
        system, q, tip = spinning_beam(n)
        motion = Integration(system, q, step=0.005, radius=0.9).run(1600, watch=[tip], every=20)
        psi, x, y = psi_of(motion.t), motion.q[:, 0], motion.q[:, 1]
        u2 = -np.sin(psi) * x + np.cos(psi) * y
        assert motion.t == pytest.approx(reference["t"][used], abs=1e-9)
        errors.append(u2 - reference["u2_6"][used])
        assert motion.factorisations < 0.02 * motion.steps
    assert 1.9 < np.log2(np.abs(errors[0]).max() / np.abs(errors[1]).max()) < 2.1
    assert np.abs((4 * errors[1] - errors[0]) / 3).max() < 2e-5


def test_right_angle_frame_converges_to_the_reference_with_order_two():
    """B2 at 5 s; extrapolation from 8 and 16 elements per leg leaves the fourth order."""
    errors = []
    for n in (8, 16):
        system, q, elbow, tip = frame(n)
        run = Integration(system, q, step=0.01, radius=0.9)
        run.run(500)
        errors.append(displaced(run, system, elbow, tip) - np.r_[ELBOW_5, TIP_5])
    assert 1.8 < np.log2(np.abs(errors[0]).max() / np.abs(errors[1]).max()) < 2.2
    assert np.abs((4 * errors[1] - errors[0]) / 3).max() < 3e-3


def test_size_of_the_matrix_is_linear_in_the_number_of_elements():
    lengths = [spinning_beam(n)[0].program.length for n in (50, 100, 200)]
    assert lengths[2] - lengths[1] == 2 * (lengths[1] - lengths[0])


def test_runs_of_one_system_do_not_disturb_each_other():
    system, q, _ = spinning_beam(4)
    alone, one, other = (Integration(system, q, step=0.01) for _ in range(3))
    alone.run(40)
    for _ in range(4):
        one.run(10)
        system.tangent(q)
        other.run(7)
    assert np.abs(one.q[:-6] - alone.q[:-6]).max() < 1e-8


def test_a_step_that_does_not_converge_is_named():
    system, q, u = free_body()
    run = Integration(system, q, 100 * u, step=1.0)
    with pytest.raises(StepError, match="take a smaller step"):
        run.run(1)


def test_newton_systems_are_solved_to_rounding_where_stiffness_outweighs_inertia():
    """Stiffness over inertia goes with (step/length)^2: 2000 elements at 0.125 s have as much of
    it as 100 000 at 2.5 ms."""
    system, q, _ = spinning_beam(2000)
    h, (am, af, beta, gamma) = 0.125, generalized_alpha(0.9).values()
    ca = (1 - am) / ((1 - af) * beta * h**2)
    system.set_header(t=h, scale=1 / ca, ca=ca, cu=gamma / (beta * h))
    right = system.tangent(q)
    system.matrix.factor(keep=True)
    left = system.matrix.defect(system.matrix.solve(right), right)
    assert np.abs(left).max() < 1e-8 * np.abs(right).max()
