"""What lies beyond a section: the part [x, l] of a beam is a flexible body with the same shapes.

Its tables are the integrals of the whole beam taken from x on, about the same origin and in the
same coordinates, truncated as those are: what the part needs to move as it does follows from the
equations of a body (flexible-bodies 6), and what its section passes on from balance (``Section``
of ``pliant.mechanics.inertia``). At x = 0 they are the tables of the beam, at x = l nothing is
left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.arrays import Array
from pliant.flex.body import BeamGeometry
from pliant.flex.data import FlexibleData, second_order_tables
from pliant.flex.integrals import axis_points, beam_tables
from pliant.flex.numerics import Rule
from pliant.flex.packing import Packing, Table, pack, packing_of
from pliant.records import dataclass

SECTION = "section"
"""The frame of the section in the tables of a part."""
_INERTIA = ("m", "s0", "s1", "s2", "J0", "J1", "J2", "B0", "B1", "C", "F")
_SAME = 1e-9
"""Places nearer to each other than this part of the length are the same."""


def part_beyond(data: FlexibleData, x: float) -> FlexibleData:
    """Mass tables of the part of a beam beyond x."""
    g = data.geometry
    assert isinstance(g, BeamGeometry)
    ends = g.rule.breaks[g.rule.breaks > x + _SAME * g.body.beam.length]
    if not len(ends):
        return _scaled_to_nothing(data)
    rule = Rule.with_points(np.concatenate([[x], ends]), g.rule.per_panel)
    f, rates, along = g.fields.at(rule.x), g.body.beam.rates(rule.x), rule.x - g.x0
    H = g.foreshortening(x) + rule.cumulative(f.foreshortening_rate())[0]
    bent = None if data.geometric_stiffness == "none" else H
    tables = beam_tables(rule, along, rates, f, bent, g.body.rotary)
    part = replace(data, **tables.by_name)
    if data.HH is None:
        return part
    higher = second_order_tables(axis_points(rule, along, rates, f, H), data.pairs)
    return replace(part, C=higher.C, HH=higher.HH)


def _scaled_to_nothing(data: FlexibleData) -> FlexibleData:
    tables = {name: np.zeros_like(table) for name, table in data.by_name.items()} | {"m": 0.0}
    if data.HH is not None and data.C is not None:
        tables |= {"C": np.zeros_like(data.C), "HH": np.zeros_like(data.HH)}
    return replace(data, **tables)


@dataclass(frozen=True, slots=True)
class Cut:
    """A section of a beam: where it is, and the side of it that is asked for. Loads at its own
    place are beyond it on the side of the root (``before``), and not on the other side."""

    x: float
    before: bool = True

    def beyond(self, places: Sequence[float], length: float) -> Array:
        """1 for places beyond it, 0 for others. Before the root there is nothing."""
        near = _SAME * length
        shift = -near if self.before and self.x > near else near
        return np.array([float(place > self.x + shift) for place in places])


def part_packing(whole: FlexibleData, loaded: int) -> Packing:
    """How parts of a beam are packed, whatever their sections: inertia, the section, and which of
    so many ``loaded`` places are beyond it."""
    packing = packing_of(whole, {SECTION: whole.frame(0.0)})
    own = tuple(
        t for t in packing.tables
        if t.name in _INERTIA or t.name.removeprefix(f"{SECTION}:") in ("p0", "L", "H", "psi", "phi", "a")
    )  # fmt: skip
    every = tuple((k,) for k in range(loaded))
    beyond = Table("beyond", (loaded,), {place: place[0] for place in every}, every)
    return Packing((*own, beyond), packing.pairs, packing.count)


def packed_part(packing: Packing, whole: FlexibleData, cut: Cut, places: Sequence[float]) -> Array:
    """The numbers of the part beyond a cut; ``places``: where loads act."""
    g = whole.geometry
    assert isinstance(g, BeamGeometry)
    beyond = cut.beyond(places, g.body.beam.length)
    part = part_beyond(whole, cut.x)
    return pack(packing, part, {SECTION: whole.frame(cut.x)}, {"beyond": beyond})
