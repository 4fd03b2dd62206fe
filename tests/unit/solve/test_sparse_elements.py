"""Elements over blocks: exact tangents, laws of mechanics, motion along SE(3)."""

import numpy as np
import pytest
from scipy.linalg import eigh, expm
from tests.models import block_elements as el
from tests.models.block_frames import frame_element

from pliant.backends.blocks.solver.element import (
    BODY,
    BlockShape,
    LocalMotion,
    element_kind,
    multipliers,
)
from pliant.backends.blocks.solver.system import SystemBuilder
from pliant.model.forces.exact_element import PointData, exact_loads
from pliant.spatial.screws import Screw
from pliant.spatial.symbolic import SYMBOLIC

RNG = np.random.default_rng(5)


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rotation(quat):
    w, v = quat[0], quat[1:]
    return np.eye(3) + 2 * w * skew(v) + 2 * skew(v) @ skew(v)


def pose(rng):
    quat = rng.normal(size=4)
    return np.r_[rng.normal(size=3), quat / np.linalg.norm(quat)]


def twist_matrix(psi):
    X = np.zeros((4, 4))
    X[:3, :3], X[:3, 3] = skew(psi[3:]), psi[:3]
    return X


def homogeneous(q):
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation(q[3:]), q[:3]
    return X


def alone(kind, numbers):
    """A system of one element."""
    builder = SystemBuilder()
    blocks = [builder.add(shape, name=f"b{k}")[0] for k, shape in enumerate(kind.shapes)]
    builder.couple(kind, [blocks], [numbers])
    return builder.build()


def differences(system, q, u, a, ca, cu):
    """Derivative of the residual along d: q exp(d), u + cu d, a + ca d (psi = 0, so T = 1)."""
    step, columns = 1e-6, []
    for i in range(system.n):
        d = np.zeros(system.n_all)
        d[i] = step
        plus = system.residual(system.moved(q, d), u + cu * d, a + ca * d)
        minus = system.residual(system.moved(q, -d), u - cu * d, a - ca * d)
        columns.append((plus - minus) / (2 * step))
    return np.array(columns).T


