"""The peer's side of the chain: Exudyn's kinematic tree with RK44, its fastest formulation."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np

sys.exudynFast = True  # type: ignore[attr-defined]
warnings.simplefilter("ignore", DeprecationWarning)

import exudyn as exu  # noqa: E402
from exudyn.robotics import Robot, RobotBase, RobotLink  # noqa: E402
from exudyn.utilities import HTrotateX, HTtranslate  # noqa: E402

from pliant.bench.chains import DENSITY, GRAVITY, SIZE, TURN  # noqa: E402
from pliant.bench.exudyn_models import check_steps  # noqa: E402


def build(n: int) -> tuple[Any, Any, int]:
    """System container (kept alive), system, node of the coordinates."""
    a, b, c = SIZE
    mass = DENSITY * a * b * c
    inertia = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 12
    robot = Robot(gravity=[0, -GRAVITY, 0], base=RobotBase(), referenceConfiguration=[])
    end = HTtranslate([a, 0, 0]) @ HTrotateX(TURN)  # the frame of a link is where the next hangs
    for _ in range(n):
        robot.AddLink(
            RobotLink(mass=mass, COM=[-a / 2, 0, 0], inertia=inertia, localHT=end, jointType="Rz")
        )
    robot.referenceConfiguration = [0] * n
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    node = robot.CreateKinematicTree(mbs)["nodeGeneric"]
    mbs.Assemble()
    return container, mbs, node


def solve(model: tuple[Any, Any, int], step: float, samples: int) -> tuple[float, Any]:
    """Seconds of the integration over 1 s, and the joint angles at the end."""
    _, mbs, node = model
    settings = exu.SimulationSettings()
    ti = settings.timeIntegration
    ti.numberOfSteps, ti.endTime, ti.verboseMode = round(1 / step), 1.0, 0
    ti.explicitIntegration.computeEndOfStepAccelerations = False
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1 / samples
    settings.linearSolverType = exu.LinearSolverType.EigenDense
    began = time.perf_counter()
    mbs.SolveDynamic(settings, solverType=exu.DynamicSolverType.RK44)
    seconds = time.perf_counter() - began
    check_steps(mbs, ti.numberOfSteps)
    return seconds, np.array(mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates))
