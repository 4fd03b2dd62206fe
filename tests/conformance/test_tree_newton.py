"""Implicit steps on the tree kernel: its services against expressions, and against differences."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from tests.conformance.test_tree_kernel import kernel, random_state, with_forces
from tests.models.chains import revolute_chain
from tests.models.random_systems import OPTIONS, TREE_KINDS, random_tree

import pliant as pl
from pliant.backends.expressions.prepare import prepare
from pliant.backends.tree import run as large
from pliant.backends.tree.loops.tree_layout import newton_starts
from pliant.errors import CapabilityError
from pliant.model.joints import JOINTS
from pliant.solve import dense_dynamics, integrate
from pliant.solve.dynamics import Dynamics
from pliant.solve.machine.context import FACTORISATIONS, JACOBIANS
from pliant.solve.single_states import call_once

REAL, COMPLEX = (0.1, 0.02), (0.1, 0.2, -0.03, 0.04)


class Services:
    """Services of a model, one call each."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.d = dynamics
        self.ic, self.dc = dynamics.context()
        self.x, self.y = dynamics.buffers()

    def __call__(self, name: str, x: np.ndarray, y: object = ()) -> np.ndarray:
        given = np.asarray(y, dtype=float)
        self.x[: len(x)], self.y[: len(given)] = x, given
        assert call_once(self.d.services[name], self.ic, self.dc, self.x, self.y) == 0
        return self.y.copy()


def any_state(dynamics: Dynamics, rng: np.random.Generator) -> np.ndarray:
    """A state with unit quaternions and any accelerations."""
    x = random_state(dynamics, rng)
    x[0], x[1 + dynamics.nq + dynamics.nu :] = 0.3, 3 * rng.standard_normal(dynamics.nu)
    return x


def close(first: np.ndarray, second: np.ndarray, tolerance: float) -> bool:
    return bool(np.abs(first - second).max() <= tolerance * max(np.abs(second).max(), 1e-300))


def compare(system: pl.System, rng: np.random.Generator) -> None:
    """Every service gives what expressions give."""
    d, e = kernel(system), dense_dynamics(prepare(system).compiled)
    first, second, x = Services(d), Services(e), any_state(d, rng)
    nq, nu = d.nq, d.nu
    v, f, z = (rng.standard_normal(k * nu) for k in (1, 2, 2))
    rates = np.r_[x[: 1 + nq], rng.standard_normal(nq)]
    for name, at, given, size in (
        ("residual", x, (), nq + nu), ("kinematics", x, (), 2 * nq), ("rates", rates, (), nu),
    ):  # fmt: skip
        assert close(first(name, at, given)[:size], second(name, at, given)[:size], 1e-12), name
    for s in (first, second):
        s("tangent", x, v)
    assert close(first.x[1 : 1 + nq], second.x[1 : 1 + nq], 1e-14)
    for s in (first, second):
        s("linearise", x)
        s("factor", x, REAL)
        s("factor_complex", x, COMPLEX)
    for name, given in (("solve", v), ("solve_complex", z), ("error", f)):
        size = 2 * nu if name == "solve_complex" else nu
        assert close(first(name, x, given)[:size], second(name, x, given)[:size], 1e-11), name


@pytest.mark.parametrize("seed", range(3))
def test_services_of_random_trees_agree_with_expressions(seed):
    rng = np.random.default_rng(seed)
    compare(with_forces(random_tree(rng, 7)), rng)


@pytest.mark.parametrize("kind", [k for k in TREE_KINDS if k != "fixed"])
def test_services_of_every_joint_agree_with_expressions_either_way_round(kind):
    rng = np.random.default_rng(3)
    plain = random_tree(rng, 3, kinds=("spherical",))
    ends = [("ground", "b0.in"), ("b1.in", "b0.out"), ("b0.out", "b2.in")]
    joints = [JOINTS[kind](f"j{i}", *pair, **OPTIONS.get(kind, {})) for i, pair in enumerate(ends)]
    compare(with_forces(pl.System(plain.model.with_(joints=joints))), rng)


def test_newton_solve_inverts_differences_of_the_residual():
    """A long tree with quaternions, branches and forces, beyond the reach of expressions."""
    rng = np.random.default_rng(5)
    d = kernel(with_forces(random_tree(rng, 60)))
    s, x, v = Services(d), any_state(d, rng), rng.standard_normal(d.nu)
    (c1, c2), eps, first = REAL, 1e-4, 1 + d.nq

    def residual(sign: float) -> np.ndarray:
        s("tangent", x, sign * eps * c2 * v)
        moved = s.x[: len(x)].copy()
        moved[first : first + d.nu] += sign * eps * c1 * v
        moved[first + d.nu :] += sign * eps * v
        return s("residual", moved)[d.nq : d.nq + d.nu]

    near, far = (residual(k) - residual(-k) for k in (1.0, 2.0))
    along = (8 * near - far) / (12 * eps)
    s("linearise", x)
    s("factor", x, REAL)
    assert close(s("solve", x, along)[: d.nu], v, 1e-6)


