"""The peer's side of the modal pendulum: Exudyn's ObjectFFRFreducedOrder, at its fastest.

Tried were Euler parameters, a rotation vector and Bryant angles for the reference frame; a revolute
or generic joint at the reference frame or at the nodes of the root, or five constraints on the
coordinates of the frame; full and modified Newton at relative tolerances from 1e-8 to 1e-3. The
fastest whose error is that of 1e-8 within about a per cent: Bryant angles, constraints on
coordinates, modified Newton at 1e-3. Explicit methods do not take constraints.
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
from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface  # noqa: E402

from pliant.bench.blade import LENGTH, blade  # noqa: E402
from pliant.bench.exudyn_models import Model, check_steps  # noqa: E402
from pliant.bench.modal_pendulum import (  # noqa: E402
    DAMPING,
    DURATION,
    SAMPLES,
    SPECTRAL_RADIUS,
    WEIGHT,
)


def build(count: int) -> Model:
    """The blade with ``count`` modes, horizontal and at rest; the sensor is at its tip."""
    data = blade(count)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    added = _interface(count).AddObjectFFRFreducedOrder(mbs, stiffnessProportionalDamping=DAMPING)
    body, end = added["oFFRFreducedOrder"], data.node_at(LENGTH)
    _hinge(mbs, added["nRigidBody"])
    marker = mbs.AddMarker(
        items.MarkerSuperElementPosition(
            bodyNumber=body, meshNodeNumbers=[end], weightingFactors=[1.0]
        )
    )
    mbs.AddLoad(items.Force(markerNumber=marker, loadVector=list(WEIGHT)))
    sensor = mbs.AddSensor(
        items.SensorSuperElement(
            bodyNumber=body, meshNodeNumber=end, writeToFile=False, storeInternal=True,
            outputVariableType=exu.OutputVariableType.Position,
        )
    )  # fmt: skip
    mbs.Assemble()
    return container, mbs, sensor


def _interface(count: int) -> Any:
    data = blade(count)
    fem = FEMinterface()
    fem.nodes = {"Position": data.nodes}
    fem.massMatrix, fem.stiffnessMatrix = data.mass, data.stiffness
    fem.modeBasis = {"matrix": data.modes, "type": "NormalModes"}
    return ObjectFFRFreducedOrderInterface(fem, rigidBodyNodeType=exu.NodeType.RotationRxyz)


def _hinge(mbs: Any, frame: int) -> None:
    """Only the turn about z is left of the six coordinates of the reference frame."""
    fixed = mbs.AddMarker(
        items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0)
    )
    for k in range(5):
        held = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=frame, coordinate=k))
        mbs.AddObject(items.CoordinateConstraint(markerNumbers=[fixed, held]))


def solve(model: Model, step: float, tolerance: float = 1e-3) -> tuple[float, Any]:
    """Seconds of the integration with sampled output, and the position of the tip."""
    _, mbs, sensor = model
    settings = exu.SimulationSettings()
    ti = settings.timeIntegration
    ti.numberOfSteps, ti.endTime, ti.verboseMode = round(DURATION / step), DURATION, 0
    ti.generalizedAlpha.spectralRadius = SPECTRAL_RADIUS
    ti.newton.useModifiedNewton, ti.newton.relativeTolerance = True, tolerance
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = DURATION / SAMPLES
    settings.linearSolverType = exu.LinearSolverType.EigenDense
    began = time.perf_counter()
    mbs.SolveDynamic(settings)
    seconds = time.perf_counter() - began
    check_steps(mbs, ti.numberOfSteps)
    return seconds, np.array(mbs.GetSensorStoredData(sensor))[:, 1:]
