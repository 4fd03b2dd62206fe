"""What Kane's equations are read with: generalised speeds, kinematics, partial velocities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.algebra import TooLarge, Value, latex, text
from pliant.equations.contract import Equations
from pliant.equations.partials import PartialVelocities
from pliant.equations.section import Line, Section

_LONGEST = 400
"""Terms of all tables above which none is written."""


def kane_sections(e: Equations) -> tuple[Section, ...]:
    """Kinematic equations where speeds are not rates, and the tables of partial velocities, unless
    they are too long to be read."""
    rates = tuple(_rate(q, rate) for q, rate in zip(e.q, e.qdot, strict=True)
                  if text(rate) != f"{text(q)}'")  # fmt: skip
    found = [Section("Kinematic equations", rates)] if rates else []
    try:
        tables = [_table(body, own) for body, own in e.partials.items()]
    except TooLarge:
        return tuple(found)
    size = sum(len(x) for table in tables for x in table.values)
    return (*found, *(t for t in tables if t.lines)) if size <= _LONGEST else tuple(found)


def _rate(q: Value, rate: Value) -> Line:
    return Line(f"{text(q)}'", rf"\dot{{{latex(q)}}}", rate)


def _table(body: str, own: PartialVelocities) -> Section:
    """In those axes in which the table is shortest."""
    tables = [
        Section(f"Partial velocities of {body}, axes of {axes}", tuple(_lines(body, own, R)))
        for axes, R in own.axes.items()
    ]
    return min(tables, key=lambda table: sum(map(len, table.values)))


def _lines(body: str, own: PartialVelocities, R: Any) -> Iterator[Line]:
    for letter, columns in (("w", own.w), ("v", own.v)):
        symbol = r"\omega" if letter == "w" else "v"
        for k, speed in enumerate(own.speeds):
            column = R @ columns[:, k]
            if any(x for x in column):
                yield Line(
                    f"d{letter}_{body}/d{text(speed)}",
                    rf"\frac{{\partial {symbol}_{{\mathrm{{{body}}}}}}}{{\partial {latex(speed)}}}",
                    column,
                )