def stiff_chain(n: int, stiffness: float = 1e5, damping: float = 1e3) -> pl.System:
    """A chain that is almost a beam."""
    springs = [
        pl.JointSpring(f"s{i}", f"j{i}", stiffness=stiffness, damping=damping) for i in range(n)
    ]
    return pl.System(revolute_chain(n).model.with_(forces=springs))


def end_of(d: Dynamics, t_end: float, **settings: object):
    *_, last = integrate(d, d.consistent(np.zeros(d.x_size)), t_end, **settings)
    assert last.status == "ok"
    return last


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "radau", "rtol": 1e-9}, {"method": "auto", "rtol": 1e-8},
        {"method": "generalized-alpha", "step": 2e-3}, {"method": "hht", "step": 2e-3},
        {"method": "newmark", "step": 2e-3},
    ],
)  # fmt: skip
def test_implicit_methods_move_a_chain_as_expressions_do(settings):
    system = stiff_chain(6, 1e4, 100)
    ends = [
        end_of(d, 0.3, **settings)
        for d in (kernel(system), dense_dynamics(prepare(system).compiled))
    ]
    explicit = settings["method"] == "auto"  # until it is stiff, where rounding refuses steps
    few = 0.1 * ends[0].stats["steps"] if explicit else 0
    assert abs(ends[0].stats["steps"] - ends[1].stats["steps"]) <= few
    assert np.abs(ends[0].x_end[1:13] - ends[1].x_end[1:13]).max() < 1e-8


def test_auto_hands_a_stiff_chain_over_to_radau():
    last = end_of(kernel(stiff_chain(20, 1e4, 100)), 1.0, method="auto", rtol=1e-6)
    assert last.stats["handovers"] == 1
    assert last.stats["factorisations"] > 0


def test_radau_takes_long_steps_on_a_stiff_chain_of_200():
    d = kernel(stiff_chain(200))
    coarse, fine = (end_of(d, 0.5, method="radau", rtol=rtol) for rtol in (1e-6, 1e-9))
    assert coarse.stats["steps"] < 300
    assert np.abs(coarse.x_end[1:201] - fine.x_end[1:201]).max() < 1e-4


def test_order_of_generalized_alpha_is_two():
    d = kernel(with_forces(random_tree(np.random.default_rng(1), 12)))
    x0 = d.consistent(large.initial_state(*_prepared_tree(12), 0.0))
    ends = []
    for count in (200, 400, 800):
        *_, last = integrate(d, x0, 0.2, method="generalized-alpha", step=0.2 / count)
        ends.append(last.x_end[1 : 1 + d.nq + d.nu])
    gaps = [np.abs(a - b).max() for a, b in pairwise(ends)]
    assert np.log2(gaps[0] / gaps[1]) == pytest.approx(2, abs=0.2)


def _prepared_tree(n: int):
    system = with_forces(random_tree(np.random.default_rng(1), n))
    return large.prepared(system, None)[:3]


def test_memory_and_work_are_linear_in_the_links():
    sizes, work = [], []
    for n in (100, 200, 400):
        d = kernel(revolute_chain(n))
        sizes.append(np.array([len(d.ic), len(d.dc)]))
        s = Services(d)
        x = any_state(d, np.random.default_rng(0))
        s("linearise", x)
        s("factor", x, REAL)
        work.append((s.ic[JACOBIANS], s.ic[FACTORISATIONS]))
    assert (2 * (sizes[1] - sizes[0]) == sizes[2] - sizes[1]).all()
    assert work == [(1, 1)] * 3
    assert newton_starts(1)[-1] < 256


def test_explicit_dynamics_need_no_newton_room_and_decline_radau():
    system = revolute_chain(20)
    full, small = (large.prepared(system, None, implicit=k)[3] for k in (True, False))
    assert len(small.dc) < len(full.dc) / 2
    with pytest.raises(CapabilityError, match="methods that work here: auto, dop853"):
        integrate(small, small.consistent(np.zeros(small.x_size)), 1.0, method="radau")


def test_simulate_takes_radau_to_the_kernel():
    r = stiff_chain(12).simulate(0.1, method="radau", every=0.05)
    assert r.info["kernel"] == "tree"
    assert r.info["failure_code"] == ""


def test_a_second_process_needs_no_symbols(tmp_path):
    code = """
import sys
import pliant as pl
boxes = [pl.RigidBody.box(f"b{i}", (0.4, 0.1, 0.1), density=1000) for i in range(12)]
pins = [pl.Revolute(f"j{i}", f"b{i-1}" if i else "ground", f"b{i}") for i in range(12)]
springs = [pl.JointSpring(f"s{i}", f"j{i}", stiffness="k", damping=1) for i in range(12)]
s = pl.System(bodies=boxes, joints=pins, forces=springs, parameters={"k": 10})
r = s.simulate(0.01, method="radau", params={"k": 20}, every=0.01)
assert r.info["kernel"] == "tree"
print("casadi" in sys.modules)
"""
    environment = {**os.environ, "PLIANT_CACHE_DIR": str(tmp_path)}
    out = [
        subprocess.run([sys.executable, "-c", code], env=environment, check=True,
                       capture_output=True, text=True).stdout.strip()
        for _ in range(2)
    ]  # fmt: skip
    assert out == ["True", "False"]
