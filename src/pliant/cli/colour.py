"""Colour where a terminal has it, and nowhere else (https://no-color.org)."""

from __future__ import annotations

import os
import sys
from typing import Any

CODES = {"bad": "31", "doubtful": "33", "good": "32"}


def painted(text: str, mood: str, stream: Any = None) -> str:
    """The text in the colour of a mood, if the stream (standard output) shows colours."""
    stream = sys.stdout if stream is None else stream
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or not stream.isatty():
        return text
    return f"\033[{CODES[mood]}m{text}\033[0m"
