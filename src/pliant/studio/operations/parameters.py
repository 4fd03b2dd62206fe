"""Parameters: set, added, removed, and made of a number that stands somewhere."""

from __future__ import annotations

from typing import Any

from pliant.studio.operations.draft import Draft
from pliant.studio.operations.registry import operation


@operation("parameter.set")
def set_parameter(draft: Draft, name: str, value: Any) -> None:
    """Give a parameter a value; one that is not there yet is added."""
    is_new = not draft.has("parameters", name)
    draft.put(("parameters", name), value)
    draft.label = f"{'define' if is_new else 'set'} {name} = {value}"
    draft.selection = (f"parameters.{name}",) if is_new else None
