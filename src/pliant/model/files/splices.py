"""Edits of a text: places and what stands there afterwards."""

from __future__ import annotations

from collections.abc import Iterable

Splice = tuple[int, int, str]


def applied(text: str, splices: Iterable[Splice]) -> str:
    """The text with all splices made, whose places are those of the text before."""
    for start, end, new in sorted(splices, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def inverse(text: str, splices: Iterable[Splice]) -> list[Splice]:
    """Splices that lead back."""
    found, shift = [], 0
    for start, end, new in sorted(splices):
        found.append((start + shift, start + shift + len(new), text[start:end]))
        shift += len(new) - (end - start)
    return found
