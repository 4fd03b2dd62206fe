"""Every integrator and every constraint treatment on random systems written for neither."""

import numpy as np
import pytest
from tests.models.random_systems import random_tree, with_loop

from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.solve.constraints import TREATMENTS
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.start.random_state import random_state
from pliant.solve.transient import INTEGRATORS

ADAPTIVE = [name for name, i in INTEGRATORS.items() if i.adaptive]
FIXED = [name for name, i in INTEGRATORS.items() if not i.adaptive]


def tree(seed):
    return random_tree(np.random.default_rng(seed), 3)


def loop(seed):
    rng = np.random.default_rng(seed)
    kinds = ("spherical", "universal", "cylindrical", "planar")
    return with_loop(rng, random_tree(rng, 3, kinds=kinds), "spherical")


SYSTEMS = {"tree": tree, "loop": loop}


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("kind", SYSTEMS)
def test_energy_is_kept_to_the_tolerance(method, kind):
    """Conservative systems: the drift of the energy falls with the tolerance and stays near it."""
    for seed in range(2):
        system = SYSTEMS[kind](seed)
        drifts = []
        for rtol in (1e-6, 1e-9):
            result = system.simulate(0.5, method=method, rtol=rtol, outputs=["energy"])
            assert result.completed, result.failure
            energy = result.values("energy")
            scale = max(1.0, np.abs(energy).max())
            drifts.append(float(np.abs(energy - energy[0]).max()) / scale)
        assert drifts[0] < 1e-3
        assert drifts[1] < 1e-6


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("kind", SYSTEMS)
def test_fixed_step_methods_converge_with_their_order(method, kind):
    """Halving the step divides the error of the motion by 2^order."""
    system = SYSTEMS[kind](0)
    name = "b2.out.position"
    exact = system.simulate(0.2, method="dop853", rtol=1e-11, outputs=[name]).values(name)[-1]
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        result = system.simulate(0.2, method=method, step=step, outputs=[name])
        errors.append(float(np.abs(result.values(name)[-1] - exact).max()))
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert orders[-1] == pytest.approx(INTEGRATORS[method].order, abs=0.3)


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_every_treatment_gives_the_same_accelerations(treatment):
    """On the constraints all treatments agree (a penalty up to its stiffness)."""
    for seed in range(2):
        system = loop(seed)
        prepared = prepare(system)
        state = initial_state(system, prepared, None, 0.0)
        c = prepared.compiled
        x = random_state(c, state.p, state.x, np.random.default_rng(seed))
        rows = x[None, : 1 + c.nq + c.nu + c.nx]
        expected = dense_dynamics(c, "projection", state.p).completed_states(rows)[0]
        found = dense_dynamics(c, treatment, state.p).completed_states(rows)[0]
        a = slice(1 + c.nq + c.nu + c.nx, 1 + c.nq + 2 * c.nu + c.nx)
        tolerance = 1e-9 if TREATMENTS[treatment].exact or treatment == "baumgarte" else 1e-4
        assert np.abs(found[a] - expected[a]).max() < tolerance * np.abs(expected[a]).max()


@pytest.mark.parametrize("treatment", TREATMENTS)
def test_every_treatment_gives_the_same_motion(treatment):
    system = loop(0)
    name = "b2.out.position"
    exact = system.simulate(0.3, method="dop853", rtol=1e-11, outputs=[name]).values(name)[-1]
    method = "dop853" if TREATMENTS[treatment].explicit else "radau"
    result = system.simulate(0.3, method=method, rtol=1e-8, constraints=treatment, outputs=[name])
    assert result.completed, result.failure
    tolerance = 1e-5 if TREATMENTS[treatment].exact else 1e-3
    assert np.abs(result.values(name)[-1] - exact).max() < tolerance
