"""Equations in parts with titles, each a list of rows "left = right", in any language of formulas
that are set."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """left = right. ``label``: what it belongs to, as it is read; ``owner``: the full name of the
    speed, constraint or state, or of the body of a table."""

    label: str
    owner: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Part:
    """Rows under a title; ``continues``: in one table with those before."""

    title: str
    rows: Sequence[Row]
    continues: bool = False
