"""Closed mechanisms: planar slider-crank, two four-bars through singular positions, Bricard.

Exudyn has them as its own examples build them: planar bodies of three coordinates, dense solver. Of
full and modified Newton at relative tolerances 1e-8, 1e-6 and 1e-4 the fastest was taken whose
error is not larger than at 1e-8.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.case import Motion, Samples
from benchmarks.exudyn_peer import Assembly, Setting
from pliant.arrays import Array
from pliant.model.files.examples import examples
from pliant.system import System

SLIDER_MASS, GRAVITY = 0.5, 9.81


def example(name: str) -> System:
    """An example of Pliant."""
    return System.load(examples()[name])


def slider_crank() -> System:
    """The example with a slider of mass: the peer cannot take one without."""
    text = examples()["planar_slider_crank"].read_text(encoding="utf-8")
    return System.loads(text.replace("{rigid: {mass: 0}}", f"{{rigid: {{mass: {SLIDER_MASS}}}}}"))


class Planar(Assembly):
    """Bodies in the plane, their frames in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.ground = self.mbs.AddObject(self.items.ObjectGround())

    def bar(
        self, centre: Any, angle: float, mass: float, length: float, velocity: Any = (0, 0),
        rate: float = 0.0,
    ) -> int:  # fmt: skip
        node = self.mbs.AddNode(
            self.items.Rigid2D(
                referenceCoordinates=[*centre, angle], initialVelocities=[*velocity, rate]
            )
        )
        inertia = mass * length**2 / 12
        body = self.items.RigidBody2D(physicsMass=mass, physicsInertia=inertia, nodeNumber=node)
        return int(self.mbs.AddObject(body))

    def hinge(self, a: int, at_a: float, b: int, at_b: float) -> None:
        """Points on the axes of two bodies coincide."""
        kind = self.items.MarkerBodyPosition
        markers = [
            self.mbs.AddMarker(kind(bodyNumber=body, localPosition=[x, 0, 0]))
            for body, x in ((a, at_a), (b, at_b))
        ]
        self.mbs.AddObject(self.items.RevoluteJoint2D(markerNumbers=markers))

    def weight(self, body: int, mass: float) -> None:
        marker = self.mbs.AddMarker(self.items.MarkerBodyPosition(bodyNumber=body))
        self.mbs.AddLoad(self.items.Force(markerNumber=marker, loadVector=[0, -mass * GRAVITY, 0]))


def exudyn_slider_crank(torque: float = 1.0) -> Assembly:
    """Crank of 0.2 m and 1 kg under a torque, rod of 0.5 m and 2 kg, slider as a mass point."""
    m = Planar()
    l1, l2, a = 0.2, 0.5, np.pi / 4
    b = -np.arcsin(l1 * np.sin(a) / l2)
    A = l1 * np.array([np.cos(a), np.sin(a)])
    B = A + l2 * np.array([np.cos(b), np.sin(b)])
    crank, rod = m.bar(A / 2, a, 1.0, l1), m.bar((A + B) / 2, b, 2.0, l2)
    node = m.mbs.AddNode(m.items.Point2D(referenceCoordinates=list(B)))
    slider = m.mbs.AddObject(m.items.MassPoint2D(physicsMass=SLIDER_MASS, nodeNumber=node))
    m.hinge(m.ground, 0, crank, -l1 / 2)
    m.hinge(crank, l1 / 2, rod, -l2 / 2)
    m.hinge(rod, l2 / 2, slider, 0)
    m.hold(node, [1])
    turned = m.mbs.AddMarker(m.items.MarkerBodyRigid(bodyNumber=crank))
    m.mbs.AddLoad(m.items.Torque(markerNumber=turned, loadVector=[0, 0, torque]))
    m.watch_body(slider, [0, 0, 0])
    return m


