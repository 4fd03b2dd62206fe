"""Bodies that touch: a wheel or sphere that rolls, a skate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pliant.errors import Fault, ModelError
from pliant.model.constraints.holding import Held, Holding
from pliant.model.cures import Add, Leave, curing
from pliant.model.fields import Optional, Quantity, Reference, Written, has, number
from pliant.model.forces.action import FrameMotion, Load, Motion
from pliant.model.joints.axis import Axis, AxisKind, axes_with_z, unit_axis
from pliant.records import dataclass
from pliant.spatial.ops import Ops


@dataclass(frozen=True, slots=True)
class Touching:
    """A point c where two bodies touch: ``a`` and ``b`` are frames on them, by name and motion."""

    ops: Ops
    a: str
    b: str
    base: FrameMotion
    mover: FrameMotion
    c: Any

    @property
    def slip(self) -> Any:
        """Velocity of the material point of b at c less that of a, world axes."""
        cross, base, mover = self.ops.cross, self.base, self.mover
        v_b = mover.v_WP + cross(mover.w_WP, self.c - mover.p_WP)
        return v_b - base.v_WP - cross(base.w_WP, self.c - base.p_WP)

    def loads(self, force: Any) -> tuple[Load, Load]:
        """A force on b at c, and its reaction on a."""
        cross = self.ops.cross
        on_b = Load(self.b, force, cross(self.c - self.mover.p_WP, force))
        return on_b, Load(self.a, -force, cross(self.c - self.base.p_WP, -force))


@dataclass(frozen=True, slots=True)
class Rolling(Holding):
    """A wheel touches a plane and rolls on it without slipping.

    The wheel is a circle of `radius` about `axis` through its frame, rounded by `edge`; without
    `axis` it is a sphere. With n the normal of the plane and a the axis, the contact is at

        c = C + radius d - edge n,      d = -(n - (n.a) a) / |n - (n.a) a|

    Height n.(c - P) = 0 and both components of the slip v_C + w x (c - C) = 0 in the plane hold.
    `at` names a frame that follows the contact instead; then the slip alone is held.

    >>> pl.Rolling("road", plane="ground", wheel="wheel", radius="30 cm", axis="y").radius
    Formula('30 cm')
    """

    kind: ClassVar[str] = "rolling"
    undrawn: ClassVar[str] = "the wheel is the shape of its body"
    row_names: ClassVar[tuple[str, ...]] = ("normal", "slip_x", "slip_y")
    undefined: ClassVar[str] = (
        "the axis of the wheel is normal to the plane, so that there is no point of contact; "
        "give it an initial orientation in which it stands on its rim"
    )
    pair: ClassVar[tuple[str, ...]] = ("plane", "wheel")

    name: str
    plane: str = has(Reference("frame"), doc="frame of the plane: it passes through the origin")
    wheel: str = has(Reference("frame"), doc="frame at the centre of the wheel")
    radius: Quantity = number("m", 0, doc="of the circle, or of the sphere", least=0)
    axis: Written[Axis | None] = has(Optional(AxisKind()), None, "of the wheel; none: a sphere")
    edge: Quantity = number("m", 0, doc="radius of the round edge of a wheel", least=0)
    normal: Written[Axis] = has(AxisKind(), "z", "of the plane, towards the wheel")
    at: str | None = has(Optional(Reference("frame")), None, "a frame that follows the contact")

    def __post_init__(self) -> None:
        Holding.__post_init__(self)
        given = self.radius.is_constant and self.radius.value == 0
        if given == (self.at is None):
            what = "radius and at are both given" if self.at else "radius is missing"
            words = "give a radius, or at: a frame that follows it"
            add = Add((self.kind, "radius"), "1 m")
            keep = curing("keep one", Leave(("radius",)), Leave(("at",)))
            cure = keep if self.at else curing(words, add)
            path = ("constraints", self.name, "radius")
            raise ModelError([Fault(f"constraint '{self.name}'", what, cure, path=path)])

    @property
    def m(self) -> int:
        """Rows: height and slip, or slip alone."""
        return 3 if self.at is None else 2

    def hold(self, motion: Motion) -> Iterator[Held]:
        """Height (holonomic) and slip (not), both in axes of the plane."""
        ops = motion.ops
        plane, wheel = motion.frame(self.plane), motion.frame(self.wheel)
        R_WN = plane.R_WP @ ops.const(axes_with_z(unit_axis(self.normal)))
        n = R_WN[:, 2]
        touching = Touching(ops, self.plane, self.wheel, plane, wheel, self._contact(motion, n))
        slip = R_WN.T @ touching.slip
        where = {"contact": (touching.c, "m")}
        if self.at is None:
            height = ops.dot(n, touching.c - plane.p_WP)

            def lifted(lam: Any) -> Any:
                return touching.loads(lam[0] * n)

            yield Held(("normal",), ("m",), ops.vec(slip[2]), lifted, ops.vec(height), where)

        def dragged(lam: Any) -> Any:
            return touching.loads(lam[0] * R_WN[:, 0] + lam[1] * R_WN[:, 1])

        units = ("m/s", "m/s")
        yield Held(("slip_x", "slip_y"), units, ops.vec(slip[0], slip[1]), dragged, outputs=where)

    def _contact(self, motion: Motion, n: Any) -> Any:
        """The point of the wheel nearest to the plane."""
        if self.at is not None:
            return motion.frame(self.at).p_WP
        ops, wheel = motion.ops, motion.frame(self.wheel)
        radius = motion.value(self.radius)
        if self.axis is None:
            return wheel.p_WP - radius * n
        a = wheel.R_WP @ ops.const(unit_axis(self.axis))
        leaning = ops.dot(n, a)
        d = (leaning * a - n) / ops.sqrt(1 - leaning * leaning)
        return wheel.p_WP + radius * d - motion.value(self.edge) * n


@dataclass(frozen=True, slots=True)
class Skate(Holding):
    """The origin of a frame does not move across its blade: e.v = 0.

    e is `across`, fixed in the frame; v is the velocity of the origin as seen from the body that
    the skate runs on. Along the blade and about it the frame is free.

    >>> pl.Skate("runner", base="ground", blade="sledge", across="y").across
    'y'
    """

    kind: ClassVar[str] = "skate"
    undrawn: ClassVar[str] = "the blade is the shape of its body"
    row_names: ClassVar[tuple[str, ...]] = ("across",)
    m: ClassVar[int] = 1
    pair: ClassVar[tuple[str, ...]] = ("base", "blade")

    name: str
    base: str = has(Reference("frame"), doc="a frame of what it runs on")
    blade: str = has(Reference("frame"), doc="frame of the blade")
    across: Written[Axis] = has(AxisKind(), "y", "direction in the blade's frame that is held")

    def hold(self, motion: Motion) -> Iterator[Held]:
        """One velocity, which is not the rate of a position."""
        ops = motion.ops
        base, blade = motion.frame(self.base), motion.frame(self.blade)
        e = blade.R_WP @ ops.const(unit_axis(self.across))
        touching = Touching(ops, self.base, self.blade, base, blade, blade.p_WP)

        def pushed(lam: Any) -> Any:
            return touching.loads(lam[0] * e)

        yield Held(("across",), ("m/s",), ops.vec(ops.dot(e, touching.slip)), pushed)
