"""Long chains of revolute joints, each axis turned from the one before, falling for a second.

Exudyn: its kinematic tree with RK44, its fastest formulation. Pinocchio: its articulated-body
algorithm, one evaluation of the accelerations.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from statistics import median
from typing import Any

import numpy as np

import pliant as pl
from benchmarks.case import TOLERANCES, Motion, Row, Run, Samples
from benchmarks.exudyn_peer import Assembly, Setting, modules
from pliant.arrays import Array
from pliant.backends.tree.loops.forward import evaluate_forward
from pliant.backends.tree.run import forward_dynamics, prepared
from pliant.code import background
from pliant.system import System

SIZE, DENSITY, TURN, GRAVITY = (0.4, 0.1, 0.1), 1000.0, 0.3, 9.81
MASS = DENSITY * SIZE[0] * SIZE[1] * SIZE[2]
INERTIA = MASS / 12 * (np.dot(SIZE, SIZE) - np.square(SIZE))
"""About the centre of mass."""
WATCHED = 50
"""Joints whose angles are kept."""
KERNEL, REFERENCE = 1000, 0.15e-6
"""Bodies of the rigid kernel that is timed, and its seconds per body where aims are at home."""


def chain(n: int) -> System:
    """n boxes along x; the first joint is on the ground."""
    end = pl.Frame("end", (SIZE[0], 0, 0), pl.Orientation.about("x", TURN))
    bodies = [
        pl.RigidBody.box(f"b{i}", SIZE, density=DENSITY, com=(SIZE[0] / 2, 0, 0), frames=[end])
        for i in range(n)
    ]
    joints = [
        pl.Revolute(f"j{i}", f"b{i - 1}.end" if i else "ground", f"b{i}", axis="z")
        for i in range(n)
    ]
    return System(bodies=bodies, joints=joints, gravity=(0, -GRAVITY, 0))


def exudyn_chain(n: int) -> Assembly:
    """The frame of a link is where the next one hangs."""
    modules()
    from exudyn.robotics import Robot, RobotBase, RobotLink
    from exudyn.utilities import HTrotateX, HTtranslate

    robot = Robot(gravity=[0, -GRAVITY, 0], base=RobotBase(), referenceConfiguration=[])
    end, com = HTtranslate([SIZE[0], 0, 0]) @ HTrotateX(TURN), [-SIZE[0] / 2, 0, 0]
    for _ in range(n):
        robot.AddLink(
            RobotLink(mass=MASS, COM=com, inertia=np.diag(INERTIA), localHT=end, jointType="Rz")
        )
    robot.referenceConfiguration = [0] * n
    assembly = Assembly()
    node = robot.CreateKinematicTree(assembly.mbs)["nodeGeneric"]
    assembly.watch_node(node, "Coordinates")
    return assembly


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"j{i}.angle" for i in range(min(n, WATCHED)))


def _angles(t: Array, columns: Samples) -> Array:
    """Joint angles at the end: one column for each (Pliant), or all in one (Exudyn)."""
    return np.concatenate([np.atleast_1d(c[-1]) for c in columns])[:WATCHED]


@cache
def _exact(n: int) -> Array:
    names = _names(n)
    result = chain(n).simulate(1.0, every=0.5, rtol=1e-11, outputs=names).require()
    return _angles(result.time, [result.values(name) for name in names])


def _falling(n: int, wanted: float) -> Motion:
    return Motion(
        name=f"chain_{n}", title=f"3-D chain of {n} bodies, 1 s", system=partial(chain, n),
        outputs=_names(n), duration=1.0, number=_angles, exact=partial(_exact, n),
        reference="own run at rtol 1e-11", agreement=1e-3, wanted=wanted,
        peer=partial(exudyn_chain, n), how_theirs=Setting("kinematic tree", 1e-2, radius=None),
        settings=TOLERANCES[:-2],
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Evaluation(Row):
    """Accelerations of the chain at a state, of unit size: Pliant beside ``aba`` of Pinocchio.

    The exact ones are Pliant's own: the error of the peer is the difference of both programs.
    """

    count: int

    def ours(self, system: System, setting: float) -> Run:
        call = partial(forward_dynamics(system), *_state(self.count))
        seconds, found = _many(call, self.count)
        return Run(seconds, kernel_seconds(system), found)

    def theirs(self) -> Run:
        import pinocchio as pin

        n, model, place = self.count, pin.Model(), pin.SE3.Identity()
        model.gravity.linear = np.array([0, -GRAVITY, 0])
        inertia = pin.Inertia(MASS, np.array([SIZE[0] / 2, 0, 0]), np.diag(INERTIA))
        joint = 0
        for i in range(n):
            joint = model.addJoint(joint, pin.JointModelRZ(), place, f"j{i}")
            model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
            place = pin.SE3(pin.rpy.rpyToMatrix(TURN, 0, 0), np.array([SIZE[0], 0, 0]))
        call = partial(pin.aba, model, model.createData(), *_state(n), np.zeros(n))
        seconds, found = _many(call, n)
        return Run(seconds, seconds, found)


def _evaluated(n: int) -> Evaluation:
    return Evaluation(
        name=f"forward_dynamics_{n}", title=f"forward dynamics of the chain of {n}, one evaluation",
        program="Pinocchio", how_theirs="aba", count=n, system=partial(chain, n),
        exact=lambda: _unit(forward_dynamics(chain(n))(*_state(n))),
        reference="the other program (relative)", agreement=1e-9, wanted=1.0, settings=(0.0,),
        words="forward_dynamics",
    )  # fmt: skip


def _state(n: int) -> tuple[Array, Array]:
    """Coordinates and speeds, at random."""
    q, u = np.random.default_rng(0).uniform(-1, 1, (2, n))
    return q, u


def _unit(values: Any) -> Array:
    return np.asarray(values / np.abs(values).max(), dtype=np.float64)


def _many(call: Callable[[], Any], n: int) -> tuple[float, Array]:
    """CPU seconds of one call, from many in a row, and what it gives."""
    times = max(10, 20_000 // n)
    began = time.process_time()
    for _ in range(times):
        found = call()
    return (time.process_time() - began) / times, _unit(found)


def kernel_seconds(system: System) -> float:
    """CPU seconds of one evaluation of accelerations inside compiled code, from many in a row."""
    dynamics = prepared(system, None, implicit=False)[3]
    (ic, dc), (x, y) = dynamics.context(), dynamics.buffers()
    times = max(10, 20_000 // dynamics.nu)
    began = time.process_time()
    evaluate_forward(dynamics.services["accelerate"], ic, dc, x, y, times)
    return (time.process_time() - began) / times


def kernel_per_body(rounds: int) -> float:
    """CPU seconds of the rigid kernel for each body: what absolute aims are scaled by."""
    system = chain(KERNEL)
    kernel_seconds(system)
    background.finish()
    return median(kernel_seconds(system) for _ in range(rounds)) / KERNEL


CASES: tuple[Row, ...] = (
    _falling(7, 5.0),
    _falling(50, 10.0),
    _falling(200, 20.0),
    _falling(1000, 40.0),
    _evaluated(7),
    _evaluated(50),
)
