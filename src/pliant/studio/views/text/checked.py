"""A text as it was read: its data with places, the model of what could be read, all faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pliant.bonds.networks.graph import network_faults
from pliant.errors import Fault, FileError
from pliant.model.files.document import Document
from pliant.model.files.names import name_of
from pliant.model.files.reading import Reading, read
from pliant.model.files.text import parsed
from pliant.model.model import Model
from pliant.records import dataclass
from pliant.studio.document.offsets import Offsets

LARGEST = 2_000_000
"""Characters of a text that is read after every change; larger ones can be edited and saved."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Of one revision. ``document`` and ``model`` are None of a text that is no YAML or JSON."""

    revision: int
    text: str
    offsets: Offsets
    document: Document | None
    model: Model | None
    faults: tuple[Fault, ...]
    remarks: tuple[str, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether it can be run."""
        return self.model is not None and not self.faults

    @property
    def data(self) -> Any:
        """Plain data of the file."""
        return self.document.data if self.document is not None else None

    def span(self, path: tuple[str, ...]) -> tuple[int, int]:
        """Where something stands, as the page counts."""
        if self.document is None:
            return self.offsets.span_to_page((0, len(self.text)))
        return self.offsets.span_to_page(self.document.entry(path))


def checked(offsets: Offsets, format: str, base: Path | None, revision: int) -> Checked:
    """Everything that is wrong with a text, and what it says all the same."""
    text = offsets.text
    try:
        if len(text) > LARGEST:
            raise FileError(f"a text of {len(text) / 1e6:.1f} million characters is not read here",
                            "keep data in CSV files, or use the command line")  # fmt: skip
        document = parsed(text, format)
        if not isinstance(document.data, dict):
            empty = document.data is None
            what = "the file is empty" if empty else "the file is not a mapping"
            raise FileError(what, "begin with 'pliant: 1'")
    except FileError as error:
        span = error.span or (0, len(text))
        fault = Fault("", error.what, error.cure, span=span)
        return Checked(revision, text, offsets, None, None, (fault,))
    reading: Reading = read(document, base)
    faults = reading.faults or _causal_faults(reading.model, document)
    remarks = () if faults else tuple(map(str, reading.model.warnings()))
    return Checked(revision, text, offsets, document, reading.model, tuple(faults), remarks)


def _causal_faults(model: Model, document: Document) -> list[Fault]:
    """What no analysis takes although the file is well-formed: conflicts of its networks."""
    found = network_faults(model) if model.networks else []
    return [document.placed(fault) for fault in found]


def faults_data(found: Checked) -> dict[str, Any]:
    """For the page, in the order of the text."""
    ordered = sorted(found.faults, key=lambda fault: fault.span or (0, 0))
    return {
        "type": "faults", "revision": found.revision, "unreadable": found.document is None,
        "remarks": list(found.remarks),
        "faults": [fault_data(found, fault) for fault in ordered],
    }  # fmt: skip


def fault_data(found: Checked, fault: Fault) -> dict[str, Any]:
    span = fault.span or (0, len(found.text))
    return {
        "element": fault.element, "name": name_of(fault.path), "path": list(fault.path),
        "span": found.offsets.span_to_page(span), "what": fault.what, "cure": fault.cure,
        "fixes": [{"label": fix.label, "operation": fix.operation, "arguments": fix.arguments}
                  for fix in fault.fixes],
    }  # fmt: skip
