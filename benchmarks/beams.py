"""Beams of large rotation: spin-up of exact elements and of rigid segments, right-angle frame.

Pliant: generalized-alpha over blocks (``sparse-alpha``), steps of one size. Exudyn: its
geometrically exact elements, and rigid bodies with 6 x 6 springs between them, by generalized-alpha
with the same spectral radius and the sparse solver of Eigen; given functions of time as symbolic
user functions. Tried were full and modified Newton at relative tolerances from 1e-8 to 1e-3, the
dense solver, and steps from 0.005 s to 0.05 s:

- spin-up: the planar element. Modified Newton, converged to 1e-6; longer steps than 0.01 s lose
  more accuracy than they save time (0.02 s: a quarter less time, four times the error).
- right-angle frame: the spatial element on nodes with Euler parameters or rotation vectors. Euler
  parameters, modified Newton at 1e-6; 0.05 s is the longest step whose error is that of the mesh.
- segments: a rigid body each. Bryant angles, Euler parameters and rotation vectors, its two
  formulas for rotations. Bryant angles, modified Newton at 1e-3, whose error is that of 1e-5.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pliant as pl
from benchmarks.case import Motion, Samples
from benchmarks.exudyn_peer import Assembly, Setting, modules
from pliant.arrays import Array
from pliant.system import System

RADIUS, NEWTON = 0.9, 1e-7
"""Spectral radius of generalized-alpha on both sides; error left by Newton's method in ours."""

LENGTH = 10.0
MASS, ROTARY = 1.2, 6e-4
"""Of the blade: mass and rotary inertia (about each axis of a section) per length."""
BLADE = np.array([2.8e7, 1e7, 1e7, 1e4, 1.4e4, 1.4e4])
LEG, LEG_ROTARY = np.array([1e6, 1e6, 1e6, 1e3, 1e3, 1e3]), 10.0
"""EA GA2 GA3 GJ EI2 EI3 of the blade; of the legs of the frame, whose mass per length is 1."""
RATE, RISE, PEAK = 6.0, 15.0, 50.0
DIRECTIONS = ("axial", "shear_y", "shear_z", "torsion", "bending_y", "bending_z")
_KEYS = ("EA", "GAy", "GAz", "GJ", "EIy", "EIz")

SPIN_UP = np.array([
    -0.00181516817, -0.02054353198, -0.06011892947, -0.1023806322, -0.1512835586, -0.2172673587,
    -0.28322948, -0.3422786475, -0.4076099533, -0.4684761834, -0.5096099796, -0.5435964003,
    -0.5699483684, -0.5713118065, -0.559083459, -0.5428415351,
])  # fmt: skip
"""Transverse tip displacement (m) of the spin-up in the turning frame, every 0.5 s: to 1e-9."""

RIGHT_ANGLE = np.array([
    [-0.054196, 0.022882, 0.951314, -0.003017, -0.023389, 0.054032],
    [-1.011114, 0.267389, 4.115246, 0.106261, -0.692150, 0.069264],
    [-2.049121, 0.239660, 5.501669, 0.788497, -1.061500, 1.507208],
    [-1.564395, -0.427658, 4.642069, 0.441982, -0.706241, 3.508934],
    [-0.851796, -0.764270, 3.111415, -0.540678, -1.062475, 5.479398],
])  # fmt: skip
"""Displacements (m) of elbow and tip of the right-angle frame, every second: to 1e-5.

Both from spectral elements and an explicit method of order eight, refined until nothing changed.
"""


def angle(t: Any, cos: Callable[[Any], Any] = np.cos) -> Any:
    """psi(t) of the hub up to 15 s: w/T (t^2/2 + (T/2pi)^2 (cos(2pi t/T) - 1)).

    Source of the problem: Simo, Vu-Quoc 1986.
    """
    return RATE / RISE * (t * t / 2 + (RISE / (2 * np.pi)) ** 2 * (cos(2 * np.pi * t / RISE) - 1))


def blade(theory: Any) -> System:
    """The blade on its hub, as exact elements or as rigid segments."""
    rotary: dict[str, Any] = {"rotary_inertia": "full"} if isinstance(theory, pl.Segments) else {}
    beam = pl.Beam(
        "blade", LENGTH, theory=theory, mass_per_length=MASS, **_section(BLADE, ROTARY),
        **rotary,
    )  # fmt: skip
    psi = f"{RATE}/{RISE}*(t**2/2 + ({RISE}/(2*pi))**2*(cos(2*pi*t/{RISE}) - 1))"
    hub = pl.Revolute("hub", "ground", "blade.root", axis="z")
    return System(bodies=[beam], joints=[hub], drivers=[pl.JointDriver("spin", "hub", motion=psi)])


def exact_blade(elements: int, order: int = 1) -> System:
    return blade({"exact": {"elements": elements, "order": order}})


