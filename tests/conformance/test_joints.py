"""Laws of every registered joint, at random coordinates."""

from itertools import combinations

import casadi as ca
import numpy as np
import pytest

from pliant.model.fields import kinds_of
from pliant.model.joints import JOINTS
from pliant.model.joints.rotational import ROTATION_SETS, RotationalJoint
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import from_quaternion, skew
from pliant.spatial.symbolic import SYMBOLIC

EXTRA = {"screw": {"pitch": 0.3}, "distance": {"length": 1.2}}
MOTIONS = ("x", "y", "z", "rx", "ry", "rz")
LOCKED = [some for n in range(1, 7) for some in combinations(MOTIONS, n)]
"""All 63 choices of what a joint may lock."""
TOLD = ("y", "z"), ("x", "y", "z")


def joints():
    for kind, cls in JOINTS.items():
        variants = [{}]
        if kind == "locks":
            variants = [{"locked": locked} for locked in LOCKED]
            variants += [{"locked": locked, "coordinates": name, "in_angles": own}
                         for locked in TOLD for name in ROTATION_SETS
                         for own in (False, True)]  # fmt: skip
        elif kind == "pin_slot":
            variants = [{}, {"axis": "y", "slot": "z"}, {"axis": (1.0, -2.0, 0.5),
                                                         "slot": (2.0, 1.0, 0.0)}]  # fmt: skip
        elif issubclass(cls, RotationalJoint):
            variants = [{"coordinates": name, "in_angles": own} for name in ROTATION_SETS
                        for own in (False, True)]  # fmt: skip
        if "axis" in kinds_of(cls) and kind not in ("universal", "pin_slot"):
            variants = [{"axis": axis} for axis in ("x", "z", (1.0, -2.0, 0.5))]
        for options in variants:
            joint = cls("J", "ground", "body", **EXTRA.get(kind, {}), **options)
            yield pytest.param(joint.evaluated(lambda f: f.value), id=f"{kind}-{options}")


TREE_JOINTS = [j for j in joints() if j.values[0].in_tree]
CUT_JOINTS = [j for j in joints() if j.values[0].m > 0]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def random_coordinates(joint, rng):
    q = rng.uniform(-1.0, 1.0, joint.nq)
    for kind, start in joint.rotations:
        if kind == "quaternion":
            q[start:] /= np.linalg.norm(q[start:])
        if kind == "euler313":
            q[start + 1] = rng.uniform(0.5, 2.5)
    return q


def random_pose(rng):
    quat = rng.standard_normal(4)
    return Pose(from_quaternion(NUMERIC, quat / np.linalg.norm(quat)), rng.standard_normal(3))


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_residual_vanishes_on_the_poses_of_the_joint(joint, rng):
    for _ in range(5):
        X = joint.pose(NUMERIC, random_coordinates(joint, rng))
        assert np.abs(joint.residual(NUMERIC, X)).max(initial=0) < 1e-14
        assert np.allclose(X.R.T @ X.R, np.eye(3), atol=1e-14)


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_reactions_do_no_work(joint, rng):
    """C^T H = 0, and C and H together span all six directions."""
    for _ in range(5):
        q = random_coordinates(joint, rng)
        H, C = joint.motion(NUMERIC, q), joint.constraint(NUMERIC, joint.pose(NUMERIC, q))
        assert H.shape == (6, joint.nu)
        assert C.shape == (6, joint.m)
        assert joint.nu + joint.m == 6
        assert np.abs(C.T @ H).max(initial=0) < 1e-14
        assert np.linalg.matrix_rank(np.hstack([H, C])) == 6


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_effort_basis_is_dual_to_the_motion(joint, rng):
    q = random_coordinates(joint, rng)
    product = joint.effort(NUMERIC, q).T @ joint.motion(NUMERIC, q)
    assert np.allclose(product, np.eye(joint.nu), atol=1e-14)


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_motion_basis_is_the_rate_of_the_pose(joint, rng):
    """V_FM = H u against the derivative of X_FM(q) along q' = N u."""
    q, u = random_coordinates(joint, rng), rng.standard_normal(joint.nu)
    if not joint.nq:
        return
    symbol = ca.SX.sym("q", joint.nq)
    X = joint.pose(SYMBOLIC, symbol)
    direction = ca.DM(joint.qdot(NUMERIC, q, u))
    parts = [ca.jtimes(ca.vec(ca.densify(part)), symbol, direction) for part in (X.R, X.p)]
    R_dot, p_dot = (np.array(ca.Function("f", [symbol], [part])(q)).ravel() for part in parts)
    V = joint.motion(NUMERIC, q) @ u
    R = joint.pose(NUMERIC, q).R
    assert np.allclose(R_dot.reshape(3, 3).T, skew(NUMERIC, V[:3]) @ R, atol=1e-13)
    assert np.allclose(p_dot, V[3:], atol=1e-13)


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_speeds_invert_rates(joint, rng):
    q, u = random_coordinates(joint, rng), rng.standard_normal(joint.nu)
    assert np.allclose(joint.speeds(NUMERIC, q, joint.qdot(NUMERIC, q, u)), u, atol=1e-13)


