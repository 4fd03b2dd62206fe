"""Block-sparse elimination: order, fill, factors against dense linear algebra, diagnosis."""

import numpy as np
import pytest

from pliant.backends.blocks.solver import elimination as program
from pliant.backends.blocks.solver.elimination import program_of
from pliant.backends.blocks.solver.matrix import BlockMatrix, SingularBlockError
from pliant.backends.blocks.solver.minimum_degree import Elimination
from pliant.backends.blocks.solver.system import packed
from pliant.errors import CapabilityError


def chain(n):
    return np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)


def nothing(n):
    return np.zeros(n, dtype=bool)


def matrix_of(program):
    return BlockMatrix(program, [f"block {i}" for i in range(len(program.pivot))], packed(program))


def unknowns(program, sizes, block):
    first = program.start[program.pivot[block]] + program.inner[block]
    return np.arange(first, first + sizes[block])


def write(matrix, sizes, blocks):
    """Put dense blocks {(i, j): array} into the matrix; the full matrix."""
    p, full = matrix.program, np.zeros((matrix.program.n, matrix.program.n))
    values = matrix.open()
    values[:] = 0.0
    for (i, j), block in blocks.items():
        offset, lead = p.place(np.array([i]), np.array([j]))
        rows = offset[0] + lead[0] * np.arange(sizes[i])[:, None] + np.arange(sizes[j])
        values[rows] += block
        full[np.ix_(unknowns(p, sizes, i), unknowns(p, sizes, j))] += block
    return full


def random_mechanism(rng, bodies, joints):
    """Sizes, multiplier flags, couplings and blocks of a symmetric system with constraints."""
    sizes = [int(rng.choice([3, 6, 6, 8])) for _ in range(bodies)]
    blocks = {}
    for i in range(bodies):
        A = rng.normal(size=(sizes[i], sizes[i]))
        blocks[i, i] = A @ A.T + np.eye(sizes[i])
    pairs, touched = [], []
    for k in range(joints):
        a, b = rng.choice(bodies, 2, replace=False)
        m = int(rng.integers(1, 3))
        lam = bodies + k
        sizes.append(m)
        pairs.append([a, b, lam])
        for body in (a, b):
            G = rng.normal(size=(m, sizes[body]))
            blocks[lam, body], blocks[body, lam] = G, G.T
        touched.append((a, b))
    for _ in range(bodies):
        a, b = rng.choice(bodies, 2, replace=False)
        C = 0.1 * rng.normal(size=(sizes[a], sizes[b]))
        blocks[a, b] = blocks.get((a, b), 0) + C
        blocks[b, a] = blocks.get((b, a), 0) + C.T
        pairs.append([a, b, a])
    algebraic = np.arange(len(sizes)) >= bodies
    return np.array(sizes), algebraic, np.array(pairs), blocks


@pytest.mark.parametrize("seed", range(12))
def test_solution_of_random_constrained_systems_equals_the_dense_one(seed):
    rng = np.random.default_rng(seed)
    sizes, algebraic, pairs, blocks = random_mechanism(rng, 12, int(rng.integers(0, 14)))
    matrix = matrix_of(program_of(sizes, algebraic, nothing(len(sizes)), [pairs]))
    full = write(matrix, sizes, blocks)
    right = rng.normal(size=len(full))
    matrix.factor(keep=True)
    expected = np.linalg.solve(full, right)
    scale = np.abs(expected).max() * np.linalg.cond(full) * 1e-15
    assert np.abs(matrix.dense() - full).max() == 0.0
    assert np.abs(matrix.solve(right) - expected).max() < 100 * scale
    assert np.abs(matrix.defect(matrix.solve(right, refine=1), right)).max() < 1e-11


@pytest.mark.parametrize("seed", range(4))
def test_negative_pivots_count_negative_eigenvalues(seed):
    rng = np.random.default_rng(seed)
    sizes, algebraic, pairs, blocks = random_mechanism(rng, 8, 5)
    for i in range(8):
        blocks[i, i] = blocks[i, i] - 3 * np.eye(sizes[i])
    matrix = matrix_of(program_of(sizes, algebraic, nothing(len(sizes)), [pairs]))
    full = write(matrix, sizes, blocks)
    matrix.factor()
    assert matrix.negative_pivots() == np.sum(np.linalg.eigvalsh(full) < 0)


