"""Long chains of revolute joints, each axis turned from the one before, falling for a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pliant as pl
from pliant.bench.case import Case, Contestant, Run
from pliant.bench.ours import at_loosest, timed
from pliant.system import System

SIZE, DENSITY, TURN, GRAVITY = (0.4, 0.1, 0.1), 1000.0, 0.3, 9.81
_TOLERANCES = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8)
_STEP = 1e-2
_SAMPLES = 100


def revolute_chain(n: int) -> System:
    """n boxes along x; the first joint is on the ground."""
    turned = pl.Orientation.about("x", TURN)
    end = pl.Frame("end", (SIZE[0], 0, 0), turned)
    bodies = [
        pl.RigidBody.box(f"b{i}", SIZE, density=DENSITY, com=(SIZE[0] / 2, 0, 0), frames=[end])
        for i in range(n)
    ]
    joints = [
        pl.Revolute(f"j{i}", f"b{i - 1}.end" if i else "ground", f"b{i}", axis="z")
        for i in range(n)
    ]
    return System(bodies=bodies, joints=joints, gravity=(0, -GRAVITY, 0))


def _integrated(system: System, n: int, rtol: float) -> tuple[Any, Any]:
    names = [f"j{i}.angle" for i in range(min(n, 50))]
    result = system.simulate(1.0, every=1 / _SAMPLES, rtol=rtol, outputs=names).require()
    end = np.array([result.values(name)[-1] for name in names])
    return result, end


def _pliant(n: int, exact: Any, allowed: float) -> Contestant:
    def build() -> Callable[[float], Run]:
        system = revolute_chain(n)

        def run(rtol: float) -> Run:
            result, end = _integrated(system, n, rtol)
            return timed(result, float(np.abs(end - exact).max()))

        return run

    return at_loosest(build, allowed, _TOLERANCES)


def _exudyn(n: int, exact: Any) -> Contestant:
    from pliant.bench import exudyn_chain

    began = time.perf_counter()
    model = exudyn_chain.build(n)
    prepared = time.perf_counter() - began

    def run() -> Run:
        seconds, end = exudyn_chain.solve(model, _STEP, _SAMPLES)
        return Run(seconds, float(np.abs(end[: len(exact)] - exact).max()))

    return Contestant("Exudyn", f"kinematic tree, RK44, step {_STEP:g} s", run, prepared)


def _chain_case(n: int, wanted: float) -> Case:
    cache: dict[str, Any] = {}

    def exact() -> Any:
        if "end" not in cache:
            cache["end"] = _integrated(revolute_chain(n), n, 1e-11)[1]
        return cache["end"]

    return Case(
        f"chain_{n}", f"3-D chain of {n} bodies, 1 s", "own run at rtol 1e-11", 1.0, wanted,
        peer=lambda: _exudyn(n, exact()), pliant=lambda allowed: _pliant(n, exact(), allowed),
    )  # fmt: skip


def _many(call: Callable[[], Any], n: int, expected: Any) -> Callable[[], Run]:
    """Seconds of one evaluation, from many in a row; difference to ``expected``, relative."""
    count = max(10, 20_000 // n)

    def run() -> Run:
        began = time.perf_counter()
        for _ in range(count):
            found = call()
        seconds = (time.perf_counter() - began) / count
        return Run(seconds, float(np.abs(found - expected).max() / np.abs(expected).max()))

    return run


def _dynamics_case(n: int) -> Case:
    """Each side is compared with the other: two codes, one answer."""
    rng = np.random.default_rng(0)
    q, u = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)

    def both() -> tuple[Callable[[], Any], Callable[[], Any]]:
        from pliant.analysis.large import forward_dynamics
        from pliant.bench import pinocchio_chain

        udot = forward_dynamics(revolute_chain(n))
        return pinocchio_chain.evaluation(n, q, u), lambda: udot(q, u)

    def peer() -> Contestant:
        theirs, ours = both()
        return Contestant("Pinocchio", "aba", _many(theirs, n, np.array(ours())))

    def pliant(allowed: float) -> Contestant:
        theirs, ours = both()
        return Contestant("Pliant", "forward dynamics", _many(ours, n, np.array(theirs())))

    return Case(
        f"forward_dynamics_{n}", f"forward dynamics of the chain of {n}, one evaluation",
        "the other program (relative)", 1.0, 1.0, peer, pliant,
    )  # fmt: skip


CASES = (
    _chain_case(7, 5.0),
    _chain_case(50, 10.0),
    _chain_case(200, 20.0),
    _chain_case(1000, 40.0),
    _dynamics_case(7),
    _dynamics_case(50),
)
