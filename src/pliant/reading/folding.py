"""Long rows of plain text in several lines."""

from __future__ import annotations


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
