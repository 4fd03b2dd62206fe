"""One mapping in place of another, written only where they differ."""

from __future__ import annotations

from typing import Any

from pliant.model.files.document import Path
from pliant.model.files.editing.splices import FIRST
from pliant.studio.operations.draft import Draft


def written(draft: Draft, path: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Put into the draft what is different: entries that are new behind those they follow, values
    that are others, and without what is gone."""
    last = FIRST if old else None
    for key, value in new.items():
        if key not in old:
            draft.insert(path, key, value, last)
        elif _differ(old[key], value):
            if isinstance(value, dict) and isinstance(old[key], dict) and value and old[key]:
                written(draft, (*path, key), old[key], value)
            else:
                draft.put((*path, key), value)
        last = key
    for key in [key for key in old if key not in new]:
        draft.remove((*path, key))


def _differ(a: Any, b: Any) -> bool:
    """Whether they are not the same in values and types."""
    if type(a) is not type(b):
        return True
    if isinstance(a, dict):
        return [*a] != [*b] or any(_differ(v, b[k]) for k, v in a.items())
    if isinstance(a, list):
        return len(a) != len(b) or any(map(_differ, a, b))
    return bool(a != b)