KINDS = {
    "beam": (el.beam, [0.7, 1, 0.1, 0, 0.2, 0, 0.1, 5, 3, 4, 2, 6, 7]),
    "angled": (el.angled_beam, [0.7, 1, 0.1, 0, 0.2, 0, 0.1, 5, 3, 4, 2, 6, 7, 0.6, 0, 0.8, 0]),
    "segment": (el.segment_spring, [0.2, 0.1, 0, -0.3, 0, 0.1, 5, 3, 4, 2, 6, 7]),
    "rigid": (el.rigid_body, [2.0, 0.1, 0.2, 0.3, 3, 4, 5, 0.1, 0.2, 0.3, 1, 2, -9.81]),
    "node": (el.node_mass, [2.0, 3.0, 4.0, 5.0]),
    "load": (el.dead_load, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "held": (el.held, [0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5]),
    "revolute": (el.revolute, [0.1, 0.2, 0.3, 0, 0, 1, -0.1, 0.3, 0.2, 0, 0.6, 0.8]),
}


@pytest.mark.parametrize("name", KINDS)
def test_tangent_equals_difference_quotients(name):
    make, numbers = KINDS[name]
    system = alone(make(), numbers)
    rng = np.random.default_rng(1)
    q = np.concatenate([pose(rng) if s.pose else rng.normal(size=s.nq) for s in system.shapes])
    u, a = rng.normal(size=(2, system.n_all))
    rows = system.multiplier_rows()
    u[rows] = a[rows] = 0.0
    system.set_header(t=0.3, load=1.2, ca=7.0, cu=3.0)
    system.tangent(q, u, a)
    exact = system.matrix.dense()
    assert np.abs(exact - differences(system, q, u, a, 7.0, 3.0)).max() < 1e-7 * (
        1 + np.abs(exact).max()
    )


def test_motion_along_a_twist_is_the_matrix_exponential():
    system = alone(el.node_mass(), [1.0] * 4)
    for angle in (1e-9, 1e-3, 0.03, 0.5, 3.0):
        q, psi = pose(RNG), RNG.normal(size=6)
        psi[3:] *= angle / np.linalg.norm(psi[3:])
        moved = homogeneous(system.moved(q, psi))
        assert np.abs(moved - homogeneous(q) @ expm(twist_matrix(psi))).max() < 1e-14


def test_beam_knows_the_twist_between_its_nodes():
    """With unit stiffness and length the force on the second node is T^-T xi, and T^-1 xi = xi."""
    system = alone(el.beam(), [1.0, *[0.0] * 6, *[1.0] * 6])
    for angle in (1e-8, 0.1, 1.0, 2.5):
        first, xi = pose(RNG), RNG.normal(size=6)
        xi[3:] *= angle / np.linalg.norm(xi[3:])
        q = np.r_[first, first]
        d = np.zeros(12)
        d[system.increments[1] : system.increments[1] + 6] = xi
        force = system.residual(system.moved(q, d))
        second = force[system.increments[1] : system.increments[1] + 6]
        assert second @ xi == pytest.approx(xi @ xi, rel=1e-12)
        assert second[3:] @ xi[3:] + second[:3] @ xi[:3] > 0


def test_beam_forces_are_in_balance_and_rigid_motion_strains_nothing():
    numbers = [0.7, 1, 0.1, 0, 0.2, 0, 0.1, 5, 3, 4, 2, 6, 7]
    system = alone(el.beam(), numbers)
    q = np.r_[pose(RNG), pose(RNG)]
    r = system.residual(q)
    force, moment = np.zeros(3), np.zeros(3)
    for b in range(2):
        R, p = rotation(q[7 * b + 3 : 7 * b + 7]), q[7 * b : 7 * b + 3]
        own = r[system.increments[b] : system.increments[b] + 6]
        force += R @ own[:3]
        moment += np.cross(p, R @ own[:3]) + R @ own[3:]
    assert np.abs(np.r_[force, moment]).max() < 1e-13 * np.abs(r).max() * 10
    first = pose(RNG)
    ends = np.r_[first, first]
    d = np.zeros(12)
    d[system.increments[1] : system.increments[1] + 6] = 0.7 * np.array([1, 0.1, 0, 0.2, 0, 0.1])
    assert np.abs(system.residual(system.moved(ends, d))).max() < 1e-13


def test_segments_vibrate_with_the_frequencies_of_pins_and_springs():
    """Cantilever of four segments, half a segment of spring at the root: 30-digit reference (M10)
    in units of sqrt(EI/(rho A L^4)); pins are springs 1e8 times stiffer here."""
    n, l = 4, 0.25
    builder = SystemBuilder()
    root = builder.add(BODY, name="root", fixed=True)
    bodies = builder.add(BODY, n, name="segment")
    stiff = np.array([1e8, 1e8, 1e8, 1e8, 1.0, 1.0]) / l
    chain = np.stack([bodies[:-1], bodies[1:]], axis=1)
    builder.couple(el.segment_spring(), chain, [l / 2, 0, 0, -l / 2, 0, 0, *stiff])
    builder.couple(
        el.segment_spring(), [[root[0], bodies[0]]], [0, 0, 0, -l / 2, 0, 0, *(2 * stiff)]
    )
    builder.couple(el.node_mass(), bodies[:, None], [l, l, l**3 / 12, l**3 / 12])
    system = builder.build()
    places = [[0, 0, 0], *([l * (i + 0.5), 0, 0] for i in range(n))]
    q = np.concatenate([el.pose_numbers(p) for p in places])
    matrices = []
    for ca_, cq in ((0.0, 1.0), (1.0, 0.0)):
        system.set_header(ca=ca_, cq=cq)
        system.tangent(q)
        matrices.append(system.matrix.dense())
    K, M = matrices
    found = np.sqrt(eigh((K + K.T) / 2, M, eigvals_only=True)[:6:2])
    assert found == pytest.approx([3.41803935770157, 20.0903513005539, 53.2017371009713], rel=1e-5)


def test_potentials_are_those_of_the_forces():
    """Power of the residual along any motion is the rate of the potential."""
    import casadi as ca

    for name in ("beam", "angled", "segment", "rigid"):
        make, numbers = KINDS[name]
        kind = make()
        system = alone(kind, numbers)
        q = np.concatenate([pose(RNG) for _ in kind.shapes])
        d, step, values = RNG.normal(size=system.n_all), 1e-5, []
        motion = LocalMotion(0.0, 1.0, [ca.SX.sym("q", 7) for _ in kind.shapes], [], [])
        V = ca.Function("V", motion.q, [kind.source.potential(motion, ca.SX(numbers))])
        for s in (-step, step):
            values.append(float(V(*np.split(system.moved(q, s * d), len(kind.shapes)))))
        rate = (values[1] - values[0]) / (2 * step)
        assert system.residual(q) @ d == pytest.approx(rate, rel=1e-6, abs=1e-6)


def test_rigid_body_obeys_newton_and_euler_about_its_centre():
    """Inertia about an origin away from the centre of mass is that about the centre, moved."""
    m, c, w, alpha = 2.0, np.array([0.1, -0.3, 0.2]), RNG.normal(size=3), RNG.normal(size=3)
    v, vdot, g = RNG.normal(size=3), RNG.normal(size=3), np.array([0.0, 1.0, -9.81])
    I_c = np.diag([1.0, 2.0, 2.5])
    I_o = I_c - m * skew(c) @ skew(c)
    six = [I_o[0, 0], I_o[1, 1], I_o[2, 2], I_o[0, 1], I_o[0, 2], I_o[1, 2]]
    system = alone(el.rigid_body(), [m, *(m * c), *six, *g])
    q = pose(RNG)
    r = system.residual(q, np.r_[v, w], np.r_[vdot, alpha])
    a_c = vdot + np.cross(w, v) + np.cross(alpha, c) + np.cross(w, np.cross(w, c))
    force = m * (a_c - rotation(q[3:]).T @ g)
    moment = I_c @ alpha + np.cross(w, I_c @ w) + np.cross(c, force)
    assert np.abs(r - np.r_[force, moment]).max() < 1e-13 * np.abs(r).max() * 10


def test_joints_do_no_work_on_motions_they_allow():
    """Rows of forces are -G^T lam: their power on any motion is -lam . dg/dt."""
    for make, numbers in (KINDS["held"], KINDS["revolute"]):
        system = alone(make(), numbers)
        q = np.concatenate([pose(RNG) if s.pose else RNG.normal(size=s.nq) for s in system.shapes])
        rows = system.multiplier_rows()
        d = np.where(rows, 0.0, RNG.normal(size=system.n_all))
        lam = q[-system.shapes[-1].n :]
        step = 1e-6
        rate = (system.residual(system.moved(q, step * d)) - system.residual(
            system.moved(q, -step * d)))[rows] / (2 * step)  # fmt: skip
        power = system.residual(q)[~rows] @ d[~rows]
        assert power == pytest.approx(-lam @ rate, abs=1e-8)


def test_an_element_over_frames_computes_what_the_one_over_blocks_does():
    """The exact element of models between two nodes, and the beam: same strain, written twice."""
    numbers = np.array([0.7, 5, 3, 4, 2, 6, 7])

    def loads(frames, p):
        zero, one = SYMBOLIC.const(np.zeros(3)), SYMBOLIC.const([1.0, 0.0, 0.0])
        found = exact_loads(SYMBOLIC, p[0], frames, [PointData(p[4:7], p[1:4], Screw(zero, one))])
        return found.forces, found.torques

    ours = alone(el.beam(), [0.7, 1, 0, 0, 0, 0, 0, *numbers[1:]])
    theirs = alone(frame_element("exact", 2, 7, loads), numbers)
    q = np.tile(pose(np.random.default_rng(8)), 2)
    q = ours.moved(q, np.random.default_rng(9).normal(size=12))
    assert np.abs(ours.residual(q) - theirs.residual(q)).max() < 1e-12
    for system in (ours, theirs):
        system.set_header()
        system.tangent(q)
    assert np.abs(ours.matrix.dense() - theirs.matrix.dense()).max() < 1e-11


def test_speeds_of_frames_are_those_of_the_world():
    """Power of a load on a frame is that of the residual on the speeds of the block."""

    def loads(frames, p):
        (f,) = frames
        return [f.v_WP + 2 * f.a_WP], [f.w_WP + 3 * f.alpha_WP]

    system = alone(frame_element("drag", 1, 0, loads), [])
    q, u, a = pose(RNG), RNG.normal(size=6), RNG.normal(size=6)
    R, (v, w) = rotation(q[3:]), (u[:3], u[3:])
    force = R @ v + 2 * R @ (a[:3] + np.cross(w, v))
    torque = R @ (w + 3 * a[3:])
    assert system.residual(q, u, a) == pytest.approx(np.r_[-R.T @ force, -R.T @ torque], abs=1e-13)


def test_machine_code_of_a_kind_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIANT_CACHE_DIR", str(tmp_path))
    calls = []

    def residual(m, p):
        calls.append(1)
        return p[0] * m.load * m.u[0]

    kinds = [element_kind("drag", (BODY,), 1, residual, key="a test") for _ in range(2)]
    assert len(calls) == 1
    assert [(k.rates, k.loaded, k.operations) for k in kinds] == [
        (True, True, kinds[0].operations)
    ] * 2
    systems = [alone(k, [2.0]) for k in kinds]
    q, u = pose(RNG), RNG.normal(size=6)
    assert np.all(systems[0].residual(q, u) == systems[1].residual(q, u))


def test_a_block_of_the_wrong_shape_is_refused_by_name():
    builder = SystemBuilder()
    body = builder.add(BODY, name="arm")
    with pytest.raises(ValueError, match=r"held, block 1: arm has shape"):
        builder.couple(el.held(), [[body[0], body[0]]], [KINDS["held"][1]])


def test_real_coordinates_ride_with_a_pose():
    """A block with a pose and two modes: tangent of a spring between mode and position."""
    shape = BlockShape(reals=2)

    def residual(m, p):
        import casadi as ca

        q, a = m.q[0], m.a[0]
        return ca.vertcat(q[7] * q[0], 0, 0, 0, 0, q[8] * q[3], p[0] * a[6] + q[7] ** 2, a[7])

    system = alone(element_kind("modal", (shape,), 1, residual), [3.0])
    rng = np.random.default_rng(2)
    q = np.r_[pose(rng), rng.normal(size=2)]
    u, a = rng.normal(size=(2, 8))
    system.set_header(ca=5.0, cu=2.0)
    system.tangent(q, u, a)
    assert np.abs(system.matrix.dense() - differences(system, q, u, a, 5.0, 2.0)).max() < 1e-8
    assert multipliers(3).n == 3
