"""What lies beyond a section: the part [x, l] of a beam is a flexible body with the same shapes.

Its tables are the integrals of the whole beam taken from x on, about the same origin and in the
same coordinates, truncated as those are: what the part needs to move as it does follows from the
equations of a body (flexible-bodies 6), and what its section passes on from balance
(``section_forces`` of ``pliant.mechanics.inertia``). At x = 0 they are the tables of the beam, at
x = l nothing is left.

So is the part of a body with given modes beyond a plane through one of its nodes, if its mass
stands at the nodes: its tables are the sums over those beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.body import BeamGeometry
from pliant.flex.data import FlexibleData, FrameData, second_order_tables
from pliant.flex.given import GivenGeometry, GivenModes, given_tables, node_fields
from pliant.flex.integrals import axis_points, beam_tables, normal_stress
from pliant.flex.numerics import Rule
from pliant.flex.packing import Packing, Table, full_table, pack, packing_of
from pliant.records import dataclass

SECTION = "section"
"""The frame of the section in the tables of a part."""
_PLACE = ("p0", "L", "H", "psi", "phi", "a")
_WHOLE = ("C", "F")
"""Tables whose zeros are those of the whole body, not of its parts."""
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


@dataclass(frozen=True, slots=True)
class NodeCut:
    """A plane through a node, across the first of the ``axes`` there (a matrix, row by row): nodes
    on the side it points to are beyond it. The mass of nodes in the plane counts on the side of
    the root as loads there do, and where nothing is before it on both sides."""

    node: int
    axes: tuple[float, ...]
    before: bool = True
    whole: bool = False

    def ahead(self, nodes: Array) -> tuple[Array, float]:
        """How far each node is beyond the plane, and what is near to it."""
        away = nodes - nodes[self.node]
        near = _SAME * float(np.abs(nodes - nodes[0]).max(initial=0.0))
        return away @ np.array(self.axes).reshape(3, 3)[:, 0], near

    def mass(self, nodes: Array) -> Array:
        """1 for nodes whose mass is beyond it, 0 for others."""
        if self.whole:
            return np.ones(len(nodes))
        ahead, near = self.ahead(nodes)
        counted = self.before or ahead.min() >= -near
        return np.asarray(ahead > (-near if counted else near), dtype=np.float64)

    def beyond(self, places: Sequence[int | None], nodes: Array) -> Array:
        """1 for nodes whose loads are beyond it, 0 for others; none: of the body frame."""
        if self.whole:
            return np.ones(len(places))
        ahead, near = self.ahead(nodes)
        shift = -near if self.before and ahead.min() < -near else near
        return np.array([float(place is not None and ahead[place] > shift) for place in places])


AnyCut = Cut | NodeCut


@dataclass(frozen=True)
class Parts:
    """Parts of a body as numbers in one order, whatever their sections: inertia, the section, which
    ``places`` of loads are beyond it, and what makes normal stress of its force and moment."""

    whole: FlexibleData
    places: tuple[Any, ...]
    _known: dict[tuple[Any, int], Array] = field(default_factory=dict, repr=False, compare=False)
    """Numbers that were asked for, by cut and packing."""

    @property
    def length(self) -> float:
        """How large the body is."""
        raise NotImplementedError

    @property
    def wholes(self) -> tuple[AnyCut, ...]:
        """All of it, then what its root carries, if it has one."""
        raise NotImplementedError

    @property
    def points(self) -> int:
        """Of a section, where stress is known."""
        return 0

    @cached_property
    def packing(self) -> Packing:
        """The order."""
        packing = packing_of(self.whole, {SECTION: self._any_section})
        named = {*_INERTIA, *(f"{SECTION}:{part}" for part in _PLACE)}
        own = tuple(self._table(t) for t in packing.tables if t.name in named)
        further = (full_table("beyond", len(self.places)), *self._further)
        return Packing((*own, *further), packing.pairs, packing.count)

    def packed(self, cut: Any, packing: Packing | None = None) -> Array:
        """The numbers of the part beyond a cut, in the order of this packing or of another."""
        packing = self.packing if packing is None else packing
        key = cut, id(packing)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = self._packed(cut, packing)
        return self._known[key]

    @property
    def _any_section(self) -> FrameData:
        """Its zeros are those of all sections."""
        raise NotImplementedError

    @property
    def _further(self) -> tuple[Table, ...]:
        raise NotImplementedError

    def _table(self, table: Table) -> Table:
        return table

    def _packed(self, cut: Any, packing: Packing) -> Array:
        raise NotImplementedError


@dataclass(frozen=True)
class BeamParts(Parts):
    """Those of a beam, beyond x."""

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

    @property
    def wholes(self) -> tuple[AnyCut, ...]:
        """All of it, then what its root carries."""
        return Cut(0.0, whole=True), Cut(0.0)

    @property
    def points(self) -> int:
        """Of a section, where stress is known."""
        return len(self._stress(0.0))

    @property
    def _any_section(self) -> FrameData:
        return self.whole.frame(0.0)

    @property
    def _further(self) -> tuple[Table, ...]:
        return (full_table("stress", *self._stress(0.0).shape),)

    def _packed(self, cut: Any, packing: Packing) -> Array:
        beyond = cut.beyond(self.places, self.length)
        part, place = part_beyond(self.whole, cut.x), {SECTION: self.whole.frame(cut.x)}
        return pack(packing, part, place, {"beyond": beyond, "stress": self._stress(cut.x)})

    def _stress(self, x: float) -> Array:
        """Normal stress at points of the section per force and moment, (points, 6)."""
        stress = normal_stress(self.geometry.body.beam, np.eye(6), x)
        return np.zeros((0, 6)) if stress is None else stress


@dataclass(frozen=True)
class NodeParts(Parts):
    """Those of a body with given modes, beyond planes through its nodes."""

    @property
    def modes(self) -> GivenModes:
        """What was given, from the floating frame."""
        g = self.whole.geometry
        assert isinstance(g, GivenGeometry)
        return g.modes

    @property
    def length(self) -> float:
        """How far its nodes reach."""
        return float(np.linalg.norm(np.ptp(self.modes.nodes, axis=0)))

    @property
    def wholes(self) -> tuple[AnyCut, ...]:
        """All of it."""
        return (NodeCut(0, tuple(np.eye(3).ravel().tolist()), whole=True),)

    @property
    def _any_section(self) -> FrameData:
        g, found = self.modes, self.whole.frame(0)
        H = found.H if g.H is None or g.geometric == "none" else _any(g.H)
        psi = found.psi if g.Phi_r is None else _any(g.Phi_r)
        return replace(found, p0=_any(g.nodes), L=_any(g.Phi_t), H=H, psi=psi)

    @property
    def _further(self) -> tuple[Table, ...]:
        return full_table("axes", 3, 3), full_table("stress", 0, 6)

    def _table(self, table: Table) -> Table:
        return full_table(table.name, *table.shape) if table.name in _WHOLE else table

    def _packed(self, cut: Any, packing: Packing) -> Array:
        nodes, place = self.modes.nodes, {SECTION: self.whole.frame(cut.node)}
        further = {"beyond": cut.beyond(self.places, nodes), "stress": np.zeros((0, 6)),
                   "axes": np.array(cut.axes).reshape(3, 3)}  # fmt: skip
        return pack(packing, self._beyond(cut.mass(nodes)), place, further)

    def _beyond(self, share: Array) -> FlexibleData:
        """Tables of the nodes of which this share of the mass is beyond."""
        g = self.modes
        inertia = None if g.inertia is None else g.inertia * share[:, None, None]
        part = replace(g, mass=g.mass * share, inertia=inertia)
        found = replace(self.whole, **given_tables(part).by_name)
        if self.whole.HH is None:
            return found
        higher = second_order_tables(node_fields(part), self.whole.pairs)
        return replace(found, C=higher.C, HH=higher.HH)


def _any(table: Array) -> Array:
    """1 where an entry of any node is not zero."""
    return np.asarray((table != 0).any(axis=0), dtype=np.float64)
