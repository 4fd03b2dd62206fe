"""What a force element does: loads on frames and efforts along joint coordinates.

Every force element has ``act(motion) -> Action``, written once for numbers and symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any, ClassVar, Protocol

from pliant.model.fields import settle
from pliant.model.formulas import Formula
from pliant.records import dataclass
from pliant.spatial.ops import Ops


@dataclass(frozen=True, slots=True)
class Arrow:
    """A quantity drawn at a frame: a vector, or a scalar towards another frame."""

    quantity: str
    at: str
    towards: str = ""


SYMBOLS = ("spring", "damper", "spring_damper", "actuator", "distance", "bushing", "brake", "rotor",
           "wheel", "rack")  # fmt: skip
"""What symbols there are."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """What stands for an element in pictures, one of ``SYMBOLS``: from frame to frame, or at a
    coordinate of a joint. A wheel has a radius, or it turns ``ratio`` times as fast as that at the
    joint ``mate``, with which it meshes."""

    kind: str
    a: str = ""
    b: str = ""
    joint: str = ""
    coordinate: str | None = None
    radius: Formula | None = None
    ratio: Formula | None = None
    mate: str = ""


class Acting:
    """What acts between bodies: what it says of itself, and how it stands in files."""

    __slots__ = ()
    has_mass: ClassVar[bool] = False
    """Whether its loads are inertia of its own."""
    is_applied: ClassVar[bool] = False
    """Whether it is a load that is applied from outside: a load factor multiplies it."""
    is_elastic: ClassVar[bool] = False
    """Whether it holds what it acts on in all directions and always has a potential."""
    is_friction: ClassVar[bool] = False
    """Whether all of its power becomes heat."""
    by_coordinate: ClassVar[bool] = False
    """Whether it is an effort that follows from its own joint coordinate, the rate and formulas."""
    couples: ClassVar[bool] = False
    """Whether it damps all parts of a beam together."""
    pulls: ClassVar[bool] = False
    """Whether it acts on points only, whatever axes they have."""
    joint: str = ""
    coordinate: str | None = None
    """The joint coordinate it acts along, if it does."""
    along: tuple[tuple[str, str | None], ...] = ()
    """Joints with their coordinates that it acts along, if they are several."""
    belongs: ClassVar[tuple[str, str]] = ("forces", "force")
    """Section, and what one element is called."""
    main: ClassVar[str] = ""
    """The field that may stand alone under the kind."""
    outside: ClassVar[tuple[str, ...]] = ()
    """Fields beside the kind."""
    pair: ClassVar[tuple[str, ...]] = ()
    """The two fields of `between`."""
    undrawn: ClassVar[str] = ""
    """Why it has no symbol, if it has none."""

    def __post_init__(self) -> None:
        settle(self, *self.belongs)

    @property
    def switches(self) -> bool:
        """Whether its own law has conditions, besides those of its formulas."""
        return False

    @property
    def stores(self) -> bool:
        """Of an effort ``by_coordinate``: whether it has a potential."""
        return False

    def stiff(self, number: Callable[[Formula], float]) -> bool:
        """Of an effort ``by_coordinate``: whether it holds its coordinate wherever that is."""
        return False

    @property
    def line(self) -> tuple[str, ...]:
        """The two frames on whose line it acts, if it does."""
        return ()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """How it is drawn."""
        return ()

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """Outputs that are drawn as arrows."""
        return ()

    def undefined_at_zero(self, number: Callable[[Formula], float]) -> str:
        """Why it has no value with these numbers where the ends of its line meet; empty: it has."""
        return ""

    def variables(self, joints: Mapping[str, Any]) -> dict[str, Formula]:
        """What x and v stand for in its laws, as formulas of observables."""
        return {}


def formulas_of(element: Any) -> dict[str, Formula]:
    """Fields of an element that hold a formula."""
    values = {f.name: getattr(element, f.name) for f in fields(element)}
    return {name: v for name, v in values.items() if isinstance(v, Formula)}


class FrameMotion(Protocol):
    """Pose and velocity of a frame P in world axes W."""

    @property
    def R_WP(self) -> Any: ...
    @property
    def p_WP(self) -> Any: ...
    @property
    def v_WP(self) -> Any: ...
    @property
    def w_WP(self) -> Any: ...


class Motion(Protocol):
    """What a force element may ask: frames, scalar joint coordinates with their rates (and, if all
    it does is inertia, their accelerations), formulas."""

    @property
    def ops(self) -> Ops: ...

    def frame(self, reference: str) -> FrameMotion: ...
    def coordinate(self, joint: str, name: str | None) -> tuple[Any, Any]: ...
    def acceleration(self, joint: str, name: str | None) -> Any: ...
    def away(self, joint: str, name: str | None, value: Any) -> Any: ...
    def value(self, formula: Formula, **local: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Load:
    """Force at the origin of a frame and torque on its body, in world axes."""

    frame: str
    force: Any
    torque: Any


@dataclass(frozen=True, slots=True)
class Effort:
    """Force or torque along a scalar joint coordinate, positive on the child."""

    joint: str
    coordinate: str | None
    value: Any


@dataclass(frozen=True, slots=True)
class Bending:
    """Forces on all elastic coordinates of a body, a column."""

    body: str
    value: Any


@dataclass(frozen=True, slots=True)
class Momentum:
    """Mass, first moment ∫p dm, momentum ∫v dm and angular momentum ∫p x v dm about the world
    origin, in world axes: those of all elements add up."""

    mass: Any
    first: Any
    linear: Any
    angular: Any

    def __add__(self, other: Momentum) -> Momentum:
        return Momentum(self.mass + other.mass, self.first + other.first,
                        self.linear + other.linear, self.angular + other.angular)  # fmt: skip


MOMENTA = {
    "centre_of_mass": ("m", "position"),
    "momentum": ("kg*m/s", "momentum"),
    "angular_momentum": ("kg*m^2/s", "momentum"),
    "angular_momentum_about_com": ("kg*m^2/s", "momentum"),
}
"""Observables of a system with mass, vectors in world axes: unit and kind."""


@dataclass(frozen=True, slots=True)
class Action:
    """All an element does now. ``outputs`` maps a quantity to (value, unit).

    ``dissipated``: of an element with a potential, the power that becomes heat, by its own law of
    damping and not as what its loads leave over: so the energy balance of a run tests the loads.
    ``kinetic``, ``momentum``: of an element whose loads are nothing but its inertia.
    """

    loads: tuple[Load, ...] = ()
    efforts: tuple[Effort, ...] = ()
    potential: Any = None
    kinetic: Any = None
    momentum: Momentum | None = None
    dissipated: Any = None
    outputs: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    bending: tuple[Bending, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeLoads:
    """What a beam element does to its nodes: forces and torques in world axes; the strain energy,
    the power dissipated, stress resultants at its points."""

    forces: tuple[Any, ...]
    torques: tuple[Any, ...]
    energy: Any
    dissipated: Any
    stresses: tuple[Any, ...]


def pull(ops: Ops, a: str, b: str, direction: Any, tension: Any) -> tuple[Load, Load]:
    """Equal and opposite forces drawing frame b towards frame a; ``direction`` points a to b."""
    none = ops.zeros(3)
    return Load(a, tension * direction, none), Load(b, -tension * direction, none)


def body_axes(motion: Motion, frame: str) -> Any:
    """R_WB of the body a frame is on."""
    return motion.frame(frame.partition(".")[0]).R_WP
