"""Services of expression models: exact linearisation, retraction, least-norm multipliers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.models import small
from tests.models.running import violation
from tests.models.small import SmallModel

from pliant.code.compile import compile_equations
from pliant.errors import AssemblyError
from pliant.solve import dense_dynamics
from pliant.solve.machine import context as c
from pliant.solve.single_states import call_once


@cache
def model(name: str) -> SmallModel:
    return getattr(small, name)()


def random_state(name: str, seed: int = 0):
    """Dynamics, a callable for services, and buffers at a perturbed consistent state."""
    m = model(name)
    d = dense_dynamics(m.compiled)
    ic, dc = d.context()
    x, y = d.buffers()
    x0 = d.consistent(m.start)
    random = np.random.default_rng(seed)
    x[: d.x_size] = x0
    x[1 + d.nq : d.x_size] += random.normal(size=d.x_size - 1 - d.nq)
    call = lambda s: call_once(d.services[s], ic, dc, x, y)  # noqa: E731
    call("rank")
    return m, d, ic, x, y, call, random


@pytest.mark.parametrize("name", ["slider_crank", "spherical_pendulum", "knife_edge", "motor"])
@pytest.mark.parametrize(
    "level", [c.LEVEL_ACCELERATION, c.LEVEL_VELOCITY, c.LEVEL_POSITION, c.LEVEL_STABILISED]
)
def test_newton_solve_inverts_differences_of_the_residual(name: str, level: int) -> None:
    _m, d, ic, x, y, call, random = random_state(name)
    ic[c.LEVEL] = level
    c1, c2, nd, r = 0.02, 0.0004, int(ic[c.ND]), int(ic[c.RANK])
    call("linearise")
    y[:2] = c1, c2
    assert call("factor") == 0
    a, lam, states = (random.normal(size=k) for k in (d.nu, r, d.nx))
    base = x.copy()

    def residual(e: float) -> np.ndarray:
        x[:] = base
        y[: d.nu] = e * c2 * a
        call("tangent")
        first = 1 + d.nq
        x[first : first + d.nu] += e * c1 * a
        x[first + d.nu : first + d.nu + d.nx] += e * c1 * states
        x[first + d.nu + d.nx : first + 2 * d.nu + d.nx] += e * a
        place = ic[ic[c.PLACE] : ic[c.PLACE] + d.m]
        x[first + 2 * d.nu + d.nx : d.x_size][place >= 0] += e * lam
        call("residual")
        rows = y[d.nq + d.nx : d.nq + d.nx + nd + r].copy()
        return np.r_[rows, e * states - y[d.nq : d.nq + d.nx]]

    e = 1e-4
    y[: nd + r + d.nx] = (residual(e) - residual(-e)) / (2 * e)
    call("solve")
    assert y[: d.nu + r + d.nx] == pytest.approx(np.r_[a, lam, states], abs=2e-5)


@pytest.mark.parametrize("name", ["slider_crank", "bricard", "spherical_pendulum", "knife_edge"])
def test_accelerations_satisfy_motion_and_constraints(name: str) -> None:
    m, d, ic, x, y, call, _ = random_state(name)
    assert call("accelerate") == 0
    z = m.compiled.call("residual", x[: d.x_size].copy())
    kept = ic[ic[c.PLACE] : ic[c.PLACE] + d.m] >= 0
    assert m.compiled.block("residual", "r", z) == pytest.approx(0.0, abs=1e-10)
    assert m.compiled.block("residual", "ca", z)[kept] == pytest.approx(0.0, abs=1e-10)
    assert y[: d.nq] == pytest.approx(m.compiled.block("residual", "qdot", z), abs=1e-14)


def test_retraction_follows_a_constant_rotation_exactly() -> None:
    m = model("euler_top")
    d = dense_dynamics(m.compiled)
    ic, dc = d.context()
    x, y = d.buffers()
    x[: d.x_size] = d.consistent(m.start)
    turn = np.array([0.4, -0.7, 1.1])
    y[:3] = turn
    call_once(d.services["tangent"], ic, dc, x, y)
    angle = np.linalg.norm(turn)
    expected = np.r_[np.cos(angle / 2), np.sin(angle / 2) * turn / angle]
    assert x[1:5] == pytest.approx(expected, abs=1e-15)


def test_multipliers_of_dependent_rows_have_least_norm() -> None:
    m = model("bricard")
    d = dense_dynamics(m.compiled)
    x = d.completed_states(d.consistent(m.start)[None, : 1 + d.nq + d.nu])[0]
    f = m.compiled.call("explicit", x)
    M, G, h = (m.compiled.block("explicit", k, f) for k in ("M", "G", "h"))
    a = x[1 + d.nq + d.nu : 1 + d.nq + 2 * d.nu]
    expected = np.linalg.lstsq(G.T, M @ a - h, rcond=1e-9)[0]
    assert x[-d.m :] == pytest.approx(expected, abs=1e-9)
    rank, kept, pivots = d.rank(x)
    assert (rank, len(kept), len(pivots)) == (4, 4, 4)


def test_inconsistent_start_is_drawn_onto_the_constraints() -> None:
    m = model("slider_crank")
    start = m.start
    start[1:4] += [0.0, 0.02, -0.01]
    start[4:7] = [3.0, 1.0, -2.0]
    x = dense_dynamics(m.compiled).consistent(start)
    assert max(violation(m, x)) < 1e-11


def test_a_start_that_cannot_be_assembled_names_the_row() -> None:
    m = model("locking_crank")
    start = m.start
    start[0] = 1.5
    with pytest.raises(AssemblyError, match="constraint 'c"):
        dense_dynamics(m.compiled).consistent(start)


def test_models_without_jacobians_offer_fewer_services() -> None:
    some = ("explicit", "constraints", "tangent", "kinematics", "speeds", "observables")
    compiled = compile_equations(model("pendulum").equations, functions=some)
    d = dense_dynamics(compiled)
    assert {"accelerate", "project", "rates"} <= d.capabilities
    assert not {"residual", "factor", "solve_complex"} & d.capabilities
