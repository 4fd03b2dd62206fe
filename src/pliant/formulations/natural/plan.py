"""The choice of natural coordinates: points at joints, unit vectors along joint axes.

Joints of the tree between rigid bodies share them; so does a joint that closes a loop, as far as
its two sides have no part in common yet: its own point or vector on one side says what it
transmits. What sharing does not hold stays a row of the joint. Nothing is shared with a flexible
body, which has a point and three vectors of its own. Source: S2.1.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.formulations.derivation.state_map import cut_joints_with_coordinates
from pliant.formulations.natural.items import (
    Item,
    Member,
    Place,
    Solid,
    numeric_geometry,
    other_parameters,
)
from pliant.graphs import SystemGraph, TreeEdge
from pliant.graphs.spanning_tree import GROUND, free_points
from pliant.mechanics.values import Values
from pliant.model.joints import Joint
from pliant.model.joints.axis import axes_with_z
from pliant.records import dataclass

_HELD = {"point": {"x", "y", "z"}, "axis": {"tilt1", "tilt2", "rx", "ry"},
         "axis1": {"rx", "ry", "rz"}, "axis2": {"rx", "ry", "rz"}}  # fmt: skip
"""Rows of a joint that are held by what its frames share."""
_COLUMN = {"axis1": 0, "axis2": 1, "axis": 2}
_NEW = 0.3
"""Sine of the angle to those chosen before from which a direction is new."""
_NEAR = 0.1
"""Distance of a point from the first one, in radii of gyration, below which it is no direction."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Share:
    """What a joint shares: ``held`` are its rows that need not be written; ``solid`` the one whose
    members of this joint tell the force, if it closes a loop."""

    held: frozenset[str]
    closing: bool = False
    solid: str = ""


@dataclass(frozen=True)
class NaturalPlan:
    """All items, the solids they belong to, and what the joints share."""

    graph: SystemGraph
    items: tuple[Item, ...]
    solids: dict[str, Solid]
    root: dict[str, str]
    """The solid of every body."""
    welds: tuple[TreeEdge, ...]
    shares: dict[str, Share]

    @classmethod
    def of(cls, graph: SystemGraph) -> NaturalPlan:
        """The plan of a system; it depends on parameters only through which directions are new."""
        return _Planner(graph).plan()

    @cached_property
    def kept(self) -> list[Joint]:
        """Joints with coordinates of their own: all that are spoken of, in the tree or not."""
        return cut_joints_with_coordinates(self.unconnected)

    @cached_property
    def unconnected(self) -> SystemGraph:
        """The system with every joint cut."""
        return replace(self.graph, edges=(), cuts=tuple(self.graph.model.joints.values()))

    @property
    def unknown(self) -> list[int]:
        """Items that move."""
        return [k for k, item in enumerate(self.items) if not item.on_ground]


