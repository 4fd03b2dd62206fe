"""Constant mass matrices, quadratic constraints and joint forces in natural coordinates."""

import casadi as ca
import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.formulations.natural.plan import NaturalPlan
from pliant.graphs import spanning_tree

NATURAL = Choice("natural")


def numbers(e, expression, **given):
    symbols = [e.t, e.q, e.u, e.x, e.a, e.lam, e.p]
    values = {"p": e.inputs.values, **given}
    arguments = [values.get(k, np.zeros(s.numel()))
                 for k, s in zip("tquxalp", symbols, strict=True)]  # fmt: skip
    return np.array(ca.Function("f", symbols, [expression])(*arguments))


def cloud(rng, n):
    """A body made of n point masses: its description, the places and the masses."""
    x, m = rng.uniform(-0.5, 0.5, (n, 3)), rng.uniform(0.1, 1.0, n)
    com = m @ x / m.sum()
    r = x - com
    I = sum(mk * (rk @ rk * np.eye(3) - np.outer(rk, rk)) for mk, rk in zip(m, r, strict=True))
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    frames = {"P": tuple(rng.uniform(0.3, 0.6, 3)), "Q": tuple(rng.uniform(-0.6, -0.3, 3))}
    return pl.RigidBody("b", float(m.sum()), com=tuple(com), inertia=inertia, frames=frames), x, m


@pytest.mark.parametrize("seed", range(4))
def test_the_mass_matrix_is_that_of_the_interpolated_velocity(seed):
    """T = 1/2 Σ m |r'|² with r linear in the points and vectors, for any rates whatever."""
    rng = np.random.default_rng(seed)
    body, x, m = cloud(rng, 7)
    joints = [pl.Spherical("P", "ground", "b.P"), pl.Spherical("Q", "b.Q", "c")]
    other = pl.RigidBody("c", 1e-9, inertia=(1e-9, 1e-9, 1e-9))
    system = pl.System(bodies=[body, other], joints=joints[: 1 + seed % 2])
    e, plan = derive(system, NATURAL), NaturalPlan.of(spanning_tree(system.model))
    names, u = [s.name for s in e.layout.u], rng.standard_normal(e.u.numel())
    own = [k for k, s in enumerate(names) if plan.items[plan.unknown[k // 3]].name[0] in "bPQ"]
    M = numbers(e, ca.jacobian(e.residual, e.a))
    v = np.zeros_like(u)
    v[own] = u[own]
    solid = plan.solids["b"]
    rates = []
    for member in solid.members:
        item = plan.items[member.item]
        start = 0 if item.on_ground else names.index(f"{item.name}.x_rate")
        rates.append(np.zeros(3) if item.on_ground else v[start : start + 3])
    o = solid.members[solid.origin]
    points = [plan.items[solid.members[k].item].is_point for k in solid.directions]
    local = [solid.members[k].at[0] - (o.at[0] if p else 0)
             for k, p in zip(solid.directions, points, strict=True)]  # fmt: skip
    moved = [rates[k] - (rates[solid.origin] if p else 0)
             for k, p in zip(solid.directions, points, strict=True)]  # fmt: skip
    y = np.linalg.solve(np.column_stack(local), (x - o.at[0]).T)
    velocity = rates[solid.origin] + (np.column_stack(moved) @ y).T
    T = 0.5 * m @ (velocity**2).sum(axis=1)
    assert 0.5 * v @ M @ v == pytest.approx(T, rel=1e-6)  # the second body weighs 1e-9
    assert np.linalg.eigvalsh(M).min() > -1e-12


def test_a_slender_bar_between_its_ends_has_the_mass_matrix_of_the_textbook():
    """Ball joints at both ends, one of them on the ground: m/3 at the other."""
    bar = pl.RigidBody.rod("bar", 2.0, mass=3.0, frames={"end": [2, 0, 0]})
    ball = pl.RigidBody("ball", 0.0)
    system = pl.System(bodies=[bar, ball], joints=[
        pl.Spherical("A", "ground", "bar"), pl.Spherical("B", "bar.end", "ball"),
    ])  # fmt: skip
    e = derive(system, NATURAL)
    M = numbers(e, ca.jacobian(e.residual, e.a))
    start = [s.name for s in e.layout.q].index("B.point.x")
    assert np.allclose(M[start : start + 3, start : start + 3], np.eye(3), rtol=1e-14)


def two_links():
    mass = {"com": (0.3, 0.1, 0), "inertia": (0.1, 0.2, 0.3)}
    links = [pl.RigidBody(n, 2.0, **mass, frames={"P": [0.5, 0.2, 0.1]}) for n in "ab"]
    joints = [pl.Revolute("A", "ground", "a", axis="x"), pl.Universal("B", "a.P", "b")]
    return pl.System(bodies=links, joints=joints, gravity=(0, 1, -9.81))


def test_inertia_is_constant_and_has_no_velocity_terms():
    e = derive(two_links(), NATURAL)
    moving = ca.vertcat(e.q, e.u)
    inertial = ca.substitute(e.residual, e.lam, ca.SX.zeros(e.lam.numel()))
    assert not any(ca.which_depends(inertial, moving, 1, True))


def test_rigid_body_constraints_are_quadratic():
    e = derive(two_links(), NATURAL)
    rigid = [k for k, row in enumerate(e.layout.rows) if row.owner in "ab"]
    slopes = ca.jacobian(ca.vertcat(*(e.g[k] for k in rigid)), e.q)
    assert not any(ca.which_depends(ca.vec(ca.jacobian(ca.vec(slopes), e.q)), e.q, 1, True))


def a_frame(angle):
    """Two equal bars lean against each other at the height of their common pin."""
    bars = [
        pl.RigidBody.rod(n, 1.0, mass=2.0, frames={"top": [1, 0, 0]}) for n in ("left", "right")
    ]
    feet = pl.Ground(frames={"B": [2 * np.cos(angle), 0, 0]})
    joints = [
        pl.Revolute("A", "ground", "left", initial={"angle": angle}),
        pl.Revolute("B", "ground.B", "right", initial={"angle": np.pi - angle}),
        pl.Revolute("top", "left.top", "right.top"),
    ]
    return pl.System(bodies=bars, joints=joints, ground=feet, gravity=(0, -10, 0))


@pytest.mark.parametrize("angle", [0.5, 1.0, 1.3])
def test_shared_joints_of_a_loop_transmit_what_equilibrium_asks_for(angle):
    """Moments of a bar about its foot: H = W / (2 tan θ); each foot carries its bar."""
    result = a_frame(angle).simulate(0.01, formulation="natural").require()
    H, W = 20 / (2 * np.tan(angle)), 20.0
    assert np.allclose(result.values("top.force")[:, :2], [H, 0], atol=1e-9 * W)
    assert np.allclose(result.values("A.force")[:, :2], [H, W], atol=1e-9 * W)
    assert np.allclose(result.values("B.force")[:, :2], [-H, W], atol=1e-9 * W)


def test_redundant_reactions_are_called_so_also_where_joints_share_coordinates():
    result = a_frame(1.0).simulate(0.01, formulation="natural").require()
    assert list(result["top.force"].attrs["unique"]) == [True, True, False]
    assert list(result["A.torque"].attrs["unique"]) == [False, False, True]


def test_equations_are_printed_in_points_and_vectors():
    readable = two_links().equations("natural")
    text = str(readable)
    assert "a.unit_n1" in text
    assert "B.cross" in text
