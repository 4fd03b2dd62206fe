"""Exudyn, a peer: an assembly with what its models need, and one whole call of its solver.

The fast module without range checks; no output but the sensors, which are kept in memory.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pliant.errors import RunError


@cache
def modules() -> tuple[Any, Any]:
    """Exudyn and its items."""
    sys.exudynFast = True  # type: ignore[attr-defined]
    warnings.simplefilter("ignore", DeprecationWarning)
    import exudyn
    import exudyn.itemInterface as items  # noqa: N813

    return exudyn, items


@dataclass(frozen=True, slots=True)
class Setting:
    """How a model is solved: generalized-alpha, or (``radius`` None) RK44 without iterations."""

    model: str
    step: float
    modified: bool = False
    relative: float = 1e-4
    absolute: float = 1e-10
    radius: float | None = 0.95
    sparse: bool = False

    def __str__(self) -> str:
        if self.radius is None:
            return f"{self.model}, RK44, step {self.step:g} s"
        newton = "modified" if self.modified else "full"
        sparse = ", sparse" if self.sparse else ""
        return (
            f"{self.model}, generalized-alpha, step {self.step:g} s, {newton} Newton to "
            f"{self.relative:g}{sparse}"
        )


class Assembly:
    """A system being put together; ``sensors`` in the order of the outputs of a case."""

    def __init__(self) -> None:
        self.exu, self.items = modules()
        self.container = self.exu.SystemContainer()  # kept alive
        self.mbs = self.container.AddSystem()
        self.sensors: list[Any] = []

    def node_marker(self, node: int, coordinate: int) -> Any:
        """A marker on one coordinate of a node."""
        return self.mbs.AddMarker(
            self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate)
        )

    def hold(self, node: int, coordinates: Sequence[int]) -> Any:
        """Coordinates of a node stay zero; a marker on the ground."""
        fixed = self.node_marker(self.mbs.AddNode(self.items.NodePointGround()), 0)
        for k in coordinates:
            pair = [fixed, self.node_marker(node, k)]
            self.mbs.AddObject(self.items.CoordinateConstraint(markerNumbers=pair))
        return fixed

    def watch_body(self, body: int, at: Sequence[float]) -> None:
        """Positions of a point of a body."""
        self._watch(self.items.SensorBody, bodyNumber=body, localPosition=at)

    def watch_node(self, node: int, what: str = "Position") -> None:
        """Positions (or coordinates) of a node."""
        self._watch(self.items.SensorNode, what, nodeNumber=node)

    def watch_mesh(self, body: int, node: int) -> None:
        """Positions of a node of a flexible body."""
        self._watch(self.items.SensorSuperElement, bodyNumber=body, meshNodeNumber=node)

    def _watch(self, kind: Any, what: str = "Position", **where: Any) -> None:
        variable = getattr(self.exu.OutputVariableType, what)
        sensor = kind(writeToFile=False, storeInternal=True, outputVariableType=variable, **where)
        self.sensors.append(self.mbs.AddSensor(sensor))


def solve(
    assembly: Assembly, how: Setting, duration: float, samples: int
) -> tuple[float, Any, list[Any]]:
    """CPU seconds of a whole call with its samples, their times, samples of each sensor."""
    exu, mbs = assembly.exu, assembly.mbs
    mbs.Assemble()
    settings = exu.SimulationSettings()
    ti, output = settings.timeIntegration, settings.solutionSettings
    ti.numberOfSteps, ti.endTime, ti.verboseMode = round(duration / how.step), duration, 0
    ti.adaptiveStep = False
    ti.newton.useModifiedNewton = how.modified
    ti.newton.relativeTolerance, ti.newton.absoluteTolerance = how.relative, how.absolute
    output.writeSolutionToFile, output.sensorsWritePeriod = False, duration / samples
    kind = exu.LinearSolverType
    settings.linearSolverType = kind.EigenSparse if how.sparse else kind.EigenDense
    method = exu.DynamicSolverType.GeneralizedAlpha
    if how.radius is None:
        method = exu.DynamicSolverType.RK44
        ti.explicitIntegration.computeEndOfStepAccelerations = False
    else:
        ti.generalizedAlpha.spectralRadius = how.radius
    began = time.process_time()
    mbs.SolveDynamic(settings, solverType=method)
    found = [np.array(mbs.GetSensorStoredData(s)) for s in assembly.sensors]
    seconds = time.process_time() - began
    taken = mbs.sys["dynamicSolver"].it.currentStepIndex - 1
    if taken != ti.numberOfSteps:
        raise RunError(f"Exudyn took {taken} steps instead of {ti.numberOfSteps}")
    return seconds, found[0][:, 0], [f[:, 1:] for f in found]
