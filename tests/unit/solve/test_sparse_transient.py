"""Motion over blocks: order, conservation and references of beams and mechanisms."""

from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from pliant.errors import StepError
from pliant.solve.sparse import elements as el
from pliant.solve.sparse.element import BODY, element_kind, multipliers
from pliant.solve.sparse.matrix import SingularBlockError
from pliant.solve.sparse.system import SystemBuilder
from pliant.solve.sparse.transient import Integration

DATA = Path(__file__).parents[2] / "published" / "data"


def pendulum():
    """A rod of 1 m and 1 kg on a hinge about z at the origin of a fixed body, gravity -y."""
    builder = SystemBuilder()
    ground = builder.add(BODY, name="ground", fixed=True)
    rod = builder.add(BODY, name="rod")
    lam = builder.add(multipliers(5), name="hinge")
    builder.couple(el.rigid_body(), [rod], [1, 0, 0, 0, 0.01, 1 / 12, 1 / 12, 0, 0, 0, 0, -9.81, 0])
    hinge = [0, 0, 0, 0, 0, 1, -0.5, 0, 0, 0, 0, 1]
    builder.couple(el.revolute(), [[ground[0], rod[0], lam[0]]], [hinge])
    system = builder.build()
    at_rest = np.r_[el.pose_numbers([0, 0, 0]), el.pose_numbers([0.5, 0, 0]), np.zeros(5)]
    return system, at_rest, rod[0], lam[0]


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


def free_body():
    builder = SystemBuilder()
    body = builder.add(BODY, name="top")
    builder.couple(el.node_mass(), [body], [2.0, 1.0, 2.0, 3.0])
    system = builder.build()
    return system, el.pose_numbers([0, 0, 0]), np.array([0.3, 0.1, -0.2, 0.2, 2.0, 0.1])


def rotated(quat, v):
    w, e = quat[0], quat[1:]
    return v + 2 * w * np.cross(e, v) + 2 * np.cross(e, np.cross(e, v))


@pytest.mark.parametrize("conserving", [False, True])
def test_free_top_keeps_its_momentum_to_second_order(conserving):
    system, q, u = free_body()
    inertia = np.array([1.0, 2.0, 3.0])
    start = np.r_[2 * u[:3], inertia * u[3:]]
    drifts = []
    for steps in (200, 400):
        run = Integration(
            system, q, u, step=5 / steps, radius=1.0, conserving=conserving, tolerance=1e-14
        )
        run.run(steps)
        v, w = run.u[:3], run.u[3:]
        now = np.r_[rotated(run.q[3:], 2 * v), rotated(run.q[3:], inertia * w)]
        drifts.append(np.abs(now - start).max())
        if conserving:
            energy = 2 * v @ v + inertia @ w**2
            assert energy == pytest.approx(2 * u[:3] @ u[:3] + inertia @ u[3:] ** 2, rel=1e-11)
    assert drifts[0] < 0.02
    assert drifts[1] < drifts[0] / 3.4


def four_bar(balls):
    """Three bars of 1 m and 1 kg on ground points 1 m apart, upright, turning at -1 rad/s.

    Hinges about z; the coupler is held by ball joints if told so, otherwise by hinges too.
    """

    def ball(m, p):
        R1, R2 = el.rotation(m.q[0]), el.rotation(m.q[1])
        return el.constrained(m, [m.q[1][0:3] + R2 @ p[3:6] - m.q[0][0:3] - R1 @ p[0:3]])

    builder = SystemBuilder()
    ground = builder.add(BODY, name="ground", fixed=True)[0]
    bars = builder.add(BODY, 3, name="bar")
    numbers = [1, 0, 0, 0, 0.01, 1 / 12, 1 / 12, 0, 0, 0, 0, -9.81, 0]
    builder.couple(el.rigid_body(), bars[:, None], numbers)
    start, end, z = [-0.5, 0, 0], [0.5, 0, 0], [0, 0, 1]
    pairs = [(ground, bars[0], [0, 0, 0], start), (bars[0], bars[1], end, start),
             (bars[1], bars[2], end, start), (bars[2], ground, end, [1, 0, 0])]  # fmt: skip
    kind = element_kind("ball", (BODY, BODY, multipliers(3)), 6, ball)
    for k, (a, b, at_a, at_b) in enumerate(pairs):
        if balls and k in (1, 2):
            lam = builder.add(multipliers(3), name=f"ball {k}")[0]
            builder.couple(kind, [[a, b, lam]], [[*at_a, *at_b]])
        else:
            lam = builder.add(multipliers(5), name=f"hinge {k}")[0]
            builder.couple(el.revolute(), [[a, b, lam]], [[*at_a, *z, *at_b, *z]])
    system = builder.build()
    q, u = np.zeros(system.nq), np.zeros(system.n_all)
    poses = [(0, 0, 0, 0), (0, 0.5, 0, 1), (0.5, 1, 0, 0), (1, 0.5, 0, -1)]
    for body, (x, y, z, turn) in zip((ground, *bars), poses, strict=True):
        half = turn * np.pi / 4
        q[system.coordinates[body] :][:7] = [x, y, z, np.cos(half), 0, 0, np.sin(half)]
    for body, speeds in zip(bars, ([0, -0.5, -1], [1, 0, 0], [0, 0.5, -1]), strict=True):
        u[system.increments[body] :][:6] = [speeds[0], speeds[1], 0, 0, 0, speeds[2]]
    return system, q, u, bars


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


def psi_of(t):
    """Angle of the hub of B3 at 6 rad/s after 15 s."""
    rate, duration = 6.0, 15.0
    turn = (duration / (2 * np.pi)) ** 2 * (np.cos(2 * np.pi * t / duration) - 1)
    return rate / duration * (t * t / 2 + turn)


