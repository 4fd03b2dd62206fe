"""Beams of the benchmark: Pliant's side against the certified motions, and the table of growth."""

import casadi as ca
import numpy as np
import pytest

from pliant.bench import right_angle, spin_up
from pliant.bench.block_beams import Mesh
from pliant.bench.growth import Grown, Growth, Size, grow
from pliant.bench.page import page
from pliant.solve.sparse.element import LocalMotion
from pliant.solve.sparse.transient import Integration


def test_spin_up_reaches_the_certified_motion():
    """Eight elements of order two; at 10 ms the step leaves an error of second order."""
    model = spin_up.beam(Mesh(8, 2))
    errors = [spin_up.spin(model, step).error for step in (0.02, 0.01)]
    assert errors[1] < 3e-5
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.4)


def test_segments_converge_with_the_square_of_their_length():
    errors = [spin_up.spin(spin_up.segments(n), 0.005).error for n in (8, 16)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.3)


def test_right_angle_frame_reaches_the_certified_motion():
    assert right_angle.shake(right_angle.frame(Mesh(6, 2)), 0.01).error < 1e-3


def test_growth_is_measured_and_told():
    case = Growth("few", "few segments", (4, 8), (4,), spin_up.segments)
    found = grow(case, rounds=1)
    assert [s.elements for s in found.sizes] == [4, 8]
    assert all(s.residual < 1e-10 for s in found.sizes)
    assert found.sizes[0].error is not None
    assert found.sizes[1].error is None
    assert "`few`: few segments" in page([], [], [found])


def test_growth_beyond_linear_or_an_inaccurate_solution_is_not_reached():
    case = Growth("case", "", (), (), spin_up.segments)
    linear = [Size(n, 1e-6 * n, 2.0, 1e-10, None) for n in (10, 100)]
    square = [Size(n, 1e-6 * n**2, 2.0, 1e-10, None) for n in (10, 100)]
    coarse = [Size(n, 1e-6 * n, 2.0, 1e-7, None) for n in (10, 100)]
    assert Grown(case, tuple(linear)).reached
    assert Grown(case, tuple(linear)).exponent == pytest.approx(1)
    assert not Grown(case, tuple(square)).reached
    assert not Grown(case, tuple(coarse)).reached


def test_exact_elements_of_any_order_conserve_energy():
    """The frame after its load, order two: the energy of the elements is the potential of their
    forces."""
    system, q, _ = right_angle.frame(Mesh(2, 2))
    run = Integration(system, q, step=0.02, conserving=True)
    energies = []
    for steps in (100, 100, 100):
        run.run(steps)
        energies.append(sum(_energy(run, system, group) for group in system.elements))
    assert np.ptp(energies) < 1e-9 * energies[0]


def _energy(run, system, group):
    """Kinetic energy of masses, elastic energy of beams."""
    if group.kind.name == "node mass":
        u = run.u[system.increments[group.blocks[:, 0]][:, None] + np.arange(6)]
        weights = group.numbers[:, [0, 0, 0, 1, 2, 3]]
        return 0.5 * np.sum(weights * u**2)
    if group.kind.source.potential is None:
        return 0.0
    places = [ca.SX.sym("q", 7) for _ in group.kind.shapes]
    rest = [ca.SX.zeros(6)] * len(places)
    p = ca.SX.sym("p", group.kind.parameters)
    motion = LocalMotion(ca.SX(0), ca.SX(1), places, rest, rest)
    V = ca.Function("V", [*places, p], [group.kind.source.potential(motion, p)])
    return sum(
        float(V(*[run.q[system.coordinates[b] :][:7] for b in row], numbers))
        for row, numbers in zip(group.blocks, group.numbers, strict=True)
    )
