"""Laws for every registered constraint treatment."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.models import small
from tests.models.running import end_outputs, run, violation
from tests.models.small import SmallModel

from pliant.errors import CapabilityError
from pliant.solve import INTEGRATORS, TREATMENTS, dense_dynamics, integrate

MODELS = ["slider_crank", "pendulum", "bricard", "spherical_pendulum", "knife_edge"]
DECLINED = {("elimination", "slider_crank")}  # its mass matrix is singular: tested below
PAIRS = [(t, n) for n in MODELS for t in TREATMENTS if (t, n) not in DECLINED]
EXPLICIT = [(t, n) for t, n in PAIRS if TREATMENTS[t].explicit]


@cache
def model(name: str) -> SmallModel:
    return getattr(small, name)()


@cache
def sample(name: str) -> np.ndarray:
    """A consistent packed state in the middle of the motion."""
    m = model(name)
    d, chunks = run(m, "dop853", rtol=1e-11)
    middle = chunks[0].t0 + 0.43 * (chunks[0].t1 - chunks[0].t0)
    return d.completed_states(chunks[0].evaluate(np.array([middle])))[0]


@cache
def exact(name: str) -> np.ndarray:
    m = model(name)
    return end_outputs(m, "dop853", rtol=1e-13, t_end=min(m.t_end, 2.0))


@pytest.mark.parametrize(("treatment", "name"), PAIRS)
def test_accelerations_and_multipliers_agree(treatment: str, name: str) -> None:
    m, x = model(name), sample(name)
    c = m.compiled
    got = dense_dynamics(c, treatment).completed_states(x[None, : 1 + c.nq + c.nu + c.nx])[0]
    size = max(1.0, np.abs(x).max())
    tolerance = 1e-9 if treatment != "penalty" else 1e-6
    assert np.abs(got - x).max() / size < tolerance
    y = c.call("residual", got)
    assert np.abs(c.block("residual", "ca", y)).max() / size < tolerance
    assert np.abs(c.block("residual", "r", y)).max() / size < tolerance


@pytest.mark.parametrize(("treatment", "name"), EXPLICIT)
def test_trajectories_converge_to_one_answer(treatment: str, name: str) -> None:
    m = model(name)
    end = end_outputs(m, "dop853", treatment, rtol=1e-10, t_end=min(m.t_end, 2.0))
    tolerance = 1e-7 if treatment != "penalty" else 1e-5
    assert np.abs(end - exact(name)).max() < tolerance


@pytest.mark.parametrize(("treatment", "name"), EXPLICIT)
def test_exact_treatments_hold_the_constraints_at_rounding(treatment: str, name: str) -> None:
    m = model(name)
    _, chunks = run(m, "dop853", treatment, rtol=1e-6, t_end=min(m.t_end, 2.0))
    limit = 1e-11 if TREATMENTS[treatment].exact else 1e-4
    assert max(violation(m, chunks[-1].x_end)) < limit


@pytest.mark.parametrize("method", [n for n, i in INTEGRATORS.items() if i.implicit])
@pytest.mark.parametrize("treatment", TREATMENTS)
def test_implicit_methods_take_the_treatments_they_name(method: str, treatment: str) -> None:
    m, integrator = model("spherical_pendulum"), INTEGRATORS[method]
    request = {"rtol": 1e-8} if integrator.adaptive else {"step": 1e-3}
    if treatment not in integrator.treatments:
        with pytest.raises(CapabilityError, match=treatment):
            run(m, method, treatment, **request)
        return
    end = end_outputs(m, method, treatment, **request)
    assert np.abs(end - exact("spherical_pendulum")).max() < (1e-6 if integrator.adaptive else 1e-4)


def test_elimination_declines_a_singular_mass_matrix_and_names_the_cure() -> None:
    with pytest.raises(CapabilityError, match=r"mass matrix is singular.*use projection"):
        dense_dynamics(model("slider_crank").compiled, "elimination")


def test_equations_without_multipliers_are_declined_where_they_are_needed() -> None:
    compiled = model("embedded_pendulum").compiled
    accepting = {"projection", "baumgarte", "direct"}
    for name in accepting:
        assert dense_dynamics(compiled, name).treatment.name == name
    for name in set(TREATMENTS) - accepting:
        with pytest.raises(CapabilityError, match="no multipliers"):
            dense_dynamics(compiled, name)


def test_unknown_treatments_and_options_are_refused() -> None:
    compiled = model("pendulum").compiled
    with pytest.raises(CapabilityError, match="known: projection"):
        dense_dynamics(compiled, "prayer")
    with pytest.raises(CapabilityError, match="alpha, beta"):
        dense_dynamics(compiled, "baumgarte", gamma=1.0)


def test_baumgarte_draws_a_violated_constraint_back() -> None:
    m = model("pendulum")
    x = m.start
    x[1] = -1.01
    d = dense_dynamics(m.compiled, "baumgarte", alpha=20.0, beta=20.0)
    *_, last = integrate(d, d.consistent(x), 2.0, method="dop853", rtol=1e-9)
    assert violation(m, x)[0] > 1e-3
    assert violation(m, last.x_end)[0] < 1e-8
