"""The second producer of the contract: a chain of quaternion nodes, through the same methods."""

from __future__ import annotations

import numpy as np
import pytest
from tests.models.bars import bar_energy, expression_bar, small_bar

from pliant.equations.block_chain import BlockChain
from pliant.errors import CapabilityError
from pliant.solve import INTEGRATORS, Dynamics, dense_dynamics, integrate
from pliant.solve.chain import chain_dynamics
from pliant.solve.points import call_once


def at_rest(dynamics: Dynamics, q: np.ndarray) -> np.ndarray:
    return dynamics.consistent(np.r_[0.0, q])


def last_of(dynamics: Dynamics, x0: np.ndarray, t_end: float, method: str, **options: float):
    *_, last = integrate(dynamics, x0, t_end, method=method, **options)
    assert last.status == "ok"
    return last


def request(method: str, step: float, rtol: float) -> dict[str, float]:
    return {"rtol": rtol} if INTEGRATORS[method].adaptive else {"step": step}


@pytest.mark.parametrize("method", ["dop853", "auto", "generalized-alpha", "newmark"])
def test_kernel_and_expression_bar_move_alike(method: str) -> None:
    chain, rest = small_bar(4, load=(0, 0.3, 0.2), gravity=(0, 0, -1.0), damping=1e-3)
    kernel, dense = chain_dynamics(chain), dense_dynamics(expression_bar(chain))
    x0 = at_rest(kernel, rest)
    assert x0 == pytest.approx(at_rest(dense, rest), abs=1e-12)
    ends = [last_of(d, x0, 0.5, method, **request(method, 1e-3, 1e-8)) for d in (kernel, dense)]
    times = np.linspace(max(e.t0 for e in ends), 0.5, 5)
    first, second = (e.evaluate(times) for e in ends)
    assert np.abs(first - second).max() < 1e-10
    assert ends[0].stats["steps"] == ends[1].stats["steps"]


def test_radau_declines_the_kernel_and_names_what_works() -> None:
    chain, rest = small_bar(2)
    d = chain_dynamics(chain)
    with pytest.raises(CapabilityError, match=r"factor_complex.*generalized-alpha"):
        integrate(d, at_rest(d, rest), 1.0, method="radau")


def test_newton_solve_inverts_differences_of_the_residual() -> None:
    chain, rest = small_bar(64, damping=1e-2)
    d = chain_dynamics(chain)
    random = np.random.default_rng(0)
    ic, dc = d.context()
    x, y = d.buffers()
    x[1 : 1 + d.nq] = rest + 0.002 * random.normal(size=d.nq)
    x[1 + d.nq : 1 + d.nq + 2 * d.nu] = random.normal(size=2 * d.nu)
    call = lambda name: call_once(d.services[name], ic, dc, x, y)  # noqa: E731
    call("settle")
    c1, c2 = 3e-3, 5e-6
    call("linearise")
    y[:2] = c1, c2
    assert call("factor") == 0
    direction, base = random.normal(size=d.nu), x.copy()

    def residual(e: float) -> np.ndarray:
        x[:] = base
        y[: d.nu] = e * c2 * direction
        call("tangent")
        x[1 + d.nq : 1 + d.nq + d.nu] += e * c1 * direction
        x[1 + d.nq + d.nu : 1 + d.nq + 2 * d.nu] += e * direction
        call("residual")
        return y[d.nq : d.nq + d.nu].copy()

    e = 1e-4
    y[: d.nu] = (residual(e) - residual(-e)) / (2 * e)
    call("solve")
    assert y[: d.nu] == pytest.approx(direction, abs=2e-6)


def axial_bar(n: int = 64) -> tuple[BlockChain, np.ndarray, float]:
    """Bar along x and its exact lowest axial frequency as a chain of springs and masses."""
    chain, rest = small_bar(n)
    spring, mass = 200.0 * n, 1.0 / n
    return chain, rest, 2 * np.sqrt(spring / mass) * np.sin(np.pi / (4 * n))


@pytest.mark.parametrize("method", ["dop853", "generalized-alpha", "hht", "newmark"])
def test_bar_of_64_nodes_vibrates_at_its_exact_frequency(method: str) -> None:
    chain, rest, frequency = axial_bar()
    d = chain_dynamics(chain)
    q = rest.reshape(-1, 7).copy()
    small = 1e-6
    shape = np.sin(np.pi / 2 * np.arange(1, 65) / 64)
    q[:, 0] += small * shape
    period = 2 * np.pi / frequency
    last = last_of(
        d, at_rest(d, q.ravel()), 2.25 * period, method, **request(method, period / 400, 1e-9)
    )
    moved = last.x_end[1 : 1 + d.nq].reshape(-1, 7)[:, 0] - rest.reshape(-1, 7)[:, 0]
    tolerance = 1e-5 if method == "dop853" else 3e-3
    assert moved / small == pytest.approx(0 * shape, abs=tolerance)


@pytest.mark.parametrize("method", ["dop853", "auto", "generalized-alpha", "newmark"])
def test_energy_of_a_falling_bar_is_conserved(method: str) -> None:
    chain, rest = small_bar(16, gravity=(0, 0, -9.81), axial=2e3, shear=1e3)
    d = chain_dynamics(chain)
    x0 = at_rest(d, rest)
    last = last_of(d, x0, 0.3, method, **request(method, 2.5e-4, 1e-8))
    moved = np.abs(last.x_end[1 : 1 + d.nq] - x0[1 : 1 + d.nq]).max()
    assert moved > 0.1
    drift = abs(bar_energy(chain, last.x_end) - bar_energy(chain, x0))
    assert drift < (1e-6 if INTEGRATORS[method].adaptive else 1e-3)


def test_static_tip_deflection_of_the_discrete_cantilever() -> None:
    """Bending of n one-point elements: F L^3/(3 EI) (1 - 1/(4 n^2)), and shear F L/GA."""
    n, force = 8, 1e-4
    chain, rest = small_bar(n, load=(0, force, 0), damping=0.5)
    d = chain_dynamics(chain)
    last = last_of(d, at_rest(d, rest), 60.0, "generalized-alpha", step=0.05, options={"rho": 0.0})
    tip = last.x_end[1 : 1 + d.nq].reshape(-1, 7)[-1, 1]
    expected = force / (3 * 3.0) * (1 - 1 / (4 * n**2)) + force / 100.0
    assert tip == pytest.approx(expected, rel=1e-5)


def test_quaternions_stay_unit_and_cost_is_linear() -> None:
    counts = {}
    for n in (16, 64):
        chain, rest = small_bar(n, load=(0, 2.0, 1.0))
        d = chain_dynamics(chain)
        last = last_of(d, at_rest(d, rest), 0.2, "generalized-alpha", step=2e-3)
        quaternions = last.x_end[1 : 1 + d.nq].reshape(-1, 7)[:, 3:]
        assert np.linalg.norm(quaternions, axis=1) == pytest.approx(1.0, abs=1e-12)
        counts[n] = d.ic.size + d.dc.size
    assert counts[64] < 4.5 * counts[16]