def segmented_blade(count: int) -> System:
    """Rigid segments with springs in six directions, half a segment of beam at the root."""
    return blade(pl.Segments(count, DIRECTIONS))


def frame(elements: int, order: int) -> System:
    """Two legs under a hat of force at the elbow. Source of the problem: Simo, Vu-Quoc 1988."""
    theory: Any = {"exact": {"elements": elements, "order": order}}
    corner = pl.Frame("corner", (LENGTH, 0, 0), pl.Orientation.about("z", np.pi / 2))

    def leg(name: str, **more: Any) -> pl.Beam:
        section = _section(LEG, LEG_ROTARY)
        return pl.Beam(name, LENGTH, theory=theory, mass_per_length=1, **section, **more)

    joints = [pl.Fixed("clamp", "ground", "one.root"), pl.Fixed("elbow", "one.corner", "two.root")]
    hat = f"piecewise(t < 1, {PEAK}*t, t < 2, {PEAK}*(2 - t), 0)"
    return System(
        bodies=[leg("one", frames={"corner": corner}), leg("two")], joints=joints,
        forces=[pl.Force("push", "one.tip", (0, 0, hat))],
    )  # fmt: skip


def _section(stiffness: Array, rotary: float) -> dict[str, Any]:
    return {
        "stiffness": dict(zip(_KEYS, stiffness.tolist(), strict=True)),
        "rotary": {"rhoIy": rotary, "rhoIz": rotary},
    }


def transverse(t: Array, columns: Samples) -> Array:
    """Tip displacement across the turning axis, all samples after the start."""
    psi, (x, y) = angle(t), columns[0].T[:2]
    found: Array = np.cos(psi) * y - np.sin(psi) * x
    return found[1:]


def displaced(t: Array, columns: Samples) -> Array:
    """Displacements of elbow and tip, all samples after the start."""
    moved: Array = np.hstack(columns) - [LENGTH, 0, 0, LENGTH, LENGTH, 0]
    return moved[1:]


class Beams(Assembly):
    """Beams of Exudyn."""

    def turn(self, node: int, held: int) -> None:
        """Coordinates of a node before ``held`` stay zero, that one is the angle of the hub."""
        from exudyn.utilities import CreateSymbolicUserFunction

        fixed = self.hold(node, range(held))
        joint = self.mbs.AddObject(
            self.items.CoordinateConstraint(
                markerNumbers=[fixed, self.node_marker(node, held)],
                offsetUserFunction=lambda mbs, t, number, offset: float(angle(t)),
            )
        )

        def psi(mbs: Any, t: Any, number: Any, offset: Any) -> Any:
            return angle(t, self.exu.symbolic.cos)

        made = CreateSymbolicUserFunction(self.mbs, psi, "offsetUserFunction", itemIndex=joint)
        self.mbs.SetObjectParameter(joint, "offsetUserFunction", made)

    def rigid_marker(self, body: int, x: float) -> Any:
        """On the axis of a body."""
        return self.mbs.AddMarker(
            self.items.MarkerBodyRigid(bodyNumber=body, localPosition=[x, 0, 0])
        )


def exudyn_blade(count: int) -> Assembly:
    """Planar elements."""
    m = Beams()
    h, (EA, GA, *_, EI) = LENGTH / count, BLADE
    nodes = [
        m.mbs.AddNode(m.items.NodeRigidBody2D(referenceCoordinates=[i * h, 0, 0]))
        for i in range(count + 1)
    ]
    for pair in itertools.pairwise(nodes):
        m.mbs.AddObject(
            m.items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=list(pair), length=h, massPerLength=MASS, crossSectionInertia=ROTARY,
                bendingStiffness=EI, axialStiffness=EA, shearStiffness=GA,
                includeReferenceRotations=True,
            )
        )  # fmt: skip
    m.turn(nodes[0], 2)
    m.watch_node(nodes[-1])
    return m


def exudyn_segments(count: int) -> Assembly:
    """Rigid bodies, half a segment of beam on either side of a joint."""
    exu, _ = modules()
    from exudyn.utilities import RigidBodyInertia

    m, length, kind = Beams(), LENGTH / count, exu.NodeType.RotationRxyz
    mass, along = MASS * length, ROTARY * length
    across = along + mass * length**2 / 12
    inertia = RigidBodyInertia(mass=mass, inertiaTensor=np.diag([along, across, across]))
    unit = RigidBodyInertia(mass=1.0, inertiaTensor=np.eye(3))
    hub = m.mbs.CreateRigidBody(inertia=unit, nodeType=kind, returnDict=True)
    m.turn(hub["nodeNumber"], 5)
    inner, at, springs = hub["bodyNumber"], 0.0, np.diag(BLADE / length)
    for i in range(count):
        middle = [(i + 0.5) * length, 0, 0]
        body = m.mbs.CreateRigidBody(inertia=inertia, referencePosition=middle, nodeType=kind)
        markers = [m.rigid_marker(inner, at), m.rigid_marker(body, -length / 2)]
        m.mbs.AddObject(
            m.items.ObjectConnectorRigidBodySpringDamper(
                markerNumbers=markers, stiffness=springs * (1 if i else 2), damping=np.zeros((6, 6))
            )
        )
        inner, at = body, length / 2
    m.watch_body(inner, [length / 2, 0, 0])
    return m


