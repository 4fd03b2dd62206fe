"""What is computed from: the text of a model as it stood, and what stands in the way."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pliant.errors import InputError, ModelError, PliantError
from pliant.model.files.names import name_of
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a model. ``base``: the folder of its file, where the files it names are;
    ``name``: that of its file."""

    text: str
    format: str
    base: Path
    name: str
    revision: int = 0


class WorkError(Exception):
    """What could not be done, what to do about it, and the elements it speaks of."""

    def __init__(self, what: str, cure: str = "", elements: Iterable[str] = ()) -> None:
        self.what, self.cure, self.elements = what, cure, list(elements)
        super().__init__(f"{what}; {cure}" if cure else what)


def told(error: PliantError) -> dict[str, Any]:
    """An error as a message: what, cure, elements."""
    what, cure = str(error), ""
    if isinstance(error, InputError):
        what, cure = error.what, error.cure
    elements: list[str] = list(error.elements)
    if isinstance(error, ModelError):
        elements += (name_of(fault.path) for fault in error.faults)
    return {"what": what, "cure": cure, "elements": [*dict.fromkeys(filter(None, elements))]}
