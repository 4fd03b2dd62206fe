"""Cases of the benchmarks, Pliant's side: each model finds its number. Nothing is timed."""

import numpy as np
import pytest
from benchmarks.chains import GRAVITY, INERTIA, MASS, SIZE, chain
from benchmarks.growth import STEPS, Grown, Growth, Size, grow

from benchmarks import beams, chains, mechanisms
from pliant.backends.tree.run import forward_dynamics


@pytest.mark.parametrize("row", mechanisms.CASES, ids=lambda row: row.name)
def test_mechanisms_come_to_the_certified_positions(row):
    """References have 11 digits or more; 1e-8 is the tolerance times some hundred steps."""
    found = row.ours(row.system(), 1e-10).found
    assert found == pytest.approx(row.exact(), abs=1e-8)


def test_a_chain_of_one_body_is_a_physical_pendulum():
    """From the horizontal: I w^2 / 2 = m g (a/2) sin |angle|, I = Izz + m a^2 / 4."""
    arm = SIZE[0] / 2
    about = INERTIA[2] + MASS * arm**2
    result = chain(1).simulate(0.5, every=0.05, rtol=1e-10, outputs=["j0.angle", "j0.angle_rate"])
    angle, rate = (result.require().values(name) for name in ("j0.angle", "j0.angle_rate"))
    assert rate**2 == pytest.approx(-2 * MASS * GRAVITY * arm * np.sin(angle) / about, abs=1e-7)
    udot = forward_dynamics(chain(1))(np.array([0.7]), np.array([1.3]))
    assert udot == pytest.approx([-MASS * GRAVITY * arm * np.cos(0.7) / about], rel=1e-12)


def test_a_chain_keeps_its_energy_and_its_row_tells_the_same_angles():
    """12 bodies go through the tree kernel; energy is that of the tolerance."""
    energy = chain(12).simulate(0.2, every=0.1, rtol=1e-10, outputs=["energy"]).values("energy")
    assert np.ptp(energy) < 1e-8 * MASS * GRAVITY * SIZE[0]
    row = next(r for r in chains.CASES if r.name == "chain_7")
    assert row.ours(row.system(), 1e-8).found == pytest.approx(row.exact(), abs=1e-5)


def test_evaluations_in_a_row_give_the_accelerations_of_the_state():
    row = next(r for r in chains.CASES if r.name == "forward_dynamics_7")
    run = row.ours(row.system(), 0.0)
    assert run.found == pytest.approx(row.exact(), rel=1e-14)
    assert np.abs(run.found).max() == 1


def spun(system, step, end=2.0):
    """Largest error of the spin-up until then."""
    result = system.simulate(end, every=0.5, outputs=["blade.tip.position"], **beams.how(step))
    found = beams.transverse(result.require().time, [result.values("blade.tip.position")])
    return np.abs(found - beams.SPIN_UP[: len(found)]).max()


def test_spin_up_comes_to_the_certified_motion():
    """Four elements of order two; the step leaves an error of second order."""
    system = beams.exact_blade(4, order=2)
    errors = [spun(system, step) for step in (0.05, 0.025)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.5)
    assert errors[1] < 1e-3


def test_segments_converge_with_the_square_of_their_length():
    errors = [spun(beams.segmented_blade(n), 0.01, 1.0) for n in (4, 8)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.3)


def test_right_angle_frame_comes_to_the_certified_motion():
    outputs = ["one.tip.position", "two.tip.position"]
    system = beams.frame(4, 2)
    result = system.simulate(2.0, every=1.0, outputs=outputs, **beams.how(0.02)).require()
    found = beams.displaced(result.time, [result.values(name) for name in outputs])
    assert np.abs(found - beams.RIGHT_ANGLE[:2]).max() < 5e-3


def test_exact_elements_of_order_two_conserve_energy_after_the_load():
    """The energy of the elements is the potential of their forces."""
    result = beams.frame(2, 2).simulate(
        4.0, every=0.5, method="sparse-conserving", step=0.02, outputs=["energy"]
    )
    after = result.require().values("energy")[result.time > 2]
    assert np.ptp(after) < 1e-9 * after[0]


def test_growth_is_measured():
    case = Growth("few", "few elements", (4, 8), beams.exact_blade, duration=0.5)
    found = grow(case, rounds=1)
    assert [s.elements for s in found.sizes] == [4, 8]
    assert all(0 < s.compiled <= s.whole and s.iterations >= STEPS for s in found.sizes)
    assert all(s.error < 1e-2 for s in found.sizes)


def test_growth_beyond_linear_is_not_reached():
    case = Growth("case", "", (), beams.exact_blade)
    linear = [Size(n, 1.0, 1e-6 * n, 20, 0.0) for n in (10, 100)]
    square = [Size(n, 1.0, 1e-6 * n**2, 20, 0.0) for n in (10, 100)]
    assert Grown(case, tuple(linear)).reached
    assert Grown(case, tuple(linear)).exponent == pytest.approx(1)
    assert not Grown(case, tuple(square)).reached
