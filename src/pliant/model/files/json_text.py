"""JSON text to plain data, with the same rules as YAML; and back."""

from __future__ import annotations

import json
from typing import Any

from pliant.errors import Fault, FileError
from pliant.model.files.document import MAX_DEPTH, Document


def parse_json(text: str) -> Document:
    """The data of a JSON text. What cannot be parsed at all raises FileError."""
    out = Document()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                fault = Fault("model", f"'{key}' is given twice", "keep one of them", path=(key,))
                out.faults.append(fault)
            found.setdefault(key, value)
        return found

    def refused(constant: str) -> float:
        raise FileError(f"{constant} is not a number JSON knows", "give a finite number")

    try:
        out.data = json.loads(
            text, object_pairs_hook=pairs, parse_constant=refused,
            parse_int=lambda digits: int(digits) if len(digits) < 18 else float(digits),
        )  # fmt: skip
    except json.JSONDecodeError as error:
        raise FileError(
            f"not valid JSON, line {error.lineno}, column {error.colno}: {error.msg}",
            "check commas, brackets and quotes; is the file complete?",
        ) from None
    except RecursionError:
        raise FileError("nested too deeply", "flatten it") from None
    if _depth(out.data) > MAX_DEPTH:
        raise FileError(f"nested more than {MAX_DEPTH} levels deep", "flatten it")
    return out


def dump_json(data: Any) -> str:
    """JSON text of plain data."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _depth(data: Any) -> int:
    level, below = 0, [data]
    while below and level <= MAX_DEPTH:
        level += 1
        lists = [list(d.values()) if isinstance(d, dict) else d for d in below]
        below = [item for part in lists if isinstance(part, list) for item in part]
    return level
