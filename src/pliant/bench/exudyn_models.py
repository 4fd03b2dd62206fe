"""The peer's side: the same mechanisms in Exudyn, as its own examples build them.

Planar mechanisms with its planar bodies (three coordinates each), the fast module without range
checks, its dense solver. Of full and modified Newton at relative tolerances 1e-8, 1e-6 and 1e-4
the fastest was taken whose error is not larger than at 1e-8: full Newton and 1e-4 for the planar
mechanisms, modified Newton and 1e-6 for the spatial one.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import numpy as np

sys.exudynFast = True  # type: ignore[attr-defined]
warnings.simplefilter("ignore", DeprecationWarning)

import exudyn as exu  # noqa: E402
import exudyn.itemInterface as items  # noqa: E402, N813
from exudyn.utilities import RigidBodyInertia  # noqa: E402

from pliant.bench.mechanisms import SLIDER_MASS  # noqa: E402
from pliant.errors import RunError  # noqa: E402

GRAVITY = 9.81
Model = tuple[Any, Any, Any]
"""System container (kept alive), system, sensor."""


def solve(
    model: Model, duration: float, step: float, modified_newton: bool, samples: int = 100
) -> tuple[float, Any]:
    """Seconds of the integration with sampled output, and the sensor at the end."""
    _, mbs, sensor = model
    settings = exu.SimulationSettings()
    ti = settings.timeIntegration
    ti.numberOfSteps, ti.endTime, ti.verboseMode = round(duration / step), duration, 0
    ti.generalizedAlpha.spectralRadius = 0.95
    ti.newton.useModifiedNewton = modified_newton
    ti.newton.relativeTolerance = 1e-6 if modified_newton else 1e-4
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = duration / samples
    settings.linearSolverType = exu.LinearSolverType.EigenDense
    began = time.perf_counter()
    mbs.SolveDynamic(settings)
    seconds = time.perf_counter() - began
    check_steps(mbs, ti.numberOfSteps)
    return seconds, np.array(mbs.GetSensorValues(sensor))


def check_steps(mbs: Any, wanted: int) -> None:
    """The peer must have taken the steps it was asked for, not more of them after failures."""
    taken = mbs.sys["dynamicSolver"].it.currentStepIndex - 1
    if taken != wanted:
        raise RunError(f"Exudyn took {taken} steps instead of {wanted}")


def _body(
    mbs: Any, centre: Any, angle: float, velocity: Any, rate: float, mass: float, length: float
) -> tuple[int, int]:
    node = mbs.AddNode(
        items.Rigid2D(referenceCoordinates=[*centre, angle], initialVelocities=[*velocity, rate])
    )
    inertia = mass * length**2 / 12
    body = items.RigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node)
    return node, mbs.AddObject(body)


def _hinge(mbs: Any, a: int, at_a: Any, b: int, at_b: Any) -> None:
    markers = [
        mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body, localPosition=[*at, 0]))
        for body, at in ((a, at_a), (b, at_b))
    ]
    mbs.AddObject(items.RevoluteJoint2D(markerNumbers=markers))


def _weight(mbs: Any, body: int, mass: float) -> None:
    marker = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body))
    mbs.AddLoad(items.Force(markerNumber=marker, loadVector=[0, -mass * GRAVITY, 0]))


def _sensor(mbs: Any, body: int, at: Any) -> Any:
    return mbs.AddSensor(
        items.SensorBody(
            bodyNumber=body, localPosition=at, writeToFile=False, storeInternal=True,
            outputVariableType=exu.OutputVariableType.Position,
        )
    )  # fmt: skip


def four_bars(n: int = 2) -> Model:
    """n parallelograms of bars of 1 m and 1 kg, all turning at 1 rad/s."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    bars = []
    for i in range(n + 1):
        _, bar = _body(mbs, [i, 0.5], np.pi / 2, [0.5, 0], -1.0, 1.0, 1.0)
        _weight(mbs, bar, 1.0)
        _hinge(mbs, ground, [i, 0], bar, [-0.5, 0])
        bars.append(bar)
    for i in range(1, n + 1):
        _, coupler = _body(mbs, [i - 0.5, 1.0], 0.0, [1.0, 0], 0.0, 1.0, 1.0)
        _weight(mbs, coupler, 1.0)
        _hinge(mbs, bars[i - 1], [0.5, 0], coupler, [-0.5, 0])
        _hinge(mbs, coupler, [0.5, 0], bars[i], [0.5, 0])
    sensor = _sensor(mbs, bars[0], [0.5, 0, 0])
    mbs.Assemble()
    return container, mbs, sensor


def slider_crank() -> Model:
    """Crank of 0.2 m and 1 kg under 1 N m, rod of 0.5 m and 2 kg, slider as a mass point."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    l1, l2, a = 0.2, 0.5, np.pi / 4
    b = -np.arcsin(l1 * np.sin(a) / l2)
    A = l1 * np.array([np.cos(a), np.sin(a)])
    B = A + l2 * np.array([np.cos(b), np.sin(b)])
    _, crank = _body(mbs, A / 2, a, [0, 0], 0.0, 1.0, l1)
    _, rod = _body(mbs, (A + B) / 2, b, [0, 0], 0.0, 2.0, l2)
    node = mbs.AddNode(items.Point2D(referenceCoordinates=list(B)))
    slider = mbs.AddObject(items.MassPoint2D(physicsMass=SLIDER_MASS, nodeNumber=node))
    _hinge(mbs, ground, [0, 0], crank, [-l1 / 2, 0])
    _hinge(mbs, crank, [l1 / 2, 0], rod, [-l2 / 2, 0])
    _hinge(mbs, rod, [l2 / 2, 0], slider, [0, 0])
    fixed = mbs.AddNode(items.NodePointGround())
    markers = [
        mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=n, coordinate=k))
        for n, k in ((fixed, 0), (node, 1))
    ]
    mbs.AddObject(items.CoordinateConstraint(markerNumbers=markers))
    turned = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=crank))
    mbs.AddLoad(items.Torque(markerNumber=turned, loadVector=[0, 0, 1.0]))
    sensor = _sensor(mbs, slider, [0, 0, 0])
    mbs.Assemble()
    return container, mbs, sensor


def bricard() -> Model:
    """Five rods of 1 m and 1 kg in a loop of six hinges; the last joint leaves out what repeats."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.CreateGround()
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    axes = np.eye(3)[[1, 2, 0, 1, 2, 0]]
    bodies = [ground]
    for i in range(5):
        moments = np.full(3, (1 + 0.01) / 12)
        moments[np.argmax(np.abs(P[i + 1] - P[i]))] = 0.02 / 12
        bodies.append(
            mbs.CreateRigidBody(
                referencePosition=list((P[i] + P[i + 1]) / 2), gravity=[0, -GRAVITY, 0],
                inertia=RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(moments)),
            )
        )  # fmt: skip
    for i in range(5):
        mbs.CreateRevoluteJoint(
            bodyNumbers=bodies[i : i + 2], position=list(P[i]), axis=list(axes[i]),
            useGlobalFrame=True,
        )  # fmt: skip
    mbs.CreateGenericJoint(
        bodyNumbers=[bodies[5], ground], position=list(P[5]), rotationMatrixAxes=np.eye(3),
        constrainedAxes=[1, 1, 1, 0, 1, 0], useGlobalFrame=True,
    )  # fmt: skip
    sensor = _sensor(mbs, bodies[3], [0, 0, 0.5])
    mbs.Assemble()
    return container, mbs, sensor