def test_chains_and_trees_have_no_fill_and_rings_have_little():
    n = 2000
    sizes = np.full(n, 6)
    rng = np.random.default_rng(0)
    tree = np.stack([np.arange(1, n), [rng.integers(0, i) for i in range(1, n)]], axis=1)
    ring = np.vstack([chain(n), [[n - 1, 0]]])
    for couplings, entries in ((chain(n), n - 1), (tree, n - 1), (ring, 2 * n - 3)):
        program = program_of(sizes, nothing(n), nothing(n), [couplings])
        assert len(program.column) == entries


def test_order_keeps_the_fill_of_a_grid_far_below_that_of_a_band():
    """A band of m columns has m^3 entries; the best orders need O(m^2 log m) (George 1973)."""
    m = 40
    node = np.arange(m * m).reshape(m, m)
    neighbours = [set() for _ in range(m * m)]
    for a, b in ((node[:-1], node[1:]), (node[:, :-1], node[:, 1:])):
        for i, j in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True):
            neighbours[i].add(j)
            neighbours[j].add(i)
    order, columns = Elimination(neighbours).run()
    entries = sum(len(c) for c in columns)
    assert sorted(order) == list(range(m * m))
    assert entries < m**3 / 3


def test_multipliers_wait_for_their_bodies():
    """A body between three joints of five rows each can take one of them."""
    sizes = np.array([6, 5, 5, 5])
    algebraic = np.array([False, True, True, True])
    pairs = np.array([[0, 1], [0, 2], [0, 3]])
    program = program_of(sizes, algebraic, nothing(4), [pairs])
    assert program.pivot[0] == program.pivot[1] == 0
    assert set(program.pivot[2:]) == {1, 2}


def test_a_system_coupled_too_densely_is_refused(monkeypatch):
    """All of n blocks coupled: n^3/3 products."""
    n = 20
    pairs = np.array([[i, j] for i in range(n) for j in range(i)])
    products = sum(k * k for k in range(n))
    monkeypatch.setattr(program, "MOST_UPDATES", products - 1)
    with pytest.raises(CapabilityError, match="too densely"):
        program_of(np.full(n, 6), nothing(n), nothing(n), [pairs])
    monkeypatch.setattr(program, "MOST_UPDATES", products)
    assert len(program_of(np.full(n, 6), nothing(n), nothing(n), [pairs]).targets) == products


def test_a_singular_block_is_named():
    sizes = np.full(4, 6)
    matrix = matrix_of(program_of(sizes, nothing(4), nothing(4), [chain(4)]))
    blocks = {(i, i): np.eye(6) for i in range(4)}
    blocks[2, 2] = np.ones((6, 6))
    write(matrix, sizes, blocks)
    with pytest.raises(SingularBlockError, match="block 2"):
        matrix.factor()


def test_refinement_mends_a_solution_with_a_stale_digit():
    """Refinement with the factors of a matrix 1e-6 away gains six digits per step."""
    rng = np.random.default_rng(3)
    sizes = np.full(30, 6)
    matrix = matrix_of(program_of(sizes, nothing(30), nothing(30), [chain(30)]))
    blocks = {(i, i): 10 * np.eye(6) + rng.normal(size=(6, 6)) for i in range(30)}
    blocks |= {(i, i + 1): rng.normal(size=(6, 6)) for i in range(29)}
    full = write(matrix, sizes, blocks)
    matrix.factor(keep=True)
    matrix.original *= 1 + 1e-6
    right = rng.normal(size=180)
    exact = np.linalg.solve(full * (1 + 1e-6), right)
    errors = [np.abs(matrix.solve(right, refine=k) - exact).max() for k in range(3)]
    assert errors[0] > 1e-8
    assert errors[1] < 1e-11
    assert errors[2] < 1e-14