class _Planner:
    def __init__(self, graph: SystemGraph) -> None:
        self.graph, self.model = graph, graph.model
        self.items: list[Item] = []
        fixed = (e for e in graph.edges if e.joint.welds)
        self.welds = tuple(e for e in fixed if self._rigid(e.joint))
        self.root = {GROUND: GROUND, **{name: name for name in self.model.bodies}}
        for edge in self.welds:
            self.root[edge.outer] = self.root[edge.inner]
        self.solids = {name: Solid(name) for name in dict.fromkeys(self.root.values())}
        others = Values(self.model, other_parameters(self.model))
        self.geometry = [numeric_geometry(v, self.welds) for v in (Values.of(self.model), others)]
        self.shares: dict[str, Share] = {}
        self.points = free_points(self.model)
        self.hints: dict[str, list[Place]] = {name: [] for name in self.solids}

    def plan(self) -> NaturalPlan:
        for edge in self.graph.edges:
            if edge not in self.welds and self._rigid(edge.joint) and edge.joint.common:
                self._tie(edge)
        if self.graph.tree == "joint":
            for joint in self.graph.cuts:
                if self._rigid(joint) and joint.common:
                    self._close(joint)
        for joint in self.model.joints.values():
            if "axis" not in joint.common and self._rigid(joint):  # axes are good vectors
                for reference, axis in joint.directions.values():
                    place = Place(reference, tuple(map(float, axis)))
                    self.hints[self._solid(reference).name].append(place)
        for solid in self.solids.values():
            if solid.name != GROUND:
                self._complete(solid)
        return NaturalPlan(self.graph, tuple(self.items), self.solids, self.root, self.welds,
                           self.shares)  # fmt: skip

    def _rigid(self, joint: Joint) -> bool:
        bodies = (reference.partition(".")[0] for reference in (joint.parent, joint.child))
        return joint.springs is None and self.model.elastic.keys().isdisjoint(bodies)

    def _solid(self, reference: str) -> Solid:
        return self.solids[self.root[reference.partition(".")[0]]]

    # --- sharing

    def _tie(self, edge: TreeEdge) -> None:
        """The outer body of a tree joint takes the joint's point and axes from the inner one."""
        joint, held = edge.joint, set[str]()
        inner, outer = (joint.child, joint.parent) if edge.flipped else (joint.parent, joint.child)
        for name in joint.common:
            item, sign = self._item(self._solid(inner), joint, name, inner)
            self._join(self._solid(outer), item, _place(joint, name, outer, sign), joint.name)
            held |= _HELD[name]
        self.shares[joint.name] = Share(frozenset(held))

    def _close(self, joint: Joint) -> None:
        """A joint that closes a loop shares what its second solid does not have yet. Three axes at
        once are not shared: six conditions would stand for three."""
        ends, held = (joint.parent, joint.child), set[str]()
        if self._solid(ends[1]).name == GROUND:
            ends = (joint.child, joint.parent)
        first, second = (self._solid(reference) for reference in ends)
        if first is second or len(joint.common) == 3:
            return
        for name in joint.common:
            item, sign = self._item(first, joint, name, ends[0])
            if all(m.item != item for m in second.members):
                place = _place(joint, name, ends[1], sign)
                self._join(second, item, place, joint.name, closing=True)
                held |= _HELD[name]
        if held:
            self.shares[joint.name] = Share(frozenset(held), closing=True, solid=second.name)

    def _item(self, solid: Solid, joint: Joint, part: str, frame: str) -> tuple[int, float]:
        """The item of a solid for a part of a joint: (item, 1 or -1 if opposed); new if need be."""
        place = _place(joint, part, frame)
        at = self._at(place)
        for m in solid.members:
            if m.closing or self.items[m.item].is_point != place.is_point:
                continue
            for sign in (1.0,) if place.is_point else (1.0, -1.0):
                if np.all(np.abs(m.at - sign * at) <= _SAME * (1 + np.abs(at))):
                    return m.item, sign
        return self._new(solid, f"{joint.name}.{part}", place), 1.0

    def _new(self, solid: Solid, name: str, place: Place) -> int:
        self.items.append(Item(name, place.is_point, solid.name == GROUND))
        self._join(solid, len(self.items) - 1, place)
        return len(self.items) - 1

    def _join(
        self, solid: Solid, item: int, place: Place, via: str = "", closing: bool = False
    ) -> None:
        solid.members.append(Member(item, place, self._at(place), via, closing))

    def _at(self, place: Place) -> Array:
        return np.array([np.asarray(g.local(place), dtype=float) for g in self.geometry])

    # --- bases

    def _complete(self, solid: Solid) -> None:
        """A point and three directions; vectors of its own where a solid has too few."""
        self._give_point(solid)
        points = [k for k, m in enumerate(solid.members) if self.items[m.item].is_point]
        solid.origin, o = points[0], solid.members[points[0]].at[0]
        far = _NEAR * self._radius(solid.name)
        arms = [(k, solid.members[k].at[0] - o) for k in points]
        known = [(k, m.at[0]) for k, m in enumerate(solid.members) if k not in points]
        known += [(k, arm) for k, arm in arms if np.linalg.norm(arm) > far]
        basis: list[Array] = []
        chosen = [k for k, d in known if _extends(basis, d)]
        own = [p for p in self.hints[solid.name] if _extends(basis, self._at(p)[0])]
        if solid.name in self.points:
            self._without_rotation(solid)
            return
        own += [Place(solid.name, tuple(map(float, v))) for v in _orthogonal(basis)]
        solid.directions = (*chosen, *(len(solid.members) + i for i in range(len(own))))
        for i, place in enumerate(own):
            self._new(solid, f"{solid.name}.n{i + 1}", place)

    def _without_rotation(self, solid: Solid) -> None:
        """A point mass that nothing turns has the axes of the ground."""
        first = len(solid.members)
        for k, axis in enumerate(np.eye(3)):
            along = tuple(map(float, axis))
            item = self._new(self.solids[GROUND], f"{solid.name}.n{k + 1}", Place(GROUND, along))
            self._join(solid, item, Place(solid.name, along))
        solid.directions = (first, first + 1, first + 2)

    def _radius(self, name: str) -> float:
        """Radius of gyration of the body a solid is named after, about its own origin."""
        body, value = self.model.rigid.get(name), Values.of(self.model).number
        if body is None:
            return 0.0
        m, spread = value(body.mass), sum(value(f) for f in body.inertia[:3])
        about_com = body.inertia_about == "com"
        offset = sum(value(c) ** 2 for c in body.com) if about_com else 0.0
        return float(np.sqrt(abs(spread) / (2 * m) + offset)) if m else 0.0

    def _give_point(self, solid: Solid) -> None:
        """A flexible body has the origin of its floating frame, a rigid one without joints that
        share a point its mass centre."""
        if solid.name in self.model.elastic:
            solid.flexible = True
            self._new(solid, f"{solid.name}.origin", Place(solid.name))
        elif not any(self.items[m.item].is_point for m in solid.members):
            self._new(solid, f"{solid.name}.centre", Place(solid.name, centre=True))


def _place(joint: Joint, part: str, frame: str, sign: float = 1.0) -> Place:
    """Where the point or an axis of a joint is on one of its frames."""
    if part == "point":
        return Place(frame)
    along = sign * joint.canonical_axes()[:, _COLUMN[part]]
    return Place(frame, tuple(float(c) + 0.0 for c in along))


def _extends(basis: list[Array], d: Array) -> bool:
    """Whether a direction is new and needed; then its new part joins the orthonormal basis."""
    length = float(np.linalg.norm(d))
    rest = d - sum((b * (b @ d) for b in basis), np.zeros(3))
    new = float(np.linalg.norm(rest))
    if len(basis) == 3 or not new > _NEW * length:
        return False
    basis.append(rest / new)
    return True


def _orthogonal(basis: list[Array]) -> list[Array]:
    """Unit vectors that complete an orthonormal basis."""
    if len(basis) == 3:
        return []
    if len(basis) == 2:
        return [_clean(np.cross(basis[0], basis[1]))]
    axes = axes_with_z(basis[0]) if basis else np.eye(3)
    return [_clean(axes[:, k]) for k in range(2 if basis else 3)]


def _clean(v: Array) -> Array:
    """Without rounding errors of zero and one."""
    whole = np.round(v)
    return np.where(np.abs(v - whole) < 1e-15, whole, v) + 0.0
