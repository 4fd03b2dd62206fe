"""Statics over blocks: large rotations, buckling and snap-through against closed forms."""

import casadi as ca
import numpy as np
import pytest
from tests.models import block_elements as el

from pliant.backends.blocks.solver.element import BODY, BlockShape, element_kind, multipliers
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.blocks.solver.statics import Statics, critical_load, equilibrium_path, unstable
from pliant.backends.blocks.solver.system import SystemBuilder
from pliant.errors import StepError

SHEAR = (4800.0, 1538.461538461538, 1538.461538461538, 1.0, 1.0, 1.0)
"""EA, GA2, GA3, GJ, EI2, EI3 of the beam of B7b."""


def cantilever(n, load, stiffness=SHEAR, length=1.0, curvature=0.0, start=None, clamp=False):
    """System, poses and number of the tip of a beam along an arc; root fixed, or by multipliers."""
    builder = SystemBuilder()
    root = builder.add(BODY, name="root", fixed=not clamp)
    nodes = np.r_[root, builder.add(BODY, n, name="node")]
    h = length / n
    numbers = [h, 1, 0, 0, 0, 0, curvature, *stiffness]
    builder.couple(el.beam(), np.stack([nodes[:-1], nodes[1:]], axis=1), numbers)
    builder.couple(el.dead_load(), [[nodes[-1]]], load)
    first = el.pose_numbers(np.zeros(3)) if start is None else start
    if clamp:
        lam = builder.add(multipliers(6), name="clamp")
        builder.couple(el.held(), [[nodes[0], lam[0]]], [first])
    system = builder.build()
    q = np.zeros(system.nq)
    for k, node in enumerate(nodes):
        d = np.zeros(6)
        d[0], d[5] = k * h, curvature * k * h
        q[system.coordinates[node] :][:7] = moved_pose(first, d)
    return system, q, int(system.coordinates[nodes[-1]])


def moved_pose(first, d):
    builder = SystemBuilder()
    body = builder.add(BODY)
    builder.couple(el.node_mass(), [body], [1.0] * 4)
    return builder.build().moved(first, d)


@pytest.mark.parametrize("clamp", [False, True])
@pytest.mark.parametrize("n", [3, 8])
def test_end_moment_rolls_the_beam_up_exactly(n, clamp):
    """Constant strain: exact for any number of elements (B7a)."""
    system, q, tip = cantilever(n, [0, 0, 0, 0, 0, 2 * np.pi], clamp=clamp)
    statics = Statics(system, q)
    for point in statics.load_path(q, step=0.1):
        angle = 2 * np.pi * point.load
        if angle:
            exact = [np.sin(angle) / angle, (1 - np.cos(angle)) / angle, 0.0]
            assert np.abs(point.q[tip : tip + 3] - exact).max() < 1e-10
    assert np.abs(point.q[tip : tip + 3]).max() < 1e-12


def test_newton_converges_quadratically():
    """Digits double: a correction d is followed by one of at most 30 d^2, down to rounding."""
    system, q, _ = cantilever(8, [0, 0.5, 0.3, 0.2, 0, 0])
    changes = np.array(Statics(system, q, tolerance=1e-13).equilibrium(q).changes)
    small = changes[changes < 0.01]
    assert np.all(small[1:] < 30 * small[:-1] ** 2 + 1e-14)
    assert len(small) >= 3


def test_tip_force_converges_to_the_sheared_elastica_with_order_two():
    """B7b, P L^2/EI = 2: x, v of the extensible, shearable beam."""
    exact = np.array([0.8391145241151, 0.4943639804861, 0.0])
    errors = []
    for n in (8, 16, 32):
        system, q, tip = cantilever(n, [0, 2.0, 0, 0, 0, 0])
        last = list(Statics(system, q).load_path(q, step=0.5))[-1]
        errors.append(last.q[tip : tip + 3] - exact)
    sizes = [np.abs(e).max() for e in errors]
    assert 1.95 < np.log2(sizes[0] / sizes[1]) < 2.05
    assert 1.95 < np.log2(sizes[1] / sizes[2]) < 2.05
    assert np.abs((4 * errors[2] - errors[1]) / 3).max() < 1e-6


