"""Symbols and how they are written: alpha1'' in text, \\ddot{\\alpha}_{1} in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable

from pliant.records import dataclass

PRINTERS: dict[str, Callable[..., str]] = {}
"""``text`` and ``latex`` of a value (``pliant.reading.printing``), ``named``: of an equation
(``pliant.reading.sheet``)."""
GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega", "varphi", "vartheta", "varepsilon", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi",
    "Sigma", "Upsilon", "Phi", "Psi", "Omega",
})  # fmt: skip
_WORDS = """alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma
tau upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"""
_GREEK_LETTERS = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", _WORDS.split(), strict=True))
_SIGNS = {
    " ": "~",
    "^": r"{\wedge}",
    "~": r"{\sim}",
    "\\": r"{\backslash}",
    **{c: f"\\{c}" for c in "_#$%&{}"},
}
_LATIN = 0x180
_LETTER = re.compile(r"\{\\[a-zA-Z]+\}|\\text\{(.)\}|\\.|.")
_SPOKEN = {"lam": "lambda", "eps": "epsilon"}
_PARTS = re.compile(r"([A-Za-z]+?)(?:_([A-Za-z0-9]+)|(\d[A-Za-z0-9]*))?$")
_ACCENTS = ("", r"\dot", r"\ddot", r"\dddot", r"\ddddot")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol; in a product those of lower ``rank`` are written first, then those declared first.

    Ranks: 0 parameters and everything else, 1 coordinates, 2 speeds, 3 accelerations.
    """

    name: str
    text: str
    latex: str
    rank: int = 0


def symbol(
    name: str, text: str | None = None, latex: str | None = None, level: int = 0, rank: int = 0
) -> Symbol:
    """The ``level``-th time derivative of what ``text`` and ``latex`` show.

    Default: the name, with one level for each prime at its end.
    """
    if text is None:
        text = name.rstrip("'")
        level += len(name) - len(text)
        rank = rank or (level + 1 if level else 0)
    shown = latex_name(text, level) if latex is None else _accented(latex, level)
    return Symbol(name, text + "'" * level, shown, rank)


def latex_name(name: str, level: int = 0) -> str:
    """l11 as l_{11}, alpha1 as \\alpha_{1}, crank.mass as \\mathrm{crank.mass}."""
    found = _PARTS.match(name)
    if found is None or not found[1]:
        return _accented(rf"\mathrm{{{''.join(map(_letter, name))}}}", level)
    letter, index = _SPOKEN.get(found[1], found[1]), found[2] or found[3]
    if letter in GREEK:
        letter = "\\" + letter
    elif len(letter) > 1:
        letter = rf"\mathrm{{{letter}}}"
    index = rf"\mathrm{{{index}}}" if index and index.isalpha() and len(index) > 1 else index
    return _accented(letter, level) + (f"_{{{index}}}" if index else "")


def _letter(letter: str) -> str:
    """A letter of a name: signs of LaTeX are set as they are, letters it has not as question
    marks."""
    if letter in _GREEK_LETTERS:
        return f"{{\\{_GREEK_LETTERS[letter]}}}"
    if not letter.isascii():
        return rf"\text{{{letter}}}" if ord(letter) < _LATIN else "?"
    return _SIGNS.get(letter, letter)


def upright_word(latex: str, at: int) -> tuple[str, int]:
    """The name in the braces that open there, and where they are closed."""
    found = ""
    while (letter := _LETTER.match(latex, at + 1)) and letter[0] != "}":
        found += _SPELLED.get(letter[0]) or letter[1] or letter[0]
        at = letter.end() - 1
    return found, at + 2


_SPELLED = {_letter(letter): letter for letter in (*_GREEK_LETTERS, *_SIGNS)}


def _accented(letter: str, level: int) -> str:
    return f"{_ACCENTS[level]}{{{letter}}}" if level else letter
