"""What lies beyond a section: the part [x, l] of a beam is a flexible body with the same shapes.

Its tables are the integrals of the whole beam taken from x on, about the same origin and in the
same coordinates, truncated as those are: what the part needs to move as it does follows from the
equations of a body (flexible-bodies 6), and what its section passes on from balance (``Section``
of ``pliant.mechanics.inertia``). At x = 0 they are the tables of the beam, at x = l nothing is
left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.flex.body import BeamGeometry
from pliant.flex.data import FlexibleData, second_order_tables
from pliant.flex.integrals import axis_points, beam_tables, normal_stress
from pliant.flex.numerics import Rule
from pliant.flex.packing import Packing, full_table, pack, packing_of
from pliant.records import dataclass

SECTION = "section"
"""The frame of the section in the tables of a part."""
_PLACE = ("p0", "L", "H", "psi", "phi", "a")
_INERTIA = ("m", "s0", "s1", "s2", "J0", "J1", "J2", "B0", "B1", "C", "F")
_KEPT = 500
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
    place are beyond it on the side of the root (``before``), and not on the other side. Of the
    ``whole`` beam all loads are, and nothing is passed on."""

    x: float
    before: bool = True
    whole: bool = False

    def beyond(self, places: Sequence[float], length: float) -> Array:
        """1 for places beyond it, 0 for others. Before the root there is nothing."""
        if self.whole:
            return np.ones(len(places))
        near = _SAME * length
        shift = -near if self.before and self.x > near else near
        return np.array([float(place > self.x + shift) for place in places])


@dataclass(frozen=True)
class Parts:
    """Parts of a beam as numbers in one order, whatever their sections: inertia, the section, which
    ``places`` of loads are beyond it, and what makes normal stress of its force and moment."""

    whole: FlexibleData
    places: tuple[float, ...]
    _known: dict[tuple[Cut, int], Array] = field(default_factory=dict, repr=False, compare=False)
    """Numbers that were asked for, by cut and packing."""

    @cached_property
    def geometry(self) -> BeamGeometry:
        """Where things are on the beam."""
        g = self.whole.geometry
        assert isinstance(g, BeamGeometry)
        return g

    @property
    def length(self) -> float:
        """Of the beam."""
        return float(self.geometry.body.beam.length)

    @cached_property
    def packing(self) -> Packing:
        """The order."""
        packing = packing_of(self.whole, {SECTION: self.whole.frame(0.0)})
        named = {*_INERTIA, *(f"{SECTION}:{part}" for part in _PLACE)}
        own = (t for t in packing.tables if t.name in named)
        further = (
            full_table("beyond", len(self.places)),
            full_table("stress", *self._stress(0.0).shape),
        )
        return Packing((*own, *further), packing.pairs, packing.count)

    def packed(self, cut: Cut, packing: Packing | None = None) -> Array:
        """The numbers of the part beyond a cut, in the order of this packing or of another."""
        packing = self.packing if packing is None else packing
        key = cut, id(packing)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            beyond = cut.beyond(self.places, self.length)
            part, place = part_beyond(self.whole, cut.x), {SECTION: self.whole.frame(cut.x)}
            further = {"beyond": beyond, "stress": self._stress(cut.x)}
            self._known[key] = pack(packing, part, place, further)
        return self._known[key]

    @property
    def points(self) -> int:
        """Of a section, where stress is known."""
        return len(self._stress(0.0))

    def _stress(self, x: float) -> Array:
        """Normal stress at points of the section per force and moment, (points, 6)."""
        stress = normal_stress(self.geometry.body.beam, np.eye(6), x)
        return np.zeros((0, 6)) if stress is None else stress
