"""Steps that conserve energy and momenta, and their damping."""

import casadi as ca
import numpy as np
import pytest
from tests.models import block_elements as el
from tests.unit.solve.sparse_models import Stepped as Integration
from tests.unit.solve.sparse_models import (
    energy,
    flying_beam,
    four_bar,
    frame,
    free_body,
    momenta,
    pendulum,
    rotated,
)

from pliant.backends.blocks.solver.element import BODY, element_kind
from pliant.backends.blocks.solver.system import SystemBuilder

NEWTON = 1e-14
"""As far as rounding lets Newton's method go."""


def drifts(system, q, u, steps, **options):
    """Largest relative changes of energy, linear and angular momentum over a run."""
    run = Integration(system, q, u, conserving=True, **options)
    start, (linear, angular), found = energy(run, system), momenta(run, system), []
    for _ in range(4):
        run.run(steps // 4)
        p, l = momenta(run, system)
        found.append(
            [
                abs(energy(run, system) / start - 1),
                np.abs(p - linear).max() / np.linalg.norm(linear),
                np.abs(l - angular).max() / np.linalg.norm(angular),
            ]
        )
    return np.max(found, axis=0)


def test_a_flying_beam_keeps_energy_and_both_momenta():
    """3000 steps with a spin of 3 rad/s; what is left is rounding of Newton's method."""
    system, q, u = flying_beam(8)
    off = drifts(system, q, u, 3000, step=0.01, tolerance=NEWTON)
    assert np.all(off < [1e-10, 1e-12, 1e-10])


def test_long_steps_keep_them_as_well():
    """A turn of 9 degrees per step: conservation is not a matter of accuracy."""
    system, q, u = flying_beam(4)
    off = drifts(system, q, u, 200, step=0.05, tolerance=NEWTON)
    assert np.all(off < [1e-9, 1e-12, 1e-10])


def test_damping_takes_energy_and_leaves_momenta():
    system, q, u = flying_beam(4)
    run = Integration(system, q, u, step=0.02, conserving=True, dissipation=0.2, tolerance=NEWTON)
    linear, angular = momenta(run, system)
    energies = [energy(run, system)]
    for _ in range(20):
        run.run(10)
        energies.append(energy(run, system))
    p, l = momenta(run, system)
    assert np.all(np.diff(energies) < 0)
    assert np.abs(p - linear).max() < 1e-12 * np.linalg.norm(linear)
    assert np.abs(l - angular).max() < 1e-10 * np.linalg.norm(angular)


def test_a_free_top_keeps_its_momentum_and_energy():
    system, q, u = free_body()
    inertia = np.array([1.0, 2.0, 3.0])
    start = np.r_[2 * u[:3], inertia * u[3:]]
    run = Integration(system, q, u, step=0.05, conserving=True, tolerance=NEWTON)
    run.run(1000)
    v, w = run.u[:3], run.u[3:]
    now = np.r_[rotated(run.q[3:], 2 * v), rotated(run.q[3:], inertia * w)]
    assert np.abs(now - start).max() < 1e-12
    assert 2 * v @ v + inertia @ w**2 == pytest.approx(
        2 * u[:3] @ u[:3] + inertia @ u[3:] ** 2, rel=1e-12
    )


def rigid_energy(run, system):
    """Kinetic energy and weight of rigid bodies about origins away from their centres."""
    total = 0.0
    for group in system.elements:
        if group.kind.name == "rigid body":
            for (b,), p in zip(group.blocks, group.numbers, strict=True):
                v, w = np.split(run.u[system.increments[b] :][:6], 2)
                x, quat = np.split(run.q[system.coordinates[b] :][:7], [3])
                I = np.diag(p[4:7])
                total += 0.5 * p[0] * v @ v + v @ np.cross(w, p[1:4]) + 0.5 * w @ I @ w
                total -= p[10:13] @ (p[0] * x + rotated(quat, p[1:4]))
    return total


def test_mechanisms_under_gravity_keep_their_energy():
    """A pendulum, and a closed loop with hinges and balls: constraint forces do no work."""
    system, q, _, _ = pendulum()
    loop, q_loop, u_loop, _ = four_bar(balls=True)
    for found, start, u, steps in ((system, q, None, 200), (loop, q_loop, u_loop, 50)):
        run = Integration(found, start, u, step=0.01, conserving=True, tolerance=NEWTON)
        before, height = rigid_energy(run, found), 9.81 * 0.5
        run.run(steps)
        assert abs(rigid_energy(run, found) - before) < 1e-10 * height


def test_a_body_about_another_point_moves_as_about_its_centre():
    """The same body described at its centre and 0.5 m beside it: equal motion up to the order."""
    c, m, I = np.array([0.4, 0.1, -0.2]), 2.0, np.array([1.0, 2.0, 2.5])
    skew = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    I_o = np.diag(I) - m * skew @ skew
    six = [I_o[0, 0], I_o[1, 1], I_o[2, 2], I_o[0, 1], I_o[0, 2], I_o[1, 2]]
    w, v = np.array([0.2, 3.0, 0.1]), np.array([1.0, 0, 0])
    descriptions = (
        ([m, 0, 0, 0, *I, 0, 0, 0, 0, 0, -9.81], np.zeros(3), v),
        ([m, *(m * c), *six, 0, 0, -9.81], -c, v - np.cross(w, c)),
    )
    gaps = []
    for steps in (100, 200):
        ends = []
        for numbers, at, speed in descriptions:
            builder = SystemBuilder()
            body = builder.add(BODY, name="body")
            builder.couple(el.rigid_body(), [body], [numbers])
            run = Integration(
                builder.build(), el.pose_numbers(at), np.r_[speed, w], step=2 / steps,
                conserving=True, tolerance=1e-13,
            )  # fmt: skip
            run.run(steps)
            ends.append(np.r_[run.q[:3] - rotated(run.q[3:], at), run.q[3:]])
        gaps.append(np.abs(ends[0] - ends[1]).max())
    assert gaps[0] < 1e-3
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(2, abs=0.1)


def test_energy_is_kept_by_the_conserving_step_only():
    """B2 after the force has ended, steps of 0.02 s: the other method swings by its order."""
    found = {}
    for conserving in (False, True):
        system, q, _, _ = frame(6)
        run = Integration(system, q, step=0.02, radius=1.0, conserving=conserving, tolerance=NEWTON)
        run.run(100)
        start, off = energy(run, system), []
        for _ in range(5):
            run.run(50)
            off.append(energy(run, system) / start - 1)
        found[conserving] = np.abs(off).max()
    assert found[True] < 1e-10
    assert found[False] > 1e4 * found[True]


def test_an_element_without_a_potential_keeps_momenta_and_energy_to_fourth_order():
    """The beam with its potential withheld: forces at two Gauss points of the step."""
    builder, h = SystemBuilder(), 0.5
    nodes = builder.add(BODY, 2, name="node")
    numbers = [h, 1, 0, 0, 0, 0, 0, 40, 40, 40, 1, 1, 1]
    source = el.beam().source
    kind = element_kind("beam", source.shapes, source.parameters, source.residual)
    builder.couple(kind, [nodes], numbers)
    builder.couple(el.node_mass(), nodes[:, None], [1, 0.1, 0.1, 0.1])
    system = builder.build()
    q = np.r_[el.pose_numbers([0, 0, 0]), el.pose_numbers([h, 0, 0])]
    u = np.random.default_rng(4).normal(size=12)
    changes = []
    for steps in (50, 100):
        off = drifts(system, q, u, steps, step=1 / steps, tolerance=NEWTON)
        assert off[1] < 1e-12
        assert off[2] < 1e-11
        changes.append(off[0])
    assert np.log2(changes[0] / changes[1]) > 3.5


def test_a_damper_takes_energy_and_leaves_momenta():
    """Force along the relative velocity of two bodies: an element with speeds only."""

    def drag(m, p):
        R1, R2 = el.rotation(m.q[0]), el.rotation(m.q[1])
        force = p[0] * (R2 @ m.u[1][0:3] - R1 @ m.u[0][0:3])
        # on both at the second body
        arm = m.q[1][0:3] - m.q[0][0:3]
        return ca.vertcat(-R1.T @ force, -R1.T @ ca.cross(arm, force), R2.T @ force, ca.SX.zeros(3))

    builder = SystemBuilder()
    bodies = builder.add(BODY, 2, name="body")
    builder.couple(element_kind("drag", (BODY, BODY), 1, drag), [bodies], [0.3])
    builder.couple(el.node_mass(), bodies[:, None], [1, 0.1, 0.2, 0.3])
    system = builder.build()
    q = np.r_[el.pose_numbers([0, 0, 0]), el.pose_numbers([1, 0, 0])]
    u = np.random.default_rng(1).normal(size=12)
    run = Integration(system, q, u, step=0.02, conserving=True, tolerance=NEWTON)
    before = momenta(run, system)
    run.run(100)
    after = momenta(run, system)
    assert np.abs(np.subtract(after, before)).max() < 1e-11
