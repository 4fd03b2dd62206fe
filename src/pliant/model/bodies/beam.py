"""Beams: straight elastic bodies along x, from section and material or from stiffness.

The axis may go through given points: straight pieces with rigid corners, or one smooth curve. The
section has x along the axis, z nearest to the direction `up`. Points may be in any axes; the
beam has a frame `datum`, which is the frame the points are given in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from pliant.errors import Fault, InputError, ModelError
from pliant.model.bodies.base import LOOKS, Colour, Share
from pliant.model.bodies.beam_shapes import COMPONENT, FIELDS, BeamShapes, Functions, ShapesKind
from pliant.model.bodies.elastic import (
    BEAM_FRAMES,
    GEOMETRIC,
    Damping,
    DampingKind,
    Deformable,
    FloatingFrame,
    FloatingFrameKind,
)
from pliant.model.bodies.sections import SECTION, Section, Stations, StationsKind
from pliant.model.bodies.shapes import ShapeKind
from pliant.model.bodies.state import FlexibleState, StateKind
from pliant.model.bodies.theories import BEAM_THEORIES, GivenTheory, TheoryKind
from pliant.model.cures import adding
from pliant.model.fields import (
    Flag,
    Number,
    Numbers,
    Numeric,
    Optional,
    OptionalQuantity,
    Quantity,
    Text,
    Vec3,
    Word,
    Written,
    has,
    is_sequence,
    number,
    placed,
    settle,
    shown,
)
from pliant.model.formulas import Formula, formula
from pliant.model.frames import Frame, FramesKind
from pliant.model.frozen import FrozenDict
from pliant.model.nested import NestedFields
from pliant.records import dataclass
from pliant.spatial.spline import Spline

_POINT = Numbers(3, ("m",))
TYPES = ("euler-bernoulli", "timoshenko")
ROTARY = ("none", "axial", "full")
# Families that suit a floating frame; every other family may be asked for by name.
_SUITING = {"root": "clamped-free", "chord": "pinned-pinned", "tip": "polynomial",
            "at": "polynomial"}  # fmt: skip
_HELD_AT_BOTH_ENDS = ("pinned-pinned", "clamped-clamped", "clamped-pinned")


@dataclass(frozen=True, slots=True)
class PointsKind:
    """Two points or more: [[x, y, z], ...]."""

    def convert(self, value: Any) -> tuple[Vec3, ...]:
        if not is_sequence(value) or len(value) < 2:
            raise InputError(f"{shown(value)} stands where points are expected",
                             "write [[0, 0, 0], [1, 0, 0]]")  # fmt: skip
        return tuple(placed(_POINT, point, f"point {k + 1}") for k, point in enumerate(value))

    def plain(self, value: tuple[Vec3, ...]) -> list[Any]:
        return [_POINT.plain(point) for point in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": _POINT.schema(), "minItems": 2}

    def formulas(self, value: tuple[Vec3, ...]) -> Iterator[tuple[str, Formula, Number]]:
        for k, point in enumerate(value):
            for label, f, kind in _POINT.formulas(point):
                yield f"[{k + 1}]{label}", f, kind


@dataclass(frozen=True, slots=True)
class BeamAxis:
    """Points the axis goes through, whether it is one smooth curve, and where z of sections is."""

    points: tuple[Vec3, ...] = has(PointsKind(), doc="points it goes through, from root to tip")
    smooth: bool = has(
        Flag(), False, "a cubic spline through them (not-a-knot), instead of straight pieces"
    )
    up: Vec3 = has(Numbers(3), (0, 0, 1), "the direction z of sections is nearest to")

    def __post_init__(self) -> None:
        settle(self, "axis", "axis")
        numbers = (f for point in self.points for f in point)
        if self.smooth and not all(f.is_constant for f in numbers):
            raise InputError("points of a smooth axis read parameters", "give numbers")
        for k, (a, b) in enumerate(pairwise(self.points) if self.smooth else ()):
            if math.dist([f.value for f in a], [f.value for f in b]) == 0:
                raise InputError(f"the axis has no length between points {k + 1} and {k + 2}",
                                 "give different points")  # fmt: skip

    @property
    def length(self) -> Formula:
        """Of the whole axis."""
        if not self.smooth:
            return self.places[-1]
        points = np.array([[f.value for f in point] for point in self.points])
        return formula(Spline(points).length)

    @property
    def places(self) -> tuple[Formula, ...]:
        """Of straight pieces: lengths along the axis up to each point."""
        found = [formula(0.0)]
        for a, b in pairwise(self.points):
            square = sum(((q - p) ** 2 for p, q in zip(a, b, strict=True)), formula(0.0))
            place = found[-1] + square**0.5
            found.append(formula(place.value) if place.is_constant else place)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Stiffness:
    """Stiffness of a section given directly; what is left out belongs to no shape function.

    >>> pl.Stiffness(EA=1e4, EIz="10 N*m^2").EIz
    Formula('10 N*m^2')
    """

    EA: OptionalQuantity = number("N", None, doc="axial", above=0)
    EIy: OptionalQuantity = number("N*m^2", None, doc="of bending in the x-z plane", above=0)
    EIz: OptionalQuantity = number("N*m^2", None, doc="of bending in the x-y plane", above=0)
    GJ: OptionalQuantity = number("N*m^2", None, doc="of torsion", above=0)
    GAy: OptionalQuantity = number(
        "N", None, doc="of shear along y, with its shear factor", above=0
    )
    GAz: OptionalQuantity = number(
        "N", None, doc="of shear along z, with its shear factor", above=0
    )

    def __post_init__(self) -> None:
        settle(self, "stiffness", "stiffness")


@dataclass(frozen=True, slots=True)
class Rotary:
    """Rotary inertia of a slice per length, about y and z.

    >>> pl.Rotary(rhoIy="2e-3 kg*m", rhoIz="1e-3 kg*m").rhoIy
    Formula('2e-3 kg*m')
    """

    rhoIy: Quantity = number("kg*m", doc="about y", above=0)
    rhoIz: Quantity = number("kg*m", doc="about z", above=0)

    def __post_init__(self) -> None:
        settle(self, "rotary", "rotary")


@dataclass(frozen=True, slots=True)
class Beam(Deformable):
    """A straight beam along x from x = 0; y and z are principal axes of its sections.

    It has the frames root, mid and tip on its axis, unless frames of these names are given. With
    theories of large rotation its axis may be curved, or go through points; then it also has the
    frame datum, in which the points are given.

    >>> blade = pl.Beam("blade", "2 m", section=pl.Rectangle("80 mm", "5 mm"), material="steel")
    >>> blade.elastic_names
    ('v1', 'v2', 'v3', 'w1', 'w2', 'w3')
    """

    kind: ClassVar[str] = "beam"
    by_nodes: ClassVar[bool] = False
    outside: ClassVar[tuple[str, ...]] = (
        "theory", "shapes", "type", "rotary_inertia", "geometric_stiffness", "floating_frame",
        "damping", "frames", "initial", "shape",
        *LOOKS,
    )  # fmt: skip

    name: str
    length: Quantity = has(
        Optional(Number("m", above=0)),
        None,
        "length of the undeformed axis, unless it is given by points",
    )
    section: Written[Section | None] = has(Optional(SECTION), None, "the same section everywhere")
    material: str = has(Text(), "", "name of its material")
    sections: Written[Stations | None] = has(
        Optional(StationsKind()), None, "sections at fractions of the length, interpolated"
    )
    shear_factors: Written[tuple[Formula, Formula] | None] = has(
        Optional(Numbers(2, above=0)), None, "ky, kz instead of those of the section"
    )
    stiffness: Written[Stiffness | None] = has(
        Optional(NestedFields(Stiffness, "{EA: 1e6, EIy: 10, EIz: 10, GJ: 8}")), None,
        "stiffness instead of section and material",
    )  # fmt: skip
    mass_per_length: OptionalQuantity = has(
        Optional(Number("kg/m", above=0)), None, "with stiffness: mass per length"
    )
    rotary: Written[Rotary | None] = has(
        Optional(NestedFields(Rotary, "{rhoIy: 1e-6, rhoIz: 1e-6}")), None,
        "with stiffness: rotary inertia per length",
    )  # fmt: skip
    theory: GivenTheory = has(
        TheoryKind(BEAM_THEORIES), "modal",
        "modal: small deformation in shapes; exact, large-rotation: elements; segments(n); rigid",
    )  # fmt: skip
    shapes: Written[BeamShapes] = has(
        ShapesKind(), BeamShapes(Functions(3), Functions(3)), "its shape functions"
    )
    type: str = has(Word(TYPES), "euler-bernoulli", "whether sections shear")
    rotary_inertia: str | None = has(
        Optional(Word(ROTARY)), None, "default: axial, of Timoshenko beams full"
    )
    geometric_stiffness: str = has(Word(GEOMETRIC), "second-order", "foreshortening in the mass")
    floating_frame: Written[FloatingFrame] = has(
        FloatingFrameKind(BEAM_FRAMES, ("at",)), FloatingFrame("root"),
        "the frame in which deformation is small",
    )  # fmt: skip
    damping: Written[Damping | None] = has(Optional(DampingKind()), None, "of its deformation")
    frames: Written[Mapping[str, Frame]] = has(FramesKind(), FrozenDict(), "frames on the body")
    initial: Written[FlexibleState | None] = has(
        Optional(StateKind(FlexibleState)), None, "its initial state"
    )
    shape: Mapping[str, Any] | None = has(Optional(ShapeKind()), None, "how it is drawn")
    colour: str | None = has(Optional(Colour()), None, "it is drawn in: a name or #rrggbb")
    opacity: float = has(Share(), 1.0, "of its drawing: 1 hides what is behind, 0 cannot be seen")
    visible: bool = has(Flag(), True, "whether it is drawn")
    curvature: tuple[Formula, Formula, Formula] | None = has(
        Optional(Numbers(3, ("rad/m | 1/m",))), None,
        "of an exact or large-rotation beam: twist and curvature of its stress-free axis",
    )  # fmt: skip
    axis: Written[BeamAxis | None] = has(
        Optional(NestedFields(BeamAxis, "{points: [[0, 0, 0], [1, 0, 0]]}")), None,
        "of an exact or large-rotation beam: points its stress-free axis goes through",
    )  # fmt: skip

    def __post_init__(self) -> None:
        settle(self, "bodies", "body")
        self._measure()
        own = {name: frame for name, frame in self.frames.items() if not frame.implied}
        places: dict[str, Numeric] = {"root": 0, "mid": self.length / 2, "tip": self.length}
        places |= {"datum": 0} if self.axis is not None else {}
        implied = {
            name: Frame(name, (x, 0, 0), implied=True)
            for name, x in places.items()
            if name not in own
        }
        object.__setattr__(self, "frames", FrozenDict({**implied, **own}))

    def _measure(self) -> None:
        """The length of an axis through points is the beam's."""
        given: Formula | None = self.length
        if given is not None:
            return
        if self.axis is None:
            path = ("bodies", self.name, "length")
            cure = adding(("beam", "length"), Number("m", above=0))
            raise ModelError([Fault(f"body '{self.name}'", "length is missing", cure,
                                    path=path)])  # fmt: skip
        object.__setattr__(self, "length", self.axis.length)

    @property
    def flexible(self) -> bool:
        return self.theory.modal

    @property
    def shear(self) -> bool:
        """Whether sections shear."""
        return self.type == "timoshenko"

    @property
    def segment_directions(self) -> tuple[str, ...]:
        """In which directions its segments move, if it has segments."""
        cut = self.theory.segments
        return () if cut is None else cut.directions_with(self.shapes, shear=self.shear)

    @property
    def rotary_choice(self) -> str:
        """Which rotary inertia counts."""
        default = "full" if self.shear else "axial"
        return default if self.rotary_inertia is None else self.rotary_inertia

    def family(self, field: str) -> str:
        """The family of shape functions of a field, chosen or by the floating frame."""
        chosen: Functions = getattr(self.shapes, field)
        if chosen.family:
            return chosen.family
        suiting = _SUITING.get(self.floating_frame.kind, "free-free")
        plain = suiting == "pinned-pinned" and not field.startswith("bending")
        return "clamped-free" if plain else suiting

    @property
    def divides(self) -> bool:
        return True

    @property
    def elastic_names(self) -> tuple[str, ...]:
        """Names of the elastic coordinates: v (bending in x-y), w (in x-z), phi, s, numbered.

        Timoshenko beams add shear displacements vs, ws and, where both ends are held, one
        section rotation vr, wr.
        """
        names: list[str] = []
        for field, letter in FIELDS.items() if self.flexible else ():
            count, family = getattr(self.shapes, field).count, self.family(field)
            names += [f"{letter}{k + 1}" for k in range(count)]
            if count and self.shear and letter in "vw" and family not in COMPONENT:
                names += [f"{letter}s{k + 1}" for k in range(count)]
                names += [f"{letter}r1"] if family in _HELD_AT_BOTH_ENDS else []
        return tuple(names)