def exudyn_four_bars(n: int = 2) -> Assembly:
    """n parallelograms of bars of 1 m and 1 kg, all turning at 1 rad/s."""
    m = Planar()
    bars = [m.bar([i, 0.5], np.pi / 2, 1.0, 1.0, [0.5, 0], -1.0) for i in range(n + 1)]
    couplers = [m.bar([i + 0.5, 1.0], 0.0, 1.0, 1.0, [1.0, 0]) for i in range(n)]
    for body in (*bars, *couplers):
        m.weight(body, 1.0)
    for i, bar in enumerate(bars):
        m.hinge(m.ground, i, bar, -0.5)
    for i, coupler in enumerate(couplers):
        m.hinge(bars[i], 0.5, coupler, -0.5)
        m.hinge(coupler, 0.5, bars[i + 1], 0.5)
    m.watch_body(bars[0], [0.5, 0, 0])
    return m


def exudyn_bricard() -> Assembly:
    """Five rods of 1 m and 1 kg in a loop of six hinges; the last joint leaves out what repeats."""
    from exudyn.utilities import RigidBodyInertia

    m = Assembly()
    ground = m.mbs.CreateGround()
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    axes = np.eye(3)[[1, 2, 0, 1, 2, 0]]
    bodies = [ground]
    for i in range(5):
        moments = np.full(3, (1 + 0.01) / 12)
        moments[np.argmax(np.abs(P[i + 1] - P[i]))] = 0.02 / 12
        inertia = RigidBodyInertia(mass=1.0, inertiaTensor=np.diag(moments))
        middle = list((P[i] + P[i + 1]) / 2)
        bodies.append(
            m.mbs.CreateRigidBody(
                referencePosition=middle, gravity=[0, -GRAVITY, 0], inertia=inertia
            )
        )
        m.mbs.CreateRevoluteJoint(
            bodyNumbers=bodies[i : i + 2], position=list(P[i]), axis=list(axes[i]),
            useGlobalFrame=True,
        )  # fmt: skip
    m.mbs.CreateGenericJoint(
        bodyNumbers=[bodies[5], ground], position=list(P[5]), rotationMatrixAxes=np.eye(3),
        constrainedAxes=[1, 1, 1, 0, 1, 0], useGlobalFrame=True,
    )  # fmt: skip
    m.watch_body(bodies[3], [0, 0, 0.5])
    return m


def _last(count: int, t: Array, columns: Samples) -> Array:
    """The first entries of a position at the end."""
    found: Array = columns[0][-1][:count]
    return found


def _at_end(exact: Sequence[float]) -> dict[str, Any]:
    """A position at the end is compared with this one."""
    return {"number": partial(_last, len(exact)), "exact": lambda: np.array(exact)}


CASES = (
    Motion(
        name="planar_slider_crank", title="planar slider-crank, slider of 0.5 kg, 1 s",
        system=slider_crank, outputs=("slider.position",), duration=1.0,
        **_at_end((0.66496573251,)),
        reference="own run at rtol 1e-13, agreeing with another method to 1e-11", agreement=1e-4,
        wanted=40, peer=exudyn_slider_crank, how_theirs=Setting("planar bodies", 1e-3),
    ),
    Motion(
        name="four_bars_2", title="two four-bars through singular positions (IFToMM A02), 10 s",
        system=partial(example, "four_bars_2"), outputs=("bar0.B.position",), duration=10.0,
        **_at_end((0.3284581115408154, 0.944518538178601)),
        reference="closed form (elliptic functions)", agreement=5e-3, wanted=40,
        peer=exudyn_four_bars, how_theirs=Setting("planar bodies", 5e-3),
    ),
    Motion(
        name="bricard", title="Bricard mechanism (IFToMM A04), 10 s",
        system=partial(example, "bricard"), outputs=("rod3.end.position",), duration=10.0,
        **_at_end((0.9999999638063, -1.0002690126962, 0.9997309511199)),
        reference="certified to 12 digits", agreement=1e-5, wanted=40, peer=exudyn_bricard,
        how_theirs=Setting("rigid bodies", 5e-3, modified=True, relative=1e-6),
    ),
)  # fmt: skip
