"""A package of its own that offers a joint, a force, a driver, a section, a component and a command
to Pliant."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import pliant as pl
from pliant.cli.main import Command
from pliant.model.bodies.sections import Outline, SectionShape, SectionValues
from pliant.model.drivers import Driven, Driving
from pliant.model.fields import TIME, Quantity, Reference, has, number
from pliant.model.forces.action import Acting, Action, Motion, pull
from pliant.model.joints import Coordinate, Joint
from pliant.model.joints.parts import tilted, translation, turn
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_z

pl.register(Path(__file__).with_name("eddy-brake.yaml"))


@pl.register
@dataclass(frozen=True, slots=True)
class CurvedSlot(Joint):
    """A pin at x = ``displacement`` in the slot y = curvature x² / 2, turning by ``angle``."""

    curvature: Quantity = number("1/m", 0, doc="of the slot where x is 0")

    kind: ClassVar[str] = "curved_slot"
    scalars: ClassVar[tuple[Coordinate, ...]] = (
        Coordinate("displacement", "displacement_rate", "m"),
        Coordinate("angle", "angle_rate", "rad", wraps=True),
    )
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("across", "z", "tilt1", "tilt2")

    def evaluated(self, evaluate: Any) -> Any:
        copy = replace(self)
        object.__setattr__(copy, "curvature", evaluate(self.curvature))
        return copy

    def pose(self, ops: Ops, q: Any) -> Pose:
        return Pose(rot_z(ops, q[1]), ops.vec(q[0], self.curvature * q[0] * q[0] / 2, 0))

    def motion(self, ops: Ops, q: Any) -> Any:
        along = ops.vec(0, 0, 0, 1, self.curvature * q[0], 0)
        return ops.columns([along, ops.vec(0, 0, 1, 0, 0, 0)])

    def effort(self, ops: Ops, q: Any) -> Any:
        return ops.columns([*translation(ops, "x"), ops.vec(0, 0, 1, 0, 0, 0)])  # (torque; force)

    def residual(self, ops: Ops, X: Pose) -> Any:
        across = X.p[1] - self.curvature * X.p[0] * X.p[0] / 2
        return ops.vec(across, X.p[2], *tilted(ops, X)[0])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        across = ops.vec(0, 0, 0, -self.curvature * X.p[0], 1, 0)
        return ops.columns([across, *translation(ops, "z"), *tilted(ops, X)[1]])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [X.R[2, 2]]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.vec(X.p[0], turn(ops, X)[0])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, "x"), turn(ops, X)[1]])


@pl.register
@dataclass(frozen=True, slots=True)
class Attraction(Acting):
    """Draws two frame origins together with strength / distance²."""

    kind: ClassVar[str] = "attraction"
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end")
    strength: Quantity = number("N*m^2", doc="force times distance squared")

    def act(self, motion: Motion) -> Action:
        """Force G / r² along the line; potential -G / r."""
        ops = motion.ops
        r = motion.frame(self.frame_b).p_WP - motion.frame(self.frame_a).p_WP
        distance = ops.sqrt(ops.dot(r, r))
        force = motion.value(self.strength) / distance**2
        return Action(
            loads=pull(ops, self.frame_a, self.frame_b, r / distance, force),
            potential=-motion.value(self.strength) / distance,
            outputs={"force": (force, "N")},
        )


@pl.register
@dataclass(frozen=True, slots=True)
class Ellipse(SectionShape):
    """A solid ellipse of half axes `y` and `z`."""

    kind: ClassVar[str] = "ellipse"

    y: Quantity = number("m", doc="half axis along y", above=0)
    z: Quantity = number("m", doc="half axis along z", above=0)

    def values(self, nu: float) -> SectionValues:
        """Shear factors: Cowper 1966."""
        a: Any = self.y
        b: Any = self.z
        tips = [(a, 0 * b), (0 * a, b), (-a, 0 * b), (0 * a, -b)]
        return SectionValues(
            np.pi * a * b, np.pi * a * b**3 / 4, np.pi * b * a**3 / 4,
            np.pi * a**3 * b**3 / (a**2 + b**2), _shear(a, b, nu), _shear(b, a, nu),
            np.array([np.broadcast_arrays(*tip) for tip in tips]),
        )  # fmt: skip

    def outline(self) -> Outline:
        unit = Outline.round(np.ones_like(self.y)).loops[0]
        return Outline((unit * np.stack([self.y, self.z], axis=1)[:, None, :],), True)


def _shear(a: Any, b: Any, nu: float) -> Any:
    """Along the half axis a."""
    below = (40 + 37 * nu) * a**4 + (16 + 10 * nu) * a**2 * b**2 + nu * b**4
    return 12 * (1 + nu) * a**2 * (3 * a**2 + b**2) / below


@pl.register
@dataclass(frozen=True, slots=True)
class Stroke(Driving):
    """Prescribes the distance of two frame origins."""

    kind: ClassVar[str] = "stroke"
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")
    row_names: ClassVar[tuple[str, ...]] = ("length",)

    name: str
    frame_a: str = has(Reference("frame"))
    frame_b: str = has(Reference("frame"))
    length: Quantity = number("m", scope=TIME)

    def drive(self, motion: Motion) -> Iterator[Driven]:
        ops, a, b = motion.ops, motion.frame(self.frame_a), motion.frame(self.frame_b)
        r = b.p_WP - a.p_WP
        distance = ops.sqrt(ops.dot(r, r))
        rate = ops.vec(ops.dot(r, b.v_WP - a.v_WP) / distance)

        def push(lam: Any) -> Any:
            return pull(ops, self.frame_a, self.frame_b, r / distance, -lam[0])[::-1]

        target = [motion.value(self.length)]
        yield Driven(self.row_names, ("m",), ops.vec(distance), rate, target, push)


def add_census(commands: Any) -> None:
    own = commands.add_parser("census")
    own.add_argument("model")
    own.set_defaults(action=census)


def census(options: Any) -> int:
    print(f"{len(pl.load(options.model).model.bodies)} bodies")
    return 0


pl.register(Command("census", add_census))
