"""The peer's side of beams: Exudyn's geometrically exact elements, and rigid segments on springs.

Generalized-alpha with the spectral radius of Pliant's runs, the sparse solver of Eigen, the fast
module without range checks, given functions of time as symbolic user functions, no output but the
sensors. Tried were full and modified Newton at relative tolerances from 1e-8 to 1e-3, the dense
solver, and steps from 0.005 s to 0.05 s:

- spin-up: the planar element. Modified Newton, converged to 1e-6; longer steps than 0.01 s lose
  more accuracy than they save time (0.02 s: a quarter less time, four times the error).
- right-angle frame: the spatial element on nodes with Euler parameters or rotation vectors.
  Euler parameters, modified Newton at 1e-6; 0.05 s is the longest step whose error is that of the
  mesh.
- segments: a rigid body each, the connector with a 6 x 6 stiffness at the joints. Bryant angles,
  Euler parameters and rotation vectors, its two formulas for rotations. Bryant angles, modified
  Newton at 1e-3, whose error is that of 1e-5.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

sys.exudynFast = True  # type: ignore[attr-defined]
warnings.simplefilter("ignore", DeprecationWarning)

import exudyn as exu  # noqa: E402
import exudyn.itemInterface as items  # noqa: E402, N813
from exudyn.utilities import (  # noqa: E402
    CreateSymbolicUserFunction,
    RigidBodyInertia,
    RotationMatrix2EulerParameters,
)

from pliant.bench import right_angle, spin_up  # noqa: E402
from pliant.bench.block_beams import RADIUS  # noqa: E402
from pliant.bench.exudyn_models import Model, check_steps  # noqa: E402


@dataclass(frozen=True, slots=True)
class Peer:
    """A model that depends on a number of elements, and the settings it runs with."""

    elements: str
    build: Callable[[int], Model]
    step: float
    relative: float
    absolute: float

    @property
    def setting(self) -> str:
        return (
            f"{self.elements}, generalized-alpha, step {self.step:g} s, modified Newton to "
            f"{self.relative:g}, sparse"
        )


def solve(peer: Peer, count: int, duration: float, sample: float) -> tuple[float, Any, list[Any]]:
    """Seconds of the integration, times of the samples after the start, positions of sensors."""
    container, mbs, sensors = peer.build(count)
    settings = exu.SimulationSettings()
    ti = settings.timeIntegration
    ti.numberOfSteps, ti.endTime, ti.verboseMode = round(duration / peer.step), duration, 0
    ti.adaptiveStep = False
    ti.generalizedAlpha.spectralRadius = RADIUS
    ti.newton.useModifiedNewton = True
    ti.newton.relativeTolerance, ti.newton.absoluteTolerance = peer.relative, peer.absolute
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = sample
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    began = time.perf_counter()
    mbs.SolveDynamic(settings)
    seconds = time.perf_counter() - began
    check_steps(mbs, ti.numberOfSteps)
    found = [np.array(mbs.GetSensorStoredData(s))[1:] for s in sensors]
    del container
    return seconds, found[0][:, 0], [f[:, 1:4] for f in found]


def _watch(mbs: Any, node: int) -> Any:
    return mbs.AddSensor(
        items.SensorNode(
            nodeNumber=node, writeToFile=False, storeInternal=True,
            outputVariableType=exu.OutputVariableType.Position,
        )
    )  # fmt: skip


def _turned(mbs: Any, node: int, held: int) -> None:
    """Coordinates of a node before ``held`` stay zero, that one is the angle of the hub."""
    ground = mbs.AddNode(items.NodePointGround())
    fixed = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    for k in range(held + 1):
        own = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k))
        if k < held:
            mbs.AddObject(items.CoordinateConstraint(markerNumbers=[fixed, own]))
            continue
        joint = mbs.AddObject(
            items.CoordinateConstraint(
                markerNumbers=[fixed, own],
                offsetUserFunction=lambda mbs, t, number, offset: float(spin_up.angle(t)),
            )
        )

        def angle(mbs: Any, t: Any, number: Any, offset: Any) -> Any:
            return spin_up.angle(t, exu.symbolic.cos)

        symbolic = CreateSymbolicUserFunction(mbs, angle, "offsetUserFunction", itemIndex=joint)
        mbs.SetObjectParameter(joint, "offsetUserFunction", symbolic)


def _beam(count: int) -> Model:
    """Spin-up in the plane."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    h, (EA, GA, *_, EI) = spin_up.LENGTH / count, spin_up.STIFFNESS
    nodes = [
        mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[i * h, 0, 0]))
        for i in range(count + 1)
    ]
    for pair in itertools.pairwise(nodes):
        mbs.AddObject(
            items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=list(pair), length=h, massPerLength=spin_up.MASS,
                crossSectionInertia=spin_up.ROTARY, bendingStiffness=EI, axialStiffness=EA,
                shearStiffness=GA, includeReferenceRotations=True,
            )
        )  # fmt: skip
    _turned(mbs, nodes[0], 2)
    sensors = [_watch(mbs, nodes[-1])]
    mbs.Assemble()
    return container, mbs, sensors