def exudyn_frame(count: int) -> Assembly:
    """Legs joined rigidly at the elbow; the function of the force is called once per step."""
    exu, items = modules()
    from exudyn.utilities import RotationMatrix2EulerParameters

    m, section = Beams(), exu.BeamSection()
    section.stiffnessMatrix, section.massPerLength = np.diag(LEG), 1.0
    section.inertia = np.diag([2 * LEG_ROTARY, LEG_ROTARY, LEG_ROTARY])
    turned = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    legs = []
    for start, R in (([0, 0, 0], np.eye(3)), ([LENGTH, 0, 0], turned)):
        quat = list(RotationMatrix2EulerParameters(R))
        places = [np.array(start) + x * R[:, 0] for x in np.linspace(0, LENGTH, count + 1)]
        leg = [m.mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*p, *quat]))
               for p in places]  # fmt: skip
        for pair in itertools.pairwise(leg):
            m.mbs.AddObject(
                items.ObjectBeamGeometricallyExact(
                    nodeNumbers=list(pair), length=LENGTH / count, sectionData=section
                )
            )
        legs.append(leg)
        m.watch_node(leg[-1])
    ground = m.rigid_marker(m.mbs.AddObject(items.ObjectGround()), 0.0)
    elbow = legs[0][-1]
    ends = [m.mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=n))
            for n in (legs[0][0], elbow, legs[1][0])]  # fmt: skip
    m.mbs.AddObject(items.GenericJoint(markerNumbers=[ground, ends[0]]))
    m.mbs.AddObject(items.GenericJoint(markerNumbers=ends[1:], rotationMarker1=turned.T))

    def hat(mbs: Any, t: float, vector: Any) -> list[float]:
        return [0.0, 0.0, max(0.0, PEAK * (1 - abs(t - 1)))]

    marker = m.mbs.AddMarker(items.MarkerNodePosition(nodeNumber=elbow))
    m.mbs.AddLoad(items.LoadForceVector(markerNumber=marker, loadVectorUserFunction=hat))
    return m


def how(step: float) -> dict[str, Any]:
    """Arguments of ``simulate``."""
    options = {"radius": RADIUS, "tolerance": NEWTON}
    return {"method": "sparse-alpha", "step": step, "options": options}


_peer = partial(Setting, radius=RADIUS, modified=True, sparse=True)
_motion = partial(Motion, how=how, words="sparse-alpha, step {:g} s")
_spin_up = partial(
    _motion, outputs=("blade.tip.position",), duration=8.0, samples=16, number=transverse,
    exact=lambda: SPIN_UP, reference="certified to 1e-9, all samples", agreement=2e-3,
    settings=(0.05, 0.025, 0.02, 0.0125, 0.01, 0.005),
)  # fmt: skip


def _segments(count: int) -> Motion:
    return _spin_up(
        name=f"segments_{count}", title=f"spin-up of {count} finite segments, 8 s", wanted=10.0,
        system=partial(segmented_blade, count), peer=partial(exudyn_segments, count),
        how_theirs=_peer("rigid segments", 0.01, relative=1e-3, absolute=1e-4),
    )  # fmt: skip


CASES = (
    _spin_up(
        name="spin_up_32", title="spin-up of a beam of 32 elements, 8 s", wanted=6.0,
        system=partial(exact_blade, 32), peer=partial(exudyn_blade, 32),
        how_theirs=_peer("planar exact elements", 0.01, relative=1e-6, absolute=1e-5),
    ),
    _segments(128),
    _segments(512),
    _motion(
        name="right_angle_20", title="right-angle frame of 2 x 21 nodes, 5 s", wanted=5.0,
        system=partial(frame, 10, 2), outputs=("one.tip.position", "two.tip.position"),
        duration=5.0, samples=5, number=displaced, exact=lambda: RIGHT_ANGLE,
        reference="certified to 1e-5, all samples", agreement=1e-2,
        peer=partial(exudyn_frame, 20),
        how_theirs=_peer("exact elements", 0.05, relative=1e-6, absolute=1e-6),
        settings=(0.1, 0.05, 0.04, 0.025, 0.02, 0.0125, 0.01, 0.005),
    ),
)  # fmt: skip
