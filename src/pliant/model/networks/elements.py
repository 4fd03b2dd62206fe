"""Elements of networks: what the user says of each, under one key that is its kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import ClassVar

from pliant.model.fields import (
    Flag,
    Kind,
    NameOrNames,
    Number,
    Numbers,
    Reference,
    Table,
    Text,
    Word,
    has,
    kinds_of,
)
from pliant.model.formulas import Formula
from pliant.model.frozen import FrozenDict
from pliant.model.networks.entries import Entries
from pliant.model.networks.kinds import (
    ONE_PORTS,
    ByName,
    Components,
    Domain,
    JunctionKind,
    Law,
    Matrix,
    Nothing,
    Permutation,
    Source,
)
from pliant.records import dataclass

TWO_PORTS = ("TF", "MTF", "GY", "MGY", "SUM")
SOURCES = ("Se", "Sf")
STATES = {"I": ("flow",), "C": ("displacement", "effort")}
"""Quantities of stores that are states."""
OUTPUTS = {kind: ("effort", "flow") for kind in ONE_PORTS if kind != "CN"}
"""Quantities of elements that formulas may read as well."""
OWN_VARIABLES = ("e", "f", "q")
STROKES = ("element", "junction")


class Bonded:
    """An element. Without more being said it is a junction: others are bonded to it, it has no law,
    is attached to no body, and stands for itself."""

    __slots__ = ()
    is_part: ClassVar[bool] = False
    """Whether it stands for the elements of a sub-graph."""

    @property
    def ends(self) -> tuple[tuple[str, ...], ...]:
        """Junctions that it is bonded to, by side; none of a side is a fault."""
        return ()

    @property
    def law(self) -> Mapping[str, Entries]:
        """What its efforts and flows follow, by the key files use."""
        return FrozenDict()

    @property
    def mover(self) -> str:
        """What moves it, if it is attached to bodies: joint O, angle."""
        return ""

    @property
    def title(self) -> str:
        """The sub-graph that it stands for."""
        return ""


@dataclass(frozen=True, slots=True)
class Junction(Bonded):
    """0: common effort; 1: common flow."""

    kinds: ClassVar[tuple[str, ...]] = ("junction",)

    kind: ClassVar[str] = "junction"

    common: int = has(JunctionKind())
    dim: int = has(Components(), 1)
    domain: str = has(Domain(), "")


class Port(Bonded):
    """Where a network is attached to bodies."""

    __slots__ = ()
    joint: str = ""
    coordinate: str | None = None
    """The joint coordinate whose rate it shares; of none where it shares the motion of a frame."""
    frame: str = ""
    direction: tuple[Formula, ...] | None = None
    rotation: bool = False
    away_from: str = ""
    """The other end of the line along which it acts, if it does."""
    body: str = ""
    """The flexible body whose elastic rates it has."""
    pulls: ClassVar[bool] = False
    """Whether it acts on points only, whatever axes they have."""


@dataclass(frozen=True, slots=True)
class JointPort(Port):
    """A 1-junction whose flow is the rate of a joint coordinate."""

    kinds: ClassVar[tuple[str, ...]] = ("joint",)

    kind: ClassVar[str] = "joint"

    joint: str = has(Reference("joint"))
    coordinate: str | None = has(Text(), None)

    @property
    def mover(self) -> str:
        return f"joint {self.joint}" + (f", {self.coordinate}" if self.coordinate else "")


@dataclass(frozen=True, slots=True)
class FramePort(Port):
    """A 1-junction whose flow is the velocity of a frame (``rotation``: angular velocity) in world
    axes, or its component along a fixed direction, or (``away_from``) the rate at which the origin
    of another frame is left behind: a cylinder or motor between two points."""

    kinds: ClassVar[tuple[str, ...]] = ("frame",)

    kind: ClassVar[str] = "frame"

    frame: str = has(Reference("frame"))
    direction: tuple[Formula, ...] | None = has(Numbers(3, ("",)), None)
    rotation: bool = has(Flag(), False)
    away_from: str = has(Reference("frame"), "")

    @property
    def mover(self) -> str:
        return f"frame {self.frame}" + (f", away from {self.away_from}" if self.away_from else "")


@dataclass(frozen=True, slots=True)
class ElasticPort(Port):
    """A 1-junction whose flows are the rates of the elastic coordinates of a flexible body, in
    their order."""

    kinds: ClassVar[tuple[str, ...]] = ("elastic",)

    kind: ClassVar[str] = "elastic"

    body: str = has(Reference("frame"))

    @property
    def mover(self) -> str:
        return f"elastic coordinates of {self.body}"


@dataclass(frozen=True, slots=True)
class OnePort(Bonded):
    """A source, store, resistance, junction structure or constraintor; on several junctions it is a
    field."""

    kinds: ClassVar[tuple[str, ...]] = tuple(ONE_PORTS)

    kind: str
    law: Mapping[str, Entries] = has(Nothing(""), FrozenDict())
    on: tuple[str, ...] = has(NameOrNames(), ())
    initial: Mapping[str, Entries] = has(Nothing(""), FrozenDict())
    stroke: str = has(Word(STROKES), "")
    domain: str = has(Domain(), "")

    @property
    def ends(self) -> tuple[tuple[str, ...], ...]:
        return (self.on,)


@dataclass(frozen=True, slots=True)
class TwoPort(Bonded):
    """tail -> TF -> head. TF: f₂ = T f₁, e₁ = Tᵀ e₂. GY: e₂ = T f₁, e₁ = Tᵀ f₂. SUM: f₂
    is f₁, stacked, in the order that a matrix may give."""

    kinds: ClassVar[tuple[str, ...]] = TWO_PORTS

    kind: str
    matrix: Entries | None = has(Matrix(), None)
    tails: tuple[str, ...] = has(NameOrNames(), ())
    heads: tuple[str, ...] = has(NameOrNames(), ())
    inverse: Entries | str | None = has(Matrix(("transpose",)), None)

    @property
    def ends(self) -> tuple[tuple[str, ...], ...]:
        return (self.tails, self.heads)

    @property
    def law(self) -> Mapping[str, Entries]:
        return FrozenDict({} if self.matrix is None else {"matrix": self.matrix})


@dataclass(frozen=True, slots=True)
class SubgraphUse(Bonded):
    """A copy of a sub-graph: of the model, shipped, or in a file."""

    kinds: ClassVar[tuple[str, ...]] = ("part",)

    kind: ClassVar[str] = "part"
    is_part: ClassVar[bool] = True

    part: str = has(Source(), "")
    file: str = ""
    parameters: Mapping[str, Formula] = has(Table(Number("")), FrozenDict())
    ports: Mapping[str, str] = has(Table(Text()), FrozenDict())

    @property
    def ends(self) -> tuple[tuple[str, ...], ...]:
        return tuple((junction,) for junction in self.ports.values())

    @property
    def title(self) -> str:
        return self.file or self.part


Element = Junction | JointPort | FramePort | ElasticPort | OnePort | TwoPort | SubgraphUse
CLASSES: dict[str, type[Element]] = {
    kind: cls for cls in (Junction, OnePort, TwoPort, JointPort, FramePort, ElasticPort,
                                  SubgraphUse)
    for kind in cls.kinds
}  # fmt: skip
KINDS = tuple(CLASSES)
_FILE_KEYS = {"tails": "from", "heads": "to", "parameters": "with"}
_UNDER_KIND = ("common", "joint", "frame", "body", "law", "matrix", "part")
"""Fields that stand under the key of the kind."""


@cache
def fields_of(kind: str) -> dict[str, tuple[str, Kind]]:
    """What may be said of an element of a kind: field and its kind, by the key files use."""
    declared = kinds_of(CLASSES[kind])
    if kind in ONE_PORTS:
        about = ONE_PORTS[kind]
        declared["law"] = Law(kind, about.laws) if about.main else Nothing(kind)
        declared["initial"] = ByName("initial", about.initial)
    if kind == "SUM":
        declared["matrix"] = Permutation()
    found = {kind if name in _UNDER_KIND else _FILE_KEYS.get(name, name): (name, own)
             for name, own in declared.items()}  # fmt: skip
    if kind in ONE_PORTS and not ONE_PORTS[kind].initial:
        del found["initial"]
    if kind == "SUM":
        del found["inverse"]
    return found


def formulas_of(element: Element) -> Iterator[tuple[str, str, Formula, Number]]:
    """Every formula: key, its place there, formula; ``local``: the own variable it may read."""
    for key, (name, kind) in fields_of(element.kind).items():
        value = getattr(element, name)
        for place, f, number in kind.formulas(value) if value is not None else ():
            yield key, place, f, number
