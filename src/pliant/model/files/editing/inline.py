"""Plain data as short text, to be put into a file: `{R: 10 ohm, on: mesh}`; of what is too long for
a line, a block of entries."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.files.yaml_text import scalar
from pliant.records import dataclass

WIDTH = 100
_SPECIAL = re.compile(
    r"[,\[\]{}\"'#\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]|:(?=\s|$)|^[-?:](?=\s|$)|^[&*!|>%@`]"
)
"""What a plain text of YAML must not hold, at least not anywhere."""


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes values in one of the formats; `plain`: without quotes where they can be left out."""

    format: str = "yaml"
    plain: bool = True
    newline: str = "\n"

    def flow(self, value: Any) -> str:
        """The value in one line."""
        if isinstance(value, Mapping):
            inner = ", ".join(f"{self.key(k)}: {self.flow(v)}" for k, v in value.items())
            return f"{{{inner}}}"
        if isinstance(value, list | tuple):
            return f"[{', '.join(map(self.flow, value))}]"
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool | int | float):
            if isinstance(value, float) and not math.isfinite(value):
                raise InputError(f"{value} is not a finite number", "give a finite number")
            return json.dumps(value)
        raise InputError(f"{type(value).__name__} cannot be written", "give numbers and texts")

    def key(self, name: Any) -> str:
        """A name as a key."""
        return self.text(str(name)) if self.format == "json" else self.text(str(name), key=True)

    def text(self, value: str, key: bool = False) -> str:
        """A text, in quotes if it could be taken for something else."""
        bare = self.format == "yaml" and self.plain and value and value == value.strip()
        if bare and not _SPECIAL.search(value) and (key or isinstance(scalar(value), str)):
            return value
        return json.dumps(value, ensure_ascii=False)

    def behind(self, value: Any, indent: int, used: int) -> str:
        """What stands behind `key:` of a block: the value in that line, of which so much is used,
        or its entries in the lines below, further in than the key."""
        flow = self.flow(value)
        if not isinstance(value, Mapping) or not value or used + 1 + len(flow) <= WIDTH:
            return f" {flow}"
        return self.newline + self.block(value, indent + 2)

    def block(self, value: Mapping[str, Any], indent: int) -> str:
        """Entries, one below the other, the last one without line break."""
        lines = []
        for name, inner in value.items():
            start = f"{' ' * indent}{self.key(name)}:"
            lines.append(start + self.behind(inner, indent, len(start)))
        return self.newline.join(lines)
