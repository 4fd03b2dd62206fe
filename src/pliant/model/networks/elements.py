"""Elements of networks: what the user says of each, under one key that is its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pliant.model.formulas import Formula
from pliant.model.named import Named
from pliant.model.networks.entries import Entries


@dataclass(frozen=True, slots=True)
class OnePortKind:
    """What may be said of a kind of one-port.

    main: the constant or law that a bare number means; variables: own variable of each law that is
    a relation; initial: quantities that may be given at the start, the first by a bare number.
    """

    main: str = ""
    constants: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()
    initial: tuple[str, ...] = ()

    @property
    def laws(self) -> tuple[str, ...]:
        """Keys of all its constants and relations."""
        return (*self.constants, *(law for law, _ in self.variables))

    def variable(self, law: str) -> str:
        """The own variable that a relation reads; empty for constants."""
        return dict(self.variables).get(law, "")


ONE_PORTS = {
    "Se": OnePortKind("effort", ("effort",)),
    "Sf": OnePortKind("flow", ("flow",)),
    "I": OnePortKind(
        "inertia", ("inertia",), (("momentum", "f"), ("coenergy", "f")), ("flow",),
    ),
    "C": OnePortKind(
        "capacity", ("capacity", "stiffness"),
        (("effort", "q"), ("displacement", "e"), ("energy", "q")), ("displacement", "effort"),
    ),
    "R": OnePortKind("resistance", ("resistance",), (("effort", "f"), ("flow", "e"))),
    "MR": OnePortKind("effort", (), (("effort", "f"),)),
    "EJS": OnePortKind("effort", (), (("effort", "f"),)),
    "CN": OnePortKind(),
}  # fmt: skip
TWO_PORTS = ("TF", "MTF", "GY", "MGY", "SUM")
SOURCES = ("Se", "Sf")
STATES = {"I": ("flow",), "C": ("displacement", "effort")}
"""Quantities of stores that are states."""
OUTPUTS = {kind: ("effort", "flow") for kind in ONE_PORTS if kind != "CN"}
"""Quantities of elements that formulas may read as well."""
OWN_VARIABLES = ("e", "f", "q")
STROKES = ("element", "junction")


@dataclass(frozen=True, slots=True)
class Junction:
    """0: common effort; 1: common flow."""

    kinds: ClassVar[tuple[str, ...]] = ("junction",)

    common: int
    dim: int = 1
    domain: str = ""

    @property
    def kind(self) -> str:
        return "junction"


@dataclass(frozen=True, slots=True)
class JointPort:
    """A 1-junction whose flow is the rate of a joint coordinate."""

    kinds: ClassVar[tuple[str, ...]] = ("joint",)

    joint: str
    coordinate: str | None = None

    @property
    def kind(self) -> str:
        return "joint"


@dataclass(frozen=True, slots=True)
class FramePort:
    """A 1-junction whose flow is the velocity of a frame (``rotation``: angular velocity) in world
    axes, or its component along a fixed direction."""

    kinds: ClassVar[tuple[str, ...]] = ("frame",)

    frame: str
    direction: tuple[Formula, ...] | None = None
    rotation: bool = False

    @property
    def kind(self) -> str:
        return "frame"


@dataclass(frozen=True, slots=True)
class OnePort:
    """A source, store, resistance, junction structure or constraintor; on several junctions it is a
    field."""

    kinds: ClassVar[tuple[str, ...]] = tuple(ONE_PORTS)

    kind: str
    law: Mapping[str, Entries] = Named()
    on: tuple[str, ...] = ()
    initial: Mapping[str, Entries] = Named()
    stroke: str = ""
    domain: str = ""


@dataclass(frozen=True, slots=True)
class TwoPort:
    """tail -> TF -> head. TF: f₂ = T f₁, e₁ = Tᵀ e₂. GY: e₂ = T f₁, e₁ = Tᵀ f₂. SUM: stacked."""

    kinds: ClassVar[tuple[str, ...]] = TWO_PORTS

    kind: str
    matrix: Entries | None = None
    tails: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    inverse: Entries | str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A copy of a sub-graph: of the model, shipped, or in a file."""

    kinds: ClassVar[tuple[str, ...]] = ("part",)

    part: str = ""
    file: str = ""
    parameters: Mapping[str, Formula] = Named()
    ports: Mapping[str, str] = Named()

    @property
    def kind(self) -> str:
        return "part"

    @property
    def title(self) -> str:
        return self.file or self.part


Element = Junction | JointPort | FramePort | OnePort | TwoPort | Part
KINDS = tuple(
    kind for cls in (Junction, OnePort, TwoPort, JointPort, FramePort, Part) for kind in cls.kinds
)
