"""Step control of generalized-alpha: errors follow the tolerance, samples are where they should."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.unit.solve.sparse_models import Stepped as Integration
from tests.unit.solve.sparse_models import pendulum, spinning_beam

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.solver.element import BlockShape, element_kind
from pliant.backends.blocks.solver.system import SystemBuilder
from pliant.errors import StepError

TOLERANCES = np.array([1e-3, 1e-4, 1e-5, 1e-6])


def falling(times):
    """phi of the pendulum from the horizontal: phi'' = -3/2 g cos phi."""
    return solve_ivp(
        lambda t, y: [y[1], -1.5 * 9.81 * np.cos(y[0])], (0, times[-1]), [0, 0], rtol=1e-12,
        atol=1e-12, method="DOP853", t_eval=times,
    ).y[0]  # fmt: skip


def slope(errors):
    """Power of the tolerance that errors go with."""
    return np.polyfit(np.log(TOLERANCES[: len(errors)]), np.log(errors), 1)[0]


@pytest.mark.parametrize("radius", [0.6, 0.9])
def test_error_of_a_pendulum_is_in_proportion_to_the_tolerance(radius):
    system, q, rod, _ = pendulum()
    times = np.linspace(0.1, 2, 20)
    exact, errors, steps = falling(times), [], []
    for rtol in TOLERANCES:
        motion = Integration(system, q, rtol=rtol, radius=radius).run_to(times, watch=[rod])
        assert np.all(motion.t == times)
        phi = 2 * np.arctan2(motion.q[:, 6], motion.q[:, 3])
        errors.append(np.abs(phi - exact).max())
        steps.append(motion.steps)
    assert np.all(errors < 3 * TOLERANCES)
    assert 0.85 < slope(errors) < 1.15
    assert np.log10(steps[-1] / steps[0]) == pytest.approx(1.5, abs=0.3)


def test_error_of_a_stiff_beam_is_in_proportion_to_the_tolerance():
    """Spin-up with axial waves of 5 km/s: against fixed steps of 1 ms, whose error is 1e-7."""
    system, q, tip = spinning_beam(8)
    fine = Integration(system, q, step=1e-3, radius=0.8).run(4000, watch=[tip], every=500)
    errors = []
    for rtol in TOLERANCES[:3]:
        motion = Integration(system, q, rtol=rtol, radius=0.8).run_to(fine.t, watch=[tip])
        errors.append(np.abs(motion.q[:, :2] - fine.q[:, :2]).max() / 10)
        assert motion.rejected < 0.1 * motion.steps + 5
    assert np.all(errors < TOLERANCES[:3])
    assert 0.7 < slope(errors) < 1.3


def test_samples_cost_no_accuracy_and_few_steps():
    system, q, rod, _ = pendulum()
    sparse = Integration(system, q, rtol=1e-4).run_to([1.0], watch=[rod])
    dense = Integration(system, q, rtol=1e-4).run_to(np.linspace(0, 1, 21), watch=[rod])
    assert np.abs(sparse.q[-1] - dense.q[-1]).max() < 1e-4
    assert dense.steps < sparse.steps + 2 * 21
    assert np.all(dense.q[0] == q[7:14])


def test_a_run_goes_on_where_it_ended():
    system, q, rod, _ = pendulum()
    run = Integration(system, q, rtol=1e-5)
    run.run_to([0.3])
    assert run.t == 0.3
    end = run.run_to([0.5, 1.0], watch=[rod]).q[-1]
    phi = 2 * np.arctan2(end[6], end[3])
    assert phi == pytest.approx(falling(np.array([1.0]))[0], abs=1e-5)


def test_a_first_step_far_too_long_is_rejected():
    system, q, rod, _ = pendulum()
    run = Integration(system, q, rtol=1e-4)
    run._reals[[st.STEP, st.NEXT_STEP]] = 10.0
    motion = run.run_to([1.0], watch=[rod])
    assert motion.rejected > 0
    phi = 2 * np.arctan2(motion.q[-1, 6], motion.q[-1, 3])
    assert phi == pytest.approx(falling(np.array([1.0]))[0], abs=1e-4)


def oscillator(law):
    """One real coordinate with unit mass."""
    builder = SystemBuilder()
    block = builder.add(BlockShape(pose=False, reals=1), name="mass")
    kind = element_kind("law", (BlockShape(pose=False, reals=1),), 0, law)
    builder.couple(kind, [block], np.zeros((1, 0)))
    return builder.build()


def test_real_coordinates_are_controlled_by_their_own_size():
    """x = 1e-3 cos t: errors of rtol times 1e-3, not of rtol."""
    system = oscillator(lambda m, p: m.a[0] + m.q[0])
    motion = Integration(system, np.array([1e-3]), rtol=1e-4, atol=1e-9).run_to([6.0], watch=[0])
    assert motion.q[-1, 0] == pytest.approx(1e-3 * np.cos(6.0), abs=5e-7)


def test_a_motion_that_ends_is_reported():
    """A force sqrt(1 - t) that is not defined beyond a second: no step leads there."""
    system = oscillator(lambda m, p: m.a[0] - ca.sqrt(1 - m.t))
    run = Integration(system, np.array([1.0]), rtol=1e-4)
    with pytest.raises(StepError, match="no shorter step helped"):
        run.run_to([2.0])
    assert run.t == pytest.approx(1, abs=1e-9)


def test_what_cannot_be_combined_is_refused():
    system, q, _, _ = pendulum()
    with pytest.raises(ValueError, match="either a step or a tolerance"):
        Integration(system, q)
    with pytest.raises(ValueError, match="of given length"):
        Integration(system, q, rtol=1e-3, conserving=True)
    with pytest.raises(ValueError, match="dissipation belongs"):
        Integration(system, q, step=1e-3, dissipation=0.1)
    with pytest.raises(ValueError, match="radius below 1"):
        Integration(system, q, rtol=1e-3, radius=1.0)