def _segments(count: int) -> Model:
    """Spin-up of rigid segments, half a segment of beam on either side of a joint."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    length = spin_up.LENGTH / count
    mass, along = spin_up.MASS * length, spin_up.ROTARY * length
    across = along + mass * length**2 / 12
    inertia = RigidBodyInertia(mass=mass, inertiaTensor=np.diag([along, across, across]))
    kind = exu.NodeType.RotationRxyz
    hub = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(mass=1.0, inertiaTensor=np.eye(3)), nodeType=kind, returnDict=True
    )
    _turned(mbs, hub["nodeNumber"], 5)
    inner, at = hub["bodyNumber"], 0.0
    springs = np.diag(spin_up.STIFFNESS / length)
    for i in range(count):
        middle = [(i + 0.5) * length, 0, 0]
        body = mbs.CreateRigidBody(inertia=inertia, referencePosition=middle, nodeType=kind)
        ends = ((inner, at), (body, -length / 2))
        markers = [
            mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=b, localPosition=[x, 0, 0]))
            for b, x in ends
        ]
        mbs.AddObject(
            items.ObjectConnectorRigidBodySpringDamper(
                markerNumbers=markers, stiffness=springs * (1 if i else 2), damping=np.zeros((6, 6))
            )
        )
        inner, at = body, length / 2
    sensor = mbs.AddSensor(
        items.SensorBody(
            bodyNumber=inner, localPosition=[length / 2, 0, 0], writeToFile=False,
            storeInternal=True, outputVariableType=exu.OutputVariableType.Position,
        )
    )  # fmt: skip
    mbs.Assemble()
    return container, mbs, [sensor]


def _frame(count: int) -> Model:
    """The right-angle frame: legs joined rigidly at the elbow."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    section, L = exu.BeamSection(), right_angle.LENGTH
    section.stiffnessMatrix = np.diag(right_angle.STIFFNESS)
    section.massPerLength, section.inertia = 1.0, np.diag(right_angle.INERTIA[1:])
    turned = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    legs = []
    for start, R in (([0, 0, 0], np.eye(3)), ([L, 0, 0], turned)):
        quat = list(RotationMatrix2EulerParameters(R))
        places = [np.array(start) + x * R[:, 0] for x in np.linspace(0, L, count + 1)]
        leg = [mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*p, *quat])) for p in places]
        for pair in itertools.pairwise(leg):
            mbs.AddObject(
                items.ObjectBeamGeometricallyExact(
                    nodeNumbers=list(pair), length=L / count, sectionData=section
                )
            )
        legs.append(leg)
    ground = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=mbs.AddObject(items.ObjectGround())))
    ends = [
        mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=n))
        for n in (legs[0][0], legs[0][-1], legs[1][0])
    ]
    mbs.AddObject(items.GenericJoint(markerNumbers=[ground, ends[0]]))
    mbs.AddObject(items.GenericJoint(markerNumbers=ends[1:], rotationMarker1=turned.T))
    _push(mbs, legs[0][-1])
    sensors = [_watch(mbs, leg[-1]) for leg in legs]
    mbs.Assemble()
    return container, mbs, sensors


def _push(mbs: Any, node: int) -> None:
    """The hat of force: its function is called once per step."""

    def force(mbs: Any, t: float, vector: Any) -> list[float]:
        return [0.0, 0.0, max(0.0, right_angle.PEAK * (1 - abs(t - 1)))]

    marker = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=node))
    mbs.AddLoad(items.LoadForceVector(markerNumber=marker, loadVectorUserFunction=force))


SPIN_UP = {
    "beam": Peer("planar exact elements", _beam, 0.01, 1e-6, 1e-5),
    "segments": Peer("rigid segments", _segments, 0.01, 1e-3, 1e-4),
}
FRAME = Peer("exact elements", _frame, 0.05, 1e-6, 1e-6)
