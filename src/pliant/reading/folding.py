"""Long rows in several lines, of plain text and of LaTeX."""

from __future__ import annotations

import re

_COMMAND = re.compile(r"\\[a-zA-Z]+|[{}^_ ]|\\[,;!]")
_TERM = re.compile(r" (?=[+-] )")
WIDTH = 110
"""Characters of a line as they are seen."""


def folded(written: str, width: int = 100, indent: int = 4) -> str:
    """A long line broken before signs, outside brackets if it can; later lines are indented."""
    lines, rest, start = [], written, ""
    while len(start + rest) > width:
        signs = _signs(rest)
        if not signs:
            break
        signs = [s for s in signs if len(start) + s[0] <= width] or signs[:1]
        cut = min(signs, key=lambda s: (s[1], -s[0]))[0]
        lines.append(start + rest[:cut])
        rest, start = rest[cut + 1 :], " " * indent
    return "\n".join([*lines, start + rest])


def _signs(written: str) -> list[tuple[int, int]]:
    """Blanks before signs between terms, with the number of open brackets there."""
    found, depth = [], 0
    for k, letter in enumerate(written):
        depth += (letter in "([") - (letter in ")]")
        if letter == " " and k and written[k + 1 : k + 3] in ("+ ", "- "):
            found.append((k, depth))
    return found


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
    """The terms of a sum, each with its sign; every bracket that is opened in one is closed."""
    found, start = [], 0
    for match in _TERM.finditer(row):
        term = row[start : match.start()]
        if all(term.count(a) == term.count(b) for a, b in (("{", "}"), (r"\left", r"\right"))):
            found.append(term)
            start = match.end()
    return [*found, row[start:]]
