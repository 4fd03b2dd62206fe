"""Elements of networks from mappings; faults are gathered, not raised one by one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pliant.errors import InputError, ModelError
from pliant.model.fields import Kind, shown
from pliant.model.named import did_you_mean
from pliant.model.networks.elements import CLASSES, KINDS, Element, OnePort, TwoPort, fields_of

_ALIASES = {"0": "junction", "1": "junction", "L": "I", "Transformer": "TF", "Gyrator": "GY"}
Wrong = tuple[str, str, str]
"""What, cure, key."""


def read_fields(
    given: Mapping[Any, Any], fields: Mapping[str, tuple[str, Kind]], required: Collection[str] = ()
) -> tuple[dict[str, Any], list[Wrong]]:
    """Converted values by the names of fields, and what is wrong with the others."""
    values = {str(key): value for key, value in given.items()}
    made: dict[str, Any] = {}
    faults: list[Wrong] = []
    for key, (name, kind) in fields.items():
        if key not in values:
            faults += [(f"{key} is missing", f"add {key}", "")] if key in required else []
            continue
        try:
            made[name] = kind.convert(values[key])
        except ModelError as error:
            faults += [(f.what, f.cure, key) for f in error.faults]
        except InputError as error:
            faults.append((f"{key}: {error.what}", error.cure, key))
    unknown = [key for key in values if key not in fields]
    faults += [(f"unknown key '{key}'", did_you_mean(key, fields), key) for key in unknown]
    return made, faults


def element_from(value: Any) -> tuple[Element | None, list[Wrong]]:
    """An element from an element or a mapping, with every fault."""
    if isinstance(value, Element):
        return value, []
    if not isinstance(value, Mapping):
        what = f"{shown(value)} stands where a mapping is expected"
        return None, [(what, "write {R: 10 ohm, on: mesh}", "")]
    keys = [str(key) for key in value]
    found = [key for key in keys if key in KINDS]
    if len(found) != 1:
        several = (f"it is of several kinds: {', '.join(found)}", "keep one", "")
        return None, [several if found else _no_kind(keys)]
    (kind,) = found
    made, faults = read_fields(value, fields_of(kind))
    if faults:
        return None, faults
    if kind == "part":
        made["part"], made["file"] = made["part"]
    cls: Any = CLASSES[kind]
    return cls(**made, **({"kind": kind} if cls in (OnePort, TwoPort) else {})), []


def _no_kind(keys: Collection[str]) -> Wrong:
    for key in keys:
        cure = did_you_mean(_ALIASES.get(key, key), KINDS)
        if key in _ALIASES or cure.startswith("did you mean"):
            return f"unknown kind '{key}'", cure, key
    return "the kind of element is missing", f"add one of: {', '.join(KINDS)}", ""
