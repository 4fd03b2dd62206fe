"""Equations on a page: rows of LaTeX in lines that fit, to be included or as a document.

Widths are those of Computer Modern, in em. A line ends before a term. Of a term that is wider than
a line the brackets are opened, a long fraction becomes 1/b (a + ...), a long root a power, and at
last factors stand on lines of their own. A vector whose entries are too long is told by components.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pliant.reading.algebra.symbols import PRINTERS, latex_name
from pliant.reading.parts import Part, Row
from pliant.reading.printing import LATEX
from pliant.records import dataclass

COLUMN, PAGE = 34.0, 46.0
"""Widths of lines: of a standard article of 10 pt, of a document of its own."""
_MATRIX = 10
"""Columns of a matrix that LaTeX takes."""
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[0-9]+|\s+|.", re.DOTALL)
_LETTERS = {
    **dict.fromkeys("ilj", 0.36), **dict.fromkeys("tfgrsczev", 0.48), **dict.fromkeys("mwMW", 0.95),
    **dict.fromkeys("ABCDEFGHIJKLNOPQRSTUVXYZ", 0.77), ",": 0.45, ".": 0.28, "(": 0.39, ")": 0.39,
    "[": 0.28, "]": 0.28, "|": 0.28,
}  # fmt: skip
_LETTER, _DIGIT, _SCRIPT, _RULE, _FENCE, _GREEK, _INDENT = 0.58, 0.5, 0.72, 0.3, 0.75, 0.65, 1.0
_SIGNS = {"+": 1.23, "-": 1.23, "=": 1.34, "<": 1.34, r"\le": 1.34, r"\wedge": 1.12, r"\vee": 1.12,
          r"\cdot": 0.73}  # fmt: skip
_SPACES = {r"\quad": 1.0, r"\,": 0.17, r"\;": 0.28, r"\!": -0.17}
_FUNCTIONS = re.compile(r"\\(arc)?(sin|cos|tan|sec|csc|cot)h?|\\(exp|ln|min|max)")
_ARGUMENT = ("mathrm", "dot", "ddot", "dddot", "ddddot", "operatorname", "text")
_TERM, _FACTOR, _GLUED = range(3)
"""What a line may end before: a term; a factor, if there is no other way; nothing."""


@dataclass(frozen=True, slots=True)
class _Box:
    """Part of a formula with its width; what is inside of a bracket, a fraction or a root."""

    latex: str
    width: float
    kind: str = "atom"
    inside: tuple[tuple[_Box, ...], ...] = ()
    script: str = ""
    """Exponent and index behind it."""
    columns: int = 0
    """Of a matrix."""


Boxes = tuple[_Box, ...]


# --- reading what printers write


class _Reader:
    """Boxes of a formula."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        found = [m for m in _TOKEN.finditer(latex) if not m[0].isspace()]
        self.words = [m[0] for m in found]
        self.starts = [m.start() for m in found] + [len(latex)]
        self.at = 0

    def next(self) -> str:
        self.at += 1
        return self.words[self.at - 1] if self.at <= len(self.words) else ""

    def list(self, *ends: str) -> Boxes:
        """Everything up to one of these words, which is passed."""
        found: list[_Box] = []
        while (word := self.next()) and word not in ends:
            if word in "^_" and found:
                found[-1] = self.scripted(found[-1])
            elif word in _SPACES and found:
                own = found[-1]
                found[-1] = replace(own, latex=f"{own.latex} {word}", script=f"{own.script} {word}",
                                    width=own.width + _SPACES[word])  # fmt: skip
            else:
                found.append(self.box(word))
        return tuple(found)

    def group(self) -> Boxes:
        """An argument: a group in braces, or one word."""
        word = self.next()
        return self.list("}") if word == "{" else (self.box(word),)

    def since(self, at: int) -> str:
        """What was read since a word."""
        return self.latex[self.starts[at] : self.starts[self.at]].strip()

    def scripted(self, base: _Box) -> _Box:
        at = self.at - 1
        width = base.width + _SCRIPT * wide(self.group()) + 0.05
        script = self.since(at)
        return replace(base, latex=base.latex + script, script=base.script + script, width=width)

    def box(self, word: str) -> _Box:
        at, inside, width, kind = self.at - 1, tuple[Boxes, ...](), _width(word), "atom"
        columns = 0
        if word == r"\left":
            opened, own, closed = self.next(), self.list(r"\right"), self.next()
            inside, width, kind = (own,), wide(own) + 2 * _FENCE + 0.34, opened + closed
        elif word == r"\frac":
            inside = self.group(), self.group()
            width, kind = max(map(wide, inside)) + _RULE, "fraction"
        elif word == r"\sqrt":
            inside = (self.group(),)
            width, kind = wide(inside[0]) + 0.9, "root"
        elif word == r"\begin":
            inside, width, columns = self.matrix()
        elif word == "{" or word.removeprefix("\\") in _ARGUMENT:
            width = wide(self.list("}") if word == "{" else self.group()) + 0.05
        elif word in _SIGNS:
            kind = "sign" if word in ("+", "-") else "relation"
        return _Box(self.since(at), width, kind, inside, columns=columns)

    def matrix(self) -> tuple[tuple[Boxes, ...], float, int]:
        """Cells, width and number of columns."""
        self.group()
        rows: list[list[Boxes]] = [[]]
        end = "&"
        while end != r"\end":
            rows[-1].append(self.list("&", r"\\", r"\end"))
            end = self.words[self.at - 1]
            rows += [[] for _ in range(end == r"\\")]
        self.group()
        width = max(sum(wide(cell) + 1.0 for cell in row) for row in rows) + 1.0
        return tuple(cell for row in rows for cell in row), width, len(rows[0])


