"""What flexible bodies have in common: material, floating frame, damping, geometric stiffness."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pliant.errors import InputError
from pliant.model.bodies.base import Moving
from pliant.model.bodies.theories import DIRECTIONS, Theory
from pliant.model.cures import Leave, curing
from pliant.model.fields import (
    Number,
    Numeric,
    OptionalQuantity,
    Written,
    is_sequence,
    number,
    plain_number,
    settle,
    settled,
    shown,
)
from pliant.model.formulas import Formula
from pliant.model.frames import Frame, node_number
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.records import dataclass

GEOMETRIC = ("second-order", "dynamic", "none")
BEAM_FRAMES = (
    "root", "mid", "tip", "mass-centre", "principal-axis", "buckens", "tisserand", "chord",
)  # fmt: skip
MODES_FRAMES = ("as-given", "mass-centre", "principal-axis", "buckens", "tisserand")
_FRACTION = Number("1")


@dataclass(frozen=True, slots=True)
class Material:
    """An isotropic linear elastic material: E, and nu or G.

    >>> pl.Material("steel", E="210 GPa", nu=0.3, density="7850 kg/m^3").E
    Formula('210 GPa')
    """

    name: str
    E: OptionalQuantity = number("Pa", None, doc="Young's modulus", above=0)
    nu: OptionalQuantity = number("1", None, doc="Poisson's ratio", above=-1, most=0.5)
    density: OptionalQuantity = number("kg/m^3", None, doc="mass per volume", above=0)
    G: OptionalQuantity = number("Pa", None, doc="shear modulus, instead of nu", above=0)

    def __post_init__(self) -> None:
        settle(self, "materials", "material")


@dataclass(frozen=True, slots=True)
class FloatingFrame:
    """The frame in which deformation is small: a word, or "at" a fraction of the length of a beam,
    or "node" of a body with given modes, or its "chord" between two nodes ("ends").

    >>> pl.FloatingFrame("chord").kind
    'chord'
    """

    kind: str
    at: Formula | None = None
    node: int | None = None
    ends: tuple[int, int] | None = None


_NODE: dict[str, Any] = {"type": "integer", "minimum": 0}
_PLACES: dict[str, dict[str, Any]] = {
    "at": {"$ref": "#/$defs/number"},
    "node": _NODE,
    "chord": {"type": "array", "items": _NODE, "minItems": 2, "maxItems": 2},
}
"""Schemas of places that hold a floating frame."""


@dataclass(frozen=True, slots=True)
class FloatingFrameKind:
    """A word, {at: fraction} (beams), {node: number} or {chord: [number, number]} (given modes)."""

    words: tuple[str, ...]
    places: tuple[str, ...]

    def convert(self, value: Any) -> FloatingFrame:
        if isinstance(value, FloatingFrame):
            value = self.plain(value)
        if isinstance(value, str) and value in self.words:
            return FloatingFrame(value)
        if isinstance(value, Mapping) and len(value) == 1 and set(value) <= set(self.places):
            ((place, inside),) = value.items()
            if place == "at":
                return FloatingFrame("at", _FRACTION.convert(inside))
            if place == "node":
                return FloatingFrame("node", node=node_number(inside))
            if not is_sequence(inside) or len(inside) != 2:
                what = f"chord {shown(inside)} is not two nodes"
                raise InputError(what, "write {chord: [3, 17]}")
            start, end = (node_number(node) for node in inside)
            if start == end:
                raise InputError(f"chord from node {start} to itself", "give two nodes")
            return FloatingFrame("chord", ends=(start, end))
        forms = ", ".join([*self.words, *(f"{{{place}: ...}}" for place in self.places)])
        near = did_you_mean(value, self.words) if isinstance(value, str) else ""
        cure = near if near.startswith("did") else f"known: {forms}"
        raise InputError(f"{shown(value)} is not a floating frame", cure)

    def plain(self, value: FloatingFrame) -> Any:
        if value.at is not None:
            return {"at": plain_number(value.at)}
        if value.ends is not None:
            return {"chord": list(value.ends)}
        return value.kind if value.node is None else {"node": value.node}

    def schema(self) -> dict[str, Any]:
        places = [{"type": "object", "properties": {place: _PLACES[place]}, "required": [place],
                   "additionalProperties": False} for place in self.places]  # fmt: skip
        return {"anyOf": [{"enum": list(self.words)}, *places]}

    def formulas(self, value: FloatingFrame) -> Iterator[tuple[str, Formula, Number]]:
        if value.at is not None:
            yield ".at", value.at, _FRACTION


_DAMPING: dict[str, tuple[str, ...]] = {
    "modal": ("1",),
    "rayleigh": ("1/s", "s"),
    "stiffness": ("s",),
}
_EXAMPLE = "write {modal: 0.01}, {rayleigh: {alpha: 0, beta: 1e-5}} or {stiffness: 1e-5}"
_OF_MOTIONS = "write {bending: {modal: 0.01}, torsion: {stiffness: 1e-5}}"
MOTIONS = ("bending", "shear", *DIRECTIONS)
"""Kinds of motion of a beam; bending and shear are those in both planes."""


@dataclass(frozen=True, slots=True)
class Damping:
    """modal: one ratio for all modes, or one per mode, lowest first; rayleigh: alpha (1/s) and
    beta (s); stiffness: beta (s); motions: one of these for each kind of motion of a beam, none for
    the others.

    >>> pl.Damping.modal([0.01, 0.02])
    Damping(kind='modal', values=(Formula('0.01'), Formula('0.02')), motions={})
    """

    kind: str
    values: Written[tuple[Formula, ...]] = settled(())
    motions: Written[Mapping[str, Damping]] = settled(FrozenDict())

    def __post_init__(self) -> None:
        if self.kind == "motions":
            self._check_motions()
            return
        if self.kind not in _DAMPING:
            raise InputError(f"unknown damping '{self.kind}'",
                             did_you_mean(str(self.kind), (*_DAMPING, *MOTIONS)))  # fmt: skip
        units, values = _DAMPING[self.kind], tuple(self.values)
        if not values or (self.kind != "modal" and len(values) != len(units)):
            raise InputError(f"{self.kind} damping of {len(values)} numbers", _EXAMPLE)
        units = units * len(values) if self.kind == "modal" else units
        made = tuple(Number(u).convert(v) for u, v in zip(units, values, strict=True))
        object.__setattr__(self, "values", made)

    def _check_motions(self) -> None:
        done: set[str] = set()
        for motion, own in self.motions.items():
            if motion not in MOTIONS:
                what = f"'{motion}' is neither a damping nor a kind of motion"
                raise InputError(what, did_you_mean(str(motion), (*_DAMPING, *MOTIONS)))
            if own.kind == "motions":
                what = f"{motion}: kinds of motion stand in a kind of motion"
                raise InputError(what, _OF_MOTIONS)
            twice = done & set(_directions(motion))
            if twice:
                cure = curing(
                    "give it by itself, or with both planes", Leave(("damping", str(motion)))
                )
                raise InputError(f"the damping of {min(twice)} is given twice", cure)
            done |= set(_directions(motion))
        object.__setattr__(self, "motions", FrozenDict(self.motions))

    @property
    def by_direction(self) -> dict[str, Damping]:
        """The damping of each direction, if it is given by kinds of motion."""
        return {d: own for m, own in self.motions.items() for d in _directions(m)}

    @property
    def parts(self) -> tuple[Damping, ...]:
        """The one damping, or that of every kind of motion."""
        return tuple(self.motions.values()) or (self,)

    @classmethod
    def modal(cls, ratios: Numeric | Sequence[Numeric]) -> Damping:
        """Damping ratios of the modes of the body with its floating frame held."""
        return cls("modal", tuple(ratios) if is_sequence(ratios) else (ratios,))  # type: ignore[arg-type]

    @classmethod
    def rayleigh(cls, alpha: Numeric, beta: Numeric) -> Damping:
        """alpha times mass plus beta times stiffness."""
        return cls("rayleigh", (alpha, beta))

    @classmethod
    def stiffness(cls, beta: Numeric) -> Damping:
        """beta times stiffness."""
        return cls("stiffness", (beta,))

    @classmethod
    def of_motions(cls, **motions: Damping) -> Damping:
        """A damping for each kind of motion of a beam: bending, torsion, axial, ..."""
        return cls("motions", motions=motions)


def _directions(motion: str) -> tuple[str, ...]:
    return tuple(d for d in DIRECTIONS if d == motion or d[:-2] == motion)


@dataclass(frozen=True, slots=True)
class DampingKind:
    """A field holding a Damping."""

    def convert(self, value: Any) -> Damping:
        if isinstance(value, Damping):
            return value
        if not isinstance(value, Mapping) or not value:
            raise InputError(f"{shown(value)} is not a damping", _EXAMPLE)
        if set(value) & set(MOTIONS):
            for kind in set(value) & set(_DAMPING):
                raise InputError(f"{kind} stands beside kinds of motion", _OF_MOTIONS)
            return Damping("motions", motions={str(m): self._part(m, value[m]) for m in value})
        if len(value) != 1:
            raise InputError(f"{shown(value)} is not a damping", _EXAMPLE)
        ((kind, inside),) = value.items()
        try:
            if kind == "rayleigh":
                if not isinstance(inside, Mapping) or set(inside) != {"alpha", "beta"}:
                    raise InputError(f"{shown(inside)} is not alpha and beta", _EXAMPLE)
                return Damping.rayleigh(inside["alpha"], inside["beta"])
            return Damping(kind, tuple(inside) if is_sequence(inside) else (inside,))
        except InputError as error:
            raise type(error)(f"{kind}: {error.what}", error.cure) from None

    def _part(self, motion: Any, value: Any) -> Damping:
        try:
            return self.convert(value)
        except InputError as error:
            raise type(error)(f"{motion}: {error.what}", error.cure) from None

    def plain(self, value: Damping) -> dict[str, Any]:
        if value.motions:
            return {motion: self.plain(own) for motion, own in value.motions.items()}
        numbers = [plain_number(f) for f in value.values]
        if value.kind == "rayleigh":
            return {"rayleigh": {"alpha": numbers[0], "beta": numbers[1]}}
        return {value.kind: numbers[0] if len(numbers) == 1 else numbers}

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/damping"}

    def formulas(self, value: Damping) -> Iterator[tuple[str, Formula, Number]]:
        for motion, own in value.motions.items():
            for label, f, kind in self.formulas(own):
                yield f".{motion}{label}", f, kind
        for k, f in enumerate(value.values):
            units = _DAMPING[value.kind]
            unit = units[k] if value.kind == "rayleigh" else units[0]
            yield f".{value.kind}[{k + 1}]", f, Number(unit)


def damping_schema() -> dict[str, Any]:
    """The schema of `damping`."""
    number = {"$ref": "#/$defs/number"}
    alpha, beta = (Number(unit).schema() for unit in _DAMPING["rayleigh"])
    pair = {"type": "object", "properties": {"alpha": alpha, "beta": beta},
            "required": ["alpha", "beta"], "additionalProperties": False}  # fmt: skip
    several = {"anyOf": [number, {"type": "array", "items": number, "minItems": 1}]}
    one = {
        "type": "object",
        "properties": {"modal": several, "rayleigh": pair, "stiffness": beta},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    motions = {"type": "object", "properties": dict.fromkeys(MOTIONS, one),
               "additionalProperties": False, "minProperties": 1}  # fmt: skip
    return {"anyOf": [one, motions]}


AS_GIVEN, MODAL = FloatingFrame("as-given"), Theory("modal")


class Deformable(Moving):
    """A body that can deform, by tables: a beam, given modes, or a class of a user that says
    ``tables``, ``elastic_names`` and ``nodes``, in the floating frame that its shapes are given in.
    """

    __slots__ = ()
    kind: ClassVar[str]
    by_nodes: ClassVar[bool] = True
    outside: ClassVar[tuple[str, ...]] = ("frames", "initial", "shape")
    theory: Theory = MODAL
    floating_frame: FloatingFrame = AS_GIVEN
    geometric_stiffness: str | None = None
    damping: Damping | None = None
    colour: str | None = None
    opacity: float = 1.0
    visible: bool = True

    name: str
    frames: Mapping[str, Frame]

    @property
    def flexible(self) -> bool:
        return self.theory.modal

    @property
    def nodes(self) -> int:
        """How many places there are where frames can be."""
        return 0

    @property
    def divides(self) -> bool:
        """Whether what lies beyond a section has tables of its own, which say what the section
        passes on: so have beams, and bodies whose mass stands at their nodes."""
        return False

    def tables(self, value: Callable[[Formula], float]) -> Any:
        """Its ``pliant.flex.data.FlexibleData``; ``value`` gives the number of a formula. Which of
        its entries are zero must not depend on numbers."""
        raise NotImplementedError

    def objections(self, value: Callable[[Formula], float | None]) -> Iterator[tuple[str, ...]]:
        """What does not go together: field, what is wrong, the cure. ``value`` gives None for what
        is wrong already."""
        yield from ()
