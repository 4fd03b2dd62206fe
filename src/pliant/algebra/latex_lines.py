"""Long rows of LaTeX in several lines."""

from __future__ import annotations

import re

_COMMAND = re.compile(r"\\[a-zA-Z]+|[{}^_ ]|\\[,;!]")
_TERM = re.compile(r" (?=[+-] )")
WIDTH = 110
"""Characters of a line as they are seen."""


def broken(row: str, width: int = WIDTH) -> str:
    """The row of an ``aligned`` environment, with line breaks before terms that stand in no
    bracket: a & b + c becomes a & b \\\\ &\\quad + c."""
    lines, used = [""], 0
    for term in _terms(row):
        size = len(_COMMAND.sub("", term))
        if used and used + size > width:
            lines.append(r"&\quad ")
            used = 0
        lines[-1] += term if not used else f" {term}"
        used += size
    return " \\\\\n".join(lines)


def _terms(row: str) -> list[str]:
    """The terms of a sum, each with its sign."""
    found, start = [], 0
    for match in _TERM.finditer(row):
        if _closed(row[start : match.start()]):
            found.append(row[start : match.start()])
            start = match.end()
    return [*found, row[start:]]


def _closed(text: str) -> bool:
    """Whether every bracket that is opened is closed."""
    return text.count("{") == text.count("}") and text.count(r"\left") == text.count(r"\right")
