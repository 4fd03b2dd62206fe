"""Laws of the equations of every registered formulation, on systems not written for them."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.random_systems import CUT_KINDS, random_tree, with_loop

from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.start import initial_state
from pliant.formulations import FORMULATIONS
from pliant.solve.start.random_state import random_state

VARIANTS = [(name, tree) for name, cls in FORMULATIONS.items() for tree in cls.trees]


def looped(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, 3, kinds=("spherical", "universal", "cylindrical", "revolute"))
    return with_loop(rng, tree, CUT_KINDS[seed % len(CUT_KINDS)])


def evaluated(equations, expression, x, p):
    packed = ca.vertcat(*(getattr(equations, k) for k in ("t", "q", "u", "x", "a", "lam")))
    return np.array(ca.Function("f", [packed, equations.p], [expression])(x, p))


@pytest.mark.parametrize(("formulation", "tree"), VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_multipliers_act_through_the_transposed_constraint_matrix(formulation, tree, seed):
    """dr/dlam = -G^T: reactions do the power lam . (G u + b), no more and no less."""
    system = looped(seed)
    prepared = prepare(
        system,
        Choice(formulation, tree),
        functions=("constraints", "initial", "tangent", "bodies", "start_states"),
        interpret=True,
    )
    e = derive(system, Choice(formulation, tree), free=True)
    state = initial_state(system, prepared, None, 0.0)
    x = random_x(prepared, state, seed)
    W = evaluated(e, ca.jacobian(e.residual, e.lam), x, state.p)
    G = evaluated(e, ca.jacobian(e.cv, e.u), x, state.p)
    assert np.abs(W + G.T).max() < 1e-12 * max(1.0, np.abs(G).max())


@pytest.mark.parametrize(("formulation", "tree"), VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_velocity_rows_are_the_rates_of_the_position_rows(formulation, tree, seed):
    system = looped(seed)
    prepared = prepare(
        system,
        Choice(formulation, tree),
        functions=("constraints", "initial", "tangent", "bodies", "start_states"),
        interpret=True,
    )
    e = derive(system, Choice(formulation, tree), free=True)
    state = initial_state(system, prepared, None, 0.0)
    x = random_x(prepared, state, seed)
    rate = evaluated(e, e.total_derivative(e.g), x, state.p)
    cv = evaluated(e, e.cv[: e.layout.n_holonomic], x, state.p)
    assert np.abs(rate - cv).max(initial=0) < 1e-12


@pytest.mark.parametrize(("formulation", "tree"), VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_is_symmetric_and_gives_the_kinetic_energy(formulation, tree, seed):
    system = looped(seed)
    prepared = prepare(
        system,
        Choice(formulation, tree),
        functions=("constraints", "initial", "tangent", "bodies", "start_states"),
        interpret=True,
    )
    e = derive(system, Choice(formulation, tree), free=True)
    state = initial_state(system, prepared, None, 0.0)
    x = random_x(prepared, state, seed)
    M = evaluated(e, ca.jacobian(e.residual, e.a), x, state.p)
    u = x[1 + e.q.numel() : 1 + e.q.numel() + e.u.numel()]
    energy = evaluated(e, e.told.observables["kinetic_energy"].expression, x, state.p).item()
    assert np.abs(M - M.T).max() < 1e-12 * np.abs(M).max()
    assert np.linalg.eigvalsh(M).min() > -1e-12
    assert 0.5 * u @ M @ u == pytest.approx(energy, rel=1e-12)


def random_x(prepared, state, seed):
    """Random consistent positions with random velocities, accelerations and multipliers."""
    rng = np.random.default_rng(seed)
    x = random_state(prepared.compiled, state.p, state.x, rng)
    c = prepared.compiled
    x[1 + c.nq :] = rng.standard_normal(c.x_size - 1 - c.nq)
    return x


@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 5))
def test_energy_rate_is_the_power_of_gravity_on_random_trees(seed, n):
    """dT/dt equals the power of the applied forces: constraint forces of joints do no work."""
    system = random_tree(np.random.default_rng(seed), n)
    prepared = prepare(system, functions=("explicit", *STATES, "observables"), interpret=True)
    c, e = prepared.compiled, derive(system, Choice(), free=True)
    state = initial_state(system, prepared, None, 0.0)
    x = random_state(c, state.p, state.x, np.random.default_rng(seed))
    y = c.call("explicit", x, state.p)
    x[1 + c.nq + c.nu : 1 + c.nq + 2 * c.nu] = np.linalg.solve(
        c.block("explicit", "M", y), c.block("explicit", "h", y)
    )
    observed = c.call("observables", x, state.p)
    rate = observed[c.observed["kinetic_energy_rate"].start]
    potential = e.told.observables["potential_energy"].expression
    power = -evaluated(e, e.total_derivative(potential), x, state.p).item()
    scale = max(1.0, abs(rate), abs(power))
    assert abs(rate - power) < 1e-10 * scale
