"""What every body says of itself, and how bodies look besides their shape: colour, opacity, whether
they are drawn at all.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, ClassVar

from pliant.errors import InputError
from pliant.model.fields import Plain, shown
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass


class Moving:
    """A body. Without more being said it is rigid, has mass and some extent."""

    __slots__ = ()
    by_nodes: ClassVar[bool] = False
    """Whether frames sit at nodes of a mesh, not along an axis or anywhere."""

    @property
    def flexible(self) -> bool:
        """Whether it has elastic coordinates."""
        return False

    @property
    def elastic_names(self) -> tuple[str, ...]:
        """Names of its elastic coordinates."""
        return ()

    @property
    def files(self) -> tuple[str, ...]:
        """Files that its numbers are read from."""
        return ()

    @property
    def massless(self) -> bool:
        """Whether its mass is written as zero."""
        return False

    @property
    def is_point(self) -> bool:
        """Whether it is a mass at its origin, of whose orientation nothing is said."""
        return False

    def resists(self, *, turning: bool) -> bool:
        """Whether it certainly has inertia against being turned, or else moved."""
        return True


COLOURS = {
    "black": "#000000", "white": "#ffffff", "grey": "#808080", "silver": "#c0c0c0",
    "red": "#d62728", "maroon": "#800000", "orange": "#ff7f0e", "brown": "#8c564b",
    "gold": "#d4a017", "yellow": "#ffe119", "olive": "#808000", "green": "#2ca02c",
    "lime": "#a4d65e", "teal": "#008080", "cyan": "#17becf", "blue": "#1f77b4",
    "navy": "#000080", "purple": "#9467bd", "magenta": "#d33f9c", "pink": "#e7969c",
}  # fmt: skip
"""Names that files may use."""
LOOKS = ("colour", "opacity", "visible")
"""Fields of every body that are only looked at."""
HEX = "#[0-9a-f]{6}"


@dataclass(frozen=True, slots=True)
class Colour(Plain):
    """A name, or #rrggbb."""

    def convert(self, value: Any) -> str:
        word = value.strip().lower() if isinstance(value, str) else ""
        if word not in COLOURS and not re.fullmatch(HEX, word):
            cure = did_you_mean(str(value), COLOURS) or 'write blue or "#1f77b4"'
            raise InputError(f"{shown(value)} is not a colour", cure)
        return word

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/colour"}


@dataclass(frozen=True, slots=True)
class Share(Plain):
    """A plain number from 0 to 1."""

    def convert(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise InputError(f"{shown(value)} is not a number from 0 to 1", "write 0.5 for half")
        return float(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": 0, "maximum": 1}


def rgb(colour: str) -> str:
    """As #rrggbb."""
    return COLOURS.get(colour, colour)


def without_look(body: Any) -> Any:
    """A body as it looks where nothing is said."""
    plain = {f.name: f.default for f in dataclasses.fields(body) if f.name in LOOKS}
    same = all(getattr(body, k) == v for k, v in plain.items())
    return body if same else dataclasses.replace(body, **plain)
