"""Places in a text as the page counts them.

The page has "\\n" at the end of every line and counts UTF-16 units; a file may end its lines in
other ways, and Python counts code points.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from pliant.model.files.editing.splices import Splice, applied
from pliant.records import dataclass

_ODD = re.compile("\r\n?|[\U00010000-\U0010ffff]")
_ENDING = re.compile("\r\n|\r|\n")


@dataclass(frozen=True)
class Offsets:
    """Of one text: from the file to the page and back."""

    text: str

    @cached_property
    def page_text(self) -> str:
        """The text as the page has it."""
        return _ENDING.sub("\n", self.text) if "\r" in self.text else self.text

    @cached_property
    def ending(self) -> str:
        """How lines end in the file, most of them."""
        windows, old = self.text.count("\r\n"), self.text.count("\r")
        plain = self.text.count("\n") - windows
        if windows > plain:
            return "\r\n"
        return "\r" if old - windows > plain else "\n"

    @cached_property
    def _odd(self) -> tuple[list[int], list[int], list[int]]:
        """Ends of what counts differently, in the file and in the page, and the shift after it."""
        here, there, shifts, shift = [], [], [], 0
        for match in _ODD.finditer(self.text):
            if match[0] == "\r":
                continue
            shift += -1 if match[0] == "\r\n" else 1
            here.append(match.end())
            there.append(match.end() + shift)
            shifts.append(shift)
        return here, there, shifts

    def to_page(self, offset: int) -> int:
        """A place of the file in the page."""
        here, _, shifts = self._odd
        k = bisect_right(here, offset)
        return offset + (shifts[k - 1] if k else 0)

    def from_page(self, offset: int) -> int:
        """A place of the page in the file."""
        _, there, shifts = self._odd
        k = bisect_right(there, offset)
        return min(max(offset - (shifts[k - 1] if k else 0), 0), len(self.text))

    def span_to_page(self, span: tuple[int, int]) -> tuple[int, int]:
        """Start and end of something."""
        return self.to_page(span[0]), self.to_page(span[1])

    def splices_from_page(self, splices: Iterable[Splice]) -> list[Splice]:
        """Changes as the page made them; new lines end as the others do. Where lines end in several
        ways and two ends would run into one, all of them are written alike."""
        changes = list(splices)
        own = [
            (self.from_page(a), self.from_page(b), text.replace("\n", self.ending))
            for a, b, text in changes
        ]
        if "\r" not in self.text:
            return own
        wanted = _in_units(self.page_text, changes)
        if Offsets(applied(self.text, own)).page_text == wanted:
            return own
        return [(0, len(self.text), wanted.replace("\n", self.ending))]

    def splices_to_page(self, splices: Iterable[Splice]) -> list[Splice]:
        """Changes of this text for the page."""
        return [(*self.span_to_page((a, b)), _ENDING.sub("\n", text)) for a, b, text in splices]


def _in_units(text: str, splices: Iterable[Splice]) -> str:
    """A text with changes whose places count UTF-16 units."""
    units = text.encode("utf-16-le")
    for start, end, new in sorted(splices, reverse=True):
        units = units[: 2 * start] + new.encode("utf-16-le") + units[2 * end :]
    return units.decode("utf-16-le")
