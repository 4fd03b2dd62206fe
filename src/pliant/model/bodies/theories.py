"""Theories of deformation: one word, with the number and order of elements where it needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pliant.errors import InputError
from pliant.model.bodies.segments import Segments, segments_of, segments_schema
from pliant.model.fields import Plain, shown
from pliant.model.named import did_you_mean

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
    def large(self) -> bool:
        """Whether the beam becomes bodies at nodes and elements between them."""
        return self.kind in _MESH

    @property
    def rewritten(self) -> bool:
        """Whether equations are derived from several bodies that stand for the beam."""
        return self.large or self.segments is not None


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
        options = _options(value)
        return value.kind if options == _MESH.get(value.kind, {}) else {value.kind: options}

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


def _options(value: Theory) -> dict[str, int]:
    if not value.large:
        return {}
    order = {"order": value.order} if value.kind == "exact" else {"nodes": value.order + 1}
    return {"elements": value.elements, **order}
