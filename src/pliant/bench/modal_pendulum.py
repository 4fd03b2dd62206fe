"""A pendulum of one modal body: the blade, hinged at its clamped root, falls under a tip force.

Its modes neither move nor turn the root, so the hinge is the same whatever a program takes the
rotation of a node to be. The weight is a constant force at the tip: of distributed gravity the
peer leaves out the moment about the hinge that comes with the deflection. Both programs take the
same generalized-alpha with fixed steps, geometric stiffness off; the error is the largest of the
position of the tip over all samples.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import pliant as pl
from pliant.bench.blade import LENGTH, Array, blade
from pliant.bench.case import Case, Contestant, Run
from pliant.bench.ours import at_loosest, timed
from pliant.system import System

WEIGHT = (0.0, -12.0, 0.0)
"""Force (N) at the tip, in world axes."""
DAMPING = 1e-4
"""Proportional to stiffness (s)."""
SPECTRAL_RADIUS = 0.95
DURATION, STEP, SAMPLES = 1.0, 1e-3, 100
_STEPS = (STEP, 9e-4, 8e-4, 5e-4)
_TIP = "blade.tip.position"


def pendulum(count: int, folder: Path) -> System:
    """The blade with ``count`` modes, horizontal and at rest; its mode file goes to ``folder``."""
    data = blade(count)
    file = folder / f"blade_{count}.npz"
    np.savez(
        file, nodes=data.nodes, shapes=data.modes.reshape(-1, 3, count), mass=data.mass,
        stiffness=np.diag(data.eigenvalues),
    )  # fmt: skip
    damping: Any = {"stiffness": DAMPING}
    frames: Any = {"root": {"node": data.node_at(0)}, "tip": {"node": data.node_at(LENGTH)}}
    body = pl.Modes("blade", str(file), geometric_stiffness="none", damping=damping, frames=frames)
    hinge = pl.Revolute("hinge", "ground", "blade.root", axis="z")
    weight = pl.Force("weight", "blade.tip", WEIGHT)
    return System(bodies=[body], joints=[hinge], forces=[weight], gravity=(0, 0, 0))


def tip(system: System, **options: Any) -> tuple[Any, Array]:
    """The result of a run, and the position of the tip at all samples."""
    result = system.simulate(DURATION, every=DURATION / SAMPLES, outputs=[_TIP], **options)
    return result, result.require().values(_TIP)


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where mode files are until the program ends."""
    return TemporaryDirectory()


@cache
def _exact(count: int) -> Array:
    return tip(pendulum(count, Path(_folder().name)), method="dop853", rtol=1e-9)[1]


def _pliant(count: int, allowed: float) -> Contestant:
    """The longest step that is at least as accurate as the peer."""

    def build() -> Callable[[float], Run]:
        system = pendulum(count, Path(_folder().name))

        def run(step: float) -> Run:
            result, path = tip(
                system, method="generalized-alpha", step=step, options={"rho": SPECTRAL_RADIUS}
            )
            return timed(result, float(np.abs(path - _exact(count)).max()))

        return run

    return at_loosest(build, allowed, _STEPS, "generalized-alpha, step {:g} s".format)


def _exudyn(count: int) -> Contestant:
    from pliant.bench import exudyn_modal

    began = time.perf_counter()
    exudyn_modal.build(count)
    prepared = time.perf_counter() - began

    def run() -> Run:
        seconds, path = exudyn_modal.solve(exudyn_modal.build(count), STEP)
        error = float(np.abs(path - _exact(count)).max())
        return Run(seconds, error, steps=round(DURATION / STEP))

    setting = f"ObjectFFRFreducedOrder, generalized-alpha, step {STEP:g} s, modified Newton"
    return Contestant("Exudyn", setting, run, prepared)


def _case(count: int, wanted: float) -> Case:
    return Case(
        f"modal_pendulum_{count}", f"pendulum of one modal body, {count} modes, 1 s",
        "own run at rtol 1e-9", DURATION, wanted, measure="largest error of the run",
        peer=lambda: _exudyn(count),
        pliant=lambda allowed: _pliant(count, allowed),
    )  # fmt: skip


CASES = (_case(8, 20.0), _case(20, 12.0))