def test_curved_beam_bends_out_of_its_plane():
    """B1 at P = 300: 45-degree bend, tip certified to 1e-9; extrapolation of 16 and 32 elements."""
    stiffness = (1e7, 5e6, 5e6, 1e7 / 12, 1e7 / 12, 1e7 / 12)
    start = el.pose_numbers(np.zeros(3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    exact = np.array([22.24478095, 58.77912249, 40.19189167])
    errors = []
    for n in (16, 32):
        system, q, tip = cantilever(n, [0, 0, 300.0, 0, 0, 0], stiffness, 25 * np.pi, -0.01, start)
        last = list(Statics(system, q).load_path(q, step=0.2))[-1]
        errors.append(last.q[tip : tip + 3] - exact)
    assert 1.95 < np.log2(np.abs(errors[0]).max() / np.abs(errors[1]).max()) < 2.05
    assert np.abs((4 * errors[1] - errors[0]) / 3).max() < 2e-5


def test_column_buckles_at_the_geometrically_exact_load():
    """P (1 - P/EA + P/GA) = pi^2/4 (B7c)."""
    EA, GA = SHEAR[:2]
    b = 1 / GA - 1 / EA
    exact = (np.sqrt(1 + 4 * b * np.pi**2 / 4) - 1) / (2 * b)
    loads = []
    for n in (16, 32):
        system, q, _ = cantilever(n, [-1.0, 0, 0, 0, 0, 0])
        statics = Statics(system, q)
        found = critical_load(statics, q, 1.0, 4.0)
        assert (
            unstable(statics, statics.equilibrium(q, 0.99 * found.load).q, 0.99 * found.load) == 0
        )
        assert (
            unstable(statics, statics.equilibrium(q, 1.01 * found.load).q, 1.01 * found.load) == 2
        )
        loads.append(found.load)
    assert abs((4 * loads[1] - loads[0]) / 3 / exact - 1) < 1e-6


def test_multipliers_do_not_change_the_critical_load():
    free, clamped = (
        critical_load(Statics(*made[:2]), made[1], 1.0, 4.0).load
        for made in (cantilever(8, [-1.0, 0, 0, 0, 0, 0], clamp=c) for c in (False, True))
    )
    assert clamped == pytest.approx(free, rel=1e-9)


def shallow_truss(angle):
    """Two elastic bars (EA = 1) between points at x = -1 and 1 and an apex, loaded downwards."""
    point = BlockShape(pose=False, reals=2)

    def bar(m, p):
        d = m.q[1] - m.q[0]
        length = ca.norm_2(d)
        force = (length - p[0]) / p[0] * d / length
        return ca.vertcat(-force, force)

    builder = SystemBuilder()
    ends = builder.add(point, 2, name="support", fixed=True)
    apex = builder.add(point, name="apex")
    kind = element_kind("bar", (point, point), 1, bar)
    builder.couple(kind, [[ends[0], apex[0]], [ends[1], apex[0]]], [1 / np.cos(angle)])
    push = element_kind("push", (point,), 0, lambda m, p: m.load * ca.vertcat(0, 1))
    builder.couple(push, [apex], np.zeros((1, 0)))
    return builder.build(), np.array([-1, 0, 1, 0, 0, np.tan(angle)])


def test_arc_length_passes_the_limit_point_of_a_shallow_truss():
    """The load is 2 EA (1 - cos^(2/3))^(3/2) at the limit, and P(w) = 2 (l0 - l) w / (l0 l)."""
    angle = 0.5
    system, q = shallow_truss(angle)
    statics = Statics(system, q)
    path, l0 = [], 1 / np.cos(angle)
    for point in equilibrium_path(statics, q, length=0.01, longest=0.01):
        w = point.q[5]
        length = np.hypot(1, w)
        assert point.load == pytest.approx(2 * (l0 - length) * w / (l0 * length), abs=1e-9)
        path.append((point.load, w, point.unstable))
        if w < -np.tan(angle):
            break
    loads, heights, signs = np.array(path).T
    limit = 2 * (1 - np.cos(angle) ** (2 / 3)) ** 1.5
    assert limit * (1 - 1e-3) < loads.max() <= limit
    assert loads.min() == pytest.approx(-limit, rel=1e-3)
    summit = np.sqrt(np.cos(angle) ** (-2 / 3) - 1)
    assert np.all((signs == 1) == (np.abs(heights) < summit))


def test_a_load_beyond_the_limit_is_refused():
    system, q = shallow_truss(0.5)
    statics = Statics(system, q, iterations=8)
    with pytest.raises((StepError, SingularBlockError)):
        list(statics.load_path(q, 0.06, step=0.01, shortest=1e-3))