def spinning_beam(n):
    """B3: a beam of 10 m on a hub that turns by psi(t)."""
    duration = 15.0

    def hub(m, p):
        turn = (duration / (2 * np.pi)) ** 2 * (ca.cos(2 * np.pi * m.t / duration) - 1)
        angle = 6.0 / duration * (m.t * m.t / 2 + turn)
        quat = ca.vertcat(ca.cos(angle / 2), 0, 0, ca.sin(angle / 2))
        return el.constrained(m, [el.misplaced(m.q[0], ca.SX.zeros(3), quat)])

    builder = SystemBuilder()
    nodes = builder.add(BODY, n + 1, name="node")
    lam = builder.add(multipliers(6), name="hub")
    h, share = 10 / n, np.ones((n + 1, 1))
    share[[0, -1]] = 0.5
    stiffness = [2.8e7, 1e7, 1e7, 1e4, 1.4e4, 1.4e4]
    builder.couple(
        el.beam(), np.stack([nodes[:-1], nodes[1:]], axis=1), [h, 1, 0, 0, 0, 0, 0, *stiffness]
    )
    builder.couple(el.node_mass(), nodes[:, None], share * h * np.array([1.2, 6e-4, 6e-4, 6e-4]))
    driven = element_kind("hub", (BODY, multipliers(6)), 0, hub)
    builder.couple(driven, [[nodes[0], lam[0]]], np.zeros((1, 0)))
    poses = [el.pose_numbers([h * k, 0, 0]) for k in range(n + 1)]
    return builder.build(), np.r_[np.concatenate(poses), np.zeros(6)], nodes[-1]


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


ELBOW_5 = np.array([-0.851796, -0.764270, 3.111415])
TIP_5 = np.array([-0.540678, -1.062475, 5.479398])
"""B2: displacements at 5 s, certified to 1e-5."""


def frame(n):
    """B2: two legs of 10 at a right angle, a hat of force out of the plane at the elbow."""

    def hat(m, p):
        force = ca.fmax(0, 50 * (1 - ca.fabs(m.t - 1)))
        return -ca.vertcat(el.rotation(m.q[0]).T @ ca.vertcat(0, 0, force), 0, 0, 0)

    builder, half = SystemBuilder(), np.sqrt(0.5)
    root = builder.add(BODY, name="root", fixed=True)
    one, two = builder.add(BODY, n, name="leg 1"), builder.add(BODY, n, name="leg 2")
    h = 10 / n
    numbers = [h, 1, 0, 0, 0, 0, 0, 1e6, 1e6, 1e6, 1e3, 1e3, 1e3]
    first = np.r_[root, one]
    for leg in (first, two):
        builder.couple(el.beam(), np.stack([leg[:-1], leg[1:]], axis=1), numbers)
    builder.couple(el.angled_beam(), [[one[-1], two[0]]], [*numbers, half, 0, 0, half])
    inertia = np.tile(h * np.array([1.0, 20, 10, 10]), (2 * n, 1))
    inertia[n - 1] = h * np.array([1, 15, 15, 10])
    inertia[-1] /= 2
    builder.couple(el.node_mass(), np.r_[one, two][:, None], inertia)
    builder.couple(element_kind("hat", (BODY,), 0, hat), [[one[-1]]], np.zeros((1, 0)))
    poses = [[h * k, 0, 0, 1, 0, 0, 0] for k in range(n + 1)]
    poses += [[10, h * k, 0, half, 0, 0, half] for k in range(1, n + 1)]
    return builder.build(), np.concatenate(poses).astype(float), one[-1], two[-1]


def displaced(run, system, elbow, tip):
    e, t = (run.q[system.coordinates[b] :][:3] for b in (elbow, tip))
    return np.r_[e - [10, 0, 0], t - [10, 10, 0]]


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


def energy(run, system):
    """Kinetic and elastic energy of beams and node masses: the work of their own residual."""
    total = 0.0
    for group in system.elements:
        if group.kind.name == "node mass":
            for (b,), p in zip(group.blocks, group.numbers, strict=True):
                u = run.u[system.increments[b] :][:6]
                total += 0.5 * (p[0] * u[:3] @ u[:3] + p[1:] @ u[3:] ** 2)
    return total + elastic_energy(run.q, system)


def elastic_energy(q, system):
    a, b = ca.SX.sym("a", 7), ca.SX.sym("b", 7)
    xi = ca.Function("xi", [a, b], [el.logarithm(a, b)])
    total = 0.0
    for group in system.elements:
        if group.kind.name in ("beam", "angled beam"):
            for (i, j), p in zip(group.blocks, group.numbers, strict=True):
                first = q[system.coordinates[i] :][:7].copy()
                if len(p) > 13:
                    s, c = p[16], p[13]
                    w, x, y, z = first[3:]
                    first[3:] = [w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s]
                twist = np.array(xi(first, q[system.coordinates[j] :][:7])).ravel()
                total += 0.5 * p[0] * np.sum(p[7:13] * (twist / p[0] - p[1:7]) ** 2)
    return total


def test_energy_is_kept_by_the_conserving_step_only():
    """B2 after the force has ended, steps of 0.02 s: the other method swings by its order."""
    drifts = {}
    for conserving in (False, True):
        system, q, _, _ = frame(6)
        run = Integration(system, q, step=0.02, radius=1.0, conserving=conserving, tolerance=1e-13)
        run.run(100)
        start, found = energy(run, system), []
        for _ in range(10):
            run.run(25)
            found.append(energy(run, system) / start - 1)
        drifts[conserving] = np.abs(found).max()
    assert drifts[True] < 1e-7
    assert drifts[False] > 30 * drifts[True]


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
