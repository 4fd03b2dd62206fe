"""Systems of blocks that several tests move: pendulum, loop, beams, frame; energies and momenta."""

from types import SimpleNamespace

import casadi as ca
import numpy as np
from tests.models import block_elements as el

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.solver.element import BODY, element_kind, multipliers
from pliant.backends.blocks.solver.system import SystemBuilder
from pliant.backends.blocks.solver.transient import Integration


class Stepped(Integration):
    """Runs with a record: t, coordinates of the blocks ``watch``, and counts of these steps."""

    def run(self, steps, *, watch=(), every=1):
        """So many steps of given length, every few of them recorded."""
        return self._recorded([(self.t, steps)], watch, every)

    def run_to(self, times, *, watch=()):
        """Steps of controlled length, recorded at these times."""
        return self._recorded([(float(t), 0) for t in times], watch)

    def _recorded(self, goals, watch, every=0):
        system, before, rows = self.system, self._ints.copy(), []
        start = np.concatenate([[self.t], self.q, self.u, self.u])
        for goal, steps in goals:
            made = [start, *(row for rows in self.trace(goal, steps) for row in rows)]
            start = made[-1]
            rows += made[every::every] if every else [start]
        places = [1 + system.coordinates[b] + i for b in watch for i in range(system.shapes[b].nq)]
        table, counts = np.array(rows), self._ints - before
        return SimpleNamespace(
            t=table[:, 0], q=table[:, places], steps=counts[st.STEPS],
            factorisations=counts[st.FACTORISATIONS], rejected=counts[st.REJECTED],
        )  # fmt: skip


ELBOW_5 = np.array([-0.851796, -0.764270, 3.111415])
TIP_5 = np.array([-0.540678, -1.062475, 5.479398])
"""B2: displacements at 5 s, certified to 1e-5."""


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


def free_body():
    builder = SystemBuilder()
    body = builder.add(BODY, name="top")
    builder.couple(el.node_mass(), [body], [2.0, 1.0, 2.0, 3.0])
    system = builder.build()
    return system, el.pose_numbers([0, 0, 0]), np.array([0.3, 0.1, -0.2, 0.2, 2.0, 0.1])


def rotated(quat, v):
    w, e = quat[0], quat[1:]
    return v + 2 * w * np.cross(e, v) + 2 * np.cross(e, np.cross(e, v))


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


def flying_beam(n):
    """A free beam of 2 m that flies, turns about all axes and bends."""
    builder, h = SystemBuilder(), 2.0 / n
    nodes = builder.add(BODY, n + 1, name="node")
    share = np.ones((n + 1, 1))
    share[[0, -1]] = 0.5
    numbers = [h, 1, 0, 0, 0, 0, 0, 1e4, 1e4, 1e4, 100, 100, 100]
    builder.couple(el.beam(), np.stack([nodes[:-1], nodes[1:]], axis=1), numbers)
    builder.couple(el.node_mass(), nodes[:, None], share * h * np.array([1, 0.02, 0.01, 0.01]))
    system = builder.build()
    q = np.concatenate([el.pose_numbers([h * k, 0, 0]) for k in range(n + 1)])
    u, spin = np.zeros(system.n_all), np.array([0.5, 1.0, 3.0])
    for k, node in enumerate(nodes):
        bending = np.array([1, 0.5, 0.2 + np.cos(np.pi * k / n) ** 2])
        v = np.cross(spin, [h * k - 1, 0, 0]) + bending
        u[system.increments[node] :][:6] = np.r_[v, spin]
    return system, q, u


def momenta(run, system):
    """Linear and angular momentum of node masses in the world."""
    linear, angular = np.zeros(3), np.zeros(3)
    for group in system.elements:
        if group.kind.name == "node mass":
            for (b,), p in zip(group.blocks, group.numbers, strict=True):
                u, q = run.u[system.increments[b] :][:6], run.q[system.coordinates[b] :][:7]
                v = rotated(q[3:], u[:3])
                linear += p[0] * v
                angular += np.cross(q[:3], p[0] * v) + rotated(q[3:], p[1:] * u[3:])
    return linear, angular
