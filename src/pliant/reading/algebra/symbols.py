"""Symbols and how they are written: alpha1'' in text, \\ddot{\\alpha}_{1} in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pliant.records import dataclass

PRINTERS: dict[str, Callable[[Any], str]] = {}
"""``text`` and ``latex`` of a value (``pliant.reading.printing``)."""
GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega", "varphi", "vartheta", "varepsilon", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi",
    "Sigma", "Upsilon", "Phi", "Psi", "Omega",
})  # fmt: skip
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
        return _accented(rf"\mathrm{{{name.replace('_', chr(92) + '_')}}}", level)
    letter, index = _SPOKEN.get(found[1], found[1]), found[2] or found[3]
    if letter in GREEK:
        letter = "\\" + letter
    elif len(letter) > 1:
        letter = rf"\mathrm{{{letter}}}"
    return _accented(letter, level) + (f"_{{{index}}}" if index else "")


def _accented(letter: str, level: int) -> str:
    return f"{_ACCENTS[level]}{{{letter}}}" if level else letter
