"""How the model is run: the section `simulate`."""

from __future__ import annotations

from typing import Any

from pliant.errors import UnknownName
from pliant.model.fields import kinds_of
from pliant.model.frozen import did_you_mean
from pliant.model.settings import Settings
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.naming import short
from pliant.studio.operations.registry import operation


@operation("settings.set")
def set_setting(draft: Draft, key: str, value: Any) -> None:
    """Set how the model is run; nothing (null) leaves it to the solver."""
    known = kinds_of(Settings)
    if key not in known:
        raise UnknownName(f"there is no setting '{key[:40]}'", did_you_mean(key, known))
    if value is None:
        if draft.has("simulate", key):
            draft.remove(("simulate", key))
        draft.label = f"unset {key}"
        return
    known[key].convert(value)
    draft.put(("simulate", key), value)
    draft.label = f"set {key} = {short(value)}"
