"""Messages of the page: which there are and what they must hold. Anything else is refused."""

from __future__ import annotations

import json
from typing import Any

from pliant.errors import InputError
from pliant.studio.work.process.plain import plain

VERSION = 1
LARGEST = 64 << 20
"""Bytes of one message."""
_SPLICES = "splices"
_TYPES: dict[str, Any] = {
    "text": str, "number": int, "names": list, "path": list, "mapping": dict, "flag": bool,
    _SPLICES: list, "anything": object,
}  # fmt: skip
MESSAGES: dict[str, dict[str, str]] = {
    "files": {},
    "frames": {},
    "domains": {},
    "history": {},
    "open": {"path": "text"},
    "new": {"path": "text", "template": "text"},
    "edit": {"revision": "number", "splices": _SPLICES},
    "set": {"revision": "number", "path": "path", "value": "anything"},
    "do": {"revision": "number", "operation": "text", "arguments": "mapping"},
    "try": {"operation": "text", "arguments": "mapping"},
    "undo": {},
    "redo": {},
    "save": {},
    "disk": {"choice": "text"},
    "journal": {"choice": "text"},
    "look": {"what": "text", "arguments": "mapping"},
    "complete": {"offset": "number"},
    "inquire": {"name": "text"},
    "form": {"name": "text"},
    "complete_field": {"path": "path", "text": "text", "at": "number"},
    "follow": {"network": "text", "name": "text"},
    "bondable": {"network": "text", "a": "text"},
    "network_palette": {"network": "text"},
    "gestures": {"name": "text"},
    "component": {"subgraph": "text", "path": "text"},
    "at": {"offset": "number"},
    "palette": {},
    "clip": {"names": "names"},
    "select": {"names": "names"},
    "run": {"analysis": "text", "options": "mapping", "params": "mapping"},
    "stop": {"job": "number"},
    "series": {"run": "number", "names": "names"},
    "compare": {"a": "number", "b": "number"},
    "forget": {"run": "number"},
    "load": {"path": "text"},
    "reopen": {"run": "number"},
    "export": {"kind": "text", "options": "mapping"},
}
"""What each must hold, by its type."""


def read(text: str | bytes) -> dict[str, Any]:
    """A message; InputError says what is wrong with it."""
    if not isinstance(text, str):
        raise InputError("a message is a text", "send JSON")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("a message is not JSON") from None
    kind = message.get("type") if isinstance(message, dict) else None
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise InputError(f"there is no message '{str(kind)[:40]}'")
    for key, wanted in MESSAGES[kind].items():
        if key not in message or not _is(wanted, message[key]):
            raise InputError(f"message '{kind}': {key} is missing or no {wanted}")
    return dict(message)


def _is(kind: str, value: Any) -> bool:
    if kind == "number":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == _SPLICES:
        return isinstance(value, list) and all(map(_is_splice, value))
    if kind in ("names", "path"):
        return isinstance(value, list) and all(isinstance(name, str) for name in value)
    return isinstance(value, _TYPES[kind])


def _is_splice(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 3:
        return False
    start, end, text = value
    whole = all(isinstance(n, int) and not isinstance(n, bool) for n in (start, end))
    return whole and isinstance(text, str)


def written(message: dict[str, Any]) -> str:
    """A message for the page; numbers that are none become null."""
    try:
        return json.dumps(message, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        return json.dumps(plain(message), ensure_ascii=False, allow_nan=False)
