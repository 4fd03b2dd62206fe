"""Several changes, made one after the other, as one list of splices of the first text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pliant.model.files.editing.layout import Splice, ordered

_Piece = tuple[int, int] | str
"""A stretch of the first text that is still there, or new text."""


def composed(length: int, steps: Iterable[Sequence[Splice]]) -> list[Splice]:
    """What leads from a text of this length to the last one; places of each step are those of the
    text that the step before it has left."""
    pieces: list[_Piece] = [(0, length)]
    for splices in steps:
        pieces = [*_replaced(pieces, splices)]
    return [*_splices(pieces, length)]


def _size(piece: _Piece) -> int:
    return len(piece) if isinstance(piece, str) else piece[1] - piece[0]


def _parted(piece: _Piece, at: int) -> tuple[_Piece, _Piece]:
    if isinstance(piece, str):
        return piece[:at], piece[at:]
    return (piece[0], piece[0] + at), (piece[0] + at, piece[1])


def _replaced(pieces: Sequence[_Piece], splices: Sequence[Splice]) -> Iterator[_Piece]:
    rest, place = list(reversed(pieces)), 0

    def until(end: int) -> Iterator[_Piece]:
        nonlocal place
        while place < end:
            piece = rest.pop()
            if place + _size(piece) > end:
                piece, behind = _parted(piece, end - place)
                rest.append(behind)
            place += _size(piece)
            yield piece

    for start, end, text in ordered(splices):
        yield from until(start)
        for _ in until(end):
            pass
        yield text
    yield from reversed(rest)


def _splices(pieces: Iterable[_Piece], length: int) -> Iterator[Splice]:
    last, new = 0, ""
    for piece in [*pieces, (length, length)]:
        if isinstance(piece, str):
            new += piece
            continue
        start, end = piece
        if start == end and start != length:
            continue
        if start > last or new:
            yield last, start, new
        last, new = end, ""