def _width(word: str) -> float:
    """Of a letter, a command or digits."""
    if word in _SIGNS:
        return _SIGNS[word]
    if word in _SPACES:
        return _SPACES[word]
    if word.isdigit():
        return _DIGIT * len(word)
    if not word.startswith("\\"):
        return _LETTERS.get(word, _LETTER)
    function = _FUNCTIONS.fullmatch(word)
    return 0.5 * (len(word) - 1) + 0.34 if function else _GREEK


def joined(boxes: Sequence[_Box]) -> str:
    """Their LaTeX."""
    return " ".join(box.latex for box in boxes)


def wide(boxes: Sequence[_Box]) -> float:
    """Their width."""
    return sum(box.width for box in boxes)


def boxes_of(latex: str) -> Boxes:
    """A formula in boxes."""
    return _Reader(latex).list()


# --- lines


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stays together; ``before``: what a line may end before it for; ``depth``: of brackets
    that are open there."""

    latex: str
    width: float
    before: int = _TERM
    depth: int = 0


def lines_of(latex: str, width: float) -> list[str]:
    """A formula in lines of at most this width, as far as it can be; later ones are indented by a
    quad for each open bracket."""
    boxes = boxes_of(latex)
    if wide(boxes) <= width:
        return [latex]
    return _filled(_sum(boxes, width - _INDENT, 0), width)


def _sum(boxes: Boxes, room: float, depth: int) -> list[_Piece]:
    """A sum, term by term; terms that are wider than a line in parts."""
    found: list[_Piece] = []
    for term in _terms(boxes):
        if wide(term) <= room - depth:
            found.append(_Piece(joined(term), wide(term), _TERM, depth))
            continue
        parts = [piece for box in term for piece in _opened(box, room, depth)]
        lead = 1 if term[0].kind == "sign" else 0
        parts[:1] = [replace(parts[0], before=_TERM)]
        parts[lead : lead + 1] = [replace(p, before=_GLUED if lead else _TERM)
                                  for p in parts[lead : lead + 1]]  # fmt: skip
        found += parts
    return found


def _terms(boxes: Boxes) -> Iterator[Boxes]:
    """What begins with a sign or a relation."""
    start = 0
    for k, box in enumerate(boxes):
        if box.kind in ("sign", "relation") and k > start:
            yield boxes[start:k]
            start = k
    yield boxes[start:]


def _opened(box: _Box, room: float, depth: int) -> list[_Piece]:
    """A factor; if it is wide, what is inside of it."""
    if box.width <= room / 3 or box.kind in ("atom", "sign", "relation"):
        return [_Piece(box.latex, box.width, _FACTOR, depth)]
    if box.kind == "root":
        return _bracket(box.inside[0], "()", "^{1/2}" + box.script, room, depth)
    if box.kind != "fraction":
        return _bracket(box.inside[0], box.kind, box.script, room, depth)
    above, below = box.inside
    if wide(below) <= room / 2:
        one = rf"\frac{{1}}{{{joined(below)}}}"
        lead = [_Piece(one, wide(below) + _RULE, _FACTOR, depth)]
        return [*lead, *_numerator(above, room, depth)]
    return [*_numerator(above, room, depth), *_bracket(below, "()", "^{-1}", room, depth)]


def _numerator(boxes: Boxes, room: float, depth: int) -> list[_Piece]:
    """A sum in brackets; factors without."""
    if len([*_terms(boxes)]) > 1:
        return _bracket(boxes, "()", "", room, depth)
    return [piece for box in boxes for piece in _opened(box, room, depth)]


def _bracket(boxes: Boxes, fences: str, script: str, room: float, depth: int) -> list[_Piece]:
    opened, closed = fences[0], fences[1]
    inside = _sum(boxes, room, depth + 1)
    first = replace(inside[0], latex=rf"\Bigl{opened} {inside[0].latex}",
                    width=inside[0].width + _FENCE, before=_FACTOR, depth=depth)  # fmt: skip
    end = _Piece(rf"\Bigr{closed}{script}", _FENCE + _LETTER * len(script) / 2, _GLUED, depth)
    return [first, *inside[1:], end]


def _filled(pieces: Sequence[_Piece], width: float) -> list[str]:
    """Pieces in lines, ended before terms; where one term is too long, before factors."""
    lines: list[str] = []
    used, limit = 0.0, width
    for chunk in _chunks(pieces, _TERM):
        whole = sum(p.width for p in chunk)
        parts = [chunk] if whole <= width - _indent(chunk[0]) else _chunks(chunk, _FACTOR)
        for k, part in enumerate(parts):
            size = sum(p.width for p in part)
            words = " ".join(p.latex for p in part)
            if lines and used + size <= limit and (k or parts[0] is chunk):
                lines[-1] += f" {words}"
                used += size
                continue
            lead = r"\quad" * (1 + min(part[0].depth, 3)) + " " if lines else ""
            lines.append(lead + (r"\cdot " if k else "") + words)
            used, limit = size, width - (_indent(part[0]) if lead else 0.0)
    return lines


def _indent(piece: _Piece) -> float:
    return _INDENT + min(piece.depth, 3)


def _chunks(pieces: Sequence[_Piece], before: int) -> list[list[_Piece]]:
    """What stays together as long as lines end before this only."""
    found: list[list[_Piece]] = []
    for piece in pieces:
        if found and piece.before > before:
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


# --- rows, tables, documents


def table(rows: Sequence[Row], width: float = COLUMN) -> str:
    """Rows of an ``align*`` environment, in lines that fit."""
    rows = [short for row in rows for short in _entries(row, width)]
    left = max(wide(boxes_of(row.left)) for row in rows) + _SIGNS["="]
    written = []
    for row in rows:
        first, *more = lines_of(row.right, width - left)
        written.append(" \\\\\n".join([f"{row.left} &= {first}", *(f"&{line}" for line in more)]))
    return "\\begin{align*}\n" + " \\\\\n".join(written) + "\n\\end{align*}"


def _entries(row: Row, width: float) -> Iterator[Row]:
    """The row, or one for each entry of a vector or matrix that is too wide, but for zeros."""
    boxes = boxes_of(row.right)
    left = wide(boxes_of(row.left)) + _SIGNS["="]
    fits = left + wide(boxes) <= width and (not boxes or boxes[0].columns <= _MATRIX)
    if fits or len(boxes) != 1 or not boxes[0].columns:
        yield row
        return
    names = boxes_of(row.left)
    plain = len(names) == 1 and not names[0].script
    whole = row.left if plain else rf"\left({row.left}\right)"
    for k, entry in enumerate(boxes[0].inside):
        i, j = divmod(k, boxes[0].columns)
        place = f"{i + 1}" if boxes[0].columns == 1 else f"{i + 1},{j + 1}"
        if joined(entry) != "0" or boxes[0].columns == 1:
            yield replace(row, left=f"{whole}_{{{place}}}", right=joined(entry))


def fragment(heading: Sequence[str], parts: Sequence[Part], width: float = COLUMN) -> str:
    """What a document includes by ``\\input``; it needs the package amsmath."""
    tables = _tables(parts)
    lines = [f"% {' '.join(line.split())}" for line in heading]
    lines += [r"% needs \usepackage{amsmath}", r"\begingroup", r"\allowdisplaybreaks"]
    for title, rows in tables:
        lines += [
            rf"\par\medskip\noindent\textbf{{{plain(title)}}}\nopagebreak",
            table(rows, width),
        ]
    return "\n".join([*lines, r"\endgroup"])


def _tables(parts: Sequence[Part]) -> list[tuple[str, list[Row]]]:
    """Rows under their titles."""
    tables: list[tuple[str, list[Row]]] = []
    for part in parts:
        if part.continues and tables:
            tables[-1][1].extend(part.rows)
        else:
            tables.append((part.title, [*part.rows]))
    return tables


def shown_in_notebook(heading: Sequence[str], parts: Sequence[Part], width: float = PAGE) -> str:
    """Words, and formulas between dollars, as MathJax and KaTeX read them."""
    lines = [". ".join(" ".join(line.split()).rstrip(".") for line in heading) + "."]
    for title, rows in _tables(parts):
        aligned = table(rows, width).replace("{align*}", "{aligned}")
        lines += [title, f"$$\n{aligned}\n$$"]
    return "\n".join(lines)


def document(title: str, heading: Sequence[str], included: str) -> str:
    """A document of its own around a fragment."""
    lines = [
        r"\documentclass[a4paper]{article}", r"\usepackage[utf8]{inputenc}",
        r"\usepackage[margin=20mm]{geometry}", r"\usepackage{amsmath}", r"\begin{document}",
        rf"\section*{{{plain(title)}}}", r"\noindent", " \\\\\n".join(map(plain, heading)),
        included,
        r"\end{document}",
    ]  # fmt: skip
    return "\n".join(line for line in lines if line)


_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            "<": r"\textless{}", ">": r"\textgreater{}",
            **{c: f"\\{c}" for c in "#$%&_{}"}}  # fmt: skip


def plain(text: str) -> str:
    """Words as LaTeX sets them; letters beyond Latin ones as question marks."""
    return "".join(_SPECIAL.get(c, c if ord(c) < 0x180 else "?") for c in text)


def named(form: Any, name: str, width: float = COLUMN) -> str:
    """name = form."""
    return table([Row(name, "", latex_name(name), LATEX.written(form))], width)


PRINTERS["named"] = named