@pytest.mark.parametrize("joint", CUT_JOINTS)
def test_constraint_basis_is_the_rate_of_the_residual(joint, rng):
    """d(residual)/dt = C^T V at any pose, also where the joint does not hold."""
    X, V = random_pose(rng), rng.standard_normal(6)
    R, p = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3)
    residual = joint.residual(SYMBOLIC, Pose(R, p))
    R_dot = skew(NUMERIC, V[:3]) @ X.R
    rate = ca.jtimes(residual, ca.vertcat(ca.vec(R), p), ca.vertcat(ca.vec(ca.DM(R_dot)), V[3:]))
    expected = np.array(ca.Function("f", [R, p], [rate])(X.R, X.p)).ravel()
    assert np.allclose(joint.constraint(NUMERIC, X).T @ V, expected, atol=1e-12)


@pytest.mark.parametrize("joint", [j for j in TREE_JOINTS if j.values[0].scalars])
def test_scalar_coordinates_of_any_pose_and_their_rates(joint, rng):
    """d(scalars_of)/dt = rates_ofᵀ V at any pose, also where the joint does not hold."""
    X, V, n = random_pose(rng), rng.standard_normal(6), len(joint.scalars)
    R, p = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3)
    scalars = ca.SX(joint.scalars_of(SYMBOLIC, Pose(R, p)))
    R_dot = skew(NUMERIC, V[:3]) @ X.R
    rate = ca.jtimes(scalars, ca.vertcat(ca.vec(R), p), ca.vertcat(ca.vec(ca.DM(R_dot)), V[3:]))
    expected = np.array(ca.Function("f", [R, p], [rate])(X.R, X.p)).ravel()
    basis = joint.rates_of(NUMERIC, X)
    assert basis.shape == (6, joint.nu)
    assert np.allclose((basis.T @ V)[:n], expected, atol=1e-12)


@pytest.mark.parametrize("joint", [j for j in TREE_JOINTS if j.values[0].measured])
def test_what_a_pose_tells_and_its_rate(joint, rng):
    """d(quantity)/dt = c · V at any pose, and by the coordinates where it is one of them."""
    X, V = random_pose(rng), rng.standard_normal(6)
    R, p = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3)
    R_dot = skew(NUMERIC, V[:3]) @ X.R
    direction = ca.vertcat(ca.vec(ca.DM(R_dot)), V[3:])
    for told in joint.measured:
        value = ca.SX(joint.measure(SYMBOLIC, Pose(R, p), told.name)[0])
        rate = ca.jtimes(value, ca.vertcat(ca.vec(R), p), direction)
        expected = float(ca.Function("f", [R, p], [rate])(X.R, X.p))
        column = joint.measure(NUMERIC, X, told.name)[1]
        assert column @ V == pytest.approx(expected, abs=1e-11)
        if told.name in joint.coordinate_names:
            q = random_coordinates(joint, rng)
            own, there = joint.rate_column(NUMERIC, q, told.name), joint.pose(NUMERIC, q)
            assert own == pytest.approx(joint.measure(NUMERIC, there, told.name)[1])


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_coordinates_are_found_again_from_the_pose(joint, rng):
    for _ in range(5):
        X = joint.pose(NUMERIC, random_coordinates(joint, rng))
        again = joint.pose(NUMERIC, np.asarray(joint.coordinates_of(NUMERIC, X)))
        assert np.allclose(again.R, X.R, atol=1e-12)
        assert np.allclose(again.p, X.p, atol=1e-12)


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_what_is_told_is_where_the_joint_is(joint, rng):
    told = dict(zip(joint.told_names, rng.uniform(0.2, 0.8, len(joint.told_names)), strict=True))
    X = joint.pose(NUMERIC, joint.near(told))
    again = dict(zip(joint.coordinate_names, joint.coordinates_of(NUMERIC, X), strict=True))
    again |= dict(zip(joint.angle_names, joint.angles_of(NUMERIC, X.R), strict=True))
    if "e0" in told:
        size = np.linalg.norm([told[f"e{k}"] for k in range(4)])
        told |= {f"e{k}": told[f"e{k}"] / size for k in range(4)}
    assert {name: again[name] for name in told} == pytest.approx(told, abs=1e-14)


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_symbols_and_numbers_agree(joint, rng):
    q = random_coordinates(joint, rng)
    symbol = ca.SX.sym("q", joint.nq)
    H = ca.Function("H", [symbol], [joint.motion(SYMBOLIC, symbol)])(q)
    assert np.allclose(np.array(H), joint.motion(NUMERIC, q), atol=1e-15)


@pytest.mark.parametrize("joint", TREE_JOINTS)
def test_row_and_coordinate_labels_match_their_numbers(joint):
    assert len(joint.row_names) == len(joint.row_units) == joint.m
    assert len(joint.coordinate_names) == len(joint.coordinate_units) == joint.nq
    assert len(joint.rate_names) == len(joint.rate_units) == joint.nu
    assert len(joint.near({})) == joint.nq
    R = joint.canonical_axes()
    assert np.allclose(R.T @ R, np.eye(3), atol=1e-15)
    assert np.linalg.det(R) > 0


def test_axis_of_an_axial_joint_is_its_canonical_z():
    joint = JOINTS["revolute"]("J", "a", "b", axis=(3.0, 0.0, 4.0))
    assert np.allclose(joint.canonical_axes()[:, 2], [0.6, 0.0, 0.8])
