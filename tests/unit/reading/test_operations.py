"""Columns and matrices of values, and mechanics written over them."""

import numpy as np
import pytest
from tests.conformance.test_joints import TREE_JOINTS, random_coordinates

from pliant.model.joints import JOINTS
from pliant.reading.algebra import Evaluation, Matrix, Space, evaluate, readable_ops
from pliant.spatial.ops import NUMERIC, Ops, SymbolicOps
from pliant.spatial.rotation import from_quaternion, quaternion_rate, quaternion_speed


@pytest.fixture
def space():
    return Space()


@pytest.fixture
def ops(space):
    return readable_ops(space)


def members(protocol):
    own = set(protocol.__annotations__) | {k for k, v in vars(protocol).items() if callable(v)}
    return {name for name in own if not name.startswith("_")}


def test_every_operation_exists(ops):
    wanted = members(Ops) | members(SymbolicOps)
    assert len(wanted) > 40
    assert [name for name in wanted if not callable(getattr(ops, name, None))] == []


def test_matrices_follow_numpy(space, ops):
    rng = np.random.default_rng(5)
    A, B, v = (rng.integers(-4, 5, shape) for shape in ((3, 3), (3, 2), (3,)))
    a, b, c = ops.const(A), ops.const(B), ops.const(v)
    x = space.symbol("x")

    def same(found, expected):
        given = evaluate(found, NUMERIC, {"x": 2.0})
        return np.array_equal(given, np.reshape(expected, np.shape(given)))

    assert same(a @ b, A @ B)
    assert same(a @ (x * c), A @ (2 * v))
    assert same(a.T - 2 * a + x, A.T - 2 * A + 2)
    assert same(-(b / 4), -(B / 4))
    assert same(a[1:, :], A[1:, :])
    assert same(a[:, 1], A[:, 1])
    assert same(c[1:], v[1:])
    assert same(ops.cross(c, a[:, 0]), np.cross(v, A[:, 0]))
    assert same(ops.stack([c, x, b[:, 0]]), [*v, 2, *B[:, 0]])
    assert same(ops.columns([a, b]), np.column_stack([A, B]))
    assert same(ops.flat(b), B.flatten(order="F"))
    assert ops.folded(ops.flat(b), 3) == b
    assert ops.dot(c, c) == int(v @ v)
    assert a[1, 2] == int(A[1, 2])
    assert a[5] == int(A[2, 1])
    assert list(c) == [int(k) for k in v]
    assert (a.shape, b.numel(), ops.zeros(3).nnz()) == ((3, 3), 6, 0)
    assert ops.full(x).shape == (1, 1)
    with pytest.raises(ValueError, match="do not fit"):
        b @ a


def test_structural_zeros_are_recognised(space, ops):
    q = space.symbol("q")
    R = ops.mat([[space.cos(q), -space.sin(q)], [space.sin(q), space.cos(q)]])
    assert (R.T @ R - ops.const(np.eye(2))).nnz() == 0


def test_new_symbols_do_not_share_names(space, ops):
    declared = space.symbol("pin.angle")
    first = ops.symbols(["pin.angle", "w"])
    second = ops.symbols(["w"])
    assert first[0] == declared
    assert first[1] != second[0]


def test_named_values_above_the_limit_are_symbols():
    space = Space(naming_limit=2)
    ops = readable_ops(space)
    x, y, z = (space.symbol(n) for n in "xyz")
    column = ops.named("w1", ops.vec(x + y, x + y + z, 2 * x + 2 * y + 2 * z))
    assert column[0] == x + y
    assert column[1].symbol == space.index("w1_y")
    assert column[2] == 2 * column[1]
    assert ops.gradient(column[2] ** 2, x)[0] == 8 * column[1]
    given = {"x": 1.0, "y": 2.0, "z": 3.0}
    assert np.array_equal(evaluate(column, NUMERIC, given).ravel(), [3.0, 6.0, 12.0])


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_joints_have_the_same_pose_and_bases_in_symbols(joint):
    space = Space()
    ops = readable_ops(space)
    q = ops.symbols([f"q{k}" for k in range(joint.nq)])
    u = ops.symbols([f"u{k}" for k in range(joint.nu)])
    rng = np.random.default_rng(8)
    numbers, speeds = random_coordinates(joint, rng), rng.uniform(-1, 1, joint.nu)
    given = {f"q{k}": x for k, x in enumerate(numbers)}
    given |= {f"u{k}": x for k, x in enumerate(speeds)}
    evaluation = Evaluation(space, NUMERIC, given)

    def close(found, expected):
        entries = np.array([evaluation.of(x) for x in ops.flat(found)], dtype=float)
        return np.allclose(entries, np.ravel(expected, order="F"), atol=1e-13)

    X, Y = joint.pose(ops, q), joint.pose(NUMERIC, numbers)
    assert close(X.R, Y.R)
    assert close(X.p, Y.p)
    assert close(joint.motion(ops, q), joint.motion(NUMERIC, numbers))
    assert close(joint.qdot(ops, q, u), joint.qdot(NUMERIC, numbers, speeds))
    if joint.m:
        assert close(joint.residual(ops, X), joint.residual(NUMERIC, Y))
        assert close(joint.constraint(ops, X), joint.constraint(NUMERIC, Y))


def test_residuals_of_revolute_poses_vanish_identically():
    space = Space()
    ops = readable_ops(space)
    joint = JOINTS["revolute"]("J", "ground", "body", axis="x").evaluated(lambda f: f.value)
    X = joint.pose(ops, ops.symbols(["q"]))
    assert joint.residual(ops, X).nnz() == 0
    assert (joint.constraint(ops, X).T @ joint.motion(ops, ops.symbols(["q"]))).nnz() == 0


def test_quaternion_rates_invert_as_polynomials(ops):
    """E(q)^T (2 q') = |q|² w: quaternion_speed divides by the same |q|²."""
    quat, w = ops.symbols(["e0", "e1", "e2", "e3"]), ops.symbols(["wx", "wy", "wz"])
    rate = quaternion_rate(ops, quat, w)
    speed = quaternion_speed(ops, quat, rate)
    norm = ops.dot(quat, quat)
    assert speed == (1 / norm) * (norm * w)
    R = from_quaternion(ops, quat)
    assert isinstance(R, Matrix)
