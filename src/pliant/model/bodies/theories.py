"""Theories of deformation: one word, with the number and order of elements where it needs them.

Finite segments: how many, how long, what joins them. Source: S3.1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import fields
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pliant.errors import InputError
from pliant.model.fields import Plain, Written, is_sequence, settled, shown
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.model.fields import Settled

DIRECTIONS = ("bending_y", "bending_z", "torsion", "axial", "shear_y", "shear_z")
"""Bending in the x-y and x-z plane, twist about x, stretch along x, shear along y and z."""
STIFFNESS = {"bending_y": "EIz", "bending_z": "EIy", "torsion": "GJ", "axial": "EA",
             "shear_y": "GAy", "shear_z": "GAz"}  # fmt: skip
"""The stiffness of a section in each direction."""
INERTIAS = ("consistent", "lumped")
ENDS = ("auto", "half", "full", "none")
MOST = 1_000_000
_WORD = re.compile(r"segments\s*\(\s*(\d+)\s*\)")
_EXAMPLE = "write segments(16), or {segments: {count: 16, directions: [bending_y]}}"


@dataclass(frozen=True, slots=True)
class Segments:
    """A beam as ``count`` rigid segments joined by springs and dampers.

    ``directions``: in which ones segments move against each other; by default those of the
    beam's `shapes`, with shear of a Timoshenko beam. ``lengths``: in proportion to these numbers
    instead of equal ones. ``inertia``: `consistent` (that of the piece of the beam) or `lumped`
    (masses at the hinges). ``root``, ``tip``: the spring between an end and the first or last
    segment, of `half` a segment, of a `full` one, or `none`; `auto` is half where something holds
    or loads the end.

    >>> rope = pl.Beam("rope", "1 m", pl.Circle("4 mm"), "steel", theory=pl.Segments(16))
    >>> rope.theory.kind
    'segments'
    """

    count: int = 0
    directions: Written[tuple[str, ...]] = settled(())
    lengths: Written[tuple[float, ...]] = settled(())
    inertia: str = "consistent"
    root: str = "auto"
    tip: str = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "directions", _directions(self.directions))
        object.__setattr__(self, "lengths", _lengths(self.lengths))
        for key, words in (("inertia", INERTIAS), ("root", ENDS), ("tip", ENDS)):
            value = getattr(self, key)
            if value not in words:
                cure = did_you_mean(str(value), words) or f"use {', '.join(words)}"
                raise InputError(f"{key}: {shown(value)} is not one of {', '.join(words)}", cure)
        count = self.count or len(self.lengths)
        whole = isinstance(count, int) and not isinstance(count, bool)
        if not whole or not 1 <= count <= MOST:
            raise InputError(f"count: {shown(self.count)} is not a number of segments",
                             f"give a whole number from 1 to {MOST}")  # fmt: skip
        if self.lengths and len(self.lengths) != count:
            raise InputError(f"{len(self.lengths)} lengths for {count} segments",
                             "leave count out, or give a length for each")  # fmt: skip
        object.__setattr__(self, "count", count)

    @property
    def stations(self) -> tuple[float, ...]:
        """Fractions of the length at which segments begin and end."""
        lengths = self.lengths or (1.0,) * self.count
        total = math.fsum(lengths)
        inner = list(accumulate(lengths))[:-1]
        return (0.0, *(x / total for x in inner), 1.0)

    def directions_with(self, shapes: Any, *, shear: bool) -> tuple[str, ...]:
        """As chosen, otherwise those of the shapes of a beam, with shear where sections shear."""
        if self.directions:
            return self.directions
        bent = [d for d in DIRECTIONS[:4] if getattr(shapes, d).count]
        sheared = {f"shear_{d[-1]}" for d in bent if shear and d.startswith("bending")}
        return tuple(d for d in DIRECTIONS if d in {*bent, *sheared})

    def plain(self) -> Any:
        """As it stands in a file."""
        default = Segments(self.count)
        keys = [f.name for f in fields(self) if getattr(self, f.name) != getattr(default, f.name)]
        if not keys:
            return f"segments({self.count})"
        options: dict[str, Any] = {} if self.lengths else {"count": self.count}
        for key in keys:
            value = getattr(self, key)
            options[key] = list(value) if isinstance(value, tuple) else value
        return {"segments": options}


def segments_of(word: Any, options: Any) -> Segments | None:
    """Segments from `segments(16)`, {segments: 16} or {segments: {...}}; None if it is none."""
    called = _WORD.fullmatch(word) if isinstance(word, str) else None
    if called is None and word != "segments":
        return None
    if called is not None:
        options = int(called[1])
    if not isinstance(options, Mapping):
        options = {"count": options}
    known = [f.name for f in fields(Segments)]
    for key in options:
        if key not in known:
            raise InputError(f"segments: unknown option '{key}'", did_you_mean(str(key), known))
    if not options:
        raise InputError("segments: how many is missing", _EXAMPLE)
    try:
        return Segments(**options)
    except InputError as error:
        raise InputError(f"segments: {error.what}", error.cure) from None


def segments_schema() -> list[dict[str, Any]]:
    """Both ways to write them."""
    number: dict[str, Any] = {"type": "number", "exclusiveMinimum": 0}
    whole = {"type": "integer", "minimum": 1}
    end = {"enum": list(ENDS)}
    options = {
        "count": whole,
        "directions": {"type": "array", "items": {"enum": ["bending", "shear", *DIRECTIONS]}},
        "lengths": {"type": "array", "items": number, "minItems": 1},
        "inertia": {"enum": list(INERTIAS)},
        "root": end,
        "tip": end,
    }
    inside = {"type": "object", "additionalProperties": False, "properties": options}
    return [
        {"type": "string", "pattern": r"^segments\s*\(\s*\d+\s*\)$"},
        {"type": "object", "additionalProperties": False, "minProperties": 1,
         "properties": {"segments": {"anyOf": [whole, inside]}}},
    ]  # fmt: skip


def _directions(given: Any) -> tuple[str, ...]:
    """In the order of DIRECTIONS; `bending` and `shear` stand for both planes."""
    if not is_sequence(given):
        raise InputError(f"directions: {shown(given)} stands where a list is expected",
                         "write [bending_y, bending_z]")  # fmt: skip
    chosen: set[str] = set()
    for word in given:
        both = [f"{word}_y", f"{word}_z"] if word in ("bending", "shear") else [word]
        if both[0] not in DIRECTIONS:
            cure = did_you_mean(str(word), ("bending", "shear", *DIRECTIONS))
            raise InputError(f"directions: {shown(word)} is not a direction", cure)
        chosen |= set(both)
    return tuple(d for d in DIRECTIONS if d in chosen)


def _lengths(given: Any) -> tuple[float, ...]:
    cure = "give positive numbers; segments are in proportion to them"
    if not is_sequence(given):
        raise InputError(f"lengths: {shown(given)} stands where a list is expected", cure)
    for x in given:
        number = isinstance(x, int | float) and not isinstance(x, bool)
        if not number or not 0 < x < math.inf:
            raise InputError(f"lengths: {shown(x)} is not a positive number", cure)
    return tuple(float(x) for x in given)


BEAM_THEORIES = ("modal", "exact", "large-rotation", "segments", "rigid")
MODES_THEORIES = ("modal", "rigid")
_MESH: dict[str, dict[str, int]] = {
    "exact": {"elements": 4, "order": 2},
    "large-rotation": {"elements": 8, "nodes": 2},
}
"""Options of theories that cut a beam into elements, with their defaults."""
_LEAST = {"elements": 1, "order": 1, "nodes": 2}
_MOST = {"elements": 100_000, "order": 12, "nodes": 9}


@dataclass(frozen=True, slots=True)
class Theory:
    """modal: small deformation in shapes; rigid: none; exact, large-rotation: elements of this
    order (one less than the nodes of an element), which may turn as far as they like; segments:
    rigid pieces joined by springs."""

    kind: str
    elements: int = 0
    order: int = 0
    segments: Segments | None = None

    @property
    def modal(self) -> bool:
        """Whether deformation is small, in shapes."""
        return self.kind == "modal"

    @property
    def deforms(self) -> bool:
        """Whether the body deforms at all."""
        return self.kind != "rigid"

    @property
    def large(self) -> bool:
        """Whether the beam becomes bodies at nodes and elements between them."""
        return self.kind in _MESH

    @property
    def rewritten(self) -> bool:
        """Whether equations are derived from several bodies that stand for the beam."""
        return self.large or self.segments is not None


if TYPE_CHECKING:
    GivenTheory = Settled[Theory, Theory | Segments | Mapping[str, Any] | str]
else:
    GivenTheory = object


@dataclass(frozen=True, slots=True)
class TheoryKind(Plain):
    """How a body deforms: a word, {exact: {elements: 8, order: 2}}, or segments(16)."""

    words: tuple[str, ...]

    def convert(self, value: Any) -> Theory:
        if isinstance(value, Theory):
            return value
        if isinstance(value, Segments) and "segments" in self.words:
            return Theory("segments", segments=value)
        word: Any = value
        options: Any = {}
        if isinstance(value, Mapping) and len(value) == 1:
            ((word, options),) = value.items()
        segments = segments_of(word, options) if "segments" in self.words else None
        if segments is not None:
            return Theory("segments", segments=segments)
        if isinstance(word, str) and word in self.words:
            return _theory(word, options)
        word = str(word)
        raise InputError(f"{shown(value)} is not one of {', '.join(self.words)}",
                         did_you_mean(word, self.words) or "write modal")  # fmt: skip

    def plain(self, value: Theory) -> Any:
        if value.segments is not None:
            return value.segments.plain()
        if not value.large:
            return value.kind
        last = {"order": value.order} if value.kind == "exact" else {"nodes": value.order + 1}
        options = {"elements": value.elements, **last}
        return value.kind if options == _MESH[value.kind] else {value.kind: options}

    def schema(self) -> dict[str, Any]:
        whole = {"type": "integer", "minimum": 1}
        meshed = [
            {"type": "object", "additionalProperties": False, "minProperties": 1,
             "properties": {word: {"type": "object", "additionalProperties": False,
                                   "properties": dict.fromkeys(_MESH[word], whole)}}}
            for word in self.words if word in _MESH
        ]  # fmt: skip
        words: dict[str, Any] = {"enum": [word for word in self.words if word != "segments"]}
        cut = segments_schema() if "segments" in self.words else []
        return {"anyOf": [words, *meshed, *cut]} if meshed else words


def _theory(word: str, options: Any) -> Theory:
    known = _MESH.get(word, {})
    if not isinstance(options, Mapping):
        raise InputError(f"{word}: {shown(options)} stands where options are expected",
                         f"write {{{word}: {{elements: 8}}}}")  # fmt: skip
    for key, number in options.items():
        if key not in known:
            raise InputError(f"{word}: unknown option '{key}'", did_you_mean(str(key), known))
        whole = isinstance(number, int) and not isinstance(number, bool)
        if not whole or not _LEAST[key] <= number <= _MOST[key]:
            raise InputError(f"{word}: {key}: {shown(number)} is not a number of {key}",
                             f"give a whole number from {_LEAST[key]} to {_MOST[key]}")  # fmt: skip
    if not known:
        return Theory(word)
    chosen = {**known, **options}
    return Theory(word, chosen["elements"], chosen.get("order", chosen.get("nodes", 0) - 1))
