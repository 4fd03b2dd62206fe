"""Given modes with geometric stiffness second-order: against the kinetic energy of their nodes."""

import casadi as ca
import numpy as np
import pytest
from tests.unit.flex.energy import table_energy

from pliant.flex.given import GivenModes, given_data
from pliant.flex.packing import pack, packing_of
from pliant.mechanics.flexible import masses
from pliant.mechanics.inertia import flexible_inertia
from pliant.mechanics.motion import BodyMotion, ElasticState
from pliant.spatial.ops import NUMERIC
from pliant.spatial.symbolic import SYMBOLIC

N, n = 9, 3


def modes(directions, consistent=False):
    """Random modes that move to the second order along some directions."""
    random = np.random.default_rng(4)
    nodes, Phi, H = (random.normal(size=s) for s in ((N, 3), (N, 3, n), (N, 3, n, n)))
    H = H + H.swapaxes(-1, -2)
    H[:, [d for d in range(3) if d not in directions]] = 0
    mass = random.uniform(1, 2, N)
    if consistent:
        A = random.normal(size=(N, N))
        mass = np.kron(A @ A.T + np.eye(N), np.eye(3))
    return GivenModes(nodes, Phi, mass, np.diag([1.0, 2, 3]), H=H,
                      geometric_stiffness="second-order")  # fmt: skip


def nodal_energy(g, q, u, v, w):
    """1/2 V^T M V with V = v + w x p + p' at every node; numbers or symbols."""
    rows = []
    for p0, Phi, H in zip(g.nodes, g.Phi_t, g.H, strict=True):
        bent = ca.vertcat(*(ca.bilin(ca.DM(Hi), q, q) / 2 for Hi in H))
        rate = ca.vertcat(*(ca.bilin(ca.DM(Hi), q, u) for Hi in H))
        rows.append(v + ca.cross(w, ca.DM(p0) + ca.DM(Phi) @ q - bent) + ca.DM(Phi) @ u - rate)
    M = g.mass if g.mass.ndim == 2 else np.diag(np.repeat(g.mass, 3))
    V = ca.vertcat(*rows)
    return ca.bilin(ca.DM(M), V, V) / 2


def states(count):
    random = np.random.default_rng(7)
    for _ in range(count):
        yield tuple(random.normal(size=k) for k in (n, n, 3, 3))


@pytest.mark.parametrize("consistent", [False, True])
@pytest.mark.parametrize("directions", [(0,), (1, 2), (0, 1, 2)])
def test_tables_are_the_whole_energy_of_the_nodes(directions, consistent):
    g = modes(directions, consistent)
    data = given_data(g)
    assert {d for d, _, _ in data.pairs} == set(directions)
    for state in states(5):
        expected = float(nodal_energy(g, *map(ca.DM, state)))
        assert table_energy(data, *state).sum() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("directions", [(0,), (1, 2), (0, 1, 2)])
def test_mass_matrix_is_that_of_the_nodes_and_positive(directions):
    """T = 1/2 V^T M V for V = (w, v, u): the Hessian of the energy of the nodes."""
    g = modes(directions)
    data = given_data(g)
    packing = packing_of(data, {})
    tables = packing.unpack(pack(packing, data, {}))
    q, V = ca.SX.sym("q", n), ca.SX.sym("V", 6 + n)
    T = nodal_energy(g, q, V[6:], V[3:6], V[:3])
    hessian = ca.Function("H", [q], [ca.hessian(T, V)[0]])
    for place, *_ in states(5):
        m = masses(NUMERIC, tables, packing.pairs, place, n)
        cross = np.cross(np.eye(3), m.s)
        mass = np.block([[m.J, cross, m.B], [cross.T, m.mass * np.eye(3), m.S],
                         [m.B.T, m.S.T, m.M]])  # fmt: skip
        expected = hessian(place).full()
        assert np.allclose(mass, expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())
        assert np.linalg.eigvalsh(mass).min() > 0


def lagrange(T, q, u, v, w, accelerations):
    """Wrench and elastic forces from T alone (normative 6), with q' = u."""
    a, acc, alpha = accelerations
    state = ca.vertcat(q, u, v, w)
    rates = ca.vertcat(u, a, acc - ca.cross(w, v), alpha)
    momenta = [ca.gradient(T, x) for x in (w, v, u)]
    changes = [ca.jtimes(p, state, rates) for p in momenta]
    return (
        changes[0] + ca.cross(w, momenta[0]) + ca.cross(v, momenta[1]),
        changes[1] + ca.cross(w, momenta[1]),
        changes[2] - ca.gradient(T, q),
    )


@pytest.mark.parametrize("directions", [(0,), (0, 1, 2)])
def test_forces_are_the_exact_consequence_of_the_energy(directions):
    g = modes(directions)
    data = given_data(g)
    packing = packing_of(data, {})
    numbers = [ca.SX(x) for x in pack(packing, data, {})]
    q, u, a = (ca.SX.sym(name, n) for name in ("q", "u", "a"))
    v, w, acc, alpha = (ca.SX.sym(name, 3) for name in ("v", "w", "acc", "alpha"))
    elastic = ElasticState(data.names, q, u, a, packing.unpack(numbers), packing.pairs)
    motion = BodyMotion(None, w, v, alpha, acc)
    found = flexible_inertia(SYMBOLIC, elastic).wrench(SYMBOLIC, motion)
    expected = lagrange(nodal_energy(g, q, u, v, w), q, u, v, w, (a, acc, alpha))
    expected = (*expected[:2], expected[2] + ca.DM(g.K) @ q)
    compare = ca.Function("compare", [q, u, a, v, w, acc, alpha],
                          [found.n, found.f, found.e, *expected])  # fmt: skip
    random = np.random.default_rng(8)
    for _ in range(4):
        values = compare(*(random.normal(size=x.shape[0]) for x in (q, u, a, v, w, acc, alpha)))
        for one, other in zip(values[:3], values[3:], strict=True):
            size = np.abs(other.full()).max()
            assert np.abs((one - other).full()).max() < 1e-11 * size
